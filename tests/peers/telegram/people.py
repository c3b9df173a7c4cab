"""What people do on Telegram, as the loopback Bot API tells it to the bot."""

from __future__ import annotations

import re
from typing import Final

from tests.peers.apart import Apart, run_apart
from tests.peers.telegram.entities import Json, units
from tests.peers.telegram.methods import member_of
from tests.peers.telegram.world import Press, World

_ANONYMOUS: Final = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
_CHANNEL: Final = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


def button_of(message: Json, label: str) -> Json:
    rows = (message.get("reply_markup") or {}).get("inline_keyboard", [])
    found: Json = next(button for row in rows for button in row if button["text"] == label)
    return found


class People:
    """Methods that are named for what people do say so to the bot."""

    world: World
    apart: Apart

    async def push(self, kind: str, value: Json) -> Json:
        """Tell the bot, if it wants to know."""
        raise NotImplementedError

    @run_apart
    async def writes(
        self,
        user: int,
        chat: int,
        text: str = "",
        *,
        topic: int | None = None,
        reply_to: int | None = None,
        document: tuple[str, bytes] | None = None,
        sender: str = "",
    ) -> Json:
        """A person writes; returns the message, with its ``update`` where the bot is told. ``sender`` is "group" for an
        anonymous administrator and "channel" for who writes as one.
        """
        world = self.world
        if chat > 0:
            world.started.add(user)
            world.blocked.discard(user)
        message: Json = {
            "message_id": world.next(), "date": self.world.now(), "chat": world.chats[chat], "from": world.users[user]
        }  # fmt: skip
        if sender:
            message["from"] = _ANONYMOUS if sender == "group" else _CHANNEL
            channel = {"id": -1_002_000_000_000, "type": "channel", "title": "News"}
            message["sender_chat"] = world.chats[chat] if sender == "group" else channel
        if topic is not None:
            message |= {"message_thread_id": topic, "is_topic_message": True}
            message["reply_to_message"] = world.messages[chat][topic]
        if reply_to is not None:
            there = world.messages[chat][reply_to]
            message["reply_to_message"] = {k: v for k, v in there.items() if k != "reply_to_message"}
        words = {"text": text}
        if document is not None:
            number = f"file{world.next()}"
            world.files[number] = document
            message["document"] = {
                "file_id": number, "file_unique_id": "u" + number, "file_name": document[0],
                "file_size": len(document[1]),
            }  # fmt: skip
            words = {"caption": text} if text else {}
        entities = [
            {"type": "bot_command", "offset": units(text[: m.start()]), "length": units(m[0])}
            for m in re.finditer(r"(?<!\S)/\w{1,32}(?:@\w+)?", text)
        ]
        if entities:
            message["caption_entities" if document else "entities"] = entities
        message |= words
        world.messages[chat][message["message_id"]] = message
        if self._sees(chat, text, reply_to):
            await self.push("message", message)
        return message

    def _sees(self, chat: int, text: str, reply_to: int | None) -> bool:
        """Whether the bot is told, as privacy mode has it."""
        if chat > 0 or self.world.status(chat, self.world.bot["id"]) == "administrator":
            return True
        name = "@" + self.world.bot["username"].lower()
        command = re.match(r"/\w+(@\w+)?", text)
        if command is not None and (command[1] is None or command[1].lower() == name):
            return True
        replied = None if reply_to is None else self.world.messages[chat][reply_to]
        return name in text.lower() or (replied is not None and replied["from"]["id"] == self.world.bot["id"])

    @run_apart
    async def topic(self, user: int, chat: int, name: str) -> int:
        """A topic is begun; its number."""
        number = self.world.next()
        made = {"name": name, "icon_color": 7322096}
        message = {
            "message_id": number, "date": self.world.now(), "chat": self.world.chats[chat],
            "from": self.world.users[user], "forum_topic_created": made, "message_thread_id": number,
            "is_topic_message": True,
        }  # fmt: skip
        self.world.messages[chat][number] = message
        return number

    @run_apart
    async def presses(self, user: int, chat: int, message: int, label: str) -> Press:
        """Press the button with this label; for one that is a link the start is written in the private chat."""
        shown = self.world.messages[chat][message]
        button = button_of(shown, label)
        if "url" in button:
            raise ValueError("that is a link: use `follows`")
        return await self._pressed(user, chat, shown, button["callback_data"])

    @run_apart
    async def forges(self, user: int, chat: int, message: int, data: str) -> Press:
        """Press what no button there has: a client may send any bytes, under any message of the bot's."""
        return await self._pressed(user, chat, self.world.messages[chat][message], data)

    async def _pressed(self, user: int, chat: int, shown: Json, data: str) -> Press:
        press = Press(str(10**15 + self.world.next()), user, data)
        self.world.presses[press.id] = press
        query = {
            "id": press.id, "from": self.world.users[user], "message": shown, "chat_instance": str(chat),
            "data": press.data,
        }  # fmt: skip
        await self.push("callback_query", query)
        return press

    async def follows(self, user: int, url: str) -> Json:
        """Open the private chat by a link, and press Start there."""
        return await self.writes(user, user, f"/start {url.partition('?start=')[2]}")

    @run_apart
    async def leaves(self, user: int, chat: int, status: str = "left") -> None:
        """Somebody leaves a group. The bot is told where it is an administrator."""
        before = self.world.status(chat, user)
        self.world.members[chat, user] = status
        if self.world.status(chat, self.world.bot["id"]) == "administrator":
            await self._member("chat_member", user, chat, (before, status))

    @run_apart
    async def makes(self, status: str, chat: int, user: int) -> None:
        """The bot has another status in a group, by ``user``."""
        bot = self.world.bot["id"]
        before = self.world.status(chat, bot)
        self.world.members[chat, bot] = status
        await self._member("my_chat_member", bot, chat, (before, status), by=user)

    @run_apart
    async def blocks(self, user: int) -> None:
        """Somebody blocks the bot."""
        self.world.blocked.add(user)
        await self._member("my_chat_member", self.world.bot["id"], user, ("member", "kicked"), by=user)

    async def _member(self, kind: str, who: int, chat: int, change: tuple[str, str], by: int | None = None) -> None:
        user = self.world.users.get(who, self.world.bot)
        changed = {
            "chat": self.world.chats[chat], "from": self.world.users[by or who], "date": self.world.now(),
            "old_chat_member": member_of(user, change[0]), "new_chat_member": member_of(user, change[1]),
        }  # fmt: skip
        await self.push(kind, changed)

    @run_apart
    async def migrates(self, chat: int) -> int:
        """A group becomes a supergroup; its new number."""
        new = self.world.group(self.world.chats[chat]["title"], [])
        for (where, user), status in list(self.world.members.items()):
            if where == chat:
                self.world.members[new, user] = status
        self.world.migrated[chat] = new
        service = {"message_id": self.world.next(), "date": self.world.now(), "chat": self.world.chats[chat]}
        await self.push("message", {**service, "migrate_to_chat_id": new})
        there = {"message_id": self.world.next(), "date": self.world.now(), "chat": self.world.chats[new]}
        await self.push("message", {**there, "migrate_from_chat_id": chat})
        return new
