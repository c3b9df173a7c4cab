"""Who can see a channel, by what Discord tells: an unknown viewer is never taken for a reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from bot.adapters.discord.keys import channel_of, guild_of, person_key, place_key, room_key, user_of
from bot.adapters.discord.sight import seen_in
from bot.core.audience import Sight
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

    @property
    def guild(self) -> Any:
        return SimpleNamespace(members=self.people, chunked=self.chunked, member_count=self.member_count)

    def permissions_for(self, person: Person) -> Any:
        return SimpleNamespace(view_channel=person.sees, manage_threads=False)


async def _seen(channel: Channel, *, known: bool) -> Sight:
    return await seen_in(channel, house_of(in_memory(), FakeClock()), members_known=known)()  # type: ignore[arg-type]


async def test_who_may_view_a_channel_sees_it_but_no_bot_does() -> None:
    channel = Channel([Person(1), Person(2, sees=False), Person(3, bot=True)])
    assert await _seen(channel, known=True) == Sight(frozenset({"discord:1"}))


async def test_without_the_members_intent_everybody_is_a_stranger_and_nobody_is_named() -> None:
    assert await _seen(Channel([Person(1)], member_count=5), known=False) == Sight(None, 4)


async def test_a_server_whose_members_are_not_all_known_counts_as_unknown() -> None:
    assert await _seen(Channel([Person(1)], chunked=False, member_count=3), known=True) == Sight(None, 2)


def test_keys_lead_back_to_what_they_name_and_foreign_ones_to_nothing() -> None:
    assert (channel_of(room_key(5, 7)), guild_of(room_key(5, 7))) == (7, 5)
    assert (channel_of(place_key(None, 7)), guild_of(place_key(None, 7))) == (7, None)
    assert user_of(person_key(9)) == 9
    foreign = ("telegram:9", "ana", "discord:", "discord:x/y", "discord:١")
    assert [user_of(key) for key in foreign] == [None] * len(foreign)
    assert [channel_of(key) for key in foreign] == [None] * len(foreign)
