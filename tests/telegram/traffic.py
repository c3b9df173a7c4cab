"""What all captured traffic must keep: no words of the book in clear where a group can see, and for nobody anything
beyond where their audience has read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.peers.telegram.entities import Json, cut, uncovered
from tests.peers.telegram.peer import Call, FakeTelegram
from tests.peers.telegram.world import Shown, World
from tests.stories.reading import beyond, found_in, strings
from tests.telegram.reading import Readers

LOOKED_AHEAD: Final = {"ahead-answer": "From past where you are", "accept": ""}
"""What is pressed to be told, alone, what stands ahead, or how a section begins; and what the one reply says of itself
that is beyond a boundary.
"""
_SAYS: Final = frozenset(
    ("sendMessage", "editMessageText", "sendMessageDraft", "sendDocument", "sendPhoto", "answerCallbackQuery", "file")
)
EDITS: Final = 2.9
"""Seconds between two edits of one message in a group, at least."""
WITHDRAWN: Final = "This does not stand any more."
_REPLIES: Final = frozenset(("message", "edit"))


def plain(text: str) -> str:
    """A text without what keeps its words apart."""
    return text.replace("\u200b", "")


def holds_book(text: str) -> bool:
    """Whether words of the book stand in it: a run of them, a name or a title."""
    return bool(found_in(plain(text)))


def _beside(state: Shown, world: World) -> list[str]:
    """What is said beside the words: on buttons, in what they carry, and in a file."""
    texts = [plain(text) for text in _labels(state.body)]
    document = state.body.get("document") or next(iter(state.body.get("photo") or ()), None)
    if document is not None:
        name, data = world.files[document["file_id"]]
        texts += [name, data.decode("utf-8", "replace")]
    return texts


def _labels(body: Json) -> Iterator[str]:
    for row in (body.get("reply_markup") or {}).get("inline_keyboard", []):
        for button in row:
            yield from strings(button)


def _foreseen(world: World) -> set[int]:
    """Of everything that was shown, by its place in order, the one reply to each press that chose to look ahead."""
    found = set[int]()
    presses = sorted(world.presses.values(), key=lambda press: press.at)
    for press in presses:
        marked = LOOKED_AHEAD.get(press.data.partition(".")[0])
        if marked is None:
            continue
        ends = min((p.at for p in presses if p.user == press.user and p.at > press.at), default=float("inf"))
        for number, state in enumerate(world.shown):
            own = state.chat == press.user and state.kind in _REPLIES and press.at <= state.at < ends
            if own and marked in state.text:
                found.add(number)
                break
    return found


def unguarded(world: World, since: int = 0, until: int | None = None, calls: Iterable[Call] = ()) -> list[str]:
    """What is wrong with what was shown, from its ``since`` on, and with other calls; empty where all is well."""
    wrong, readers, ahead = [], Readers(world), _foreseen(world)
    for number in range(since, len(world.shown) if until is None else until):
        state = world.shown[number]
        beside = _beside(state, world)
        said = f"{state.kind} in {state.chat}: {plain(state.text)[:200]}"
        for entity in state.entities:
            try:
                cut(state.text, entity["offset"], entity["length"])
            except UnicodeDecodeError:
                wrong.append(f"parts a character: {said}")
        if state.room:
            wrong += _in_a_group(state, beside, said)
        offset = readers.together(state.chat, state.at) if state.room else readers.alone(state.chat, state.at)
        but = set() if state.room else readers.typed(state.chat)
        if number not in ahead:
            texts = (plain(state.text), *beside)
            wrong += [f"unread: {what}, {said}" for text in texts for what in beyond(text, offset, but)]
    other = (call for call in calls if call.method not in _SAYS)
    return wrong + [call.method for call in other if holds_book(json.dumps(call.parameters))]


def _in_a_group(state: Shown, beside: Sequence[str], said: str) -> Iterator[str]:
    if any(holds_book(text) for text in beside):
        yield f"beside the words: {said}"
    try:
        seen = uncovered(state.text, state.entities)
    except UnicodeDecodeError:
        return
    if holds_book(seen):
        yield f"in clear: {said}"
    if len([e for e in state.entities if e["type"] == "spoiler"]) > 1 and "asked about" in state.text:
        yield f"covered in pieces: {said}"


def hurried(world: World, since: int, until: int) -> list[str]:
    """Messages in groups that were edited twice within `EDITS`, but for what was taken out of them."""
    wrong, last = [], dict[tuple[int, int], float]()
    for number in range(until):
        state = world.shown[number]
        key = (state.chat, state.message)
        if state.room and state.kind == "edit" and state.text != WITHDRAWN:
            if number >= since and key in last and state.at - last[key] < EDITS:
                wrong.append(f"edited after {state.at - last[key]:.2f} s: {plain(state.text)[:80]}")
            last[key] = state.at
    return wrong


@dataclass
class Watch:
    """Looks through everything once: what was sent, and logged, since the last look."""

    peer: FakeTelegram
    log: Sequence[str] = ()
    _seen: list[int] = field(default_factory=lambda: [0, 0, 0])

    def wrong(self) -> list[str]:
        """What is wrong with what is new."""
        world, calls = self.peer.world, self.peer.calls
        ends = [len(world.shown), len(calls), len(self.log)]
        shown, called, logged = self._seen
        self._seen = ends
        wrong = unguarded(world, shown, ends[0], calls[called : ends[1]])
        wrong += hurried(world, shown, ends[0])
        wrong += [f"log: {line}" for line in self.log[logged : ends[2]] if holds_book(line)]
        wrong += self.peer.problems
        self.peer.problems.clear()
        return wrong


def words_of(message: dict[str, Any]) -> str:
    """What a message says, without what keeps its words apart."""
    return re.sub("\u200b", "", message.get("text") or message.get("caption") or "")
