"""Asking in rooms and privately: whose book, whose boundary, who is answered alone, and what is done once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.core.answer import Answer, Refusal
from bot.core.asked_in import Asking, Place
from bot.core.club import BookId, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import (
    Outcome,
    answer_me_privately,
    ask_in_room,
    ask_privately,
    read_privately,
    share_with_room,
    when_free,
)
from bot.core.errors import Refused
from bot.core.ledger import Status
from bot.core.outcomes import Delivered, NotAnswered, Why
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter

ROOM = "lounge"
KNOCKED = "Who knocked at the bolted stair door?"
POISONED = "Why had Marrable poisoned him?"
HERON = book_of(chapter(1, "A heron stood in the mill race. Idris Pell fed it eels."), title="The Heron")


@dataclass
class Club:
    """A club in memory that reads `LANTERN`: `ana` has finished it, `ben` two chapters of three."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    house: Clubhouse
    clock: FakeClock
    book: BookId

    async def ask(self, person: str, said: str, posts: FakePosts, **more: Any) -> tuple[Outcome, ...]:
        return await ask_in_room(self.house, ROOM, Asking(person, said, **more), posts)

    async def dm(self, person: str, said: str, posts: FakePosts, **more: Any) -> tuple[Outcome, ...]:
        return await ask_privately(self.house, Asking(person, said, **more), posts)

    async def records(self) -> list[tuple[str | None, int, str, BookId]]:
        """What the ledger holds, the oldest first: room, boundary, status, book."""
        kept = await self.house.ledger.questions(self.clock.now.replace(year=2000), 99)
        return [(k.record.room, k.record.boundary, k.record.status.value, k.record.book) for k in reversed(kept)]


@pytest.fixture
async def club() -> Club:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.place("ana", book, LANTERN.body_end)
    await library.place("ben", book, end_of(LANTERN, 2))
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    return Club(library, house, clock, book)


def only(outcomes: Sequence[Outcome]) -> Delivered:
    (one,) = outcomes
    assert isinstance(one, Delivered)
    return one


async def test_a_room_is_answered_under_the_lowest_place_and_who_is_ahead_may_be_answered_alone(club: Club) -> None:
    posts = FakePosts()
    delivered = only(await club.ask("ana", KNOCKED, posts))
    (showing,) = posts.standing(ROOM)
    assert showing == delivered.showing
    assert isinstance(showing.outcome, Answer)
    assert showing.outcome.boundary.offset == end_of(LANTERN, 2)
    assert (showing.ahead, showing.complete, showing.pending) == (True, True, 0)
    assert await showing.holds()
    assert posts.standing("dm") == []
    assert not only(await club.ask("ben", KNOCKED, FakePosts())).showing.ahead
    assert await club.records() == [(ROOM, end_of(LANTERN, 2), "answered", club.book)] * 2


async def test_an_answer_grows_by_claims_and_stands_where_the_ledger_says(club: Club) -> None:
    posts = FakePosts()
    delivered = only(await club.ask("ben", "What did Ana Wren do at the door, and what of the gull?", posts))
    shown = [len(s.outcome.claims) for s in posts.ever_in_room if isinstance(s.outcome, Answer)]
    assert shown == list(range(1, shown[-1] + 1))
    assert len(shown) > 1
    assert [s.complete for s in posts.ever_in_room] == [False] * (len(shown) - 1) + [True]
    kept = await club.house.ledger.question(delivered.question)
    assert kept is not None
    assert len(kept.record.citations) >= len(shown)
    assert [p.place for p in await club.house.ledger.postings(delivered.question)] == [ROOM]


@pytest.mark.parametrize("said", [POISONED, "Why had Quillet poisoned him?"])
async def test_what_names_someone_the_room_has_not_met_is_answered_alone_and_leaves_the_room_as_it_was(
    club: Club, said: str
) -> None:
    posts = FakePosts()
    delivered = only(await club.ask("ana", said, posts))
    assert posts.ever_in_room == []
    assert posts.withdrawals == 0
    assert posts.standing("dm") == [delivered.showing]
    assert delivered.showing.why is Why.NAMES_UNMET
    assert delivered.showing.outcome.boundary.offset == LANTERN.body_end
    assert [row[0] for row in await club.records()] == [None]


async def test_who_is_no_member_is_answered_nowhere(club: Club) -> None:
    await club.library.roster.member_known("eve")
    left = await club.library.member("kit")
    await club.library.roster.leave(left.id)
    for person in ("eve", "kit", "nobody"):
        posts = FakePosts()
        for outcomes in (
            await club.ask(person, KNOCKED, posts),
            await club.dm(person, KNOCKED, posts),
            await answer_me_privately(club.house, QuestionId(1), person, posts),
            await share_with_room(club.house, QuestionId(1), person, Place(ROOM), posts),
        ):
            assert outcomes == (NotAnswered(Why.MEMBERS_ONLY),)
        assert await read_privately(club.house, person, "1") == NotAnswered(Why.MEMBERS_ONLY)
        assert posts.made == []
    assert await club.records() == []


async def test_a_room_that_is_paused_or_muted_says_so_to_who_asked_and_others_are_answered(club: Club) -> None:
    rooms, posts = club.house.rooms, FakePosts()
    room = await rooms.room_added(ROOM, "Lounge")
    await rooms.room_paused(room.id, club.clock.now)
    assert await club.ask("ben", KNOCKED, posts) == (NotAnswered(Why.PAUSED),)
    await rooms.room_paused(room.id, None)
    until = club.clock.now.replace(minute=40)
    await rooms.room_muted(room.id, until)
    (muted,) = await club.ask("ben", KNOCKED, posts)
    assert muted == NotAnswered(Why.MUTED, until=until)
    assert isinstance(muted, NotAnswered)
    assert when_free(muted, club.clock.now) == 40
    assert posts.made == []
    assert isinstance(only(await club.dm("ben", KNOCKED, posts)).showing.outcome, Answer)
    club.clock.passes(minutes=40)
    only(await club.ask("ben", KNOCKED, posts))


async def test_nothing_is_said_in_a_room_that_is_none_of_the_clubs(club: Club) -> None:
    own = only(await club.dm("ana", KNOCKED, FakePosts())).question
    room = await club.house.rooms.room(ROOM)
    assert room is not None
    await club.house.rooms.room_removed(room.id)  # it may be another club's from now on
    posts = FakePosts()
    assert await club.ask("ben", KNOCKED, posts) == (NotAnswered(Why.PAUSED),)
    assert await share_with_room(club.house, own, "ana", Place(ROOM), posts) == (NotAnswered(Why.PAUSED),)
    assert posts.made == []


async def test_the_book_is_the_one_named_else_the_rooms_else_the_clubs(club: Club) -> None:
    heron = await club.library.add(HERON, file="heron")
    for person in ("ana", "ben"):
        await club.library.place(person, heron, HERON.body_end)
    said = "What did Idris Pell feed?"
    room = await club.house.rooms.room_added(ROOM, "Lounge")
    assert only(await club.dm("ana", KNOCKED, FakePosts())).showing.book.id == club.book
    assert only(await club.ask("ana", said, FakePosts(), book=str(heron))).showing.book.id == heron
    assert only(await club.ask("ana", said, FakePosts(), book="“the heron”")).showing.book.id == heron
    await club.house.rooms.room_reads(room.id, heron)
    assert only(await club.ask("ana", said, FakePosts())).showing.book.id == heron
    assert only(await club.dm("ana", KNOCKED, FakePosts())).showing.book.id == club.book
    assert await club.ask("ana", said, FakePosts(), book="99") == (NotAnswered(Why.NO_SUCH_BOOK),)
    found = await read_privately(club.house, "ana", "the heron")
    assert not isinstance(found, NotAnswered)
    assert only(await club.dm("ana", said, FakePosts())).showing.book.id == heron
    assert await read_privately(club.house, "ana", "The Heron, again") == NotAnswered(Why.NO_SUCH_BOOK)


async def test_a_book_that_is_not_announced_is_spoken_of_to_who_brought_it_alone(club: Club) -> None:
    heron = await club.library.add(HERON, file="heron")
    kept, ana = club.library.shelf.of(heron), await club.library.roster.member_known("ana")
    kept.record = replace(kept.record, announced=False, added_by=ana.id)
    await club.library.place("ana", heron, HERON.body_end)
    unknown = (NotAnswered(Why.NO_SUCH_BOOK),)
    for named in (str(heron), "the heron"):
        assert await club.ask("ana", KNOCKED, FakePosts(), book=named) == unknown
        assert await club.dm("ben", KNOCKED, FakePosts(), book=named) == unknown
        assert await read_privately(club.house, "ben", named) == unknown[0]
        only(await club.dm("ana", "What did Idris Pell feed?", FakePosts(), book=named))


async def test_a_club_without_a_book_says_so(club: Club) -> None:
    await club.library.shelf.remove_book(club.book)
    assert await club.ask("ana", KNOCKED, FakePosts()) == (NotAnswered(Why.NO_BOOK),)
    assert await club.dm("ana", KNOCKED, FakePosts(), book="all") == (NotAnswered(Why.NO_BOOK),)


async def test_finished_books_are_asked_with_the_current_one_each_under_its_own_boundary(club: Club) -> None:
    heron = await club.library.add(HERON, file="heron")
    await club.library.add(replace(HERON, title="Unread"), file="unread")
    kept = club.library.shelf.of(heron)
    kept.record = replace(kept.record, finished=True)
    for person in ("ana", "ben"):
        await club.library.place(person, heron, HERON.body_end)
    posts = FakePosts()
    outcomes = await club.ask("ben", "What stood in the morning?", posts, book="ALL")
    books = [outcome.showing.book.id for outcome in outcomes if isinstance(outcome, Delivered)]
    assert books == [heron, club.book]
    assert [s.outcome.boundary.offset for s in posts.standing(ROOM)] == [HERON.body_end, end_of(LANTERN, 2)]
    assert all(s.several for s in posts.standing(ROOM))


async def test_a_rooms_limit_narrows_the_book_it_is_in_and_no_other(club: Club) -> None:
    heron = await club.library.add(HERON, file="heron")
    for person in ("ana", "ben"):
        await club.library.place(person, heron, HERON.body_end)
    room = await club.house.rooms.room_added(ROOM, "Lounge")
    await club.house.rooms.room_limited(room.id, 30)
    assert only(await club.ask("ben", "What was late?", FakePosts())).showing.outcome.boundary.offset == 30
    other = only(await club.ask("ben", "What did Idris Pell feed?", FakePosts(), book=str(heron)))
    assert other.showing.outcome.boundary.offset == HERON.body_end
    assert only(await club.dm("ben", KNOCKED, FakePosts())).showing.outcome.boundary.offset == end_of(LANTERN, 2)


async def test_answering_alone_asks_again_for_that_member_and_only_once(club: Club) -> None:
    asked = only(await club.ask("ben", KNOCKED, FakePosts())).question
    posts = FakePosts()
    alone = only(await answer_me_privately(club.house, asked, "ana", posts))
    assert alone.showing.outcome.boundary.offset == LANTERN.body_end
    assert alone.showing.outcome.boundary.audience.private
    assert posts.ever_in_room == []
    assert await answer_me_privately(club.house, asked, "ana", posts) == (NotAnswered(Why.AGAIN),)
    assert len(posts.made) == 1
    own = only(await answer_me_privately(club.house, asked, "ben", FakePosts()))
    assert own.showing.outcome.boundary.offset == end_of(LANTERN, 2)
    assert len(await club.records()) == 3


async def test_what_a_room_was_asked_further_on_is_not_repeated_to_who_is_behind_it(club: Club) -> None:
    said = "Who knocked until her knuckles bled?"
    asked = only(await club.ask("ben", said, FakePosts())).question
    await club.library.place("kit", club.book, end_of(LANTERN, 1))
    await club.library.member("eve")
    refused, posts = (NotAnswered(Why.NO_SUCH_QUESTION),), FakePosts()
    for person in ("kit", "eve"):
        assert await answer_me_privately(club.house, asked, person, posts) == refused
    assert posts.made == []
    await club.library.place("kit", club.book, end_of(LANTERN, 2))
    only(await answer_me_privately(club.house, asked, "kit", posts))
    await club.library.place("ben", club.book, 0)  # whose own words they are
    own = only(await answer_me_privately(club.house, asked, "ben", posts))
    assert own.showing.outcome.boundary.offset == 0


async def test_whether_one_is_ahead_of_the_room_is_told_by_what_is_named_of_its_place(club: Club) -> None:
    inside = LANTERN.chapters[1].span.start + 60
    await club.library.place("ben", club.book, inside)
    for place, ahead in ((inside + 40, False), (end_of(LANTERN, 2), True), (inside - 40, False)):
        await club.library.place("ana", club.book, place)
        assert only(await club.ask("ana", "Who stood on the quay?", FakePosts())).showing.ahead is ahead


async def test_sharing_asks_again_under_the_rooms_boundary_and_only_once(club: Club) -> None:
    own = only(await club.dm("ana", "Who listened, and put the brass lantern out?", FakePosts()))
    assert isinstance(own.showing.outcome, Answer)
    posts = FakePosts()
    shared = only(await share_with_room(club.house, own.question, "ana", Place(ROOM), posts))
    assert shared.showing.outcome.boundary.offset == end_of(LANTERN, 2)
    assert shared.showing.outcome.boundary.audience.room == ROOM
    assert isinstance(shared.showing.outcome, Answer)
    ends = [c.span.end for s in posts.ever_in_room if isinstance(s.outcome, Answer) for c in s.outcome.citations]
    assert max(ends) <= end_of(LANTERN, 2)
    assert await share_with_room(club.house, own.question, "ana", Place(ROOM), posts) == (NotAnswered(Why.AGAIN),)
    assert len(posts.standing(ROOM)) == 1


async def test_what_the_room_has_not_met_is_not_shared_until_it_has(club: Club) -> None:
    own = only(await club.dm("ana", POISONED, FakePosts())).question
    posts = FakePosts()
    for _ in range(2):
        refused = await share_with_room(club.house, own, "ana", Place(ROOM), posts)
        assert refused == (NotAnswered(Why.NAMES_UNMET),)
    assert posts.ever_in_room == []
    await club.library.place("ben", club.book, LANTERN.body_end)
    only(await share_with_room(club.house, own, "ana", Place(ROOM), posts))


async def test_a_question_about_a_book_that_is_not_announced_is_not_shared(club: Club) -> None:
    other = await club.library.add(HERON, file="heron")
    ana = await club.library.place("ana", other, HERON.body_end)
    kept = club.library.shelf.of(other)
    kept.record = replace(kept.record, announced=False, added_by=ana.id)
    own = only(await club.dm("ana", "Where did the heron stand?", FakePosts(), book=str(other))).question
    posts = FakePosts()
    assert await share_with_room(club.house, own, "ana", Place(ROOM), posts) == (NotAnswered(Why.NO_SUCH_BOOK),)
    assert posts.made == []


async def test_a_private_question_is_its_members_alone(club: Club) -> None:
    own = only(await club.dm("ana", KNOCKED, FakePosts())).question
    room = only(await club.ask("ana", KNOCKED, FakePosts())).question
    posts = FakePosts()
    refused = (NotAnswered(Why.NO_SUCH_QUESTION),)
    assert await share_with_room(club.house, own, "ben", Place(ROOM), posts) == refused
    assert await share_with_room(club.house, room, "ana", Place(ROOM), posts) == refused
    assert await answer_me_privately(club.house, own, "ana", posts) == refused
    assert await answer_me_privately(club.house, QuestionId(99), "ana", posts) == refused
    assert posts.made == []


@pytest.mark.parametrize("gone", ["left", "book"])
async def test_what_is_offered_under_an_answer_is_looked_at_again_when_it_is_pressed(club: Club, gone: str) -> None:
    room = only(await club.ask("ana", KNOCKED, FakePosts())).question
    own = only(await club.dm("ana", KNOCKED, FakePosts())).question
    if gone == "left":
        await club.library.roster.leave((await club.library.roster.member_known("ana")).id)
    else:
        await club.library.shelf.remove_book(club.book)
    posts = FakePosts()
    expected = (NotAnswered(Why.MEMBERS_ONLY if gone == "left" else Why.NO_SUCH_QUESTION),)
    assert await answer_me_privately(club.house, room, "ana", posts) == expected
    assert await share_with_room(club.house, own, "ana", Place(ROOM), posts) == expected
    assert posts.made == []


async def test_a_question_that_is_none_is_refused_in_a_sentence_and_kept_nowhere(club: Club) -> None:
    with pytest.raises(Refused, match="There is no question"):
        await club.ask("ana", " \x00 ", FakePosts())
    assert await club.records() == []


async def test_a_follow_up_is_read_with_the_rooms_last_question(club: Club) -> None:
    await club.ask("ben", "What about the gull and the north window?", FakePosts())
    posts = FakePosts()
    followed = only(await club.ask("ana", "And what was still warm then?", posts)).question
    kept = await club.house.ledger.question(followed)
    assert kept is not None
    assert kept.record.follows == QuestionId(1)
    apart = only(await club.ask("ana", "Who counted the boats?", FakePosts())).question
    unled = await club.house.ledger.question(apart)
    assert unled is not None
    assert unled.record.follows is None


async def test_the_fixed_refusal_is_recorded_as_one(club: Club) -> None:
    await club.library.place("ben", club.book, 0)
    outcome = only(await club.ask("ben", "what happened?", FakePosts()))
    assert isinstance(outcome.showing.outcome, Refusal)
    assert [row[2] for row in await club.records()] == [Status.REFUSED.value]
