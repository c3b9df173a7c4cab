"""The door's methods on real books: what they show is exactly what has been read, whatever the boundary."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.book import SectionKind
from bot.core.boundary import Boundary, boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.folding import folded
from bot.core.indexed import IndexedBook
from bot.core.offsets import Span
from bot.core.terms import term_id, terms
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import CLUB, book_of, chapter, matter, stored_index

PROSE = (
    "The heron stood in the shallow water. Nobody had fed it! “Is it lame?” asked Ines. It was not lame; it waited.\n\n"
)
MADE = book_of(
    matter(SectionKind.ESSAY, "Introduction", "Ines is the thief, and the heron is stuffed."),
    *(
        chapter(n, PROSE * 9 + f"So ended day {n} for Warden Oke.", f"Day {n}", (("Low Water", 1),))
        for n in range(1, 6)
    ),
    matter(SectionKind.NOTES, "Notes", "The heron of day four was a different bird."),
    matter(SectionKind.PREVIEW, "Next", "The Bittern. It was night."),
)
ANA = MemberId(1)


@dataclass(frozen=True)
class Place:
    """One book behind the door, with its vectors."""

    app: AsyncEngine
    ingest: AsyncEngine
    book: BookId
    indexed: IndexedBook

    @property
    def doors(self) -> PostgresDoors:
        return PostgresDoors(self.app, CLUB)

    def at(self, offset: int) -> Boundary:
        return boundary_for(self.book, private_to(ANA), {ANA: offset})


@pytest.fixture
async def place(databases: Databases, database: str) -> AsyncIterator[Place]:
    indexed = index_book(MADE)
    async with databases.engine(INGEST, database) as ingest, databases.engine(APP, database) as app:
        book = await stored_index(ingest, indexed)
        await fill_vectors(PostgresShelf(ingest), HashEmbedder(), book)
        yield Place(app, ingest, book, indexed)


BOUNDARIES = sorted({
    *(at + d for s in MADE.sections for at in (s.span.start, s.title_revealed_at, s.span.end) for d in (-1, 0, 1)),
    *range(0, MADE.body_end, 397),
    MADE.body_end,
} & set(range(MADE.body_end + 1)))  # fmt: skip


async def test_at_every_boundary_exactly_what_is_revealed_is_admitted(place: Place) -> None:
    for offset in BOUNDARIES:
        async with place.doors.opened() as door:
            admitted = await door.passages_admitted(place.at(offset))
            titles = await door.titles_met(place.at(offset))
            names = await door.names_met(place.at(offset))
        expected = [p for p in place.indexed.passages if p.cut.revealed_at <= offset]
        assert admitted.ordinals.tolist() == [p.cut.ordinal for p in expected]
        assert admitted.starts.tolist() == [p.cut.span.start for p in expected]
        assert admitted.ends.tolist() == [p.cut.span.end for p in expected]
        assert admitted.revealed.tolist() == [p.cut.revealed_at for p in expected]
        assert admitted.bodies.tolist() == [p.body for p in expected]
        assert admitted.chapters.tolist() == [p.chapter or 0 for p in expected]
        assert admitted.lengths.tolist() == [p.length for p in expected]
        assert [t.section for t in titles] == [s.ordinal for s in MADE.sections if s.title_revealed_at <= offset]
        assert {n.name for n in names} == {n for n, at in place.indexed.names.items() if at <= offset}


async def test_at_every_boundary_what_is_read_is_the_canonical_text_and_no_more(place: Place) -> None:
    everything = [p.cut.ordinal for p in place.indexed.passages]
    for offset in BOUNDARIES:
        async with place.doors.opened() as door:
            read = await door.passages_read(place.at(offset), everything)
            straddling = await door.passage_straddling(place.at(offset))
        for passage in (*read, *([straddling] if straddling else [])):
            assert passage.text == passage.span.of(MADE.text)
            assert max(s.revealed_at for s in passage.sentences) == passage.revealed_at <= offset
            assert all(s.text == s.span.of(MADE.text) for s in passage.sentences)
        sentences = [s for s in place.indexed.sentences if s.sentence.revealed_at <= offset]
        assert [s.span for p in read for s in p.sentences] == [s.sentence.span for s in sentences]
        if straddling:
            cut = place.indexed.passages[straddling.ordinal].cut
            assert cut.revealed_at > offset >= straddling.span.end
            assert straddling in read


async def test_the_passage_in_progress_is_read_up_to_its_last_whole_sentence(place: Place) -> None:
    second = MADE.chapters[1]
    offset = second.title_revealed_at + MADE.text[second.heading_end :].index("Is it lame?”") + 4
    async with place.doors.opened() as door:
        part = await door.passage_straddling(place.at(offset))
    async with place.doors.opened() as door:
        none_yet = await door.passage_straddling(place.at(MADE.chapters[1].span.end))
    assert part is not None
    assert part.chapter == 2
    assert part.text.endswith("Nobody had fed it!")
    assert none_yet is None


async def test_similarities_are_those_of_brute_force_over_the_revealed_vectors(place: Place) -> None:
    question = HashEmbedder().embed_question("Who fed the heron on day 3?")
    async with place.ingest.connect() as connection:
        rows = await connection.exec_driver_sql(
            "select passage, revealed_at, embedding::real[] from dogear.passage_vector order by passage, piece"
        )
        stored = [(r.passage, r.revealed_at, np.array(r.embedding, dtype=np.float32)) for r in rows]
    assert {passage for passage, _, _ in stored} == {p.cut.ordinal for p in place.indexed.passages}
    for offset in (0, MADE.chapters[0].span.end, MADE.chapters[2].span.end - 200, MADE.body_end):
        async with place.doors.opened() as door:
            nearest = await door.passages_nearest(place.at(offset), question)
        expected: dict[int, float] = {}
        for passage, revealed_at, vector in stored:
            if revealed_at <= offset:
                expected[passage] = max(expected.get(passage, -1.0), float(vector @ question))
        assert nearest.ordinals.tolist() == list(expected)
        assert np.allclose(nearest.values, list(expected.values()), atol=2e-3)


async def test_counts_of_terms_are_those_of_the_admitted_passages(place: Place) -> None:
    wanted = [term_id(term) for term in terms("heron Oke bittern stuffed", "en")]
    for offset in (0, MADE.chapters[0].span.end, MADE.body_end):
        async with place.doors.opened() as door:
            found = await door.passages_matching(place.at(offset), [*wanted, *wanted])
        seen = {(t.term, int(o)): int(n) for t in found for o, n in zip(t.ordinals, t.counts, strict=True)}
        assert seen == {
            (term, p.cut.ordinal): p.terms[term]
            for p in place.indexed.passages
            for term in wanted
            if p.cut.revealed_at <= offset and term in p.terms
        }


async def test_the_chapter_map_has_every_chapter_and_no_title(place: Place) -> None:
    async with place.doors.opened() as door:
        found = await door.chapter_map(place.book)
    assert [(c.ordinal, c.printed_number, c.parts, c.start, c.end) for c in found.chapters] == [
        (s.chapter, s.printed_number, tuple(p.number for p in s.parts), s.span.start, s.span.end) for s in MADE.chapters
    ]
    assert (found.body_end, found.characters, found.has_pages) == (MADE.body_end, len(MADE.text), False)


async def test_a_title_is_found_only_in_chapters_that_were_reached(place: Place) -> None:
    third = MADE.chapters[2]
    async with place.doors.opened() as door:
        assert await door.title_chapters(place.book, third.title_revealed_at - 1, "day 3") == ()
        assert await door.title_chapters(place.book, third.title_revealed_at, "day 3") == (3,)


@given(share=st.floats(0.0, 1.0), length=st.integers(30, 90))
@settings(max_examples=10)
async def test_words_of_the_body_are_found_where_they_stand_and_never_read_past(
    databases: Databases, share: float, length: int
) -> None:
    indexed = index_book(MADE)
    body = MADE.chapters[0].span.start
    start = body + int(share * (MADE.body_end - body - length))
    quoted = MADE.text[start : start + length]
    async with (
        databases.cloned() as database,
        databases.engine(INGEST, database) as ingest,
        databases.engine(APP, database) as app,
    ):
        book = await stored_index(ingest, indexed)
        async with PostgresDoors(app, CLUB).opened() as door:
            found = await door.quote_offsets(book, [folded(quoted), folded("no such words anywhere at all")])
    assert {run for run, _ in found} <= {0}
    letters = folded(MADE.text[body : MADE.body_end])
    first = letters.find(folded(quoted))
    assert found
    for _, read_to in found:
        assert len(folded(MADE.text[body:read_to])) <= len(letters)
    lowest = min(read_to for _, read_to in found)
    assert len(folded(MADE.text[body:lowest])) <= first + len(folded(quoted))


async def test_a_quote_of_sealed_matter_is_not_found(place: Place) -> None:
    async with place.doors.opened() as door:
        assert await door.quote_offsets(place.book, [folded("Ines is the thief and the heron is stuffed")]) == ()
        assert await door.quote_offsets(place.book, [folded("The heron of day four was a different bird")]) == ()


async def test_a_passage_that_does_not_exist_reads_as_nothing(place: Place) -> None:
    async with place.doors.opened() as door:
        assert await door.passages_read(place.at(MADE.body_end), [10_000, -1]) == ()
        assert await door.passages_read(place.at(MADE.body_end), []) == ()
        assert Span(0, 0).of(MADE.text) == ""
