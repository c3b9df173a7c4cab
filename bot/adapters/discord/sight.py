"""Who can see a channel or a thread, as far as Discord tells.

With the members intent everyone who may view the channel is known by name (of a private thread: who is in it, or may
manage threads). Without it nobody is: then every member of the club is taken to see every room, and whoever else is on
the server counts as a stranger who does. Both only make a room's boundary lower.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord

from bot.adapters.chat.remembered import Remembered
from bot.adapters.discord.keys import person_key, user_of
from bot.core.audience import See, Sight
from bot.core.club import Person
from bot.core.ports import Door
from bot.core.strangers import counted

Viewed = discord.abc.GuildChannel | discord.Thread

OPEN_TO_ALL: Final = frozenset(("DISCOVERABLE", "PREVIEW_ENABLED"))
"""Features of servers whose public channels are read by people who have not joined them."""


def seen_in(channel: Viewed, told: Remembered, *, members_known: bool) -> See:
    """What asks Discord who can see ``channel`` now; ``told`` remembers who is on a server."""

    async def see(door: Door) -> Sight:
        guild = channel.guild
        if not members_known or not guild.chunked:
            return await _counted(guild, door, told)
        if not isinstance(channel, discord.Thread):
            return _named(channel, (m for m in guild.members if channel.permissions_for(m).view_channel))
        parent = channel.parent
        if parent is None:
            return await _counted(guild, door, told)
        viewing = [m for m in guild.members if parent.permissions_for(m).view_channel]
        if not channel.is_private():
            return _named(parent, viewing)
        within = {member.id for member in await channel.fetch_members()}
        return _named(None, (m for m in viewing if m.id in within or parent.permissions_for(m).manage_threads))

    return see


def _named(public: discord.abc.GuildChannel | None, members: Iterable[discord.Member]) -> Sight:
    """Members by name. Where everybody on a server sees ``public``, so does who looks at the server from outside."""
    seen = frozenset(person_key(member.id) for member in members if not member.bot)
    guild = None if public is None else public.guild
    if public is None or guild is None or OPEN_TO_ALL.isdisjoint(guild.features):
        return Sight(seen)
    return Sight(seen, int(public.permissions_for(guild.default_role).view_channel))


async def _counted(guild: discord.Guild, door: Door, told: Remembered) -> Sight:
    """All that is known is how many there are: those who are not in the club, and not this bot, are strangers."""

    async def there(person: Person) -> bool:
        number = user_of(person)
        return number is not None and await told.asked(guild.id, number, lambda: _on(guild, number))

    async def open_to_all() -> bool:
        return not OPEN_TO_ALL.isdisjoint(guild.features)

    return await counted(door, (guild.member_count or 0) - 1, there, open_to_all)


async def _on(guild: discord.Guild, number: int) -> bool:
    """Whether somebody is certainly on a server."""
    try:
        await guild.fetch_member(number)
    except discord.HTTPException:
        return False
    return True
