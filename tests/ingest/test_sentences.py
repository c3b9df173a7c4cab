"""Sentences are cut from the left: what follows the deciding code point has no say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.book import Section, SectionKind
from bot.core.offsets import Span
from bot.ingest.sentences import HARD_CAP, LONGEST, split_sentences

PIECES = st.sampled_from(
    [
        *["ab", "Mr", "I", "No", "st", "3", ".", "!", "?", "…", "”", '"', ")", "。", "？", "、", "」", ";", ",", "—"],
        "x" * 190,
        "y" * 310,
        "\n\n",
        "\n",
        " ",
        " ",
        " ",
    ]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def section(
    text: str, heading: int = 0, kind: SectionKind = SectionKind.BODY, revealed_at: int | None = None
) -> Section:
    return Section(0, kind, Span(0, len(text)), "", heading, len(text) if revealed_at is None else revealed_at)


def cut(text: str, language: str | None = "en", heading: int = 0) -> list[str]:
    return [s.span.of(text) for s in split_sentences(text, section(text, heading), language)]


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.data())
def test_sentences_revealed_by_an_offset_are_the_same_whatever_follows(
    text: str, other: str, data: st.DataObject
) -> None:
    boundary = data.draw(st.integers(0, len(text)))
    twin = (text[:boundary] + other)[: len(text)].ljust(len(text), "x")
    if boundary == len(text):
        return
    read, also = (
        [s for s in split_sentences(book, section(book)) if s.revealed_at <= boundary] for book in (text, twin)
    )
    assert read == also


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_every_visible_code_point_lies_in_exactly_one_sentence(text: str) -> None:
    last = 0
    for sentence in split_sentences(text, section(text)):
        assert not text[last : sentence.span.start].strip()
        assert sentence.span.of(text) == sentence.span.of(text).strip() != ""
        last = sentence.span.end
    assert not text[last:].strip()


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_sentence_is_revealed_no_later_than_the_next_one_starts(text: str) -> None:
    sentences = split_sentences(text, section(text))
    for sentence, following in pairwise(sentences):
        gap = following.span.start - sentence.span.end
        assert sentence.span.end <= sentence.revealed_at <= following.span.start + (gap == 0)
    assert all(s.revealed_at <= len(text) for s in sentences)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_no_sentence_is_longer_than_the_cap(text: str) -> None:
    assert all(len(s.span) <= LONGEST for s in split_sentences(text, section(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. J. H. Watson came in. He sat.", ["Mr. J. H. Watson came in.", "He sat."]),
        ("“Where are you?” said Ana. She left.", ["“Where are you?” said Ana.", "She left."]),
        ("“No. I won't.” He took No. 3 then.", ["“No.", "I won't.”", "He took No. 3 then."]),
        ("It was I. He knew.", ["It was I.", "He knew."]),
        ("At 3 p.m. on Sunday it rained.", ["At 3 p.m. on Sunday it rained."]),
        ("He waited… and waited.", ["He waited… and waited."]),
        ("It costs 3.14 in all. Good.", ["It costs 3.14 in all.", "Good."]),
        ("One\n\nTwo", ["One", "Two"]),
        ("A line of verse\nand another.", ["A line of verse\nand another."]),
        ("她说：“走吧。”他走了！真的？是的。", ["她说：“走吧。”", "他走了！", "真的？", "是的。"]),
        ("「ねえ？」と彼は言った。彼女は笑った。", ["「ねえ？」と彼は言った。", "彼女は笑った。"]),
        ("هل جاء؟ نعم۔ انتهى", ["هل جاء؟", "نعم۔", "انتهى"]),
    ],
)
def test_sentences_end_where_a_reader_would_say_so(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_number_with_a_full_stop_may_be_an_ordinal_in_german_only() -> None:
    text = "Am 3. Mai kam er."
    assert cut(text, "de") == [text]
    assert cut(text, "en") == ["Am 3.", "Mai kam er."]


def test_one_code_point_of_white_space_decides() -> None:
    text = "He left. She stayed."
    assert [s.revealed_at for s in split_sentences(text, section(text))] == [len("He left. "), len(text)]


def test_a_heading_is_never_joined_with_prose() -> None:
    text = "XII The lamp goes out\nIt was dark."
    assert cut(text, heading=len("XII The lamp goes out")) == ["XII The lamp goes out", "It was dark."]


def test_a_heading_is_revealed_once_something_stands_after_it() -> None:
    text = "XII It was dark."
    sentences = split_sentences(text, section(text, heading=3))
    assert [s.revealed_at for s in sentences] == [5, len(text)]


def test_a_long_sentence_ends_at_white_space_after_the_cap() -> None:
    text = "word " * 300
    assert all(len(s) <= HARD_CAP + len("word ") for s in cut(text))


def test_a_long_sentence_ends_sooner_at_a_semicolon() -> None:
    text = "word " * 85 + "end; " + "word " * 20 + "stop."
    assert cut(text)[0].endswith("end;")


def test_a_sealed_section_reveals_its_sentences_with_itself() -> None:
    text = "One. Two."
    sealed = section(text, kind=SectionKind.ESSAY, revealed_at=5000)
    assert {s.revealed_at for s in split_sentences(text, sealed)} == {5000}


def test_spans_are_of_the_whole_canonical_text() -> None:
    text = "First chapter. Second one. Done."
    second = Section(1, SectionKind.BODY, Span(15, len(text)), "", 15, len(text))
    assert [s.span.of(text) for s in split_sentences(text, second)] == ["Second one.", "Done."]
