"""What clubs are sent of their own accord: the weekly post, and what a member is told alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.adapters.bulletins import Bulletin
from bot.adapters.chat import render
from bot.adapters.scheduler import Outlet
from bot.adapters.telegram.faults import away, unconnected
from bot.adapters.telegram.keys import chat_of
from bot.adapters.wording import people as said_of
from bot.core.club import ClubId, Member
from bot.core.club_settings import settings_of
from bot.core.errors import Refused, Unavailable
from bot.core.notices import Notice
from bot.core.rounds import room_of_posts

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear


@dataclass(frozen=True, slots=True)
class TelegramPost:
    """`Post` and `Tell` of one club; ``language`` is the club's."""

    client: Dogear
    language: str

    async def post(self, bulletin: Bulletin) -> bool:
        """Send it to its room. Raises `Unavailable` where it may have arrived."""
        content = render.bulletin(bulletin, self.client.spoken(self.language))
        try:
            return await self.client.announce(bulletin.room, content, bulletin.key)
        except (Refused, TelegramError) as error:
            if away(error) and not unconnected(error):
                raise Unavailable("Telegram did not say whether a post arrived.") from None
            return False

    async def tell(self, member: Member, notice: Notice) -> bool:
        """In the private chat."""
        return await self.client.whispered(member, said_of.notice(notice, self.client.spoken(self.language)))


async def outlet_of(client: Dogear, club: ClubId) -> Outlet | None:
    """How a club is reached, where it has a room on Telegram."""
    house = client.clubs.clubhouse(club)
    here = [room for room in await house.rooms.rooms() if chat_of(room.key) is not None]
    if not here:
        return None
    room = await room_of_posts(house) or here[0]
    language = settings_of(await house.rooms.settings()).language
    post = TelegramPost(client, language)
    return Outlet(house, await client.see_in(room.key), post, post, client.spoken)
