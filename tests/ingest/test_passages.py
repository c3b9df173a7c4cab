"""Passages are runs of whole sentences, closed by their own length alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.book import PassageCut, Section, SectionKind
from bot.core.offsets import Span
from bot.ingest.passages import TARGET, WIDE_WEIGHT, cut_passages, cut_pieces, weight
from bot.ingest.sentences import split_sentences

SENTENCE = st.integers(1, 60).map(lambda n: " ".join(["word"] * n) + ". ")
CHAPTER = st.lists(SENTENCE, max_size=40).map("".join)


def book(chapters: list[str]) -> tuple[str, list[Section]]:
    sections, at = [], 0
    for ordinal, chapter in enumerate(chapters):
        span = Span(at, at + len(chapter))
        sections.append(Section(ordinal, SectionKind.BODY, span, "", at, span.end, chapter=ordinal + 1))
        at = span.end
    return "".join(chapters), sections


def passages(chapters: list[str], target: int = 300) -> list[PassageCut]:
    text, sections = book(chapters)
    return cut_passages(text, sections, [split_sentences(text, s) for s in sections], target)


@settings(max_examples=50, deadline=None)
@given(st.lists(CHAPTER, max_size=5))
def test_every_sentence_is_in_exactly_one_passage_of_its_own_section(chapters: list[str]) -> None:
    text, sections = book(chapters)
    sentences = [split_sentences(text, s) for s in sections]
    cuts = cut_passages(text, sections, sentences, 300)
    assert [c.ordinal for c in cuts] == list(range(len(cuts)))
    held = [(c.section, index) for c in cuts for index in range(c.first, c.last + 1)]
    assert held == [(s, index) for s, own in enumerate(sentences) for index in range(len(own))]
    for c in cuts:
        first, last = sentences[c.section][c.first], sentences[c.section][c.last]
        assert c.span == Span(first.span.start, last.span.end)
        assert c.revealed_at in {last.revealed_at, sections[c.section].revealed_at}


@settings(max_examples=50, deadline=None)
@given(CHAPTER, CHAPTER, CHAPTER, st.data())
def test_passages_are_the_same_however_the_chapter_goes_on(
    start: str, one: str, other: str, data: st.DataObject
) -> None:
    length = len(start) + max(len(one), len(other)) + 1
    boundary = data.draw(st.integers(0, len(start)))
    read, also = (
        [c for c in passages([(start[:boundary] + tail + "x" * length)[:length]]) if c.revealed_at <= boundary]
        for tail in (start[boundary:] + one, other)
    )
    assert read == also


def test_a_passage_that_only_the_chapters_end_closed_is_revealed_with_the_chapter() -> None:
    (cut,) = passages(["Too short to be full. \n\n"])
    assert cut.revealed_at == len("Too short to be full. \n\n")


def test_a_passage_closes_with_the_sentence_that_reaches_the_target() -> None:
    chapter = "Ten words make this one sentence of fifty letters. " * 60
    sizes = [len(c.span) for c in passages([chapter], TARGET)]
    assert all(TARGET <= size <= TARGET + 100 for size in sizes[:-1])
    assert len(sizes) == 2


def test_a_chinese_passage_has_fewer_code_points() -> None:
    chapter = "他走了又回来了。" * 300
    sizes = [len(c.span) for c in passages([chapter], TARGET)]
    assert max(sizes) <= TARGET // WIDE_WEIGHT + len("他走了又回来了。")


def test_weight_counts_wide_code_points_more() -> None:
    assert weight("abc é") == 5
    assert weight("走了") == 2 * WIDE_WEIGHT


def test_a_sealed_section_has_passages_too() -> None:
    text = "The butler did it. So it ends."
    sealed = Section(0, SectionKind.ESSAY, Span(0, len(text)), "", 0, 9999)
    (cut,) = cut_passages(text, [sealed], [split_sentences(text, sealed)])
    assert cut.revealed_at == 9999


def test_lists_that_do_not_pair_are_an_error() -> None:
    text, sections = book(["One. ", "Two. "])
    with pytest.raises(ValueError, match="zip"):
        cut_passages(text, sections, [[]])


@given(st.lists(st.text("abc .é漢", min_size=1, max_size=400), min_size=1, max_size=30), st.integers(0, 30))
def test_the_pieces_of_a_passage_that_is_partly_read_are_its_first_ones(sentences: list[str], read: int) -> None:
    pieces = cut_pieces(sentences)
    assert [n for first, last in pieces for n in range(first, last + 1)] == list(range(len(sentences)))
    so_far = cut_pieces(sentences[:read])
    assert so_far[:-1] == pieces[: max(0, len(so_far) - 1)]


def test_a_passage_of_the_usual_size_is_two_pieces() -> None:
    sentence = "The inspector looked about him with surprise, and said nothing. "
    count = -(-TARGET // len(sentence))
    assert len(cut_pieces([sentence] * count)) == 2
