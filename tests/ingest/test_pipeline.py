"""From a book's text to what is stored of it: nothing lost, and nothing that hangs on what comes later."""

from __future__ import annotations

import hashlib
import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.core.folding import folded
from bot.core.indexed import IndexedBook
from bot.core.terms import term_id, terms
from bot.ingest.canonical import clean
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.pipeline import index_book
from bot.ingest.sections import assemble
from tests.conftest import STRESS
from tests.made_books import MadeSection, book_of, chapter, matter
from tests.noninterference.twins import EARLY, LATE, Twins, prose, twins

KINDS = (
    SectionKind.FRONT,
    SectionKind.ESSAY,
    SectionKind.NOTES,
    SectionKind.BACK,
    SectionKind.PREVIEW,
    SectionKind.UNKNOWN,
)
PIECES = (
    "Ana Wren said.",
    "“Why?”",
    "—",
    "…",
    "老人は海へ行った。",
    "3. Mai",
    "* * *",
    "a" * 900,
    "No.",
    "Mr. Fogg",
    "\u00a0",
    "é",
)


@st.composite
def books(draw: st.DrawFn) -> BookText:
    """Books with sections of all kinds and prose of all scripts, long stretches and hardly any."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    made: list[MadeSection] = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        if draw(st.booleans()):
            made.append(
                matter(
                    draw(st.sampled_from(KINDS)),
                    draw(st.sampled_from(["", "Notes"])),
                    clean(prose(rng, LATE, 90)).strip(),
                )
            )
        words = EARLY + draw(st.lists(st.sampled_from(PIECES), max_size=6).map(tuple))
        text = clean(prose(rng, words, draw(st.integers(2, 2500)))).strip() or "x"
        made.append(chapter(number, text, draw(st.sampled_from(["", "The Bell"]))))
    return book_of(*made)


@settings(max_examples=12 * STRESS)
@given(books())
def test_leads_and_texts_rebuild_the_canonical_text(book: BookText) -> None:
    indexed = index_book(book)
    assert "".join(s.lead + s.text for s in indexed.sentences) == book.text
    for sentence in indexed.sentences:
        assert sentence.text == sentence.sentence.span.of(book.text)
        assert not sentence.lead or sentence.lead.isspace()
        assert sentence.folded == folded(sentence.text)
    assert indexed.text_sha256 == hashlib.sha256(book.text.encode()).hexdigest()


@settings(max_examples=12 * STRESS)
@given(books())
def test_every_visible_character_lies_in_one_passage_of_its_section(book: BookText) -> None:
    indexed = index_book(book)
    covered = [0] * len(book.text)
    for passage in indexed.passages:
        section = book.sections[passage.cut.section]
        assert section.span.covers(passage.cut.span)
        assert (passage.chapter, passage.body) == (section.chapter, section.kind is SectionKind.BODY)
        for at in range(passage.cut.span.start, passage.cut.span.end):
            covered[at] += 1
    assert all(n == 1 or (n == 0 and c.isspace()) for n, c in zip(covered, book.text, strict=True))
    assert [p.cut.ordinal for p in indexed.passages] == list(range(len(indexed.passages)))


@settings(max_examples=12 * STRESS)
@given(books())
def test_a_passage_is_its_sentences_and_is_revealed_with_the_last_of_them(book: BookText) -> None:
    indexed = index_book(book)
    for passage in indexed.passages:
        own = [s for s in indexed.sentences if s.passage == passage.cut.ordinal]
        assert (own[0].sentence.span.start, own[-1].sentence.span.end) == (passage.cut.span.start, passage.cut.span.end)
        assert own[0].text + "".join(s.lead + s.text for s in own[1:]) == passage.cut.span.of(book.text)
        assert max(s.sentence.revealed_at for s in own) <= passage.cut.revealed_at
        assert {s.section for s in own} == {passage.cut.section}


@settings(max_examples=12 * STRESS)
@given(books())
def test_nothing_is_revealed_before_it_stands(book: BookText) -> None:
    indexed = index_book(book)
    for passage in indexed.passages:
        section = book.sections[passage.cut.section]
        if section.kind is SectionKind.BODY:
            assert passage.cut.span.end <= passage.cut.revealed_at <= section.span.end
        else:
            assert passage.cut.revealed_at == section.revealed_at >= book.body_end
    for sentence in indexed.sentences:
        if book.sections[sentence.section].kind is SectionKind.BODY:
            assert sentence.sentence.revealed_at >= sentence.sentence.span.end
    for name, revealed_at in indexed.names.items():
        read = " ".join(s.text for s in indexed.sentences if s.sentence.revealed_at <= revealed_at)
        assert name.split()[-1] in read


@settings(max_examples=12 * STRESS)
@given(books())
def test_terms_are_those_of_the_passages_text(book: BookText) -> None:
    indexed = index_book(book)
    for passage in indexed.passages:
        counted = terms(passage.cut.span.of(book.text), indexed.language)
        assert passage.length == counted.total() == sum(passage.terms.values())
        assert passage.terms.keys() == {term_id(term) for term in counted}


def revealed(indexed: IndexedBook, boundary: int) -> list[object]:
    """Everything of an index that a reader at ``boundary`` may be shown."""
    return [
        indexed.language,
        [s for s in indexed.sentences if s.sentence.revealed_at <= boundary],
        [p for p in indexed.passages if p.cut.revealed_at <= boundary],
        sorted((name, at) for name, at in indexed.names.items() if at <= boundary),
        [(s.ordinal, s.title, s.parts) for s in indexed.book.sections if s.title_revealed_at <= boundary],
    ]


@settings(max_examples=60 * STRESS)
@given(twins(max_size=2500))
def test_what_is_revealed_is_the_same_however_the_book_goes_on(pair: Twins) -> None:
    assume(pair.boundary < pair.first.body_end)
    one, other = (revealed(index_book(text), pair.boundary) for text in (pair.first, pair.second))
    assert one == other


def test_the_names_of_a_footnote_hang_on_nothing_after_its_chapter() -> None:
    names = []
    for later in ("Everyone came to see how Quillet lived.", "Everyone came to see how nobody lived."):
        text, drafts = "", []
        for kind, heading, body in (
            (SectionKind.BODY, "Chapter 1", "Ana lit the lamp and the tide rose."),
            (SectionKind.FOOTNOTES, "Footnotes", "Quillet made such lamps."),
            (SectionKind.BODY, "Chapter 2", later),
        ):
            start = len(text) + 2 * bool(text)
            text += ("\n\n" if text else "") + f"{heading}\n\n{body}"
            begins = kind is SectionKind.BODY
            marker = None if begins else 20
            drafts.append(SectionDraft(kind, start, heading, start + len(heading), begins, marker=marker))
        book = assemble(BookDraft(text, tuple(drafts), language="en"))
        end = book.chapters[0].span.end
        assert book.sections[1].revealed_at == end
        names.append(sorted((name, at) for name, at in index_book(book).names.items() if at <= end))
    assert names[0] == names[1]


def test_progress_rises_from_stage_to_stage() -> None:
    told: list[float] = []
    index_book(book_of(*(chapter(n, "It rained. " * 90 + "It cleared.") for n in range(1, 9))), progress=told.append)
    assert told == sorted(told)
    assert all(0 <= done <= 1 for done in told)
    assert len(told) >= 3


def test_a_stated_language_is_that_of_the_terms() -> None:
    book = book_of(chapter(1, "The houses were burning."))
    assert index_book(book).language == "en"
    assert index_book(book, "de").language == "de"
    assert index_book(book, "de").passages != index_book(book).passages


def test_a_sentence_opens_a_paragraph_after_a_blank_line_and_at_a_sections_start() -> None:
    indexed = index_book(book_of(chapter(1, "One came. Two came.\n\nThree came."), chapter(2, "Four came.")))
    assert [s.text for s in indexed.sentences if s.paragraph_start] == [
        "Chapter 1", "One came.", "Three came.", "Chapter 2", "Four came.",
    ]  # fmt: skip
