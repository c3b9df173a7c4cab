"""Who can see a channel or a thread, as far as Discord tells.

With the members intent everyone who may view the channel is known by name (of a private thread: who is in it, or may
manage threads). Without it nobody is: then every member of the club is taken to see every room, and whoever else is on
the server counts as a stranger who does. Both only make a room's boundary lower.
"""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.adapters.discord.keys import person_key
from bot.core.audience import See, Sight
from bot.core.clubhouse import Clubhouse

Viewed = discord.abc.GuildChannel | discord.Thread


def seen_in(channel: Viewed, house: Clubhouse, *, members_known: bool) -> See:
    """What asks Discord who can see ``channel`` now."""

    async def see() -> Sight:
        guild = channel.guild
        if not members_known or not guild.chunked:
            return await _counted(guild, house)
        if not isinstance(channel, discord.Thread):
            return _named(m for m in guild.members if channel.permissions_for(m).view_channel)
        parent = channel.parent
        if parent is None:
            return await _counted(guild, house)
        viewing = [m for m in guild.members if parent.permissions_for(m).view_channel]
        if not channel.is_private():
            return _named(viewing)
        within = {member.id for member in await channel.fetch_members()}
        return _named(m for m in viewing if m.id in within or parent.permissions_for(m).manage_threads)

    return see


def _named(members: Iterable[discord.Member]) -> Sight:
    people = (m for m in members if not m.bot)
    return Sight(frozenset(person_key(member.id) for member in people))


async def _counted(guild: discord.Guild, house: Clubhouse) -> Sight:
    """All that is known is how many there are: those who are not in the club, and not this bot, are strangers."""
    joined = sum(member.joined for member in await house.roster.members())
    return Sight(None, max(0, (guild.member_count or 0) - 1 - joined))
