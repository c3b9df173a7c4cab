"""What all captured traffic must keep: no words of the book in clear where a room can see, and none unread anywhere."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from tests.discord.reading import Readers
from tests.discord.wire import plain
from tests.peers.discord.payloads import EPHEMERAL, File
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.rest import Request
from tests.peers.discord.state import DIRECT, Interaction, Shown, World
from tests.peers.discord_payloads import request_problems
from tests.peers.discord_view import seen_of, uncovered
from tests.stories.reading import beyond, found_in, strings

__all__ = ["Watch", "holds_book", "strings", "uncovered", "unguarded"]

ASKED_FOR = {" ".join(run) for run in found_in("who is everard pell")}
"""What is asked over the wire of somebody who has not been met: who asks may see it again."""
LOOKED_AHEAD = ("1.ahead-answer.", "1.accept.")
"""What is pressed to be told, alone, what stands ahead, or how a section begins: all that is beyond a boundary."""


def holds_book(text: str) -> bool:
    """Whether words of the book stand in it: a run of them, a name or a title."""
    return bool({" ".join(run) for run in found_in(plain(text))} - ASKED_FOR)


def texts_of(data: bytes) -> Iterator[str]:
    """All that can be read in a file, also in what a picture says of itself."""
    yield data.decode("utf-8", "replace")
    if data.startswith(b"\x89PNG"):
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            yield from (f"{key} {value}" for key, value in picture.info.items())


def all_texts(body: Any, files: Iterable[File]) -> list[str]:
    """Everything that a request says, wherever in it that stands."""
    found = [plain(text) for text in strings(body)]
    for _, name, data in files:
        found += [name, *texts_of(data)]
    return found


def in_clear(shown: Shown) -> bool:
    """Whether words of the book can be read in a message before anything in it is uncovered."""
    body = {key: value for key, value in shown.body.items() if key not in {"author", "interaction_metadata"}}
    texts = [seen_of(body), *(custom for custom in strings(body.get("components")))]
    for name, data in shown.files:
        texts += [name, *texts_of(data)]
    return any(holds_book(text) for text in texts)


@dataclass(frozen=True)
class _To:
    """Whom a request speaks to: one person, a room, or nobody who has read anything."""

    viewer: str = ""
    channel: str = ""
    ahead: bool = False


def _to(request: Request, world: World) -> _To:
    parts = request.path.strip("/").split("/")
    match parts:
        case ["channels", channel, "messages", *_] if channel in world.channels:
            place = world.channels[channel]
            direct = place["type"] == DIRECT
            return _To(viewer=place["recipients"][0]["id"]) if direct else _To(channel=channel)
        case ["interactions" | "webhooks", _, token, *_] if token in world.by_token:
            return _answers(request, world.by_token[token], world)
    return _To()


def _answers(request: Request, it: Interaction, world: World) -> _To:
    """The answer to an interaction is for who came with it, unless it edits or becomes a message of the room."""
    body = request.body if isinstance(request.body, dict) else {}
    kind, data = body.get("type"), body.get("data") or {}
    alone = world.channels[it.channel]["type"] == DIRECT or it.ephemeral or kind in {8, 9}
    alone = alone or bool((data.get("flags") or 0) & EPHEMERAL)
    alone = alone or bool((body.get("flags") or 0) & EPHEMERAL)
    if not alone and (kind == 7 or it.acked in {6, 7}) and it.source_private:
        alone = True
    ahead = it.name.startswith(LOOKED_AHEAD)
    return _To(viewer=it.user, ahead=ahead) if alone else _To(channel=it.channel, ahead=False)


def unguarded(shown: Iterable[Shown], requests: Iterable[Request] = (), world: World | None = None) -> list[str]:
    """What is wrong with what was sent; empty where all is well. Without a world nobody has read anything of what is
    said to one person or a room that is not known.
    """
    wrong = [f"in clear: {s.body.get('content', '')[:200]}" for s in shown if not s.private and in_clear(s)]
    known = World() if world is None else world
    readers = Readers(known)
    for request in requests:
        where = f"{request.method} {request.path}"
        wrong += [f"{where}: {problem}" for problem in request_problems(request.method, request.path, request.body)]
        wrong += [f"{where}: the reason {request.reason!r}"] if holds_book(request.reason) else []
        wrong += [f"{where}: unread: {what}" for what in _unread(request, readers, known)]
    return wrong


def _unread(request: Request, readers: Readers, world: World) -> list[str]:
    to = _to(request, world)
    if to.ahead:
        return []
    but: set[tuple[str, ...]] = set()
    offset = 0
    if to.viewer:
        offset, but = readers.alone(to.viewer, request.at), readers.typed(to.viewer)
    elif to.channel:
        offset = readers.together(to.channel, request.at)
    found = [what for text in all_texts(request.body, request.files) for what in beyond(text, offset, but)]
    return sorted(set(found))


@dataclass
class Watch:
    """Looks through everything once: what was sent, said to the gateway, and logged, since the last look."""

    peer: FakeDiscord
    log: Sequence[str] = ()
    _seen: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def wrong(self) -> list[str]:
        """What is wrong with what is new."""
        world, requests, heard = self.peer.world, self.peer.requests, self.peer.gateway.heard
        ends = [len(world.shown), len(requests), len(heard), len(self.log)]
        shown, asked, said, logged = self._seen
        self._seen = ends
        wrong = unguarded(world.shown[shown : ends[0]], requests[asked : ends[1]], world)
        wrong += [f"gateway: {what}" for what in heard[said : ends[2]] if holds_book(json.dumps(what))]
        wrong += [f"log: {line}" for line in self.log[logged : ends[3]] if holds_book(line)]
        wrong += self.peer.problems
        self.peer.problems.clear()
        return wrong
