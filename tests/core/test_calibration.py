"""`/progress` with pages of one's own edition: words are found under the same rules as any quoted words."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.core.book import SectionKind
from bot.core.calibration import (
    Calibrated,
    Offered,
    meant_by_number,
    number_means,
    offered,
    place_chosen,
    place_said,
)
from bot.core.chapter_maps import Calibration
from bot.core.club import BookId, Member
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.places import Kind, NotLocated, Unclear
from bot.core.ports import PositionRecord
from bot.core.progress import Understood
from bot.core.remarking import NotStory, Story
from bot.core.statements import PlainNumber
from tests.doors_suite import Any_
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory
from tests.made_books import book_of, chapter, matter

LONG = book_of(
    matter(SectionKind.UNKNOWN, "Before", "It was the year of the tide. Nobody remembers who saw the light go out."),
    *(
        chapter(n, " ".join(f"The ferry came late on morning {n}.{m} and the keeper said nothing." for m in range(40)))
        for n in range(1, 11)
    ),
)


@dataclass
class Reader:
    """A member of a club in memory, at the start of chapter 3 of its one book."""

    library: Any_
    house: Clubhouse
    member: Member
    book: BookId

    async def says(self, said: str) -> Understood | Calibrated | NotLocated:
        return await place_said(self.house, self.member, self.book, said)

    async def calibrations(self) -> tuple[Calibration, ...]:
        return await self.house.maps.calibrations(self.member.id, self.book)

    async def place(self) -> int:
        latest: PositionRecord = (await self.library.roster.positions(self.member.id, self.book))[0]
        return latest.offset


@pytest.fixture
async def reader() -> Reader:
    library = in_memory()
    book = await library.add(LONG)
    member = await library.place("ana", book, LONG.chapters[2].span.start)
    return Reader(library, house_of(library, FakeClock()), member, book)


def words(chapter_number: int, sentence: int) -> str:
    return f"The ferry came late on morning {chapter_number}.{sentence} and the keeper said nothing"


async def test_a_calibration_is_kept_and_moves_nobody(reader: Reader) -> None:
    before = await reader.place()
    assert await reader.says(f'p. 60 = "{words(4, 20)}"') == Calibrated(60)
    (known,) = await reader.calibrations()
    start = LONG.text.index(words(4, 20))
    assert start - 100 <= known.offset <= start
    assert await reader.place() == before


async def test_a_page_counts_from_then_on_without_a_page_list_in_the_file(reader: Reader) -> None:
    missing = await reader.says("p. 60")
    assert isinstance(missing, NotLocated)
    assert missing.code == "no_pages"
    await reader.says(f"my page 60 begins: {words(4, 20)}")
    there = await reader.says("p. 60")
    assert isinstance(there, Understood)
    (known,) = await reader.calibrations()
    assert (there.place.offset, there.place.kind) == (known.offset, Kind.PAGE)
    (record, *_) = await reader.library.roster.positions(reader.member.id, reader.book)
    assert (record.offset, record.said, record.at) == (known.offset, "p. 60", reader.house.clock())
    back = await reader.says("back to page 40")
    assert isinstance(back, Understood)
    assert back.place.offset < known.offset
    ahead = await reader.says("back to p. 60")
    assert isinstance(ahead, NotLocated)
    assert ahead.code == "not_behind"


async def test_words_too_far_ahead_read_the_same_as_words_that_stand_nowhere(reader: Reader) -> None:
    far = await reader.says(f'p. 300 = "{words(9, 5)}"')
    never = await reader.says('p. 300 = "these seven words stand nowhere in it"')
    assert far == never
    assert isinstance(far, NotLocated)
    assert far.code == "quote_not_found"
    assert await reader.calibrations() == ()


async def test_words_of_sealed_matter_are_not_found(reader: Reader) -> None:
    sealed = await reader.says('p. 3 = "Nobody remembers who saw the light go out"')
    assert isinstance(sealed, NotLocated)
    assert sealed.code == "quote_not_found"


async def test_a_page_past_the_horizon_moves_nobody(reader: Reader) -> None:
    await reader.says(f'p. 60 = "{words(4, 20)}"')
    before = await reader.place()
    far = await reader.says("p. 200")
    assert isinstance(far, NotLocated)
    assert far.code == "page_far"
    assert await reader.place() == before


async def test_five_tries_a_day_are_counted_with_all_quoted_words(reader: Reader) -> None:
    for n in range(3):
        await reader.says(f'p. {n + 1} = "these seven words stand nowhere in it"')
    for _ in range(2):
        await reader.says('"these seven words stand nowhere in it"')
    last = await reader.says(f'p. 60 = "{words(4, 20)}"')
    assert isinstance(last, NotLocated)
    assert last.code == "too_many_tries"
    assert await reader.calibrations() == ()


async def test_too_few_words_and_words_that_stand_twice_are_asked_for_again(reader: Reader) -> None:
    few = await reader.says('p. 9 = "The ferry came"')
    assert isinstance(few, NotLocated)
    assert few.code == "quote_too_short"
    twice = await reader.says('p. 9 = "and the keeper said nothing. The ferry came late on morning"')
    assert isinstance(twice, NotLocated)
    assert twice.code == "quote_twice"


async def test_pages_of_another_member_or_book_do_not_count(reader: Reader) -> None:
    await reader.says(f'p. 60 = "{words(4, 20)}"')
    bob = await reader.library.member("bob")
    theirs = await place_said(reader.house, bob, reader.book, "p. 60")
    assert isinstance(theirs, NotLocated)
    assert theirs.code == "no_pages"


async def test_other_statements_are_as_ever(reader: Reader) -> None:
    outcome = await reader.says("finished 2")
    assert isinstance(outcome, Understood)
    assert outcome.place.offset == LONG.chapters[1].span.end


async def test_who_has_left_says_nothing(reader: Reader) -> None:
    await reader.library.roster.leave(reader.member.id)
    gone = await reader.library.roster.member_known("ana")
    with pytest.raises(Refused) as refused:
        await place_said(reader.house, gone, reader.book, "p. 60")
    assert refused.value.code == "members_only"


async def test_a_place_that_was_offered_is_saved_on_the_map_it_was_offered_on_or_not_at_all() -> None:
    library = in_memory()
    parts = book_of(*(chapter(n, "The ferry came late.", parts=(("", p),)) for p in (1, 2) for n in (1, 2, 3)))
    book = await library.add(parts)
    member = await library.member("ana")
    reader = Reader(library, house_of(library, FakeClock()), member, book)
    seen = await reader.says("finished 1")
    assert isinstance(seen, Understood)
    second = offered(seen.place.candidates[1], seen)
    chosen = await place_chosen(reader.house, member, book, second)
    assert (chosen.place.offset, chosen.before) == (parts.chapters[3].span.end, parts.chapters[0].span.end)
    assert chosen.place.understood.startswith("finished part 2, chapter 1")
    await reader.house.changes.mark(book, NotStory(2, 2), reader.house.clock())
    before = await library.roster.positions(member.id, book)
    for person, code in ((member, "map_changed"), (replace(member, joined=False), "members_only")):
        with pytest.raises(Refused) as refused:
            await place_chosen(reader.house, person, book, second)
        assert refused.value.code == code
    assert await library.roster.positions(member.id, book) == before


async def test_what_a_plain_number_may_mean_is_asked_of_the_chapter_that_bears_it_alone() -> None:
    library = in_memory()
    numbers = (1, 2, 5, 1, 2, 5)
    made = book_of(*(chapter(n, "The ferry came late.", parts=(("", 1 + i // 3),)) for i, n in enumerate(numbers)))
    book = await library.add(made)
    member = await library.member("ana")
    reader = Reader(library, house_of(library, FakeClock()), member, book)
    for said, borne in (("2", True), ("3", False)):
        seen = await reader.says(said)
        assert isinstance(seen, Understood)
        assert isinstance(seen.place, Unclear)
        meant = meant_by_number(seen, offered(seen.place.candidates[0], seen))
        span = made.chapters[1].span
        assert meant == ((Offered(span.end, 2, 0), Offered(span.start, 2, 0)) if borne else None), said


async def test_what_a_plain_number_means_is_asked_once_and_reads_the_last_one_said_on_the_same_map(
    reader: Reader,
) -> None:
    second = LONG.chapters[1].span
    await reader.says("2")
    assert await reader.place() == second.start
    meant = await number_means(reader.house, reader.member, reader.book, PlainNumber.FINISHED, 0)
    assert isinstance(meant, Understood)
    assert await reader.place() == second.end
    await reader.says("in 1")
    assert await number_means(reader.house, reader.member, reader.book, PlainNumber.FINISHED, 0) is None
    await reader.says("1")
    before = await reader.place()
    await reader.house.changes.mark(reader.book, NotStory(2, 2), reader.house.clock())
    with pytest.raises(Refused) as refused:
        await number_means(reader.house, reader.member, reader.book, PlainNumber.FINISHED, 0)
    assert refused.value.code == "map_changed"
    assert await reader.place() <= before


async def test_a_calibration_stays_when_the_map_is_changed(reader: Reader) -> None:
    await reader.says(f'p. 60 = "{words(4, 20)}"')
    known = await reader.calibrations()
    await reader.house.changes.mark(reader.book, Story(1, 1), reader.house.clock())
    assert await reader.place() == 0
    assert await reader.calibrations() == known
    far = await reader.says("p. 60")
    assert isinstance(far, NotLocated)
    assert far.code == "page_far"
