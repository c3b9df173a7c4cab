""" "This spoiled me": hidden everywhere, kept as numbers, told to the admins, and once."""

from __future__ import annotations

import logging

import pytest

from bot.core.asked_in import Asking
from bot.core.club import QuestionId, Role
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_in_room, ask_privately
from bot.core.errors import Refused
from bot.core.outcomes import Delivered, NotAnswered, Why
from bot.core.roster import Posted
from bot.core.spoiled import Spoiled, reports, spoiled_me
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, in_memory
from tests.fakes.posts import FakePosts

SAID = "What was warm in the kitchen?"


class Hidden:
    """What was hidden on the platform, in order."""

    def __init__(self) -> None:
        self.places: list[Posted] = []

    async def __call__(self, posted: Posted) -> bool:
        self.places.append(posted)
        return True


@pytest.fixture
async def house() -> Clubhouse:
    library = in_memory()
    book = await library.add(LANTERN)
    for name in ("ana", "ben"):
        await library.place(name, book, LANTERN.body_end)
    boss = await library.roster.member_known("boss")
    await library.roster.role_given(boss.id, Role.ADMIN)
    made = house_of(library, FakeClock())
    await made.rooms.room_added("lounge", "Lounge")
    return made


async def answered(house: Clubhouse, private: bool = False) -> QuestionId:
    asked = Asking("ana", SAID)
    posts = FakePosts()
    outcomes = await ask_privately(house, asked, posts) if private else await ask_in_room(house, "lounge", asked, posts)
    (one,) = outcomes
    assert isinstance(one, Delivered)
    return one.question


async def test_an_answer_is_hidden_wherever_it_stands_and_its_numbers_are_kept(
    house: Clubhouse, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    question, hide = await answered(house), Hidden()
    await house.ledger.posted(question, Posted("thread", "m9"))
    said = await spoiled_me(house, question, "ben", hide)
    assert isinstance(said, Spoiled)
    assert hide.places == [Posted("lounge", "m1"), Posted("thread", "m9")]
    kept = await house.ledger.question(question)
    assert kept is not None
    assert said.report.citations == kept.record.citations != ()
    assert (said.report.members, said.new, [m.name for m in said.admins]) == (1, True, ["boss"])
    told = " ".join(record.getMessage() for record in caplog.records)
    assert str(int(question)) in told
    for words in ("warm", "kitchen", "kettle", "ben", "ana", SAID):
        assert words not in told
        assert words not in str(said.report)


async def test_saying_it_again_changes_nothing_and_another_member_counts_too(
    house: Clubhouse, caplog: pytest.LogCaptureFixture
) -> None:
    question, hide = await answered(house), Hidden()
    first = await spoiled_me(house, question, "ben", hide)
    assert isinstance(first, Spoiled)
    caplog.clear()
    again = await spoiled_me(house, question, "ben", hide)
    assert isinstance(again, Spoiled)
    assert (again.new, again.report) == (False, first.report)
    assert len(hide.places) == 1
    assert caplog.records == []
    other = await spoiled_me(house, question, "ana", hide)
    assert isinstance(other, Spoiled)
    assert (other.new, other.report.members) == (True, 2)


async def test_what_could_not_be_hidden_is_hidden_the_next_time(house: Clubhouse) -> None:
    question, hide = await answered(house), Hidden()

    async def broken(_: Posted) -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await spoiled_me(house, question, "ben", broken)
    await spoiled_me(house, question, "ben", hide)
    assert len(hide.places) == 1


async def test_what_a_platform_leaves_standing_is_counted_not_noted_as_hidden_and_tried_again(house: Clubhouse) -> None:
    question, hide = await answered(house), Hidden()
    await house.ledger.posted(question, Posted("thread", "m9"))

    async def in_the_lounge_alone(posted: Posted) -> bool:
        return posted.place == "lounge"

    said = await spoiled_me(house, question, "ben", in_the_lounge_alone)
    assert isinstance(said, Spoiled)
    assert (said.new, said.standing) == (True, 1)
    assert await house.ledger.postings(question) == (Posted("thread", "m9"),)
    again = await spoiled_me(house, question, "ben", hide)
    assert isinstance(again, Spoiled)
    assert (again.new, again.standing, hide.places) == (False, 0, [Posted("thread", "m9")])


async def test_a_private_answer_is_reported_by_who_got_it_alone(house: Clubhouse) -> None:
    question, hide = await answered(house, private=True), Hidden()
    assert await spoiled_me(house, question, "ben", hide) == NotAnswered(Why.NO_SUCH_QUESTION)
    assert await spoiled_me(house, question, "nobody", hide) == NotAnswered(Why.MEMBERS_ONLY)
    assert await spoiled_me(house, QuestionId(99), "ben", hide) == NotAnswered(Why.NO_SUCH_QUESTION)
    assert hide.places == []
    assert isinstance(await spoiled_me(house, question, "ana", hide), Spoiled)
    assert hide.places == [Posted("dm", "m1")]


async def test_an_admin_sees_the_reports_and_from_then_on_they_are_seen(house: Clubhouse) -> None:
    question = await answered(house)
    await spoiled_me(house, question, "ben", Hidden())
    boss, ben = await house.roster.member_known("boss"), await house.roster.member_known("ben")
    with pytest.raises(Refused, match="Only an admin"):
        await reports(house, ben)
    assert [(r.question, r.seen) for r in await reports(house, boss)] == [(question, False)]
    assert [r.seen for r in await reports(house, boss)] == [True]
