"""The greeting of a room, and finishing a book: once, by everyone who counts, and without opening anything anew."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.core.answer import Answer, Refusal
from bot.core.audience import Sight, everyone_in
from bot.core.club import Audience, BookId, Member, Role, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.life import ClubFinished, Step, club_finished, has_finished, next_book_started, room_finished, welcome
from bot.core.next_book import nominate
from bot.core.ports import BookRecord, Door
from bot.core.progress import Understood, progress, undo
from bot.core.replying import ask
from bot.core.search import Asked, boundary_of
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter

ROOM = "lounge"
END = LANTERN.body_end
NEXT = book_of(chapter(1, "A cat sat on the mat. It was warm there."), title="The Cat")


@dataclass
class Club:
    """One club in memory that reads The Lantern in its room."""

    house: Clubhouse
    library: Library[FakeShelf, FakeRoster, FakeDoors]
    book: BookRecord
    clock: FakeClock

    async def at(self, name: str, offset: int) -> Member:
        return await self.library.place(name, self.book.id, offset)

    async def admin(self, name: str = "host") -> Member:
        member = await self.library.member(name)
        await self.house.roster.role_given(member.id, Role.ADMIN)
        return await self.house.roster.member_known(name)

    async def says(self, member: Member, said: str) -> Understood:
        understood = await progress(self.library.doors, self.house.roster, member, self.book.id, said)
        assert isinstance(understood, Understood)
        return understood

    async def finished(self, room: str = ROOM) -> ClubFinished | None:
        return await room_finished(self.house, self.book, room)

    async def told(self, question: str, audience: Audience) -> str:
        """The quotes of an answer; empty for a refusal."""
        reply = await ask(self.house.searching, Asked(self.book.id, question, audience))
        if isinstance(reply.outcome, Refusal):
            return ""
        assert isinstance(reply.outcome, Answer)
        return " ".join(c.quote for c in reply.outcome.citations)


@pytest.fixture
async def club() -> Club:
    library = in_memory()
    book = await library.add(LANTERN)
    clock = FakeClock()
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    return Club(house, library, await library.shelf.book(book), clock)


async def test_a_room_is_greeted_with_what_anyone_can_do(club: Club) -> None:
    made = await welcome(club.house, await club.library.roster.member_known("eve"))
    assert made.steps == (Step.JOIN, Step.SET_PLACE, Step.WHAT_IS_KEPT)
    assert (made.book, made.covered, made.next) == (club.book, True, None)


async def test_an_admin_without_a_book_is_told_to_add_one_and_nobody_else_is() -> None:
    house = house_of(in_memory(), FakeClock())
    host = await house.roster.member_known("host")
    assert (await welcome(house, host)).next is None
    await house.roster.role_given(host.id, Role.ADMIN)
    assert (await welcome(house, await house.roster.member_known("host"))).next is Step.ADD_BOOK


async def test_an_admin_with_a_book_is_told_no_more_than_others(club: Club) -> None:
    assert (await welcome(club.house, await club.admin())).next is None


async def test_a_strict_club_says_so(club: Club) -> None:
    host = await club.admin()
    await club.house.rooms.setting_changed("spectators", "strict", host.id, club.clock())
    assert not (await welcome(club.house, host)).covered


@pytest.mark.parametrize(
    ("before", "said", "finished"),
    [
        (None, "finished", True),
        (end_of(LANTERN, 2), "finished 3", True),
        (end_of(LANTERN, 1), "finished 2", False),
        (None, "none", False),
        (END, "finished", False),
        (END, "back to 1", False),
    ],
)
async def test_who_comes_to_the_end_has_finished_and_who_was_there_has_not_again(
    club: Club, before: int | None, said: str, finished: bool
) -> None:
    ana = await club.library.member("ana") if before is None else await club.at("ana", before)
    assert has_finished(club.book, await club.says(ana, said)) is finished


async def test_the_sealed_matter_opens_for_who_has_finished_and_for_nobody_else(club: Club) -> None:
    ana, eve = await club.library.member("ana"), await club.at("eve", end_of(LANTERN, 2))
    question = "Who was hanged at Exeter?"
    assert "Exeter" not in await club.told(question, private_to(ana.id))
    await club.says(ana, "finished")
    assert "hanged at Exeter" in await club.told(question, private_to(ana.id))
    assert "Exeter" not in await club.told(question, private_to(eve.id))
    assert "Exeter" not in await club.told(question, Audience(frozenset({ana.id, eve.id}), ROOM))


async def test_a_club_has_finished_when_everyone_has_and_is_told_once(club: Club) -> None:
    await club.at("ana", END)
    await club.at("eve", END - 1)
    assert await club.finished() is None
    await club.at("eve", END)
    told = await club.finished()
    assert told is not None
    assert told.everyone
    assert told.steps == (Step.TALK_ROOM, Step.NOMINATE)
    assert await club.finished() is None
    (book,) = await club.house.roster.books()
    assert book.finished


async def test_who_has_not_said_where_they_are_keeps_a_club_from_having_finished(club: Club) -> None:
    await club.at("ana", END)
    eve = await club.library.member("eve")
    assert await club.finished() is None
    await club.house.roster.leave(eve.id)
    assert await club.finished() is not None


async def test_only_those_count_who_see_the_room(club: Club) -> None:
    await club.at("ana", END)
    await club.at("eve", 0)

    async def ana_alone(_: Door) -> Sight:
        return Sight(frozenset({"ana"}))

    async def nobody(_: Door) -> Sight:
        return Sight(frozenset())

    assert await room_finished(club.house, club.book, ROOM, nobody) is None
    assert await room_finished(club.house, club.book, ROOM, ana_alone) is not None


async def test_a_room_that_reads_another_book_or_is_quiet_is_told_nothing(club: Club) -> None:
    await club.at("ana", END)
    other = await club.library.add(NEXT, file="next")
    room = await club.house.rooms.room_added("den", "Den")
    await club.house.rooms.room_reads(room.id, other)
    assert await club.finished("den") is None
    lounge = await club.house.rooms.room(ROOM)
    assert lounge is not None
    await club.house.rooms.room_paused(lounge.id, club.clock())
    assert await club.finished() is None
    await club.house.rooms.room_paused(lounge.id, None)
    assert await club.finished() is not None


async def test_an_open_vote_is_offered_with_the_congratulation(club: Club) -> None:
    ana = await club.at("ana", END)
    await nominate(club.house, ana, "A Book")
    told = await club.finished()
    assert told is not None
    assert told.steps[-1] is Step.VOTE


async def test_an_admin_ends_a_book_for_the_club_and_moves_nobody(club: Club) -> None:
    ana = await club.at("ana", end_of(LANTERN, 1))
    with pytest.raises(Refused):
        await club_finished(club.house, ana, club.book)
    host = await club.admin()
    told = await club_finished(club.house, host, club.book)
    assert told is not None
    assert not told.everyone
    assert await club_finished(club.house, host, club.book) is None
    async with club.library.doors.opened() as door:
        boundary = await boundary_of(door, Asked(club.book.id, "", private_to(ana.id)))
    assert boundary.offset == end_of(LANTERN, 1)


@pytest.mark.parametrize("back", ["back to finished 1", "undo"])
async def test_going_back_after_finishing_lowers_the_boundary_and_tells_nobody_again(club: Club, back: str) -> None:
    ana = await club.at("ana", end_of(LANTERN, 1))
    await club.says(ana, "finished")
    assert await club.finished() is not None
    if back == "undo":
        await undo(club.library.doors, club.house.roster, ana, club.book.id)
    else:
        await club.says(ana, back)
    assert "Exeter" not in await club.told("Who was hanged at Exeter?", private_to(ana.id))
    async with club.library.doors.opened() as door:
        boundary = await boundary_of(door, Asked(club.book.id, "", everyone_in(ROOM)))
    assert boundary.offset == end_of(LANTERN, 1)
    assert await club.finished() is None
    await club.says(ana, "finished")
    assert await club.finished() is None


async def test_the_next_book_is_read_and_the_earlier_one_can_be_asked(club: Club) -> None:
    ana = await club.at("ana", END)
    other = await club.library.add(NEXT, file="next")
    host = await club.admin()
    with pytest.raises(Refused):
        await next_book_started(club.house, ana, other)
    with pytest.raises(Refused):
        await next_book_started(club.house, host, BookId(999))
    assert (await next_book_started(club.house, host, other)).title == "The Cat"
    current = await club.house.roster.current_book()
    assert current is not None
    assert current.id == other
    assert "Marrable" in await club.told("Who confessed before noon?", private_to(ana.id))
