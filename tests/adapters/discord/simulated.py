"""A club in memory on a simulated Discord (simcord): the client as it is, its HTTP and its gateway not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord
import simcord

from bot.adapters.discord.client import Dogear
from bot.adapters.discord.keys import person_key, room_key
from bot.adapters.discord.shards import Shards
from bot.core.book import BookText
from bot.core.boundary import Boundary
from bot.core.club import ClubId, Person
from bot.core.clubhouse import Clubhouse
from bot.core.leading import Leading
from bot.core.owed import Owed
from bot.core.ports import AdmittedPassages, Directory, Door
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoor, FakeDoors
from tests.fakes.leading import FakeLeading
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.owed import FakeOwed
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

CLUB = ClubId(1)


@dataclass
class Ticking(FakeClock):
    """Two seconds later each time it is asked: no edit has to wait."""

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=2)
        return self.now


@dataclass
class OneClub:
    """How the only club is found, and reached."""

    house: Clubhouse
    replies: FakeOwed = field(default_factory=FakeOwed)
    leads: FakeLeading = field(default_factory=FakeLeading)

    @property
    def directory(self) -> Directory:
        return self

    @property
    def owed(self) -> Owed:
        return self.replies

    @property
    def leading(self) -> Leading:
        return self.leads

    def clubhouse(self, club: ClubId) -> Clubhouse:
        assert club == CLUB
        return self.house

    async def houses(self, person: Person) -> tuple[Clubhouse, ...]:
        return tuple(self.house for _ in await self.clubs_that_know(person))

    def stop_all(self) -> None:
        self.house.turns.stop()

    async def club_named(self, name: str, server: str = "") -> ClubId:
        del name, server
        return CLUB

    async def club_of_room(self, key: str) -> ClubId | None:
        return None if await self.house.rooms.room(key) is None else CLUB

    async def clubs_of_person(self, person: Person) -> tuple[ClubId, ...]:
        return tuple(CLUB for m in await self.house.roster.members() if m.person == person and m.joined)

    async def clubs_that_know(self, person: Person) -> tuple[ClubId, ...]:
        return tuple(CLUB for m in await self.house.roster.members() if m.person == person)

    async def clubs(self) -> tuple[ClubId, ...]:
        return (CLUB,)

    async def server_moved(self, old: str, new: str) -> int:
        raise NotImplementedError


class SlowDoor(FakeDoor):
    """Finds passages only once it is let: what is answered meanwhile has begun and is not done."""

    until: Callable[[], Awaitable[None]]

    async def passages_admitted(self, boundary: Boundary) -> AdmittedPassages:
        await self.until()
        return await super().passages_admitted(boundary)


@dataclass
class Slow:
    """Doors that are slow until ``open`` is set."""

    doors: FakeDoors
    env: simcord.Env
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def _opens(self) -> None:
        if not self.open.is_set():
            await self.env.external_wait(self.open.wait(), reason="the answer takes long")

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        async with self.doors.opened() as door:
            assert isinstance(door, FakeDoor)
            door.__class__ = SlowDoor
            assert isinstance(door, SlowDoor)
            door.until = self._opens
            yield door


@dataclass
class Simulated:
    """A server with a room: Ana set the club up and has finished chapter 2, Bo chapter 1; Eve has not joined."""

    env: simcord.Env
    clubs: OneClub
    house: Clubhouse
    library: Library[FakeShelf, FakeRoster, FakeDoors]
    guild: simcord.GuildHandle
    room: simcord.ChannelHandle
    ana: simcord.MemberActor
    bo: simcord.MemberActor
    eve: simcord.MemberActor

    async def opened_to(self, *whom: simcord.MemberActor | simcord.RoleHandle) -> None:
        """The server's owner lets these use every command (Server Settings, Integrations)."""
        client = self.env.bot
        assert isinstance(client, Dogear)
        for command in await client.tree.fetch_commands():
            if command.default_member_permissions is not None:
                self.guild.set_command_permissions(command, dict.fromkeys(whom, True))

    def said_in(self, channel: simcord.ChannelHandle) -> list[str]:
        """What the bot's messages there say, to all who see it."""
        return [m.content for m in channel.history() if m.author.bot and not m.flags.ephemeral]

    def anew(self) -> Dogear:
        """The program as it begins again: nothing is kept in it."""
        return client_of(self.clubs, members=self.env.bot.intents.members)

    def everything_said(self) -> list[str]:
        """What the bot's messages say anywhere where more than one person sees them."""
        return [said for channel in self.guild.channels.values() for said in self.said_in(channel)]

    async def channel(self, name: str, **rights: dict[str, bool]) -> simcord.ChannelHandle:
        """One more room; ``rights`` there of the bot, everyone, or a person stand over their roles."""
        assert self.guild.me is not None
        known: dict[str, Any] = {
            "bot": self.guild.me,
            "everyone": self.guild.default_role,
            "ana": self.ana,
            "bo": self.bo,
            "eve": self.eve,
        }
        over = {known[who]: discord.PermissionOverwrite(**of) for who, of in rights.items()}
        made = self.guild.create_text_channel(name, overwrites=over)
        await self.house.rooms.room_added(room_key(self.guild.id, made.id), name)
        return made


def client_of(clubs: OneClub, *, members: bool) -> Dogear:
    return Dogear(clubs, members=members, shards=Shards((0,), 1))


def answer_of(result: simcord.InteractionResult) -> str:
    """What somebody alone was told last in answer to an interaction."""
    told = [*([result.response] if result.response else []), *result.followups]
    assert all(message.ephemeral for message in told)
    return told[-1].content if told else ""


@asynccontextmanager
async def simulated(
    *, members: bool = True, text: BookText = LANTERN, read: tuple[int, int] | None = None
) -> AsyncIterator[Simulated]:
    """The club, while it is there. ``read`` has the offsets to which Ana and Bo have read ``text``, by default the ends
    of chapters 2 and 1.
    """
    library = in_memory()
    house = house_of(library, Ticking())
    book = await library.add(text)
    clubs = OneClub(house)
    async with simcord.run(client_of(clubs, members=members)) as env:
        guild = env.create_guild()
        room = guild.create_text_channel("general")
        manager = guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
        ana = guild.add_member(env.create_user("ana"), roles=[manager])
        bo, eve = (guild.add_member(env.create_user(name)) for name in ("bo", "eve"))
        await ana.slash(room, "club setup")
        for who, offset in zip((ana, bo), read or (end_of(text, 2), end_of(text, 1)), strict=True):
            await library.place(person_key(who.id), book, offset)
        yield Simulated(env, clubs, house, library, guild, room, ana, bo, eve)
