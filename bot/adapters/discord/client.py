"""The bot itself: the connection to Discord, its commands, and what it does unasked."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

import discord

from bot.adapters.chat.ending import ended
from bot.adapters.chat.owing import Clubs, Owing
from bot.adapters.chat.parts import Content, Part
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.rates import Rates
from bot.adapters.chat.remembered import Remembered
from bot.adapters.chat.scene import inherited
from bot.adapters.discord import owing, pressed, too_quick
from bot.adapters.discord.acknowledging import Acknowledging, Recent
from bot.adapters.discord.asking import heard
from bot.adapters.discord.faults import AWAY, away, sentence_of, unsent
from bot.adapters.discord.keys import channel_of, guild_of, person_key, user_of
from bot.adapters.discord.pieces import Piece, pieces, pieces_of
from bot.adapters.discord.postings import edits_every
from bot.adapters.discord.render import spoken
from bot.adapters.discord.scene import houses_of
from bot.adapters.discord.sending import NO_MENTIONS, ChannelSurface, told
from bot.adapters.discord.shards import Shards
from bot.adapters.discord.sight import seen_in
from bot.adapters.discord.tree import COMMANDS, TYPED, Tree
from bot.adapters.discord.views import Pressed
from bot.adapters.wording import line
from bot.core.audience import See, cannot_tell
from bot.core.club import ClubId, Member, Person
from bot.core.clubhouse import Clubhouse
from bot.core.errors import DogearError, Refused
from bot.core.membership import lost
from bot.core.roster import Posted

ENDING: Final = 4.0
"""Seconds in which what is being answered comes to its end when the bot is to end."""
LAST_WORD: Final = 2.0
"""Seconds after that in which whoever still waits is told so."""
_OWED: Final = "owed"
"""What an interaction says whose reply was first noted here."""

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nothing is spoken: no warning that it cannot be

logger = logging.getLogger("dogear.discord")


def intents_of(*, members: bool) -> discord.Intents:
    """As few as can be: servers and their messages (words come only where the bot is mentioned, and directly), and
    members where the portal grants that.
    """
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, members=members)


class Dogear(discord.AutoShardedClient):
    """Discord's end of every club. What matters is in the database: any number of processes may hold a shard each."""

    edits_every = staticmethod(edits_every)
    unset: frozenset[str] = frozenset()

    def __init__(
        self, clubs: Clubs, *, members: bool, shards: Shards | None = None, rates: Rates | None = None
    ) -> None:
        held: dict[str, Any] = {}
        if shards is not None:
            held = {"shard_ids": list(shards.ids), "shard_count": shards.count}
        acknowledging = Acknowledging()
        super().__init__(
            intents=intents_of(members=members),
            allowed_mentions=NO_MENTIONS,
            chunk_guilds_at_startup=members,
            max_messages=None,
            http_trace=acknowledging.trace(),
            **held,
        )
        self.acknowledging = acknowledging
        self.clubs, self.rates = clubs, rates or Rates()
        self.typing = Rates(TYPED * self.rates.most)
        told_by = partial(owing.told, self)
        self.owing = Owing(clubs, lambda: f"discord:{self.application_id}", self.deleted, told_by, away)
        self.tree = Tree(self)
        self.ready = asyncio.Event()
        self.told = Remembered()
        self._heard = Recent()
        self._busy: set[asyncio.Task[Any]] = set()
        for command in COMMANDS:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Pressed)
        await self.tree.sync()

    async def on_ready(self) -> None:
        logger.info("event=ready guilds=%d members=%s", len(self.guilds), self.intents.members)
        self.ready.set()

    async def on_message(self, message: discord.Message) -> None:
        if self._heard.first(message.id) and await too_quick.followed_written(self, message):
            await heard(self, message)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say, once, what to do first; where nothing may be written it is left."""
        channel = guild.system_channel
        if channel is not None:
            try:
                await told(ChannelSurface(channel), pieces([Part(line("discord_hello"))]), f"h{guild.id}")
            except (DogearError, *AWAY) as error:
                unsent("hello", error)

    async def on_raw_member_remove(self, event: discord.RawMemberRemoveEvent) -> None:
        guild = self.get_guild(event.guild_id)
        owner = None if guild is None or guild.owner_id is None else person_key(guild.owner_id)
        person = person_key(event.user.id)
        for house in await self.clubs.houses(person):
            if any(guild_of(room.key) == event.guild_id for room in await house.rooms.rooms()):
                gone = await lost(house, person, owner)
                await inherited(self, None if gone is None else gone.admin)

    async def on_error(self, event: str, *args: Any, **more: Any) -> None:
        import sys

        del args, more
        error = sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1]
        if error is not None:
            logger.error("event=unheard what=%s", event)
            sentence_of(error)

    async def pressed(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """A button was pressed."""
        stops = press.action is Action.STOP and press.may_press(interaction.user.id)
        if stops or await too_quick.followed(self.rates, interaction):
            await pressed.press(interaction, press)

    @contextmanager
    def busy(self, interaction: discord.Interaction[Any] | None = None) -> Iterator[None]:
        """What goes on here is waited for when the bot ends. Where it is not broken off its interaction is answered,
        unless that came again: then it is answered where it came first.
        """
        task = asyncio.current_task()
        assert task is not None
        within = task in self._busy
        self._busy.add(task)
        try:
            yield
            if interaction is not None and interaction.extras.get(_OWED):
                self.owing.paid(owing.key_of(interaction))
        finally:
            if not within:
                self._busy.discard(task)

    async def defer(self, interaction: discord.Interaction[Any], *, alone: bool = True) -> None:
        """Acknowledge an interaction, which every process knows then is to be answered. Raises what that raises."""
        key, token = owing.key_of(interaction), interaction.token
        interaction.extras[_OWED] = await self.owing.note(key, token, in_place=not alone, hurried=True)
        await self.acknowledging.defer(interaction, alone=alone)

    async def finish(self) -> None:
        """End what is being answered, which says so itself."""
        tasks = [task for task in self._busy if task is not asyncio.current_task()]
        await ended(tasks, self.clubs.stop_all, ENDING, LAST_WORD)
        await self.owing.settle()

    async def works(self) -> bool:
        """Whether it is connected, with every shard that it holds."""
        return self.is_ready() and not self.is_closed() and not any(s.is_closed() for s in self.shards.values())

    def spoken(self, language: str) -> str:
        """A club's language as it is spoken on Discord."""
        return spoken(language)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def announce(self, room: str, content: Content, key: str) -> bool:
        """Send something to a room; whether there is such a room here. Raises `Refused` where the bot may not write."""
        channel = await self.channel(room)
        if channel is None:
            return False
        await told(ChannelSurface(channel), pieces_of(content), key)
        return True

    async def posted_in(self, room: str, content: Content, key: str) -> Posted | None:
        """`announce` one message that is edited later; None where there is no such room here."""
        channel = await self.channel(room)
        if channel is None:
            return None
        surface = ChannelSurface(channel)
        return surface.posted(await surface.send(pieces_of(content)[0], key))

    async def edited(self, posted: Posted, content: Content) -> None:
        """Say something else in a message of the bot's; one that is gone is left."""
        channel = await self.channel(posted.place)
        if channel is None:
            return
        try:
            await ChannelSurface(channel).edit(channel.get_partial_message(int(posted.message)), pieces_of(content)[0])
        except Refused as error:
            unsent("edit", error)

    async def houses_of(self, person: Person) -> Sequence[Clubhouse]:
        """The clubs that a person has joined, and whose server they are still on."""
        number = user_of(person)
        return [] if number is None else await houses_of(self, discord.Object(number))

    async def called(self, club: ClubId) -> str:
        """What the server of a club is called."""
        rooms = await self.clubs.clubhouse(club).rooms.rooms()
        guilds = (self.get_guild(guild_of(room.key) or 0) for room in rooms)
        return next((guild.name for guild in guilds if guild is not None), str(club))

    async def branches(self, room: str, house: Clubhouse) -> Sequence[str]:
        """The keys of the club's rooms that are threads of a room."""
        found = []
        for other in await house.rooms.rooms():
            if other.key != room and guild_of(other.key) == guild_of(room):
                channel = await self.channel(other.key)
                if isinstance(channel, discord.Thread) and channel.parent_id == channel_of(room):
                    found.append(other.key)
        return found

    async def owner(self, room: str) -> Person | None:
        """Who owns the server of a room."""
        guild = self.get_guild(guild_of(room) or 0)
        return None if guild is None or guild.owner_id is None else person_key(guild.owner_id)

    async def channel(self, key: str) -> Any:
        """The channel or thread of a room or place, or None."""
        number = channel_of(key)
        found = None if number is None else self.get_channel(number)
        if found is None and number is not None:
            try:
                found = await self.fetch_channel(number)
            except (discord.NotFound, discord.Forbidden):
                return None
        return found if isinstance(found, discord.abc.Messageable) else None

    async def see_in(self, room: str) -> See:
        """What tells who sees a room."""
        channel = await self.channel(room)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return cannot_tell
        return seen_in(channel, self.told, members_known=self.intents.members)

    async def whispered(self, member: Member, sentence: str, key: str = "") -> bool:
        """Tell one person something in a direct message; whether it reached them."""
        return await self.sent_directly(member, pieces([Part(sentence)]), key)

    async def sent_directly(self, member: Member, sent: Iterable[Piece], key: str = "") -> bool:
        """Send pieces to one person in a direct message; whether they reached them. A second time with the same ``key``
        soon after is the first one again.
        """
        number = user_of(member.person)
        if number is None:
            return False
        try:
            user = self.get_user(number)
            channel = await self.create_dm(discord.Object(number) if user is None else user)
            await told(ChannelSurface(channel), sent, key or secrets.token_hex(6))
        except (Refused, *AWAY) as error:
            unsent("direct message", error)
            return False
        return True

    async def taken_down(self, posted: Posted) -> bool:
        """Delete a message of the bot's; whether it stands no more. What is gone, or one person alone saw, does not."""
        try:
            return await self.deleted(posted)
        except AWAY as error:
            logger.warning("event=left-standing error=%s", type(error).__name__)
            return False

    async def deleted(self, posted: Posted) -> bool:
        """`taken_down`. Raises what Discord says instead."""
        channel = await self.channel(posted.place)
        if channel is None or not posted.message.isdecimal():
            return False
        with suppress(discord.NotFound):
            await channel.get_partial_message(int(posted.message)).delete()
        return True
