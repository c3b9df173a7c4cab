"""Acknowledging interactions: within three seconds, once, and going on wherever Discord may have taken it.

A callback that Discord carried out and answered with an error, or not at all, is tried again by discord.py, and is then
refused since the interaction has been acknowledged: by ourselves. Of one that was refused without such a loss somebody
else has acknowledged it.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord

ACKNOWLEDGED: Final = 40060
"""What Discord says of an interaction that has been acknowledged."""
MOST: Final = 1000
AT_ONCE: Final = 64
"""Interactions that are acknowledged at the same time: a connection for each of hundreds would hold up everything else
while they are made, and those there are serve the next as soon.
"""
_TRIES: Final = 2
_CALLBACK: Final = re.compile(r".*/interactions/(\d+)/[^/]+/callback", re.ASCII)


class Recent:
    """The last numbers that came: after a RESUME some come again."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._came: OrderedDict[int, None] = OrderedDict()

    def __contains__(self, number: int) -> bool:
        return number in self._came

    def first(self, number: int) -> bool:
        """Whether it comes for the first time; it has come from now on."""
        if number in self._came:
            return False
        self._came[number] = None
        while len(self._came) > self._most:
            self._came.popitem(last=False)
        return True


class Acknowledging:
    """What one client has acknowledged, and of what it is not known whether Discord took it."""

    def __init__(self) -> None:
        self._tried, self._lost = Recent(), Recent()
        self._at_once = asyncio.Semaphore(AT_ONCE)

    def trace(self) -> aiohttp.TraceConfig:
        """What sees how Discord answers, each time that discord.py tries."""
        made = aiohttp.TraceConfig()
        made.on_request_end.append(self._answered)
        made.on_request_exception.append(self._unanswered)
        return made

    async def defer(self, interaction: discord.Interaction[Any], *, alone: bool = True) -> None:
        """Acknowledge an interaction, to be answered ``alone`` or by changing the message that it came from.

        Where it is not known whether Discord took that it is gone on with: what follows is refused if it did not.
        Raises `discord.InteractionResponded` where it has come before, `discord.HTTPException` where it is somebody
        else's, or its time is over.
        """
        if not self._tried.first(interaction.id):
            raise discord.InteractionResponded(interaction)
        for _ in range(_TRIES):
            try:
                async with self._at_once:
                    await interaction.response.defer(ephemeral=alone, thinking=alone)
            except discord.DiscordServerError:
                return
            except discord.HTTPException as error:
                if error.code != ACKNOWLEDGED or interaction.id not in self._lost:
                    raise
                return
            except (aiohttp.ClientError, OSError):
                self._lost.first(interaction.id)
            else:
                return

    async def _answered(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        del session, context
        if params.response.status >= 500:
            self._lose(params.url.path)

    async def _unanswered(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        del session, context
        self._lose(params.url.path)

    def _lose(self, path: str) -> None:
        found = _CALLBACK.fullmatch(path)
        if found is not None:
            self._lost.first(int(found[1]))
