"""A kept book under another map: nobody is further on, nothing is shown that was not, and it is as if read so."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.core.club import BookId, ClubId
from bot.core.errors import Refused
from bot.core.indexed import IndexedBook
from bot.core.ports import BookRecord
from bot.core.rebuilding import KeptBook
from bot.core.remarking import AsRead, Mark, NotStory, Remarking, Story, StoryEnds, StoryStarts, remarked
from bot.ingest.pipeline import index_book
from bot.ingest.rebuild import carrying, rebuilt
from tests.made_books import book_of, chapter, matter
from tests.noninterference.twins import Twins, twins

PROSE = "The ferry came late. Ana Wren stood on the quay with a lantern. Nobody answered her call at all."
BOOK = book_of(
    matter(SectionKind.FRONT, "Half title", "Saltmouth, a novel of the coast."),
    matter(SectionKind.UNKNOWN, "Prologue", f"It was the year of the great tide. {PROSE}"),
    chapter(1, PROSE, "The Ferry"),
    matter(SectionKind.ESSAY, "A Word from the Editor", "He drowned, as every reader knows."),
    chapter(2, PROSE, "The Bell"),
    chapter(3, PROSE, "The Tide"),
    matter(SectionKind.NOTES, "Notes", "The gold was never found by anyone."),
    matter(SectionKind.PREVIEW, "The next book", "Fogg came back from the sea."),
)


def kept(book: BookText, as_read: Sequence[AsRead] | None = None) -> KeptBook:
    """The book as a store gives it back."""
    read = as_read or [AsRead(s.kind, s.chapter is not None, _marker(book, s.ordinal)) for s in book.sections]
    record = BookRecord(
        BookId(1), ClubId(1), "t", "en", "ready", len(book.text), 0, book.body_end, len(book.chapters), None
    )
    return KeptBook(record, book, tuple(read))


def _marker(book: BookText, ordinal: int) -> int | None:
    section = book.sections[ordinal]
    proven = section.kind is SectionKind.FOOTNOTES and section.revealed_at < book.body_end
    return section.revealed_at - 1 if proven else None


def marked(book: KeptBook, mark: Mark) -> tuple[KeptBook, IndexedBook, Remarking]:
    indexed, places = rebuilt(book, remarked(book.marked, mark))
    return kept(indexed.book, book.as_read), indexed, places


def kinds(book: BookText) -> str:
    return "".join(s.kind.value[0].upper() if s.chapter is None else str(s.chapter) for s in book.sections)


def revealed(indexed: IndexedBook) -> Iterator[tuple[object, int]]:
    """Everything that is kept of a book with where it is revealed."""
    book = indexed.book
    yield from ((("sentence", s.sentence.span), s.sentence.revealed_at) for s in indexed.sentences)
    yield from ((("passage", p.cut.span), p.cut.revealed_at) for p in indexed.passages)
    yield from ((("title", s.ordinal), s.title_revealed_at) for s in book.sections)


def admitted(indexed: IndexedBook, place: int) -> set[object]:
    return {thing for thing, at in revealed(indexed) if at <= place}


def marks(sections: int) -> st.SearchStrategy[Mark]:
    number = st.integers(1, sections)
    ranges = st.tuples(number, number).map(sorted)
    return st.one_of(
        ranges.map(lambda r: Story(*r)),
        ranges.map(lambda r: NotStory(*r)),
        number.map(StoryStarts),
        number.map(StoryEnds),
    )


def test_a_book_that_is_not_marked_anew_is_what_it_was() -> None:
    indexed, _ = rebuilt(kept(BOOK), kept(BOOK).marked)
    assert indexed == replace(index_book(BOOK, "en"), book=replace(BOOK, language="en"))


@pytest.mark.parametrize(
    ("mark", "after"),
    [
        (Story(2, 2), "F12E34NP"),
        (NotStory(3, 3), "FUFE12NP"),
        (NotStory(5, 5), "FU1EB2NP"),
        (StoryStarts(2), "F12E34NP"),
        (StoryStarts(1), "123E45NP"),
        (StoryStarts(4), "FUF123NP"),
        (StoryEnds(5), "FU1E2BNP"),
        (StoryEnds(7), "FU1E234P"),
        (Story(3, 6), "FU1234NP"),
        (Story(8, 8), "FU1E23N4"),
    ],
)
def test_marks_say_what_is_story(mark: Mark, after: str) -> None:
    assert kinds(marked(kept(BOOK), mark)[0].book) == after


def test_a_section_that_is_marked_back_is_what_it_was_read_as() -> None:
    book = kept(BOOK)
    for number in range(1, len(BOOK.sections) + 1):
        was = BOOK.sections[number - 1].kind is SectionKind.BODY
        there = marked(book, NotStory(number, number) if was else Story(number, number))[0]
        back = marked(there, Story(number, number) if was else NotStory(number, number))[0]
        assert kinds(back.book) == kinds(BOOK)
        assert back.book.sections == BOOK.sections


@pytest.mark.parametrize("mark", [Story(0, 1), Story(3, 2), NotStory(8, 9), StoryStarts(9), StoryEnds(0)])
def test_a_section_that_is_not_there_is_refused(mark: Mark) -> None:
    with pytest.raises(Refused) as refused:
        remarked(kept(BOOK).marked, mark)
    assert refused.value.code == "no_such_section"


def test_a_book_without_any_story_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        remarked(kept(BOOK).marked, NotStory(1, 8))
    assert refused.value.code == "no_story"


@given(twins(), st.data())
def test_whatever_is_marked_nobody_is_further_on_and_nothing_is_shown_that_was_not(
    pair: Twins, data: st.DataObject
) -> None:
    book, before = kept(pair.first), index_book(pair.first)
    place = data.draw(st.integers(0, pair.first.body_end))
    for _ in range(data.draw(st.integers(1, 4))):
        try:
            book, after, places = marked(book, data.draw(marks(len(pair.first.sections))))
        except Refused:
            continue
        assert places.place(place) <= min(place, book.book.body_end)
        finished = place == before.book.body_end and places.place(place) == after.book.body_end
        shown, had = admitted(after, places.place(place)), admitted(before, place)
        assert shown <= had
        assert finished or not any(
            s.kind is not SectionKind.BODY and s.kind is not SectionKind.FOOTNOTES and ("title", s.ordinal) in shown
            for s in after.book.sections
        )
        place, before = places.place(place), after


@given(twins(), st.data())
def test_books_that_are_equal_up_to_a_place_are_equal_up_to_it_under_any_map(pair: Twins, data: st.DataObject) -> None:
    mark = data.draw(marks(len(pair.first.sections)))
    try:
        seen = [marked(kept(text), mark) for text in (pair.first, pair.second)]
    except Refused:
        return
    (one, first, places), (other, second, theirs) = seen
    place = places.place(pair.boundary)
    assert place == theirs.place(pair.boundary)
    assert kinds(one.book) == kinds(other.book)
    for things in zip(_up_to(first, place), _up_to(second, place), strict=True):
        assert things[0] == things[1]


def _up_to(indexed: IndexedBook, place: int) -> list[object]:
    sentences = [s for s in indexed.sentences if s.sentence.revealed_at <= place]
    names = sorted(name for name, at in indexed.names.items() if at <= place)
    return [*sorted(map(str, admitted(indexed, place))), *(s.text for s in sentences), *names]


def test_who_had_finished_before_more_story_was_added_has_read_to_the_old_end() -> None:
    _, indexed, places = marked(kept(BOOK), StoryEnds(7))
    assert places.place(BOOK.body_end) == BOOK.body_end < indexed.book.body_end


def test_nobody_finishes_a_book_by_a_change_of_its_map() -> None:
    _, indexed, places = marked(kept(BOOK), StoryEnds(5))
    new_end = indexed.book.body_end
    assert places.place(BOOK.body_end) == new_end
    for place in (new_end, new_end + 9, BOOK.body_end - 1):
        assert places.place(place) == BOOK.text.rindex("Nobody answered", 0, new_end)
    assert places.place(new_end - 30) <= new_end - 30


def test_a_place_past_a_section_that_becomes_story_goes_back_to_its_start() -> None:
    _, indexed, places = marked(kept(BOOK), Story(4, 4))
    start = BOOK.sections[3].span.start
    assert [places.place(at) for at in (start - 1, start, start + 1, BOOK.body_end)] == [start - 1, start, start, start]
    carried = carrying(places, indexed.book)(BOOK.body_end)
    assert (carried.offset, carried.understood) == (start, "finished chapter 1, 28%")


def test_whatever_is_marked_passages_are_cut_as_they_were() -> None:
    rng, before = random.Random(5), index_book(BOOK)
    for _ in range(20):
        first, last = sorted((rng.randint(1, 8), rng.randint(1, 8)))
        indexed = marked(kept(BOOK), Story(first, last))[1]
        assert [p.cut.span for p in indexed.passages] == [p.cut.span for p in before.passages]
