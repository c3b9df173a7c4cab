"""Who speaks, in which club and where: what every command and button begins with, whatever its platform."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from bot.adapters.chat import render
from bot.adapters.chat.parts import Button, Content, Part
from bot.adapters.chat.postings import Standing
from bot.adapters.wording import line
from bot.core.audience import See, cannot_tell
from bot.core.club import ClubId, Member, Person
from bot.core.club_rooms import quiet_in
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.life import ClubFinished, finished_without
from bot.core.ports import Directory
from bot.core.rights import Moderator
from bot.core.roster import Posted
from bot.core.rounds import room_of_posts


class Clubs(Protocol):
    """How clubs are found and reached."""

    @property
    def directory(self) -> Directory: ...

    def clubhouse(self, club: ClubId) -> Clubhouse: ...

    def houses(self, person: Person) -> Awaitable[Sequence[Clubhouse]]:
        """Every club that keeps anything of a person."""

    def stop_all(self) -> None:
        """Stop whatever is being answered in this process."""


class Chat(Protocol):
    """A platform as the commands on it use it."""

    @property
    def clubs(self) -> Clubs: ...

    @property
    def owing(self) -> Standing: ...

    @property
    def unset(self) -> frozenset[str]:
        """Settings that mean nothing on this platform: they are neither shown nor changed there."""

    def spoken(self, language: str) -> str:
        """A club's language as it is spoken here: "en@discord"."""

    async def pause(self, seconds: float) -> None: ...

    def edits_every(self, room: str | None) -> timedelta:
        """How seldom a message in a room (its key) is edited at least."""

    async def announce(self, room: str, content: Content, key: str) -> bool:
        """Send something to a room (its key); whether there is such a room here.

        A second one with the same ``key`` soon after is the first one again, where the platform can tell. Raises
        `Refused` where the bot may not write.
        """

    async def posted_in(self, room: str, content: Content, key: str) -> Posted | None:
        """`announce` one message that is edited later; None where there is no such room here."""

    async def edited(self, posted: Posted, content: Content) -> None:
        """Say something else in a message of the bot's."""

    async def whispered(self, member: Member, sentence: str) -> bool:
        """Tell one person something alone; whether it reached them."""

    async def taken_down(self, posted: Posted) -> bool:
        """Delete a message of the bot's, or put a neutral word in its place; whether it stands no more."""

    async def see_in(self, room: str) -> See:
        """What tells who sees a room."""

    async def houses_of(self, person: Person) -> Sequence[Clubhouse]:
        """The clubs that a person has joined, and whose server or group they are still in."""

    async def called(self, club: ClubId) -> str:
        """What the server or group of a club is called, for who is in it."""

    async def branches(self, room: str, house: Clubhouse) -> Sequence[str]:
        """The keys of those of the club's rooms that branched from a room: its threads."""

    async def owner(self, room: str) -> Person | None:
        """Who owns the server or group that a room is in: they may become an admin where none is left."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Somebody in a club. ``room`` is the key of the club's room they speak in, or None where it is none of its rooms
    or a direct message; ``back`` says that they were away and count again, ``moderates`` that they may delete others'
    messages there.
    """

    client: Chat
    house: Clubhouse
    member: Member
    language: str = "en"
    room: str | None = None
    see: See = cannot_tell
    back: bool = False
    moderates: bool = False

    @property
    def quieting(self) -> Member | Moderator:
        """As whom they quiet the room they speak in."""
        return Moderator(self.member.person) if self.moderates and not self.member.admin else self.member

    async def owner(self) -> Person | None:
        """Who owns the server or group, where they speak in a room of it."""
        return None if self.room is None else await self.client.owner(self.room)

    async def quiet(self) -> bool:
        """Whether nothing may be said now where they speak: in a paused or muted room, or in none of the club's."""
        if self.room is None:
            return True
        return await quiet_in(self.house, self.room)

    async def main_room(self) -> str | None:
        """Where the club is told something: in the room they speak in, else in that of its posts.

        None where nothing may be said there now.
        """
        room = self.room
        if room is None:
            posts = await room_of_posts(self.house)
            room = None if posts is None else posts.key
        return None if room is None or await quiet_in(self.house, room) else room

    def in_room(self) -> str:
        """The room they speak in. Raises `Refused` where they do not speak in one."""
        if self.room is None:
            raise Refused("no_room", line("chat_no_room", self.language))
        return self.room


async def scene_in_room(scene: Scene, number: int) -> Scene:
    """The same as if it were said in the club's room of this number: a button of its may stand in a private chat.

    Raises `Refused` where there is none any more.
    """
    room = next((r for r in await scene.house.rooms.rooms() if r.id == number), None)
    if room is None:
        raise Refused("no_room", line("chat_no_room", scene.language))
    if room.key == scene.room:
        return scene
    return replace(scene, room=room.key, see=await scene.client.see_in(room.key))


async def tell_room(scene: Scene, *lines: str, key: str, buttons: Sequence[Button] = ()) -> None:
    """Say something in clear to the room they speak in, else to that of the club's posts; nothing where it is quiet, or
    the bot may not write: what is told has been done in any case.
    """
    room = await scene.main_room()
    if room is not None:
        content = Content(tuple(Part(one) for one in lines), tuple(buttons))
        with suppress(Refused):
            await scene.client.announce(room, content, f"{key}.{scene.house.club}")


async def gone(scene: Scene, admin: Member | None) -> None:
    """What follows of somebody's leaving: an heir is told, and the room where everyone left has finished."""
    await inherited(scene.client, admin)
    if scene.room is not None:
        finished = await finished_without(scene.house, scene.room, scene.see)
        if finished is not None:
            await told_finished(scene, finished)


async def inherited(client: Chat, admin: Member | None) -> None:
    """Tell who has become an admin."""
    if admin is not None:
        await client.whispered(admin, line("admin_inherited", name=admin.name))


async def told_finished(scene: Scene, finished: ClubFinished) -> None:
    """Congratulate a room, once."""
    first = "club_finished" if finished.everyone else "club_done"
    parts = [Part(line(first, scene.language, title=finished.book.title))]
    parts.append(Part(line("stays_on_shelf", scene.language)))
    buttons = render.steps(finished.steps, scene.house.club, scene.language)
    if scene.room is not None:
        content = Content(tuple(parts), buttons)
        await scene.client.announce(scene.room, content, f"f{scene.house.club}.{finished.book.id}")
