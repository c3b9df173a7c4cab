"""What comes from Telegram, and what is done of it. What takes long is handed back, to be done out of turn."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import telegram
from telegram.error import TelegramError

from bot.adapters.chat.asking import asked
from bot.adapters.chat.parts import Button
from bot.adapters.chat.patience import patiently
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.shelf import which_club
from bot.adapters.telegram import setting_up
from bot.adapters.telegram.asking import answered, ask_of, question_said, replied_to, told_of
from bot.adapters.telegram.coming import came_or_went, own_rights
from bot.adapters.telegram.commands import COMMANDS, Command, command_of, first_word
from bot.adapters.telegram.faults import Unreached, away, sentence_of
from bot.adapters.telegram.menu import help_lines
from bot.adapters.telegram.pressed import pressed
from bot.adapters.telegram.scene import SeveralClubs, administered, scene_in
from bot.adapters.telegram.sending import ChatSurface, quietly, told
from bot.adapters.telegram.starting import is_prompt, started
from bot.adapters.telegram.telling import last_word, told_alone, told_openly
from bot.adapters.telegram.uploads import taken_in
from bot.adapters.telegram.where import Speaker, Where, speaker_of
from bot.adapters.wording import line
from bot.adapters.wording import people as said_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import DogearError, Refused, Unavailable
from bot.core.notices import CountsAgain

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear, Later

logger = logging.getLogger("dogear.telegram")

_COMMAND: Final = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+|$)", re.ASCII)
_OPENLY: Final = frozenset(("no_club", "room_taken", "may_not_write", "group_admins_only", "bad_name"))
"""What is refused where everybody may read it: it says nothing of a person or a book."""


async def heard(client: Dogear, update: telegram.Update) -> Later | None:
    """Do what an update asks for."""
    if update.callback_query is not None:
        return await pressed(client, update.callback_query)
    if update.message is not None:
        return await _message(client, update.message)
    if update.chat_member is not None:
        await came_or_went(client, update.chat_member)
    if update.my_chat_member is not None:
        await own_rights(client, update.my_chat_member)
    return None


async def put_off(client: Dogear, update: telegram.Update, error: Unavailable) -> bool:
    """Tell who wrote or pressed that nothing can be done now: of the update nothing was. Whether there is somebody."""
    query, message = update.callback_query, update.message
    if query is not None:
        await quietly(query.answer(sentence_of(error), show_alert=True))
    speaker = None if message is None else speaker_of(message)
    if message is None or speaker is None:
        return query is not None
    where = Where.of(message)
    if not where.private and _COMMAND.match(message.text or message.caption or "") is None:
        return False
    await _Told(client, speaker, where, message).failed(error)
    return True


def passed_over(client: Dogear, update: telegram.Update) -> bool:
    """Whether nothing comes of an update, since it is not for the bot: what people in a group say to one another, which
    Telegram tells to bots that are administrators. It is kept nowhere.
    """
    message = update.message
    return message is not None and not _moves(message) and _meant(client, message) is None


async def _message(client: Dogear, message: telegram.Message) -> Later | None:
    if message.migrate_to_chat_id is not None:
        await client.moved(message.chat.id, message.migrate_to_chat_id)
    elif message.migrate_from_chat_id is not None:
        await client.moved(message.migrate_from_chat_id, message.chat.id)
    return None if _moves(message) else _meant(client, message)


def _moves(message: telegram.Message) -> bool:
    return message.migrate_to_chat_id is not None or message.migrate_from_chat_id is not None


def _meant(client: Dogear, message: telegram.Message) -> Later | None:
    """What a message asks for; None where it is nothing of ours."""
    where, speaker = Where.of(message), speaker_of(message)
    found = _COMMAND.match(message.text or message.caption or "")
    if found is not None and found[2] is not None and found[2].lower() != client.username.lower():
        return None  # another bot's
    if speaker is None:
        return None if found is None or where.private else partial(told_openly, client, where, line("telegram_nobody"))
    told_by = _Told(client, speaker, where, message)
    if found is None:
        return told_by.without_command()
    return told_by.command(found[1].lower(), (message.text or message.caption or "")[found.end() :].strip(), found[2])


class _Told:
    """One message of a person's."""

    def __init__(self, client: Dogear, speaker: Speaker, where: Where, message: telegram.Message) -> None:
        self.client, self.speaker, self.where, self.message = client, speaker, where, message

    def command(self, name: str, rest: str, addressed: str | None) -> Later | None:
        work = self._way(name, rest)
        if work is None and (self.where.private or addressed is not None):
            return self._guarded(lambda: self._say(line("telegram_no_command")))
        return None if work is None else self._guarded(work)

    def _way(self, name: str, rest: str) -> Later | None:
        """What is done of a command; None where there is none of this name."""
        document, (word, after), known = self.message.document, first_word(rest), command_of(name, rest)
        own: dict[str, Later] = {
            "start": lambda: started(self.client, self.speaker, self.where, rest),
            "help": self._help,
            "ask": lambda: self._ask(rest),
            "recap": lambda: self._telling(name, rest),
            "who": lambda: self._telling(name, rest),
        }
        if name == "club" and word == "setup":
            return lambda: setting_up.set_up(self.client, self.speaker, self.where, after)
        if name == "book" and word in ("add", "replace") and document is not None:
            return lambda: self._upload(document)
        return own.get(name) or (None if known is None else partial(self._said_alone, *known))

    def without_command(self) -> Later | None:
        """Plain words and files: in the private chat, and in replies to the bot."""
        message, reply = self.message, self.message.reply_to_message
        to_bot = reply is not None and reply.from_user is not None and reply.from_user.id == self.client.bot.id
        if not self.where.private and not to_bot:
            return None
        if message.document is not None:
            document = message.document
            return self._guarded(lambda: self._upload(document))
        if not message.text:
            return self._guarded(lambda: self._say(line("telegram_only_words"))) if self.where.private else None
        if reply is not None and to_bot and self.where.private and is_prompt(reply.text):
            return self._guarded(lambda: self._said_alone(COMMANDS["progress"], message.text or "", reply.message_id))
        return self._guarded(lambda: self._question(message.text or "", reply.message_id if reply and to_bot else None))

    def _guarded(self, work: Later) -> Later | None:
        async def done() -> None:
            try:
                await work()
            except SeveralClubs as error:
                await self._which_club(error.houses)
            except Unreached:  # there is nowhere left to tell it: their clubs have noted so
                logger.info("event=unreached")
            except Exception as error:
                await self.failed(error)
            except asyncio.CancelledError:
                await last_word(self.client, self.speaker, self.where)
                raise

        return done

    async def failed(self, error: Exception) -> None:
        """Tell what went wrong."""
        sentence = sentence_of(error)
        openly = isinstance(error, Refused) and error.code in _OPENLY

        async def tell() -> None:
            if self.where.private or openly:
                await told_openly(self.client, self.where, sentence, to=self.speaker)
            else:
                await told_alone(self.client, self.speaker, self.where, said(sentence), None, None)

        try:
            await patiently(tell, away)
        except (DogearError, TelegramError) as untold:  # the group or the person cannot be written to
            logger.info("event=untold error=%s", type(untold).__name__)

    async def _say(self, sentence: str) -> None:
        await told_openly(self.client, self.where, sentence, to=self.speaker)

    async def _help(self) -> None:
        await told_openly(self.client, self.where, *help_lines(), to=self.speaker)

    async def _ask(self, rest: str) -> None:
        """`/ask`, with words of its own or in reply to a message that is the question."""
        reply = self.message.reply_to_message
        own = reply is not None and reply.from_user is not None and reply.from_user.id == self.client.bot.id
        scene = await scene_in(self.client, self.speaker, self.where)
        follows = None
        if reply is not None and own:
            follows = await replied_to(self.client, scene, self.where, reply.message_id)
        elif reply is not None and not rest:
            rest = reply.text or ""
        await answered(self.client, scene, self.speaker, self.where, ask_of(rest, follows), question_said(rest)[0])

    async def _telling(self, name: str, rest: str) -> None:
        """`/recap` and `/who`, for the room where they are said, or in the private chat."""
        words = told_of(name, rest)
        scene = await scene_in(self.client, self.speaker, self.where)
        run = asked(words, private=self.where.private)
        await answered(self.client, scene, self.speaker, self.where, run, words)

    async def _question(self, words: str, reply: int | None) -> None:
        """Plain words to the bot: in a group a reply to an answer follows its question."""
        scene = await scene_in(self.client, self.speaker, self.where)
        follows = None if reply is None else await replied_to(self.client, scene, self.where, reply)
        if not self.where.private and follows is None:
            return
        run = asked(words, private=self.where.private, reply_to=follows)
        await answered(self.client, scene, self.speaker, self.where, run, words)

    async def _said_alone(self, command: Command, rest: str, prompt: int | None = None) -> None:
        """A command that is said to one person."""
        private = Where(self.speaker.id, private=True)
        club = None if prompt is None else self.client.prompts.get((self.speaker.id, prompt))

        async def run(where: Where, meant: int | None) -> tuple[Said, Clubhouse]:
            scene = await scene_in(self.client, self.speaker, where, meant, as_admin=command.asks(rest))  # type: ignore[arg-type]
            spoken_here = await command.run(scene, rest)
            if scene.back:
                back = said_of.notice(CountsAgain(), scene.language)
                spoken_here = replace(spoken_here, lines=(back, *spoken_here.lines))
            return spoken_here, scene.house

        told_now, house = await run(self.where, club)

        async def again() -> None:
            if command is COMMANDS["progress"] and first_word(rest)[0] == "undo":
                return
            try:
                spoken_then, _ = await run(private, house.club)
            except DogearError as error:
                spoken_then = said(sentence_of(error))
            await self.client.to_person(self.speaker.id, *spoken_then.contents)

        await told_alone(self.client, self.speaker, self.where, told_now, house.club, again)

    async def _upload(self, document: telegram.Document) -> None:
        """A file: in a group for its club; in private for the only club that they administer, else they are asked."""
        if not self.where.private:
            scene = await scene_in(self.client, self.speaker, self.where, as_admin=True)
            came = await taken_in(self.client, scene, document, None)
            await told_alone(self.client, self.speaker, self.where, came, scene.house.club, None)
            return
        houses = await administered(self.client, self.speaker)
        if not houses:
            raise Refused("upload_rights", line("telegram_upload_rights"))
        if len(houses) > 1:
            await self._which_club(houses)
            return
        scene = await scene_in(self.client, self.speaker, self.where, houses[0].club, as_admin=True)
        came = await taken_in(self.client, scene, document, self.where.chat)
        await told(ChatSurface(self.client, self.where.chat), *came.contents)

    async def _which_club(self, houses: list[Clubhouse]) -> None:
        """Ask which club a question or a file is meant for, in reply to it."""
        surface = ChatSurface(self.client, self.where.chat, reply_to=self.message.message_id)
        if (self.message.text or "").startswith("/"):
            await told(surface, *said(line("telegram_several_clubs")).contents)
        elif self.message.document is not None:
            buttons = [await self._of_club(house) for house in houses[:25]]
            await told(surface, *said(line("telegram_which_club"), buttons=buttons).contents)
        else:
            asked_which = await which_club(self.client, self.speaker.person, self.message.message_id)
            await told(surface, *asked_which.contents)

    async def _of_club(self, house: Clubhouse) -> Button:
        rooms = await house.rooms.rooms()
        book = await house.roster.current_book()
        name = rooms[0].name if rooms else str(house.club)
        label = name if book is None else f"{name}: {book.title}"
        return Button(Press(Action.ASK, house.club, 0, self.speaker.id), label)
