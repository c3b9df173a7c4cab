"""Asking again: what ended without an answer, and what was refused before its reader read on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.answer import Answer, Refusal
from bot.core.asked_in import PRIVATELY, Asking, Place
from bot.core.club import BookId, QuestionId
from bot.core.club_settings import ClubSettings
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import Outcome, ask_in_room, ask_privately
from bot.core.ledger import Status
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.core.ports import PositionRecord
from bot.core.retrying import retry, to_retry
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.posts import FakePosts

ROOM, HERE = "lounge", Place("lounge")
KNOCKED = "Who knocked at the bolted stair door?"


class Club:
    """A club in memory that reads `LANTERN`; `ben` has finished one chapter, `ana` all of it."""

    def __init__(self, house: Clubhouse, clock: FakeClock, book: BookId) -> None:
        self.house, self.clock, self.book = house, clock, book

    async def reads(self, person: str, offset: int) -> None:
        member = await self.house.roster.member_known(person)
        said = PositionRecord(member.id, self.book, offset, "offset", f"offset:{offset}", "a place")
        await self.house.roster.position_appended(said)

    async def ended(self, room: str | None, status: Status, said: str = KNOCKED) -> QuestionId:
        """A question of ben's that ended so."""
        asking = Asking("ben", said)
        if room is None:
            (outcome,) = await ask_privately(self.house, asking, FakePosts())
        else:
            (outcome,) = await ask_in_room(self.house, room, asking, FakePosts())
        assert isinstance(outcome, Delivered)
        await self.house.ledger.ended(outcome.question, status, 0.1)
        return outcome.question

    async def again(self, question: QuestionId, place: Place, person: str = "ben") -> tuple[Outcome, FakePosts]:
        posts = FakePosts()
        (outcome,) = await retry(self.house, question, person, place, posts)
        return outcome, posts


@pytest.fixture
async def club() -> Club:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.place("ben", book, end_of(LANTERN, 1))
    await library.place("ana", book, LANTERN.body_end)
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    return Club(house, clock, book)


def answered(outcome: Outcome) -> Showing:
    assert isinstance(outcome, Delivered)
    return outcome.showing


@pytest.mark.parametrize("status", [Status.STOPPED, Status.FAILED])
@pytest.mark.parametrize("place", [PRIVATELY, HERE])
async def test_what_ended_without_an_answer_is_asked_again_where_it_was_asked_and_only_once(
    club: Club, place: Place, status: Status
) -> None:
    question = await club.ended(place.room, status)
    outcome, posts = await club.again(question, place)
    assert answered(outcome).question != question
    assert [p.place for p in posts.made] == [place.room or "dm"]
    assert (await club.again(question, place))[0] == NotAnswered(Why.AGAIN)
    kept = await club.house.ledger.questions(club.clock.now.replace(year=2000), 9)
    assert [(k.record.room, k.record.said) for k in kept] == [(place.room, KNOCKED)] * 2


@pytest.mark.parametrize("place", [PRIVATELY, HERE])
async def test_a_refusal_is_asked_again_once_more_was_read(club: Club, place: Place) -> None:
    await club.reads("ben", 0)
    question = await club.ended(place.room, Status.REFUSED)
    unmoved, posts = await club.again(question, place)
    assert (unmoved, posts.made) == (NotAnswered(Why.UNMOVED), [])
    await club.reads("ben", end_of(LANTERN, 2))
    outcome, _ = await club.again(question, place)
    assert isinstance(answered(outcome).outcome, Answer)
    assert answered(outcome).outcome.boundary.offset == end_of(LANTERN, 2)


async def test_going_back_is_no_reason_to_ask_again(club: Club) -> None:
    question = await club.ended(None, Status.REFUSED)
    await club.reads("ben", 0)
    assert (await club.again(question, PRIVATELY))[0] == NotAnswered(Why.UNMOVED)


async def test_what_comes_to_nothing_again_may_be_tried_again(club: Club) -> None:
    question = await club.ended(HERE.room, Status.STOPPED)
    room = await club.house.rooms.room(ROOM)
    assert room is not None
    await club.house.rooms.room_paused(room.id, club.clock.now)
    assert (await club.again(question, HERE))[0] == NotAnswered(Why.PAUSED)
    await club.house.rooms.room_paused(room.id, None)
    answered((await club.again(question, HERE))[0])


async def test_nobody_else_asks_again_and_nowhere_else(club: Club) -> None:
    in_room, private = await club.ended(ROOM, Status.STOPPED), await club.ended(None, Status.STOPPED)
    whole = await club.ended(None, Status.ANSWERED)
    gone = await club.ended(None, Status.WITHDRAWN)
    for question, place, person in (
        (in_room, HERE, "ana"),
        (private, PRIVATELY, "ana"),
        (in_room, PRIVATELY, "ben"),
        (whole, PRIVATELY, "ben"),
        (gone, PRIVATELY, "ben"),
        (QuestionId(99), PRIVATELY, "ben"),
    ):
        outcome, posts = await club.again(question, place, person)
        assert outcome == NotAnswered(Why.NO_SUCH_QUESTION)
        assert posts.made == []
    await club.house.roster.leave((await club.house.roster.member_known("ben")).id)
    assert (await club.again(private, PRIVATELY))[0] == NotAnswered(Why.MEMBERS_ONLY)
    assert await to_retry(club.house, "ben", None) is None


async def test_a_private_question_is_asked_again_privately_wherever_it_is_pressed(club: Club) -> None:
    question = await club.ended(None, Status.STOPPED)
    outcome, posts = await club.again(question, HERE)
    assert answered(outcome).outcome.boundary.audience.private
    assert posts.ever_in_room == []


async def test_what_was_over_a_limit_is_kept_and_asked_again_when_it_is_free(club: Club) -> None:
    ben = await club.house.roster.member_known("ben")
    await club.house.rooms.setting_changed("member_questions_hour", "1", ben.id, club.clock.now)
    assert ClubSettings().member_questions_hour != 1
    await club.ended(None, Status.ANSWERED)
    began = club.clock.now
    asking = Asking("ben", "Who stood on the quay?")
    (limited,) = await ask_privately(club.house, asking, FakePosts())
    assert isinstance(limited, NotAnswered)
    assert limited.why is Why.LIMITED
    question = await to_retry(club.house, "ben", None, "Who  stood on the quay?", began)
    assert question is not None
    assert (await club.again(question, PRIVATELY))[0] == limited
    assert await to_retry(club.house, "ben", None, asking.said, began) == question  # not kept twice
    club.clock.passes(minutes=61)
    outcome, _ = await club.again(question, PRIVATELY)
    assert isinstance(answered(outcome).outcome, Answer)


@pytest.mark.parametrize("said", ["/recap", "/recap since my last visit"])
async def test_a_recap_over_a_limit_in_a_room_is_made_again_where_it_is_answered(club: Club, said: str) -> None:
    ben = await club.house.roster.member_known("ben")
    await club.house.rooms.setting_changed("member_questions_hour", "1", ben.id, club.clock.now)
    await club.ended(None, Status.ANSWERED)
    began = club.clock.now
    (limited,) = await ask_in_room(club.house, ROOM, Asking("ben", said), FakePosts())
    assert isinstance(limited, NotAnswered) and limited.why is Why.LIMITED
    question = await to_retry(club.house, "ben", ROOM, said, began)
    assert question is not None
    club.clock.passes(minutes=61)
    outcome, posts = await club.again(question, HERE)
    own = said.endswith("visit")
    assert (len(posts.standing("dm")), len(posts.ever_in_room) > 0) == (int(own), not own)
    assert answered(outcome).why is (Why.OWN_VISIT if own else None)


async def test_what_may_be_asked_again_is_the_last_of_ones_own_in_that_place(club: Club) -> None:
    assert await to_retry(club.house, "ben", None) is None
    assert await to_retry(club.house, "nobody", None) is None
    stopped = await club.ended(None, Status.STOPPED)
    in_room = await club.ended(ROOM, Status.FAILED, "Who was late?")
    await club.ended(None, Status.ANSWERED)
    assert await to_retry(club.house, "ben", None) == stopped
    assert await to_retry(club.house, "ben", ROOM) == in_room
    assert await to_retry(club.house, "ana", None) is None
    assert await to_retry(club.house, "ben", None, "Who was late?") is None
    club.clock.passes(days=2)
    assert await to_retry(club.house, "ben", None) is None


async def test_a_name_that_the_room_has_not_met_is_answered_alone_again(club: Club) -> None:
    question = await club.ended(ROOM, Status.STOPPED, "Who was late?")
    ledger = club.house.ledger
    record = ledger._questions[question]  # type: ignore[attr-defined]
    ledger._questions[question] = replace(record, said="Why had Marrable poisoned him?")  # type: ignore[attr-defined]
    outcome, posts = await club.again(question, HERE)
    assert posts.ever_in_room == []
    assert (answered(outcome).why, len(posts.standing("dm"))) == (Why.NAMES_UNMET, 1)
    assert isinstance(answered(outcome).outcome, Answer | Refusal)


async def test_what_followed_another_question_follows_it_again(club: Club) -> None:
    before = await club.ended(None, Status.ANSWERED, "What did Ana Wren hold in her hand?")
    asking = Asking("ben", "And why?", follows=True)
    (outcome,) = await ask_privately(club.house, asking, FakePosts())
    assert isinstance(outcome, Delivered)
    await club.house.ledger.ended(outcome.question, Status.STOPPED, 0.1)
    again, _ = await club.again(outcome.question, PRIVATELY)
    kept = await club.house.ledger.question(answered(again).question)
    assert kept is not None
    assert kept.record.follows == before
