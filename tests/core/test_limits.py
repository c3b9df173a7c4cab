"""How many questions are free, and when the next is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.asked_in import Asking
from bot.core.club import BookId, Member
from bot.core.club_settings import ClubSettings
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_privately, when_free
from bot.core.ledger import Status
from bot.core.limits import DAY, HOUR, Limit, Limited, limited, limits_of
from bot.core.outcomes import Delivered, NotAnswered, Why
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, in_memory
from tests.fakes.posts import FakePosts
from tests.ledger_suite import asked

SETTINGS = ClubSettings(
    member_questions_hour=2, member_questions_day=4, club_questions_hour=5, club_questions_day=7
)  # fmt: skip


class Setting:
    """A club, and questions that were asked some time ago."""

    def __init__(self, house: Clubhouse, clock: FakeClock, book: BookId, ana: Member, ben: Member) -> None:
        self.house, self.clock, self.book, self.ana, self.ben = house, clock, book, ana, ben

    async def asked(self, member: Member, *minutes: float, status: Status = Status.ANSWERED) -> None:
        for ago in minutes:
            at = self.clock.now - timedelta(minutes=ago)
            await self.house.ledger.asked(replace(asked(member, self.book), asked_at=at, status=status))

    async def of(self, member: Member, under_way: int = 0) -> Limited | None:
        return await limited(self.house.ledger, SETTINGS, member.id, self.clock.now, under_way)


@pytest.fixture
async def club() -> Setting:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    people = [await library.place(name, book, 300) for name in ("ana", "ben")]
    return Setting(house_of(library, clock), clock, book, *people)


def test_a_club_has_four_limits() -> None:
    assert limits_of(SETTINGS) == (
        Limit(True, HOUR, 2),
        Limit(True, DAY, 4),
        Limit(False, HOUR, 5),
        Limit(False, DAY, 7),
    )


async def test_a_question_is_free_until_the_limit_and_again_when_the_oldest_is_an_hour_old(club: Setting) -> None:
    await club.asked(club.ana, 59)
    assert await club.of(club.ana) is None
    await club.asked(club.ana, 20)
    assert await club.of(club.ana) == Limited(Limit(True, HOUR, 2), timedelta(minutes=1))
    assert await club.of(club.ben) is None
    club.clock.passes(minutes=1)
    assert await club.of(club.ana) is None


async def test_of_several_limits_the_one_that_keeps_waiting_longest_is_told(club: Setting) -> None:
    await club.asked(club.ana, 600, 500, 10, 5)
    assert await club.of(club.ana) == Limited(Limit(True, DAY, 4), timedelta(minutes=24 * 60 - 600))


async def test_the_clubs_limit_is_for_everyone(club: Setting) -> None:
    await club.asked(club.ben, 59, 50, 40, 30, 20)
    assert await club.of(club.ana) == Limited(Limit(False, HOUR, 5), timedelta(minutes=1))


async def test_questions_that_are_under_way_count_for_the_club(club: Setting) -> None:
    await club.asked(club.ben, 50, 40, 30)
    assert await club.of(club.ana, under_way=1) is None
    assert await club.of(club.ana, under_way=2) == Limited(Limit(False, HOUR, 5), timedelta(minutes=10))
    assert await club.of(club.ana, under_way=5) is not None


async def test_what_failed_or_was_withdrawn_costs_nothing(club: Setting) -> None:
    for status in (Status.FAILED, Status.WITHDRAWN):
        await club.asked(club.ana, 3, 2, 1, status=status)
    assert await club.of(club.ana) is None


@pytest.mark.parametrize("name", ["member_questions_hour", "club_questions_day"])
async def test_a_limit_of_none_is_never_free(club: Setting, name: str) -> None:
    none = replace(SETTINGS, **{name: 0})  # type: ignore[arg-type]
    over = await limited(club.house.ledger, none, club.ana.id, club.clock.now)
    assert over is not None
    assert over.wait is None
    assert when_free(NotAnswered(Why.LIMITED, limited=over), club.clock.now) is None


async def test_a_club_that_has_set_a_limit_is_held_to_it_and_the_refusal_is_no_question(club: Setting) -> None:
    await club.house.rooms.setting_changed("member_questions_hour", "1", club.ana.id, club.clock.now)
    posts = FakePosts()
    (first,) = await ask_privately(club.house, Asking("ana", "Who waited?"), posts)
    assert isinstance(first, Delivered)
    for _ in range(2):
        (second,) = await ask_privately(club.house, Asking("ana", "Who waited?"), posts)
        assert isinstance(second, NotAnswered)
        assert second.why is Why.LIMITED
        assert when_free(second, club.clock.now) == 60
    assert len(posts.made) == 1
    club.clock.passes(minutes=60)
    (third,) = await ask_privately(club.house, Asking("ana", "Who waited?"), posts)
    assert isinstance(third, Delivered)
