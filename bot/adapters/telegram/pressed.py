"""What every button does on Telegram. Each press is answered once: with a few words, or by opening the private chat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import telegram
from telegram.constants import ChatType

from bot.adapters.chat import map_review, shelf
from bot.adapters.chat.asking import asked, retried, shared
from bot.adapters.chat.looking import looked
from bot.adapters.chat.marked import units
from bot.adapters.chat.members import join
from bot.adapters.chat.parts import Button, Content
from bot.adapters.chat.patience import patiently
from bot.adapters.chat.pressed import DONE, IN_PLACE, stopping
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.telegram import zones
from bot.adapters.telegram.asking import answered
from bot.adapters.telegram.faults import Unreached, away, sentence_of
from bot.adapters.telegram.keys import chat_of, person_key
from bot.adapters.telegram.links import HOLDS_ALONE
from bot.adapters.telegram.scene import in_group_of, scene_in
from bot.adapters.telegram.sending import ChatSurface, Sent, quietly, told
from bot.adapters.telegram.sight import seen_in
from bot.adapters.telegram.starting import prompted
from bot.adapters.telegram.telling import last_word
from bot.adapters.telegram.uploads import taken_in
from bot.adapters.telegram.where import Speaker, Where, borne_by
from bot.adapters.wording import line
from bot.core.club import ClubId, QuestionId
from bot.core.conversation import stop
from bot.core.errors import Refused

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear, Later

ALERT: Final = 200
"""UTF-16 code units of what is shown to who pressed, alone."""

OF_ADMINS: Final = frozenset(
    (
        Action.ANNOUNCE, Action.TAKE_BACK, Action.RETRY_JOB, Action.CANCEL_JOB, Action.TIME_ZONE, Action.REPLACE,
        Action.NOTES, Action.NO_NOTES, Action.REPLACE_SURE, Action.LEAVE_AS_IS, Action.MAP, Action.MAP_SECTION,
        Action.MAP_OK, Action.SHOW_SECTION, Action.ACCEPT_SPOILERS, Action.KEEP_SHUT, *map_review.MARKS, Action.LIMIT,
        Action.READ_NOW, Action.PEOPLE, Action.PERSON, Action.REMOVE, Action.READMIT, Action.SET_ASIDE,
        Action.MAKE_ADMIN, Action.TAKE_ADMIN, Action.SCHEDULE, Action.SET_SCHEDULE, Action.WEEKLY,
        Action.SETTING, Action.REMOVE_BOOK, Action.KEEP_BOOK,
    )
)  # fmt: skip
"""What is for administrators of the club's group: Telegram is asked whether they are, each time."""
_TO_PRIVATE: Final = frozenset((Action.SET_PLACE, Action.WHAT_IS_KEPT))
"""What is done in the private chat alone."""


@dataclass
class Pressing:
    """One press. ``done`` once Telegram has its answer."""

    client: Dogear
    query: telegram.CallbackQuery
    press: Press
    speaker: Speaker
    where: Where
    done: bool = False

    async def answer(self, text: str = "", *, url: str | None = None) -> None:
        """Answer it, once; a press that is too old to be answered is left."""
        if not self.done:
            self.done = True
            alert = bool(text)
            await quietly(self.client.bot.answer_callback_query(self.query.id, text or None, alert, url))

    async def opened(self, action: Action, later: Later | None = None) -> None:
        """Open the private chat, where it goes on."""
        if later is not None:
            self.client.remember(self.speaker.id, later)
        link = Press(action, self.press.club, person=self.speaker.id)
        await self.answer(url=self.client.links.url(link, self.client.now() + HOLDS_ALONE))

    async def scene(self) -> Scene:
        admin = self.press.action in OF_ADMINS
        return await scene_in(self.client, self.speaker, self.where, ClubId(self.press.club), as_admin=admin)


async def pressed(client: Dogear, query: telegram.CallbackQuery) -> Later | None:
    """Do what a button means; somebody else's does nothing. Returns what takes long."""
    press = client.callbacks.press_of(query.data or "")
    where = _where(query)
    if where is None or press is None:
        await quietly(client.bot.answer_callback_query(query.id, line("chat_not_any_more"), True))
        return None
    pressing = Pressing(client, query, press, Speaker.of(query.from_user), where)
    if not press.may_press(pressing.speaker.id):
        await pressing.answer(line("chat_not_yours"))
        return None

    async def work() -> None:
        try:
            await _done(pressing)
        except Exception as error:
            failed = said(sentence_of(error))
            await patiently(lambda: _told(pressing, failed, in_place=False), away)
        except asyncio.CancelledError:
            await last_word(client, pressing.speaker, where)
            raise
        finally:
            await pressing.answer()

    if where.private and press.action not in IN_PLACE:
        return work
    await work()  # one after the other: what stands in the place of a message is what was pressed last
    return None


def _where(query: telegram.CallbackQuery) -> Where | None:
    message = query.message
    if message is None:
        return None
    if isinstance(message, telegram.Message):
        return Where.of(message)
    chat = message.chat  # too old to be seen
    return Where(chat.id, chat.type == ChatType.PRIVATE, chat.title or "")


async def _done(pressing: Pressing) -> None:
    press = pressing.press
    whole = _WHOLE.get(press.action)
    if whole is not None:
        await whole(pressing)
        return
    if not pressing.where.private and press.action in _TO_PRIVATE:
        await pressing.opened(press.action)
        return
    run = _HERE.get(press.action) or DONE.get(press.action)
    if run is None:
        await pressing.answer(line("chat_not_any_more"))
        return
    if pressing.where.private:
        await pressing.answer()
    scene = await pressing.scene()
    await _told(pressing, await run(scene, press))


async def _told(pressing: Pressing, spoken: Said, *, in_place: bool = True) -> None:
    """Say what came of it: in the private chat; in a group in a few words that only who pressed sees, or privately."""
    if pressing.where.private:
        await _told_in_private(pressing, spoken, in_place=in_place and pressing.press.action in IN_PLACE)
        return
    words = "\n".join(spoken.lines)
    if not (spoken.buttons or spoken.files or spoken.after) and units(words) <= ALERT:
        await pressing.answer(words)
        return

    async def again() -> None:
        private = replace(pressing, where=Where(pressing.speaker.id, private=True), done=True)
        await _done(private)

    try:
        await pressing.client.to_person(pressing.speaker.id, *spoken.contents)
    except Unreached:
        await pressing.opened(Action.OPEN, again)
    else:
        await pressing.answer(line("telegram_told_privately"))


async def _told_in_private(pressing: Pressing, spoken: Said, *, in_place: bool) -> None:
    """Say it in the place of the message that the button hung on, where that is meant so; else in a new one."""
    surface, message = ChatSurface(pressing.client, pressing.where.chat), pressing.query.message
    pieces = [piece for content in spoken.contents for piece in surface.pieces(content)]
    if in_place and message is not None and len(pieces) == 1:
        await surface.edit(Sent(surface.chat, message.message_id), pieces[0])
        return
    await told(surface, *spoken.contents)


async def _stop(pressing: Pressing) -> None:
    """Give up what is being answered for who pressed, in other processes too, and tell them."""
    house = pressing.client.clubs.clubhouse(ClubId(pressing.press.club))
    count = await stop(house, person_key(pressing.speaker.id), pressing.client.stopping.given_up(pressing.query))
    if pressing.where.private:
        await pressing.answer()
    await _told(pressing, await stopping(await pressing.scene(), pressing.press, count, borne_by(pressing.query)))


async def _dm_book(pressing: Pressing) -> None:
    """Which club's book direct messages are about; the question that they were asked about is then answered."""
    client, press, message = pressing.client, pressing.press, pressing.query.message
    await pressing.answer()
    club, _ = shelf.club_and_book(press)
    scene = await scene_in(client, pressing.speaker, pressing.where, ClubId(club))
    await _told(pressing, await shelf.dm_book(scene, press))
    meant = message.reply_to_message if isinstance(message, telegram.Message) and press.subject else None
    if meant is not None and meant.text:
        await answered(client, scene, pressing.speaker, pressing.where, asked(meant.text, private=True), meant.text)


async def _set_place(pressing: Pressing) -> None:
    """Ask where somebody is, in the private chat."""
    if not pressing.where.private:
        await pressing.opened(Action.SET_PLACE)
        return
    await pressing.answer()
    await prompted(pressing.client, pressing.speaker, ClubId(pressing.press.club))


async def _look(pressing: Pressing) -> None:
    """Look ahead, in the private chat alone: what comes of it is sent before the choice counts as used."""
    if not pressing.where.private:
        await pressing.answer(line("telegram_private_alone"))
        return
    await pressing.answer()

    async def send(content: Content) -> None:
        await told(ChatSurface(pressing.client, pressing.speaker.id), content)

    await looked(await pressing.scene(), pressing.press, send)


async def _retry(pressing: Pressing) -> None:
    """Ask again what has no answer, where it was asked: the button stands in the private chat for a group's too."""
    await pressing.answer()
    question = QuestionId(pressing.press.subject)
    scene = await pressing.scene()
    kept = await scene.house.ledger.question(question)
    if kept is not None and kept.record.room is not None and kept.record.member == scene.member.id:
        scene = _there(pressing, scene, kept.record.room)
    await answered(pressing.client, scene, pressing.speaker, pressing.where, retried(question))


async def _share(pressing: Pressing) -> None:
    """Ask a private question again for a room: the only one, or the one that is picked."""
    client, press = pressing.client, pressing.press
    await pressing.answer()
    scene = await pressing.scene()
    rooms = [room for room in await scene.house.rooms.rooms() if chat_of(room.key) is not None]
    chosen = [room for room in rooms if not press.value or str(room.id) == press.value]
    if len(chosen) > 1:
        buttons = [Button(replace(press, value=str(room.id)), room.name) for room in chosen[:20]]
        await _told(pressing, said(line("telegram_which_room", scene.language), buttons=buttons))
        return
    if not chosen:
        await _told(pressing, said(line("chat_no_room", scene.language)))
        return
    (room,) = chosen
    there = _there(pressing, scene, room.key)
    await answered(client, there, pressing.speaker, pressing.where, shared(QuestionId(press.subject)))


def _there(pressing: Pressing, scene: Scene, room: str) -> Scene:
    """The same as if it were said in a room; one of another platform is none here."""
    chat = chat_of(room)
    return scene if chat is None else replace(scene, room=room, see=seen_in(chat, pressing.client.census))


async def _of_club(pressing: Pressing) -> None:
    """Which club a question or a file is meant for: the button hangs on a reply to it."""
    client, message = pressing.client, pressing.query.message
    meant = message.reply_to_message if isinstance(message, telegram.Message) else None
    await pressing.answer()
    if meant is None:
        await _told(pressing, said(line("chat_not_any_more")))
        return
    if meant.document is not None:
        scene = await scene_in(client, pressing.speaker, pressing.where, ClubId(pressing.press.club), as_admin=True)
        await _told(pressing, await taken_in(client, scene, meant.document, pressing.where.chat))
        return
    scene = await pressing.scene()
    words = meant.text or ""
    await answered(client, scene, pressing.speaker, pressing.where, asked(words, private=True), words)


async def _join(pressing: Pressing) -> None:
    """Join, where they are in a group of the club: what is left of somebody who left it lets nobody in again."""
    scene = await pressing.scene()
    if not await in_group_of(pressing.client, pressing.speaker, scene.house):
        raise Refused("no_club", line("telegram_no_club_of_yours"))
    await _told(pressing, await join(scene))


_WHOLE: Final[dict[Action, Callable[[Pressing], Awaitable[None]]]] = {
    Action.ASK: _of_club,
    Action.JOIN: _join,
    Action.SHARE: _share,
    Action.SET_PLACE: _set_place,
    Action.DM_BOOK: _dm_book,
    Action.LOOK_AHEAD: _look,
    Action.LOOK_ANSWER: _look,
    Action.RETRY: _retry,
    Action.STOP: _stop,
}
_HERE: Final = {Action.TIME_ZONE: zones.chosen}
PRESSABLE: Final = frozenset((*DONE, *_WHOLE, *_HERE, Action.PRIVATE, Action.OPEN))
"""Buttons that something answers: no others are shown."""
