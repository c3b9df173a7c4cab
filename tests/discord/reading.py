"""How far everybody has read, by what they said themselves over the wire: apart from the program, and never too little.

What somebody may be shown is the most that they can have meant; who holds a room back is who is known for certain to
count in it. So whatever is found to reach beyond it does.
"""

from __future__ import annotations

import re
from typing import Final

from tests.peers.discord.state import DIRECT, Interaction, World
from tests.stories.book import BOOK
from tests.stories.reading import SETTLED, Reach, chosen, found_in, meant

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
_PRESSED: Final = re.compile(r"1\.(?P<action>[a-z-]+)\.\d+\.\d+\.\d+\.(?P<value>[a-z0-9-]*)")
_NOT_ABOUT_OTHERS: Final = frozenset(("progress", "ask", "join"))


class Readers:
    """Everybody, as they are known at the moment when this is made."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lines: dict[tuple[str, str], Reach] = {}
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
            key, line = (guild, it.user), self._lines.setdefault((guild, it.user), Reach())
            if did == "join" and answered is not None:
                self._since.setdefault(key, answered)
            elif did in {"leave", "forget"} or (it.type == SUBMIT and "leave" in it.values):
                self._since.pop(key, None)
            elif did == "undo" or it.values.get("place", "").strip().casefold() == "undo":
                line.undone(it.created)
            elif did == "choose-place":
                line.said(it.created, chosen(place))
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
