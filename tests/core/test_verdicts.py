"""Useful, or not: once for each member and answer, and changeable."""

from __future__ import annotations

import pytest

from bot.core.asked_in import Asking
from bot.core.club import QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_in_room, ask_privately
from bot.core.ledger import Status, Verdict, Verdicts
from bot.core.outcomes import Delivered, NotAnswered, Why
from bot.core.verdicts import judge
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, in_memory
from tests.fakes.posts import FakePosts

ROOM = "lounge"


@pytest.fixture
async def house() -> Clubhouse:
    library = in_memory()
    book = await library.add(LANTERN)
    for name in ("ana", "ben"):
        await library.place(name, book, LANTERN.body_end)
    house = house_of(library, FakeClock())
    await house.rooms.room_added(ROOM, "Lounge")
    return house


async def asked(house: Clubhouse, room: str | None) -> QuestionId:
    asking = Asking("ben", "Who listened?")
    if room is None:
        (outcome,) = await ask_privately(house, asking, FakePosts())
    else:
        (outcome,) = await ask_in_room(house, room, asking, FakePosts())
    assert isinstance(outcome, Delivered)
    return outcome.question


async def test_it_is_kept_once_for_each_member_and_may_be_changed(house: Clubhouse) -> None:
    room = await asked(house, ROOM)
    said = [("ben", True), ("ben", True), ("ben", False), ("ana", True)]
    found = [await judge(house, room, person, useful) for person, useful in said]
    assert found == [Verdict(True, True), Verdict(True, False), Verdict(False, True), Verdict(True, True)]
    assert await house.ledger.verdicts() == (Verdicts("quotes", 1, 1, 1),)


async def test_of_a_private_answer_it_is_said_by_who_got_it_alone(house: Clubhouse) -> None:
    own = await asked(house, None)
    assert await judge(house, own, "ana", True) == NotAnswered(Why.NO_SUCH_QUESTION)
    assert await judge(house, own, "ben", True) == Verdict(True, True)


async def test_who_is_no_member_says_nothing_and_of_a_refusal_nothing_is_said(house: Clubhouse) -> None:
    room = await asked(house, ROOM)
    await house.roster.leave((await house.roster.member_known("ana")).id)
    for person in ("ana", "nobody"):
        assert await judge(house, room, person, False) == NotAnswered(Why.MEMBERS_ONLY)
    await house.ledger.ended(room, Status.REFUSED, 0.1)
    for question in (room, QuestionId(99)):
        assert await judge(house, question, "ben", False) == NotAnswered(Why.NO_SUCH_QUESTION)
    assert await house.ledger.verdicts() == ()
