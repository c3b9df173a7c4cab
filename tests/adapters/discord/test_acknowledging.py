"""What is done about an interaction whose acknowledgement was lost on the way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.adapters.discord.acknowledging import AT_ONCE, Acknowledging, Recent


@dataclass
class Response:
    """An interaction's, whose defers end as they are told, one after another."""

    ends: list[Exception | None]
    deferred: list[dict[str, bool]] = field(default_factory=list)

    async def defer(self, **how: bool) -> None:
        self.deferred.append(how)
        end = self.ends.pop(0)
        if end is not None:
            raise end


def _interaction(*ends: Exception | None) -> tuple[discord.Interaction[Any], Response]:
    response = Response(list(ends))
    return cast("discord.Interaction[Any]", SimpleNamespace(id=7, response=response)), response


def _error(status: int, code: int = 0) -> discord.HTTPException:
    kind = discord.DiscordServerError if status >= 500 else discord.HTTPException
    return kind(cast("Any", SimpleNamespace(status=status, reason="")), {"code": code, "message": ""})


@pytest.mark.parametrize(
    "ends",
    [
        [None],
        [_error(503)],
        [aiohttp.ServerDisconnectedError(), None],
        [aiohttp.ServerDisconnectedError(), _error(400, 40060)],
        [ConnectionResetError(), ConnectionResetError()],
    ],
    ids=["taken", "never known", "lost and not taken", "lost and taken", "never answered"],
)
async def test_it_is_gone_on_with_wherever_discord_may_have_taken_it(ends: list[Exception | None]) -> None:
    interaction, response = _interaction(*ends)
    await Acknowledging().defer(interaction)
    assert response.deferred == [{"ephemeral": True, "thinking": True}] * len(ends)


@pytest.mark.parametrize("error", [_error(400, 40060), _error(404, 10062)])
async def test_what_is_somebody_elses_or_too_late_is_left(error: discord.HTTPException) -> None:
    interaction, _ = _interaction(error)
    with pytest.raises(discord.HTTPException):
        await Acknowledging().defer(interaction)


async def test_what_comes_again_is_not_tried_again_even_while_its_end_is_not_known() -> None:
    acknowledging = Acknowledging()
    interaction, response = _interaction(_error(503), None)
    await acknowledging.defer(interaction)
    with pytest.raises(discord.InteractionResponded):
        await acknowledging.defer(interaction)
    assert len(response.deferred) == 1


async def test_of_very_many_at_once_each_is_acknowledged_in_its_turn() -> None:
    acknowledging, going, most, done = Acknowledging(), 0, 0, 0

    async def defer(**_: bool) -> None:
        nonlocal going, most, done
        going += 1
        most = max(most, going)
        await asyncio.sleep(0)
        going, done = going - 1, done + 1

    response = SimpleNamespace(defer=defer)
    came = [cast("discord.Interaction[Any]", SimpleNamespace(id=n, response=response)) for n in range(5 * AT_ONCE)]
    await asyncio.gather(*(acknowledging.defer(interaction) for interaction in came))
    assert (most, done) == (AT_ONCE, 5 * AT_ONCE)


def test_what_came_long_ago_is_forgotten() -> None:
    recent = Recent(most=2)
    assert [recent.first(number) for number in (1, 1, 2, 3, 1)] == [True, False, True, True, True]
    assert 3 in recent
