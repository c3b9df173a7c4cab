"""The methods of the Bot API that bots use here, as strict as the real ones."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.peers.telegram.entities import MOST, Json, Refused, bad, read, units
from tests.peers.telegram.world import World

TEXT: Final = 4096
CAPTION: Final = 1024
ALERT: Final = 200
DOWNLOAD: Final = 20_000_000
ANSWERED_WITHIN: Final = 15.0
DELETABLE: Final = 48 * 3600
"""Seconds for which a bot without rights may delete what it sent."""
Files = dict[str, tuple[str, bytes]]
_NO_GIFTS: Final = dict.fromkeys(
    ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
)
_RIGHTS: Final = (
    "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
    "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
    "can_edit_stories", "can_delete_stories",
)  # fmt: skip


@dataclass
class Methods:
    """What each method does. ``in_group`` is how many messages a minute a group takes; ``problems`` is what the real
    service may take and we never send.
    """

    world: World
    in_group: int = 20
    problems: list[str] = field(default_factory=list)
    sent_at: dict[int, list[float]] = field(default_factory=dict)
    webhook: Json = field(default_factory=dict)
    webhook_trouble: str = ""
    """What went wrong when the webhook was last called, as Telegram says it."""
    local: Path | None = None
    """The folder of a Bot API server on this machine."""

    def named(self, name: str) -> Callable[[Json, Files], Awaitable[object]]:
        found = getattr(self, "do_" + name.lower(), None)
        if found is None:
            raise Refused(404, f"Not Found: no method {name} here")
        method: Callable[[Json, Files], Awaitable[object]] = found
        return method

    # helpers

    def _chat(self, p: Json) -> Json:
        number = int(p["chat_id"])
        if number in self.world.migrated:
            new = self.world.migrated[number]
            raise Refused(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=new)
        if number not in self.world.chats:
            raise bad("chat not found")
        if number in self.world.blocked:
            raise Refused(403, "Forbidden: bot was blocked by the user")
        if number > 0 and number not in self.world.started:
            raise Refused(403, "Forbidden: bot can't initiate conversation with a user")
        if number < 0 and self.world.status(number, self.world.bot["id"]) in ("left", "kicked"):
            raise Refused(403, "Forbidden: bot was kicked from the supergroup chat")
        return self.world.chats[number]

    def _flood(self, chat: int) -> None:
        now = time.monotonic()
        sent = self.sent_at.setdefault(chat, [])
        sent[:] = [at for at in sent if now - at < 60]
        if chat < 0 and len(sent) >= self.in_group:
            wait = int(60 - (now - sent[0])) + 1
            raise Refused(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        sent.append(now)

    def _text(self, p: Json, key: str = "text", most: int = TEXT, *, needed: bool = True) -> tuple[str, list[Json]]:
        text, entities = read(p.get(key) or "", p.get("parse_mode"))
        if needed and not text.strip():
            raise bad("message text is empty")
        if units(text) > most:
            raise bad("message is too long" if key == "text" else "message caption is too long")
        if len(entities) > MOST:
            self.problems.append(f"{len(entities)} entities: those past {MOST} are dropped")
        if any(e["type"] == "mention" for e in entities):
            self.problems.append("somebody is mentioned")
        if key == "text" and not (p.get("link_preview_options") or {}).get("is_disabled") and "url" in str(entities):
            self.problems.append("a link has a preview")
        return text, entities[:MOST]

    def _markup(self, p: Json) -> Json | None:
        markup: Json | None = p.get("reply_markup")
        rows = (markup or {}).get("inline_keyboard", [])
        for button in (b for row in rows for b in row):
            data, url = button.get("callback_data"), button.get("url")
            if not button["text"].strip() or (data is None) == (url is None):
                raise bad("BUTTON_INVALID")
            if data is not None and not 1 <= len(data.encode()) <= 64:
                raise bad("BUTTON_DATA_INVALID")
            start = re.search(r"[?&]start=(.*)", url or "")
            if start is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", start[1]):
                raise bad("BUTTON_URL_INVALID")
        if sum(map(len, rows)) > MOST:
            raise bad("REPLY_MARKUP_TOO_LONG")
        return markup

    def _new(self, chat: Json, p: Json, **body: object) -> Json:
        world = self.world
        message: Json = {"message_id": world.next(), "date": world.now(), "chat": chat, "from": world.bot, **body}
        topic = p.get("message_thread_id")
        if topic is not None:
            if not chat.get("is_forum"):
                raise bad("message thread not found")
            message |= {"message_thread_id": int(topic), "is_topic_message": True}
        replied = p.get("reply_parameters")
        if replied is not None:
            there = world.messages[chat["id"]].get(int(replied["message_id"]))
            if there is not None:
                message["reply_to_message"] = {k: v for k, v in there.items() if k != "reply_to_message"}
            elif not replied.get("allow_sending_without_reply"):
                raise bad("message to be replied not found")
        markup = self._markup(p)
        if markup is not None and "inline_keyboard" in markup:
            message["reply_markup"] = markup
        world.messages[chat["id"]][message["message_id"]] = message
        return message

    def _own(self, p: Json, chat: Json) -> Json:
        message = self.world.messages[chat["id"]].get(int(p["message_id"]))
        if message is None:
            raise bad("message to edit not found")
        if message["from"]["id"] != self.world.bot["id"]:
            raise bad("message can't be edited")
        return message

    # methods

    async def do_getme(self, p: Json, files: Files) -> object:
        return self.world.bot

    async def do_deletewebhook(self, p: Json, files: Files) -> object:
        self.webhook = {}
        return True

    async def do_getwebhookinfo(self, p: Json, files: Files) -> object:
        told = {"url": self.webhook.get("url", ""), "has_custom_certificate": False, "pending_update_count": 0}
        return told | ({"last_error_message": self.webhook_trouble} if self.webhook_trouble else {})

    async def do_setwebhook(self, p: Json, files: Files) -> object:
        if not str(p["url"]).startswith("https://"):
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        self.webhook = p
        return True

    async def do_sendmessage(self, p: Json, files: Files) -> object:
        chat = self._chat(p)
        text, entities = self._text(p)
        self._markup(p)
        self._flood(chat["id"])
        message = self._new(chat, p, text=text, **({"entities": entities} if entities else {}))
        self.world.show(chat["id"], message["message_id"], "message", text, entities, message)
        return message

    async def do_editmessagetext(self, p: Json, files: Files) -> object:
        chat = self._chat(p)
        message = self._own(p, chat)
        text, entities = self._text(p)
        markup = self._markup(p)
        if (text, entities, markup) == (message["text"], message.get("entities", []), message.get("reply_markup")):
            raise bad("message is not modified: specified new message content and reply markup are exactly the same")
        self._flood(chat["id"])
        message["text"], message["edit_date"] = text, self.world.now()
        for key, value in (("entities", entities), ("reply_markup", markup)):
            message.pop(key, None)
            if value:
                message[key] = value
        self.world.show(chat["id"], message["message_id"], "edit", text, entities, message)
        return message

    async def do_deletemessage(self, p: Json, files: Files) -> object:
        chat = self._chat(p)
        message = self.world.messages[chat["id"]].get(int(p["message_id"]))
        if message is None:
            raise bad("message to delete not found")
        administers = self.world.status(chat["id"], self.world.bot["id"]) == "administrator"
        if self.world.now() - message["date"] > DELETABLE and not administers:
            raise bad("message can't be deleted for everyone")
        del self.world.messages[chat["id"]][int(p["message_id"])]
        return True

    async def do_sendmessagedraft(self, p: Json, files: Files) -> object:
        chat = self._chat(p)
        if chat["type"] != "private":
            raise bad("TEXTDRAFT_PEER_INVALID")
        if not int(p["draft_id"]):
            raise bad("draft_id must be non-zero")
        text, entities = self._text(p, needed=False)
        self.world.drafts.setdefault(chat["id"], []).append(text)
        self.world.show(chat["id"], 0, "draft", text, entities, {})
        return True

    async def do_sendchataction(self, p: Json, files: Files) -> object:
        self._chat(p)
        return True

    async def do_answercallbackquery(self, p: Json, files: Files) -> object:
        press = self.world.presses.get(p["callback_query_id"])
        if press is None or time.monotonic() - press.at > ANSWERED_WITHIN:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        text = p.get("text") or ""
        if units(text) > ALERT:
            raise bad("MESSAGE_TOO_LONG")
        press.answers += 1
        if press.answers > 1:
            self.problems.append("a press was answered twice")
        url = p.get("url")
        if url is not None and not re.fullmatch(r"https://t\.me/\w+\?start=[A-Za-z0-9_-]{1,64}", url):
            raise bad("URL_INVALID")
        press.answer = {"text": text, "url": url}
        self.world.show(press.user, 0, "alert", text, [], {})
        return True

    async def _sent_file(self, p: Json, files: Files, key: str) -> object:
        chat = self._chat(p)
        text, entities = self._text(p, "caption", CAPTION, needed=False)
        name, data = next(iter(files.values()))
        self._flood(chat["id"])
        number = f"file{self.world.next()}"
        self.world.files[number] = (name, data)
        document: Json = {"file_id": number, "file_unique_id": "u" + number, "file_size": len(data)}
        held: object = [{**document, "width": 10, "height": 10}] if key == "photo" else {**document, "file_name": name}
        message = self._new(chat, p, **{key: held}, caption=text)
        self.world.show(chat["id"], message["message_id"], key, text, entities, {**message, "file": name})
        return message

    async def do_senddocument(self, p: Json, files: Files) -> object:
        return await self._sent_file(p, files, "document")

    async def do_sendphoto(self, p: Json, files: Files) -> object:
        return await self._sent_file(p, files, "photo")

    async def do_getfile(self, p: Json, files: Files) -> object:
        number = p["file_id"]
        if number not in self.world.files:
            raise bad("invalid file_id")
        size = len(self.world.files[number][1])
        if size > DOWNLOAD and self.local is None:
            raise bad("file is too big")
        path = f"documents/{number}"
        if self.local is not None:  # as a server that was started with --local does
            kept = self.local / number
            kept.write_bytes(self.world.files[number][1])
            path = str(kept)
        return {"file_id": number, "file_unique_id": "u" + number, "file_size": size, "file_path": path}

    async def do_setmycommands(self, p: Json, files: Files) -> object:
        for command in p["commands"]:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]) or not 1 <= len(command["description"]) <= 256:
                raise bad("BOT_COMMAND_INVALID")
        self.world.commands[(p.get("scope") or {"type": "default"})["type"]] = p["commands"]
        return True

    async def do_getchatmember(self, p: Json, files: Files) -> object:
        chat, user = self._chat(p), int(p["user_id"])
        known = self.world.users.get(user) or (self.world.bot if user == self.world.bot["id"] else None)
        if known is None:
            raise bad("user not found")
        return member_of(known, self.world.status(chat["id"], user))

    async def do_getchatadministrators(self, p: Json, files: Files) -> object:
        chat = self._chat(p)
        return [
            member_of(self.world.users[user], status)
            for (where, user), status in self.world.members.items()
            if where == chat["id"] and status in ("creator", "administrator") and user in self.world.users
        ]

    async def do_getchat(self, p: Json, files: Files) -> object:
        return {**self._chat(p), "accent_color_id": 0, "max_reaction_count": 0, "accepted_gift_types": _NO_GIFTS}

    async def do_getchatmembercount(self, p: Json, files: Files) -> object:
        return len(self.world.seers(self._chat(p)["id"]))


def member_of(user: Json, status: str) -> Json:
    """Somebody in a chat, as the API tells of them."""
    found: Json = {"status": status, "user": user}
    if status == "administrator":
        found |= dict.fromkeys(_RIGHTS, True)
    if status == "creator":
        found["is_anonymous"] = False
    if status == "kicked":
        found["until_date"] = 0
    return found
