"""How far everybody has read, by what they wrote and pressed themselves on Telegram: apart from the program, and never
too little.

What somebody may be shown is the most that they can have meant; who holds a group back is who is known for certain to
count in it. So whatever is found to reach beyond it does.
"""

from __future__ import annotations

import re
from typing import Final

from tests.peers.telegram.entities import Json
from tests.peers.telegram.world import World
from tests.stories.book import BOOK
from tests.stories.reading import SETTLED, Reach, chosen, found_in, meant

_COMMAND: Final = re.compile(r"/(?P<name>\w+)(?:@\w+)?\s*(?P<rest>.*)", re.DOTALL)
_JOINED: Final = ("You joined", "You are a member already")
_GONE: Final = ("left", "kicked")
_PROMPT: Final = "Where are you?"
_OF_OTHERS: Final = frozenset(("remove", "aside", "readmit"))


class Readers:
    """Everybody, as they are known at the moment when this is made."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lines: dict[tuple[int, int], Reach] = {}
        self._since: dict[tuple[int, int], float] = {}
        for at, update in list(world.heard):
            if "message" in update and "from" in update["message"]:
                self._written(at, update["message"])
            elif "callback_query" in update:
                self._pressed(at, update["callback_query"])
            elif "chat_member" in update:
                changed = update["chat_member"]["new_chat_member"]
                if changed["status"] in _GONE:
                    self._since.pop((update["chat_member"]["chat"]["id"], changed["user"]["id"]), None)

    def _groups(self, chat: int, user: int) -> list[int]:
        """The groups that are concerned: what is said in private may be meant for any."""
        if chat < 0:
            return [self._world.migrated.get(chat, chat)]
        return [group for group, who in list(self._world.members) if who == user]

    def _written(self, at: float, message: Json) -> None:
        user, chat = message["from"]["id"], message["chat"]["id"]
        text = message.get("text") or message.get("caption") or ""
        command = _COMMAND.fullmatch(text)
        prompt = (message.get("reply_to_message") or {}).get("text") or ""
        did, rest = ("", "") if command is None else (command["name"], command["rest"].strip())
        if command is None and chat > 0 and prompt.startswith(_PROMPT):
            did, rest = "progress", text
        for group in self._groups(chat, user):
            self._did(at, (group, user), did, rest)

    def _pressed(self, at: float, query: Json) -> None:
        user, chat = query["from"]["id"], query["message"]["chat"]["id"]
        did, *more = query["data"].split(".")
        for group in self._groups(chat, user):
            if did == "choose-place" and len(more) == 5:
                self._line((group, user)).said(at, chosen(more[3]))
            elif did in _OF_OTHERS:
                for key in [key for key in self._since if key[0] == group]:
                    del self._since[key]
            elif did == "undo":
                self._did(at, (group, user), "progress", "undo")
            else:
                self._did(at, (group, user), did, "")

    def _line(self, key: tuple[int, int]) -> Reach:
        return self._lines.setdefault(key, Reach())

    def _did(self, at: float, key: tuple[int, int], did: str, rest: str) -> None:
        if did == "join":
            told = (s.at for s in self._world.shown if s.chat == key[1] and s.at >= at and s.text.startswith(_JOINED))
            joined = min(told, default=None)
            if joined is not None:
                self._since.setdefault(key, joined)
        elif did in {"leave", "forget"}:
            self._since.pop(key, None)
        elif did == "progress" and rest.casefold() == "undo":
            self._line(key).undone(at)
        elif did == "progress" and rest:
            self._line(key).said(at, meant(rest))

    def alone(self, user: int, at: float) -> int:
        """How far one person has read."""
        return max((line.reach(at) for (_, who), line in self._lines.items() if who == user), default=0)

    def together(self, chat: int, at: float) -> int:
        """How far everybody in a group has read who certainly counts there."""
        chat = self._world.migrated.get(chat, chat)
        reached = [
            self._line((group, user)).reach(at)
            for (group, user), since in self._since.items()
            if group == chat and at > since + SETTLED and self._world.status(group, user) not in _GONE
        ]
        return min(reached, default=len(BOOK))

    def typed(self, user: int) -> set[tuple[str, ...]]:
        """What somebody wrote themselves, or can read of others in a group of theirs: it may be said to them again."""
        world, found = self._world, set[tuple[str, ...]]()
        for chat, messages in list(world.messages.items()):
            if chat == user or (chat, user) in world.members:
                said = [m for m in list(messages.values()) if m["from"]["id"] != world.bot["id"]]
                found |= {run for m in said for run in found_in(m.get("text") or m.get("caption") or "")}
        return found
