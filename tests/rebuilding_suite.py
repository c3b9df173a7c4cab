"""What changes kept books must do this, the fake and the real one: subclassed with a `library` fixture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from bot.core.book import SectionKind
from bot.core.club import BookId, MemberId
from bot.core.errors import Refused
from bot.core.ports import PositionRecord
from bot.core.progress import Understood, progress, undo
from bot.core.rebuilding import Rebuilding
from bot.core.remarking import NotStory, Story, StoryEnds, StoryStarts
from bot.ingest.rebuild import mark_book
from bot.ingest.replace import replace_book
from bot.ingest.worker import fill_vectors
from tests.doors_suite import Any_, at
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, end_of
from tests.made_books import book_of, chapter, matter

PROLOGUE = (
    "It was the year of the great tide, and the causeway stood under water until noon. Nobody remembers who "
    "first saw the light go out. They say it burned blue before it died."
)
TALE = book_of(
    matter(SectionKind.UNKNOWN, "Before", PROLOGUE),
    *(
        chapter(n, f"The ferry came late on day {n}. Ana stood on the quay with lamp {n}. She went home at {n}.")
        for n in range(1, 5)
    ),
    matter(SectionKind.NOTES, "Notes", "The gold was never found by anyone."),
)


@dataclass
class Rebuilt:
    """An empty club with a library, and what changes its books."""

    library: Any_
    rebuilding: Rebuilding

    async def place(self, name: str, book: BookId) -> int | None:
        member = await self.library.member(name)
        async with self.library.doors.opened() as door:
            latest: Mapping[MemberId, int] = await door.positions_latest(book, [member.id])
        return latest.get(member.id)

    async def shown(self, book: BookId, offset: int) -> list[str]:
        """All prose that is admitted up to ``offset``."""
        async with self.library.doors.opened() as door:
            return [passage.text for passage in await door.passages_read(at(book, offset), range(99))]


class RebuildingSuite:
    """Every test changes books of the fixture `rebuilt`."""

    async def test_a_kept_book_comes_back_whole(self, rebuilt: Rebuilt) -> None:
        book = await rebuilt.library.add(LANTERN)
        kept = await rebuilt.rebuilding.book_kept(book)
        assert kept.book.text == LANTERN.text
        assert [(s.kind, s.span, s.title, s.heading_end, s.chapter, s.parts) for s in kept.book.sections] == [
            (s.kind, s.span, s.title, s.heading_end, s.chapter, s.parts) for s in LANTERN.sections
        ]
        assert [read.kind for read in kept.as_read] == [s.kind for s in LANTERN.sections]
        with pytest.raises(Refused):
            await rebuilt.rebuilding.book_kept(BookId(999_999))

    async def test_what_becomes_story_is_a_chapter_and_lowers_who_had_passed_it(self, rebuilt: Rebuilt) -> None:
        library = rebuilt.library
        book = await library.add(TALE)
        await library.place("ana", book, end_of(TALE, 2))
        await library.place("bob", book, TALE.body_end)
        await library.place("eve", book, 0)
        changed = await mark_book(rebuilt.rebuilding, book, Story(1, 1))
        assert changed.lowered == 2
        assert [await rebuilt.place(name, book) for name in ("ana", "bob", "eve")] == [0, 0, 0]
        async with library.doors.opened() as door:
            chapter_map = await door.chapter_map(book)
        assert (len(chapter_map.chapters), chapter_map.body_start, chapter_map.version) == (5, 0, 1)
        assert await rebuilt.shown(book, TALE.sections[0].span.end) == [f"Before\n\n{PROLOGUE}"]

    async def test_what_is_no_story_any_more_is_sealed_to_the_end(self, rebuilt: Rebuilt) -> None:
        book = await rebuilt.library.add(TALE)
        await rebuilt.library.place("ana", book, end_of(TALE, 3))
        assert (await mark_book(rebuilt.rebuilding, book, NotStory(3, 3))).lowered == 0
        assert await rebuilt.place("ana", book) == end_of(TALE, 3)
        assert not any("day 2" in text for text in await rebuilt.shown(book, TALE.body_end - 1))
        assert any("day 2" in text for text in await rebuilt.shown(book, TALE.body_end))

    async def test_a_shorter_story_takes_places_back_and_finishes_nobody(self, rebuilt: Rebuilt) -> None:
        book = await rebuilt.library.add(TALE)
        for name, offset in (("ana", end_of(TALE, 1)), ("bob", end_of(TALE, 3) - 5), ("eve", TALE.body_end)):
            await rebuilt.library.place(name, book, offset)
        await mark_book(rebuilt.rebuilding, book, StoryEnds(2))
        last = TALE.text.index("She went home at 1")
        assert [await rebuilt.place(name, book) for name in ("ana", "bob", "eve")] == [last, last, end_of(TALE, 1)]
        assert not any("gold" in text or "day 2" in text for text in await rebuilt.shown(book, last))

    async def test_undo_never_goes_back_past_a_change_of_the_map(self, rebuilt: Rebuilt) -> None:
        library = rebuilt.library
        book = await library.add(TALE)
        for offset in (TALE.body_end, end_of(TALE, 1)):
            ana = await library.place("ana", book, offset)
        bob = await library.place("bob", book, 0)
        await mark_book(rebuilt.rebuilding, book, StoryEnds(3))
        assert await rebuilt.place("ana", book) == end_of(TALE, 1)
        assert await undo(library.doors, library.roster, ana, book) is None
        assert await rebuilt.place("ana", book) == end_of(TALE, 1)
        await library.roster.position_appended(PositionRecord(ana.id, book, 9, "offset", "offset:9", "x"))
        undone = await undo(library.doors, library.roster, ana, book)
        assert undone is not None
        assert undone.offset == end_of(TALE, 1)
        assert await undo(library.doors, library.roster, ana, book) is None
        assert (await undo(library.doors, library.roster, bob, book)) is not None

    async def test_a_place_that_was_worked_out_on_another_map_is_refused(self, rebuilt: Rebuilt) -> None:
        library = rebuilt.library
        book, ana = await library.add(TALE), await library.member("ana")
        async with library.doors.opened() as door:
            before = (await door.chapter_map(book)).version
        await mark_book(rebuilt.rebuilding, book, StoryStarts(1))
        stale = PositionRecord(ana.id, book, end_of(TALE, 2), "chapter", "2", "finished chapter 2", map_version=before)
        with pytest.raises(Refused) as refused:
            await library.roster.position_appended(stale)
        assert refused.value.code == "map_changed"
        await library.roster.position_appended(replace(stale, map_version=before + 1))
        assert await rebuilt.place("ana", book) == end_of(TALE, 2)

    async def test_a_change_of_a_map_that_has_changed_is_refused(self, rebuilt: Rebuilt) -> None:
        book = await rebuilt.library.add(TALE)
        stale = await rebuilt.rebuilding.book_kept(book)
        await mark_book(rebuilt.rebuilding, book, StoryStarts(1))

        class Late:
            """Reads the book as it was."""

            book_rebuilt = rebuilt.rebuilding.book_rebuilt

            async def book_kept(self, _: BookId) -> object:
                return stale

        with pytest.raises(Refused) as refused:
            await mark_book(Late(), book, NotStory(3, 3))  # type: ignore[arg-type]
        assert refused.value.code == "map_changed"

    async def test_marks_are_taken_back_to_what_the_file_was_read_as(self, rebuilt: Rebuilt) -> None:
        book = await rebuilt.library.add(TALE)
        before = await rebuilt.library.shelf.book_sections(book)
        for mark in (Story(1, 1), NotStory(2, 3), StoryEnds(6)):
            await mark_book(rebuilt.rebuilding, book, mark)
        assert await rebuilt.library.shelf.book_sections(book) != before
        for mark in (NotStory(1, 1), NotStory(6, 6), Story(2, 3)):
            await mark_book(rebuilt.rebuilding, book, mark)
        assert await rebuilt.library.shelf.book_sections(book) == before

    async def test_only_what_becomes_story_is_embedded_anew(self, rebuilt: Rebuilt) -> None:
        embedder, shelf = HashEmbedder(), rebuilt.library.shelf
        book = await rebuilt.library.add(TALE, embedder)
        await mark_book(rebuilt.rebuilding, book, NotStory(3, 4))
        assert (await shelf.book(book)).status == "ready"
        await mark_book(rebuilt.rebuilding, book, Story(1, 1))
        assert (await shelf.book(book)).status == "searchable"
        assert [waiting.ordinal for waiting in await shelf.passages_unembedded(book, 99)] == [0]
        await fill_vectors(shelf, embedder, book)
        assert (await shelf.book(book)).status == "ready"
        async with rebuilt.library.doors.opened() as door:
            near = await door.passages_nearest(at(book, TALE.sections[0].span.end), embedder.embed_question("tide"))
            assert near.ordinals.tolist() == [0]

    async def test_a_replaced_book_keeps_places_and_role_and_is_gone(self, rebuilt: Rebuilt) -> None:
        library = rebuilt.library
        old = await library.add(TALE)
        other = book_of(
            matter(SectionKind.ESSAY, "Introduction", "Everybody knows how this ends: the ferry was never there."),
            *(
                chapter(
                    n,
                    f"The ferry came “late” on day {n}. Ana stood on the quay with lamp {n}. She went home at {n}.",
                )
                for n in range(1, 5)
            ),
        )
        await library.place("ana", old, end_of(TALE, 2))
        await library.place("bob", old, TALE.body_end)
        new = await library.add(other, file="other")
        await replace_book(rebuilt.rebuilding, old, new)
        assert (await library.roster.current_book()).id == new
        assert [b.id for b in await library.roster.books()] == [new]
        assert [await rebuilt.place(name, new) for name in ("ana", "bob")] == [end_of(other, 2), other.body_end]
        ana = await library.member("ana")
        (record,) = await library.roster.positions(ana.id, new)
        assert (record.said, record.understood) == ("the book's file was replaced", "finished chapter 2, 50%")
        assert await undo(library.doors, library.roster, ana, new) is None
        outcome = await progress(library.doors, library.roster, ana, new, "finished 3")
        assert isinstance(outcome, Understood)
        assert outcome.place.offset == end_of(other, 3)

    async def test_a_file_that_is_read_already_replaces_nothing(self, rebuilt: Rebuilt) -> None:
        library = rebuilt.library
        old, new = await library.add(TALE), await library.add(LANTERN, file="other")
        await library.place("ana", new, 40)
        with pytest.raises(Refused) as refused:
            await replace_book(rebuilt.rebuilding, old, new)
        assert refused.value.code == "book_read"
        with pytest.raises(Refused) as refused:
            await replace_book(rebuilt.rebuilding, old, old)
        assert refused.value.code == "same_file"
        assert len(await library.roster.books()) == 2
