"""Who can see a channel, by what Discord tells: an unknown viewer is never taken for a reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord

from bot.adapters.chat.remembered import Remembered
from bot.adapters.discord.keys import channel_of, guild_of, person_key, place_key, room_key, user_of
from bot.adapters.discord.sight import seen_in
from bot.core.audience import Sight
from bot.core.clubhouse import Clubhouse
from bot.core.membership import join
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory


@dataclass(frozen=True)
class Person:
    id: int
    sees: bool = True
    bot: bool = False


@dataclass
class Channel:
    """As much of a channel as is asked for."""

    people: list[Person] = field(default_factory=list)
    chunked: bool = True
    member_count: int = 0
    features: tuple[str, ...] = ()
    public: bool = True
    asked: list[int] = field(default_factory=list)

    @property
    def guild(self) -> Any:
        return SimpleNamespace(
            id=5, members=self.people, chunked=self.chunked, member_count=self.member_count, features=self.features,
            default_role=Person(0, sees=self.public), fetch_member=self.fetched,
        )  # fmt: skip

    async def fetched(self, number: int) -> Person:
        self.asked.append(number)
        for person in self.people:
            if person.id == number:
                return person
        raise discord.NotFound(SimpleNamespace(status=404, reason="no"), "Unknown Member")  # type: ignore[arg-type]

    def permissions_for(self, person: Person) -> Any:
        return SimpleNamespace(view_channel=person.sees, manage_threads=False)


async def _seen(channel: Channel, *, known: bool, house: Clubhouse | None = None) -> Sight:
    club = house or house_of(in_memory(), FakeClock())
    async with club.searching.doors.opened() as door:
        return await seen_in(channel, Remembered(), members_known=known)(door)  # type: ignore[arg-type]


async def _strict(*people: str) -> Clubhouse:
    """A strict club of these people."""
    house = house_of(in_memory(), FakeClock())
    for person in people:
        admin = await join(house, person, person)
    await house.rooms.setting_changed("spectators", "strict", admin.member.id, house.clock())
    return house


async def test_who_may_view_a_channel_sees_it_but_no_bot_does() -> None:
    channel = Channel([Person(1), Person(2, sees=False), Person(3, bot=True)])
    assert await _seen(channel, known=True) == Sight(frozenset({"discord:1"}))


async def test_without_the_members_intent_everybody_is_a_stranger_and_nobody_is_named() -> None:
    assert await _seen(Channel([Person(1)], member_count=5), known=False) == Sight(None, 4)


async def test_a_server_whose_members_are_not_all_known_counts_as_unknown() -> None:
    assert await _seen(Channel([Person(1)], chunked=False, member_count=3), known=True) == Sight(None, 2)


async def test_in_a_strict_club_a_member_who_left_unseen_stands_for_no_stranger_who_is_there() -> None:
    house = await _strict("discord:1", "discord:2", "telegram:3")
    there = Channel([Person(1), Person(8)], member_count=3)
    assert await _seen(there, known=False, house=house) == Sight(None, 1)
    assert sorted(there.asked) == [1, 2]
    there.people[1] = Person(2)
    assert await _seen(there, known=False, house=house) == Sight(None, 0)


async def test_in_a_club_that_is_not_strict_nobody_is_asked_for() -> None:
    channel = Channel(member_count=1)
    assert await _seen(channel, known=False) == Sight(None, 0)
    assert channel.asked == []


async def test_a_server_that_can_be_looked_at_from_outside_has_strangers() -> None:
    house = await _strict("discord:1")
    open_server = Channel([Person(1)], member_count=2, features=("DISCOVERABLE",))
    assert await _seen(open_server, known=False, house=house) == Sight(None, 1)
    assert await _seen(open_server, known=True, house=house) == Sight(frozenset({"discord:1"}), 1)
    open_server.public = False
    assert await _seen(open_server, known=True, house=house) == Sight(frozenset({"discord:1"}))


def test_keys_lead_back_to_what_they_name_and_foreign_ones_to_nothing() -> None:
    assert (channel_of(room_key(5, 7)), guild_of(room_key(5, 7))) == (7, 5)
    assert (channel_of(place_key(None, 7)), guild_of(place_key(None, 7))) == (7, None)
    assert user_of(person_key(9)) == 9
    foreign = ("telegram:9", "ana", "discord:", "discord:x/y", "discord:١")
    assert [user_of(key) for key in foreign] == [None] * len(foreign)
    assert [channel_of(key) for key in foreign] == [None] * len(foreign)
