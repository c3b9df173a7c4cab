"""The next weekly post, shown to an admin alone: what is sent still holds when it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from bot.adapters.discord.keys import person_key
from bot.core.club import BookId, MemberId
from bot.core.ports import Door
from tests.adapters.discord.simulated import Simulated, answer_of, simulated
from tests.fakes.doors import FakeDoors

FIRST = "stood on the quay"


@dataclass
class Changing:
    """Doors before whose opening of that number something happens; every opening is counted."""

    doors: FakeDoors
    happens: Callable[[], Awaitable[None]]
    at: int | None = None
    opened_so_far: int = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        self.opened_so_far += 1
        if self.opened_so_far == self.at:
            await self.happens()
        async with self.doors.opened() as door:
            yield door


async def _goes_back(it: Simulated) -> None:
    await it.library.place(person_key(it.ana.id), BookId(1), 0)


async def _leaves(it: Simulated) -> None:
    await it.house.roster.leave(MemberId(1))


@pytest.mark.parametrize(("does", "told"), [(_goes_back, "The next post"), (_leaves, "changed too often")])
async def test_a_preview_is_made_again_where_it_does_not_hold_just_before_it_is_sent(
    does: Callable[[Simulated], Awaitable[None]], told: str
) -> None:
    async with simulated() as it:
        doors = it.house.searching.doors
        assert isinstance(doors, FakeDoors)
        changing = Changing(doors, lambda: does(it))
        it.clubs.house = replace(it.house, searching=replace(it.house.searching, doors=changing))
        held = await it.ana.slash(it.room, "club preview")
        assert any(FIRST in message.content for message in held.followups)
        changing.at = changing.opened_so_far * 2
        changed = await it.ana.slash(it.room, "club preview")
        assert changed.response is not None
        assert told in changed.response.content
        assert FIRST not in answer_of(changed)
        assert changing.opened_so_far > changing.at
