"""What all traffic must keep: no words of the book in clear where a group can see, and none unread anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from tests.discord.traffic import holds_book, strings
from tests.discord.wire import NAMES, TITLES
from tests.peers.telegram.entities import Json, cut, uncovered
from tests.peers.telegram.peer import Call
from tests.peers.telegram.world import Shown

UNREAD = (NAMES[4], TITLES[4])
"""Of the last chapter, which nobody in these tests reads."""
LOOKED_AHEAD = "ahead-answer."
"""How the button begins by which somebody is shown, alone, what stands ahead."""
_AHEAD = "From past where you are"
_SAYS = frozenset(
    ("sendMessage", "editMessageText", "sendMessageDraft", "sendDocument", "sendPhoto", "answerCallbackQuery", "file")
)


def _labels(body: Json) -> Iterator[str]:
    for row in (body.get("reply_markup") or {}).get("inline_keyboard", []):
        for button in row:
            yield from strings(button)


def unguarded(shown: Iterable[Shown], calls: Iterable[Call] = (), looked: Collection[int] = ()) -> list[str]:
    """What is wrong with what was sent; empty where all is well. ``looked`` are the people who chose to look ahead:
    what is beyond a boundary is for their private chats, in the message that says so.
    """
    wrong = []
    for state in shown:
        words = state.text.replace("\u200b", "")
        beside = [*_labels(state.body), str(state.body.get("file", ""))]
        ahead = not state.room and state.chat in looked and _AHEAD in words
        if any(unread in text for text in (*beside, *(() if ahead else (words,))) for unread in UNREAD):
            wrong.append(f"unread: {words[:200]}")
        if any(holds_book(text) for text in beside):
            wrong.append(f"beside the words: {beside}")
        for entity in state.entities:
            cut(state.text, entity["offset"], entity["length"])  # no character is parted
        if state.room and holds_book(uncovered(state.text, state.entities).replace("\u200b", "")):
            wrong.append(f"in clear: {words[:200]}")
        if state.room and len([e for e in state.entities if e["type"] == "spoiler"]) > 1 and "asked about" in words:
            wrong.append(f"covered in pieces: {words[:200]}")
    other = (call for call in calls if call.method not in _SAYS)
    return wrong + [call.method for call in other if holds_book(json.dumps(call.parameters))]


def words_of(message: dict[str, Any]) -> str:
    """What a message says, without what keeps its words apart."""
    return re.sub("\u200b", "", message.get("text") or message.get("caption") or "")
