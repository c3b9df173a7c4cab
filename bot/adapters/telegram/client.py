"""The bot itself: Telegram's end of every club, as commands and the scheduler use it."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol

import telegram
from telegram.error import BadRequest, InvalidToken, TelegramError
from telegram.ext import ExtBot

from bot.adapters.chat import owing
from bot.adapters.chat.parts import Button, Content, Part
from bot.adapters.chat.rates import Rates
from bot.adapters.telegram.callbacks import Callbacks
from bot.adapters.telegram.census import Census, is_inside
from bot.adapters.telegram.faults import Unreached, away
from bot.adapters.telegram.inlet import Inlet
from bot.adapters.telegram.keys import chat_key, chat_of, person_key, room_key, spoken, topic_of, user_of
from bot.adapters.telegram.links import Links
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.postings import edits_every
from bot.adapters.telegram.pressed import PRESSABLE
from bot.adapters.telegram.scene import houses_of
from bot.adapters.telegram.sending import ChatSurface, Sent, markup_of, told
from bot.adapters.telegram.sight import seen_in
from bot.adapters.telegram.stopping import Stopping
from bot.adapters.telegram.telling import stopped
from bot.adapters.telegram.troubles import turned_away
from bot.adapters.telegram.where import Speaker
from bot.core.audience import See, cannot_tell
from bot.core.club import ClubId, Member, Person
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.inbox import Inbox
from bot.core.once import Once
from bot.core.roster import Posted

_REMEMBERED: Final = 1000

logger = logging.getLogger("dogear.telegram")

Later = Callable[[], Coroutine[Any, Any, None]]


class Clubs(owing.Clubs, Protocol):
    """How clubs are found and reached; what was done once only, and what came and was not begun, is remembered."""

    @property
    def once(self) -> Once: ...

    @property
    def inbox(self) -> Inbox: ...


class Dogear:
    """Telegram's end of every club. What matters is in the database: after a restart everything goes on.

    ``privacy`` says that the bot sees commands and replies alone in groups, as it should be.
    """

    pressable = PRESSABLE
    edits_every = staticmethod(edits_every)
    unset: frozenset[str] = frozenset(("organiser_role",))

    def __init__(self, clubs: Clubs, bot: ExtBot[Any], pace: Pace, largest: int, rates: Rates | None = None) -> None:
        self.clubs, self.bot, self.pace, self.largest = clubs, bot, pace, largest
        self.links, self.callbacks = Links.of("", bot.token), Callbacks.of(bot.token)
        self.ready, self.rates = asyncio.Event(), rates or Rates()
        self.owing = owing.Owing(clubs, lambda: f"telegram:{bot.id}", self.deleted, partial(stopped, self), away)
        self.waiting: OrderedDict[int, tuple[datetime, Later]] = OrderedDict()
        """What somebody is to be told once they open the private chat: what they did is done again, and told there."""
        self.prompts: OrderedDict[tuple[int, int], int] = OrderedDict()
        """Of which club a message of the bot's asks where somebody is."""
        self.inlet, self.stopping = Inlet(self), Stopping(self)
        self._drafts = itertools.count(random.randrange(1, 1 << 30))  # noqa: S311 - a number of ours, no secret
        self.census = Census(bot)

    async def begin(self) -> None:
        """Ask Telegram who the bot is. Raises what that raises."""
        me = await self.bot.get_me()
        self.links = Links.of(me.username or "", self.bot.token)

    @property
    def username(self) -> str:
        return self.links.username

    async def works(self) -> bool:
        """Whether it listens, and Telegram answers. Raises `Unavailable` where Telegram does not take the token."""
        try:
            return self.ready.is_set() and (await self.bot.get_me()).id == self.bot.id
        except InvalidToken:
            raise turned_away() from None
        except TelegramError:
            return False

    def now(self) -> datetime:
        return datetime.now(UTC)

    def spoken(self, language: str) -> str:
        """A club's language as it is spoken on Telegram."""
        return spoken(language)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def next_draft(self) -> int:
        """The number of one more draft."""
        return next(self._drafts)

    def markup(self, buttons: tuple[Button, ...], *, private: bool) -> telegram.InlineKeyboardMarkup | None:
        return markup_of(self, buttons, private=private)

    # what is said

    def surface(self, room: str) -> ChatSurface | None:
        """Where a room, or a private chat by its key, is; None for one of another platform."""
        chat = chat_of(room)
        return None if chat is None else ChatSurface(self, chat, topic_of(room))

    async def announce(self, room: str, content: Content, key: str) -> bool:
        """Send something to a room; whether there is such a room here. Raises `Refused` where the bot may not write."""
        del key
        surface = self.surface(room)
        if surface is None:
            return False
        await told(surface, content)
        return True

    async def posted_in(self, room: str, content: Content, key: str) -> Posted | None:
        """`announce` one message that is edited later; None where there is no such room here."""
        del key
        surface = self.surface(room)
        return None if surface is None else (await surface.send(surface.pieces(content)[0])).posted

    async def edited(self, posted: Posted, content: Content) -> None:
        """Say something else in a message of the bot's."""
        surface = self.surface(posted.place)
        if surface is not None:
            await surface.edit(Sent(surface.chat, int(posted.message)), surface.pieces(content)[0])

    async def taken_down(self, posted: Posted) -> bool:
        """Delete a message of the bot's, or put a neutral word in its place; whether it stands no more."""
        try:
            return await self.deleted(posted)
        except TelegramError as error:
            logger.warning("event=left-standing error=%s", type(error).__name__)
            return False

    async def deleted(self, posted: Posted) -> bool:
        """`taken_down`. Raises what Telegram says instead."""
        surface = self.surface(posted.place)
        if surface is None or not posted.message.isdecimal():
            return False
        return await surface.taken(Sent(surface.chat, int(posted.message)))

    async def whispered(self, member: Member, sentence: str) -> bool:
        """Tell one person something in their private chat; whether it reached them."""
        number = user_of(member.person)
        if number is None:
            return False
        try:
            await told(ChatSurface(self, number), Content((Part(sentence),)))
        except (Refused, TelegramError):
            return False
        return True

    async def to_person(self, number: int, *contents: Content) -> None:
        """Tell one person something in their private chat. Raises `Unreached`, and notes it in their clubs."""
        try:
            await told(ChatSurface(self, number), *contents)
        except Unreached:
            await self.unreachable(number, reachable=False)
            raise

    async def unreachable(self, number: int, *, reachable: bool) -> None:
        """Note in every club of a person whether private messages reach them."""
        person = person_key(number)
        logger.info("event=reachable value=%s", reachable)
        for house in await self.clubs.houses(person):
            for member in await house.roster.members():
                if member.person == person and member.joined and member.reachable != reachable:
                    await house.roster.reachable(member.id, reachable)

    # what Telegram says

    async def see_in(self, room: str) -> See:
        """What tells who sees a room."""
        chat = chat_of(room)
        return cannot_tell if chat is None else seen_in(chat, self.census)

    def recount(self, chat: int) -> None:
        """Somebody came or went."""
        self.census.forget(chat)

    async def is_in(self, chat: int, number: int) -> bool:
        """Whether somebody is in a group. Where Telegram does not tell, they are."""
        try:
            return is_inside(await self.bot.get_chat_member(chat, number))
        except BadRequest as error:
            return "chat not found" in error.message.lower()
        except TelegramError:
            return True

    async def is_administrator(self, chat: int, number: int) -> bool:
        """Whether somebody administers a group now. Raises what Telegram says instead."""
        member = await self.bot.get_chat_member(chat, number)
        return member.status in (telegram.ChatMember.OWNER, telegram.ChatMember.ADMINISTRATOR)

    async def houses_of(self, person: Person) -> Sequence[Clubhouse]:
        """The clubs that a person has joined, and whose group they are still in."""
        number = user_of(person)
        return [] if number is None else await houses_of(self, Speaker(number, ""))

    async def called(self, club: ClubId) -> str:
        """What the first room of a club is called, for who is in it."""
        rooms = await self.clubs.clubhouse(club).rooms.rooms()
        return rooms[0].name if rooms else str(club)

    async def branches(self, room: str, house: Clubhouse) -> Sequence[str]:
        """The keys of the club's rooms that are topics of a group."""
        chat = chat_of(room)
        if topic_of(room) is not None or chat is None:
            return []
        others = [other.key for other in await house.rooms.rooms() if other.key != room]
        return [key for key in others if chat_of(key) == chat and topic_of(key) is not None]

    async def owner(self, room: str) -> Person | None:
        """Who owns the group of a room."""
        chat = chat_of(room)
        if chat is None or chat > 0:
            return None
        try:
            admins = await self.bot.get_chat_administrators(chat)
        except TelegramError:
            return None
        return next((person_key(a.user.id) for a in admins if a.status == telegram.ChatMember.OWNER), None)

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup, under another number."""
        rooms = await self.clubs.directory.server_moved(chat_key(old), room_key(new))
        logger.info("event=moved rooms=%d", rooms)

    def remember(self, number: int, later: Later) -> None:
        """Do this again when somebody opens the private chat by the link that they were given."""
        self.waiting.pop(number, None)
        self.waiting[number] = (self.now() + timedelta(minutes=15), later)
        while len(self.waiting) > _REMEMBERED:
            self.waiting.popitem(last=False)

    def remembered(self, number: int) -> Later | None:
        """What `remember` was told last, once."""
        until, later = self.waiting.pop(number, (None, None))
        return later if until is not None and self.now() < until else None
