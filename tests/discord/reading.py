"""How far everybody has read, by what they said themselves over the wire: apart from the program, and never too little.

What somebody may be shown is the most that they can have meant; who holds a room back is who is known for certain to
count in it. So whatever is found to reach beyond it does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.discord.wire import BOOK, CHAPTERS, NAMES, TITLES
from tests.peers.discord.state import DIRECT, Interaction, World

RUN: Final = 4
"""So many words of the book in a row are text of the book."""
SETTLED: Final = 5.0
"""Seconds after which nothing is on its way any more that was checked before somebody went back, or joined."""
COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
_PRESSED: Final = re.compile(r"1\.(?P<action>[a-z-]+)\.\d+\.\d+\.\d+\.(?P<value>[a-z0-9-]*)")
_NOT_ABOUT_OTHERS: Final = frozenset(("progress", "ask", "join"))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _placed(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text, each with the offset of its end."""
    return ((found[0].casefold(), found.end()) for found in re.finditer(r"\w+", text))


def runs(text: str, length: int = RUN) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}


def _first_met() -> dict[tuple[str, ...], int]:
    """Every run of words of the book, and all its names and titles, with the offset at which it has first been read."""
    met: dict[tuple[str, ...], int] = {}
    placed = list(_placed(BOOK))
    own = {word for name in NAMES for word in words(name)}
    whole = [tuple(words(name)) for name in (*NAMES, *TITLES)]
    for length in sorted({1, RUN, *map(len, whole)}):
        for at in range(len(placed) - length + 1):
            run = tuple(word for word, _ in placed[at : at + length])
            if length == RUN or run in whole or (length == 1 and run[0] in own):
                met.setdefault(run, placed[at + length - 1][1])
    return met


MET: Final = _first_met()
_LENGTHS: Final = sorted({len(run) for run in MET})
ENDS: Final = (0, *(BOOK.index(f"Chapter {n}:") for n in range(2, CHAPTERS + 1)), len(BOOK))
"""The offset at which each chapter, by its number, has been read."""


def found_in(text: str) -> dict[tuple[str, ...], int]:
    """What of the book stands in a text, each with the offset at which it has first been read."""
    said = words(text)
    tried = (tuple(said[at : at + n]) for n in _LENGTHS for at in range(len(said) - n + 1))
    return {run: MET[run] for run in tried if run in MET}


def meant(statement: str) -> int:
    """The furthest offset that a statement of a place can mean."""
    said = statement.strip().casefold()
    if said in {"none", "0"}:
        return 0
    if (percent := re.fullmatch(r"(\d+)\s*%", said)) is not None:
        return len(BOOK) * int(percent[1]) // 100
    number = re.fullmatch(r"(?P<within>in )?(?:finished |back to |ch(?:apter|\.)? )*#?(?P<n>\d+)", said)
    if number is None or int(number["n"]) > CHAPTERS:
        return len(BOOK)
    n = int(number["n"])
    return ENDS[n] if number["within"] is None else ENDS[n - 1] + len(f"Chapter {n}: {TITLES[n - 1]}")


@dataclass
class _Line:
    """What somebody said in one server, in order: when it counts, and the furthest offset that was meant."""

    times: list[float] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    def said(self, at: float, offset: int) -> None:
        self.times.append(max([at, *self.times[-1:]]))
        self.offsets.append(offset)

    def reach(self, at: float) -> int:
        """The furthest that counts at a time, or has until a moment before."""
        last = bisect_right(self.times, at)
        since = bisect_right(self.times, at - SETTLED)
        return max([0, *self.offsets[max(0, since - 1) : last]])


class Readers:
    """Everybody, as they are known at the moment when this is made."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lines: dict[tuple[str, str], _Line] = {}
        self._since: dict[tuple[str, str], float] = {}
        for it in list(world.interactions.values()):
            self._heard(it)

    def _heard(self, it: Interaction) -> None:
        if it.type == AUTOCOMPLETE:
            return
        pressed = _PRESSED.fullmatch(it.name)
        did, place = (it.name, "") if pressed is None else (pressed["action"], pressed["value"])
        answered = it.created + it.timeline[-1][0] / 1000 if it.timeline else None
        for guild in self._guilds(it):
            key, line = (guild, it.user), self._lines.setdefault((guild, it.user), _Line())
            if did == "join" and answered is not None:
                self._since.setdefault(key, answered)
            elif did in {"leave", "forget"} or (it.type == SUBMIT and "leave" in it.values):
                self._since.pop(key, None)
            elif did == "undo" or it.values.get("place", "").strip().casefold() == "undo":
                line.said(it.created, max([0, *line.offsets]))
            elif did == "choose-place":
                offset, chapter, *_ = map(int, place.split("-"))
                line.said(it.created, max(offset, ENDS[chapter] if 0 < chapter <= CHAPTERS else 0))
            elif "place" in it.values:
                line.said(it.created, meant(it.values["place"]))
            if it.type == COMMAND and did not in _NOT_ABOUT_OTHERS:
                for other in it.values.values():
                    self._since.pop((guild, other), None)

    def _guilds(self, it: Interaction) -> list[str]:
        """The servers that are concerned: what is said directly may be meant for any."""
        place = self._world.channels[it.channel]
        if place["type"] != DIRECT:
            return [place["guild_id"]]
        return [guild for guild, user in list(self._world.members) if user == it.user]

    def alone(self, user: str, at: float) -> int:
        """How far one person has read."""
        return max((line.reach(at) for (_, who), line in self._lines.items() if who == user), default=0)

    def together(self, channel: str, at: float) -> int:
        """How far everybody in a room has read who certainly counts there."""
        guild = self._world.channels[channel]["guild_id"]
        reached = [
            self._lines[guild, user].reach(at)
            for (of, user), since in self._since.items()
            if of == guild and at > since + SETTLED and user not in self._world.away
            and self._world.sees(user, channel)
        ]  # fmt: skip
        return min(reached, default=len(BOOK))

    def typed(self, user: str) -> set[tuple[str, ...]]:
        """What somebody wrote or was written themselves, in words: it may be said to them again."""
        said = [
            value for it in list(self._world.interactions.values()) if it.user == user for value in it.values.values()
        ]
        for messages in list(self._world.messages.values()):
            said += [m["content"] for m in list(messages.values()) if m["author"]["id"] != self._world.app_id]
        return {run for text in said for run in found_in(text)}


def beyond(text: str, offset: int, but: Collection[tuple[str, ...]] = ()) -> list[str]:
    """What stands in a text that has not been read at an offset."""
    return [" ".join(run) for run, met in found_in(text).items() if met > offset and run not in but]
