"""Who can see a group, by what Telegram tells: an unknown viewer is never taken for a reader."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from telegram.error import NetworkError

from bot.adapters.telegram.keys import person_key
from bot.adapters.telegram.sight import seen_in
from bot.core.audience import Sight
from bot.core.clubhouse import Clubhouse
from bot.core.membership import join
from bot.core.strangers import ASKED_MOST
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory

GROUP = -7


@dataclass
class Group:
    """What Telegram tells of a group: its people, with the bot among how many there are."""

    people: list[int] = field(default_factory=list)
    public: bool = False
    away: bool = False

    async def count(self, chat: int) -> int:
        assert chat == GROUP
        if self.away:
            raise NetworkError("away")
        return len(self.people) + 1

    async def open_to_all(self, chat: int) -> bool:
        assert chat == GROUP
        return self.public

    async def present(self, chat: int, number: int) -> bool:
        assert chat == GROUP
        return number in self.people


async def club_of(*people: str, strict: bool = True) -> Clubhouse:
    house = house_of(in_memory(), FakeClock())
    for person in people:
        joined = await join(house, person, person)
    if strict:
        await house.rooms.setting_changed("spectators", "strict", joined.member.id, house.clock())
    return house


async def seen(house: Clubhouse, group: Group) -> Sight:
    async with house.searching.doors.opened() as door:
        return await seen_in(GROUP, group)(door)


async def test_who_is_in_the_group_and_not_in_the_club_is_a_stranger() -> None:
    house = await club_of(person_key(1), person_key(2), strict=False)
    assert await seen(house, Group([1, 2, 3])) == Sight(None, 1)
    assert await seen(house, Group([1, 3], public=True)) == Sight(None, 0)


@pytest.mark.parametrize(
    ("group", "strangers"),
    [
        (Group([1, 2]), 0),
        (Group([1, 3]), 1),
        (Group([3, 4]), 2),
        (Group([1, 2], public=True), 1),
        (Group(away=True), 1),
    ],
)
async def test_in_a_strict_club_a_stranger_is_one_whoever_has_left_unseen(group: Group, strangers: int) -> None:
    house = await club_of(person_key(1), person_key(2))
    assert await seen(house, group) == Sight(None, strangers)


async def test_a_member_on_another_platform_stands_for_nobody_here() -> None:
    house = await club_of(person_key(1), "discord:9")
    assert await seen(house, Group([1, 9])) == Sight(None, 1)


async def test_of_very_many_members_somebody_is_taken_to_be_gone() -> None:
    people = list(range(1, ASKED_MOST + 2))
    house = await club_of(*map(person_key, people))
    assert await seen(house, Group(people)) == Sight(None, 1)
