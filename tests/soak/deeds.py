"""What people do in the soak, one thing at a time each, and what became of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from tests.load.stand import Stand
from tests.peers.discord.state import Interaction
from tests.peers.telegram.entities import Json
from tests.peers.telegram.world import Press
from tests.soak.clubs import Club
from tests.soak.seen import ALONE, ROOM, STOP, Message, Sight

ANSWERED, TOLD, NOT_TAKEN, STOOD = "answered", "told", "not taken", "stood"
"""An answer; a sentence instead; never acknowledged, as the platform says itself; done, without a word."""
NOTED: Final = "Noted: "
ADDED: Final = "can be asked about"
DONE: Final = {"progress": NOTED, "upload": ADDED, "where": "The club is"}
"""What the reply to each kind of thing says that was done."""
UNASKED: Final = ("Nothing was heard of you", "You have not said where you are")
_UPLOADING: Final = ("%", "being added", "A book has been added")
_WAITS: Final = ("It waits its turn", "Open our chat", "You asked something")


@dataclass(eq=False)
class Deed:
    """One thing that somebody does. ``number`` is of the question, ``chapter`` what they say they have finished.

    ``before`` holds the messages that stood for them alone; ``came`` is what became of it, at ``ended``.
    """

    kind: str
    club: Club
    person: str
    at: float
    number: int = 0
    chapter: int = 0
    it: Interaction | None = None
    update: Json | None = None
    press: Press | None = None
    before: set[str] = field(default_factory=set)
    came: str = ""
    said: str = ""
    ended: float = 0.0

    @property
    def on_discord(self) -> bool:
        return self.club.room.platform == "discord"

    def __str__(self) -> str:
        words = f"{self.kind} by {self.person} in {self.club.name}"
        return words + (f", question {self.number}" if self.number else "") + (f": {self.said!r}" if self.said else "")


@dataclass
class Deeds:
    """Everything that was done. ``asked`` counts how often each question was to be answered in its room and alone."""

    stand: Stand
    sight: Sight
    made: list[Deed] = field(default_factory=list)
    in_room: dict[int, int] = field(default_factory=dict)
    alone: dict[tuple[int, str], int] = field(default_factory=dict)
    numbers: int = 0
    chapter: int = 0
    """What the next one who says so has finished."""

    @property
    def open(self) -> list[Deed]:
        return [deed for deed in self.made if not deed.came]

    async def do(self, kind: str, club: Club, person: str, now: float, of: Message | None = None) -> Deed:
        """Somebody does something; ``of`` is the message under which they press, or to which they reply."""
        deed = Deed(kind, club, person, now, chapter=self.chapter if kind == "progress" else 0)
        deed.before = {message.key for message in self.sight.alone(club.room, person)}
        if kind in ("press", "share"):
            assert of is not None
            deed.number = of.number or 0
        elif kind in ("ask", "ask alone", "follow up"):
            self.numbers += 1
            deed.number = self.numbers
        if kind in ("ask", "follow up", "share"):
            self.in_room[deed.number] = self.in_room.get(deed.number, 0) + 1
        if kind in ("ask alone", "press"):
            self.alone[deed.number, person] = self.alone.get((deed.number, person), 0) + 1
        self.made.append(deed)
        await (self._on_discord if deed.on_discord else self._on_telegram)(deed, of)
        return deed

    async def _on_discord(self, deed: Deed, of: Message | None) -> None:
        peer, room, who = self.stand.discord, deed.club.room.place, deed.person
        match deed.kind:
            case "ask" | "follow up":
                deed.it = await peer.slash(who, room, "ask", question=_question(deed))
            case "ask alone":
                deed.it = await peer.slash(who, room, "ask", question=_question(deed), private=True)
            case "progress":
                deed.it = await peer.slash(who, room, "progress", place=f"finished {deed.chapter}")
            case "where":
                deed.it = await peer.slash(who, room, "where")
            case "press" | "share":
                assert of is not None
                label = ROOM if deed.kind == "press" else ALONE
                deed.it = await peer.click(who, room, of.key, label)
            case "upload":
                deed.it = await peer.slash(who, room, "book add", file=_file(deed))

    async def _on_telegram(self, deed: Deed, of: Message | None) -> None:
        peer, room, who = self.stand.telegram, int(deed.club.room.place), int(deed.person)
        match deed.kind:
            case "ask":
                deed.update = await peer.writes(who, room, f"/ask {_question(deed)}")
            case "follow up":
                assert of is not None
                deed.update = await peer.writes(who, room, _question(deed), reply_to=of.body["message_id"])
            case "ask alone":
                deed.update = await peer.writes(who, who, _question(deed))
            case "progress":
                deed.update = await peer.writes(who, room, f"/progress finished {deed.chapter}")
            case "where":
                deed.update = await peer.writes(who, room, "/where")
            case "press":
                assert of is not None
                rows = of.body["reply_markup"]["inline_keyboard"]
                url = next(b["url"] for row in rows for b in row if b["text"] == ROOM)
                deed.update = await peer.follows(who, url)
            case "share":
                assert of is not None
                deed.press = await peer.presses(who, who, of.body["message_id"], ALONE)
            case "upload":
                deed.update = await peer.writes(who, who, document=_file(deed))

    def look(self, now: float) -> None:
        """Note what became of what is open."""
        for deed in self.open:
            came = self._came(deed)
            if came:
                deed.came, deed.ended = came, now

    def _came(self, deed: Deed) -> str:
        new = [m for m in self.sight.alone(deed.club.room, deed.person) if m.key not in deed.before]
        if deed.kind in ("ask", "follow up", "share"):
            whole = [m for m in self.sight.in_room(deed.club.room) if m.number == deed.number and ROOM in m.labels]
            stands = len(whole) >= self.in_room[deed.number]
        elif deed.kind in ("ask alone", "press"):
            stands = any(m.number == deed.number and ALONE in m.labels for m in new)
        else:
            stands = False
        if deed.it is not None:
            return self._of_interaction(deed, deed.it, stands=stands)
        if stands:
            return ANSWERED
        told = [m for m in new if STOP not in m.labels and _may_answer(deed, m)]
        if told:
            deed.said = told[-1].text
            return _worded(deed)
        return ""

    def _of_interaction(self, deed: Deed, it: Interaction, *, stands: bool) -> str:
        if it.acked is None:
            return NOT_TAKEN if time.time() - it.created > 10 else ""
        message = self.sight.answer(it)
        if Sight.under_way(it, message):
            return ""
        if stands:
            return ANSWERED
        if message is None:
            return STOOD if deed.kind not in ("ask", "follow up", "share") else ""
        deed.said = message.text
        return _worded(deed)


def _may_answer(deed: Deed, message: Message) -> bool:
    """Whether words to one person on Telegram may be the reply to what they did: those to something else are not."""
    if not message.text or message.text.startswith(_WAITS) or message.number not in {None, deed.number}:
        return False
    others = {words for kind, words in DONE.items() if kind != deed.kind}
    unasked = (*others, *UNASKED, *(_UPLOADING if deed.kind == "upload" else _UPLOADING[1:]))
    return not any(words in message.text for words in unasked)


def _worded(deed: Deed) -> str:
    done = DONE.get(deed.kind)
    return ANSWERED if done is not None and done in deed.said else TOLD


def _question(deed: Deed) -> str:
    return f"{'And who' if deed.kind == 'follow up' else 'Who'} carried the lantern on day {deed.number}?"


def _file(deed: Deed) -> tuple[str, bytes]:
    from tests.discord.wire import BOOK

    return "harbour.txt", (BOOK + f" Nobody wrote this end before, at {deed.at:.6f}.").encode()
