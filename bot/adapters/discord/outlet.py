"""What clubs are sent of their own accord: the weekly post, and what a member is told alone."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from bot.adapters.bulletins import Bulletin
from bot.adapters.chat import render
from bot.adapters.discord.faults import unsent
from bot.adapters.discord.keys import guild_of
from bot.adapters.scheduler import Outlet
from bot.adapters.wording import people as said_of
from bot.core.club import ClubId, Member
from bot.core.club_settings import settings_of
from bot.core.errors import Refused, Unavailable
from bot.core.notices import Notice
from bot.core.rounds import room_of_posts

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear

_UNCONNECTED: Final = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
"""Raised where no connection was made: nothing of what was sent can have arrived."""


@dataclass(frozen=True, slots=True)
class DiscordPost:
    """`Post` and `Tell` of one club."""

    client: Dogear
    language: str

    async def post(self, bulletin: Bulletin) -> bool:
        """Send it to its room. A second one of its key within minutes is the first one again.

        Raises `Unavailable` where it may have arrived.
        """
        nonce = sha256(bulletin.key.encode()).hexdigest()[:20]
        try:
            content = render.bulletin(bulletin, self.client.spoken(self.language))
            return await self.client.announce(bulletin.room, content, nonce)
        except (Refused, discord.HTTPException, *_UNCONNECTED) as error:
            unsent("post", error)
            return False
        except (aiohttp.ClientError, OSError) as error:
            unsent("post", error)
            raise Unavailable("Discord did not say whether a post arrived.") from None

    async def tell(self, member: Member, notice: Notice) -> bool:
        """In a direct message. The same within minutes, from a process that came after one that died, is the first."""
        sentence = said_of.notice(notice, self.client.spoken(self.language))
        return await self.client.whispered(
            member, sentence, sha256(f"{member.id} {sentence}".encode()).hexdigest()[:20]
        )


async def outlet_of(client: Dogear, club: ClubId) -> Outlet | None:
    """How a club is reached, where one of this process's servers holds it."""
    house = client.clubs.clubhouse(club)
    here = [room for room in await house.rooms.rooms() if client.get_guild(guild_of(room.key) or 0) is not None]
    if not here:
        return None
    room = await room_of_posts(house) or here[0]
    language = settings_of(await house.rooms.settings()).language
    post = DiscordPost(client, language)
    return Outlet(house, await client.see_in(room.key), post, post, client.spoken, again=True)
