"""The gateway: a session a shard, heartbeats, events with sequence numbers, dropped sockets, RESUME and replay."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

from tests.peers.apart import Apart, run_apart
from tests.peers.discord.payloads import Json
from tests.peers.discord.state import World

HEARTBEAT_MS: Final = 41_250
_MEMBERS: Final = 1 << 1
_HEARTBEAT, _IDENTIFY, _RESUME, _RECONNECT, _MEMBERS_ASKED, _INVALID, _HELLO, _ACK = 1, 2, 6, 7, 8, 9, 10, 11


@dataclass(eq=False)
class Session:
    """One shard of the bot; ``sent`` holds every event since its IDENTIFY."""

    id: str
    shard: tuple[int, int]
    intents: int
    socket: web.WebSocketResponse | None
    sent: list[Json] = field(default_factory=list)

    def holds(self, guild: str | None) -> bool:
        """Whether it gets the events of a server; what concerns none goes to the first shard."""
        number, count = self.shard
        return number == (0 if guild is None else (int(guild) >> 22) % count)


@dataclass
class Gateway:
    """``lost`` events go into a dead socket: they arrive when the session is resumed. ``heard`` is what the bot said
    here, apart from its token.
    """

    world: World
    token: str
    origin: Callable[[], str]
    changed: Callable[[], Awaitable[None]]
    apart: Apart
    sessions: list[Session] = field(default_factory=list)
    heard: list[Json] = field(default_factory=list)
    intents: int = 0
    identifies: int = 0
    resumes: int = 0
    heartbeats: int = 0
    lost: bool = False
    _latest: list[Json] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await self._send(socket, _HELLO, {"heartbeat_interval": HEARTBEAT_MS})
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                payload = json.loads(message.data)
                if not await self._taken(socket, payload["op"], payload.get("d")):
                    break
                await self.changed()
        for session in self.sessions:
            if session.socket is socket:
                session.socket = None
        await self.changed()
        return socket

    @property
    def shards(self) -> list[tuple[int, int]]:
        """The shards that are connected now."""
        return sorted(session.shard for session in self.sessions if session.socket is not None)

    @staticmethod
    async def _send(socket: web.WebSocketResponse, op: int, data: Any) -> None:
        await socket.send_json({"op": op, "d": data, "s": None, "t": None})

    async def _taken(self, socket: web.WebSocketResponse, op: int, data: Any) -> bool:
        """Do what a payload asks; whether the socket stays open."""
        kept = {k: v for k, v in data.items() if k != "token"} if isinstance(data, dict) else data
        self.heard.append({"op": op, "d": kept})
        if op == _HEARTBEAT:
            self.heartbeats += 1
            await self._send(socket, _ACK, None)
        elif op in {_IDENTIFY, _RESUME} and data["token"] != self.token:
            await socket.close(code=4004)
            return False
        elif op == _IDENTIFY:
            await self._identified(socket, data)
        elif op == _RESUME:
            await self._resumed(socket, data)
        elif op == _MEMBERS_ASKED:
            await self._members_told(socket, data)
        return True

    async def _resumed(self, socket: web.WebSocketResponse, data: Json) -> None:
        session = next((s for s in self.sessions if s.id == data["session_id"]), None)
        if session is None:
            await self._send(socket, _INVALID, False)
            return
        self.resumes += 1
        session.socket, self.lost = socket, False
        for event in [event for event in session.sent if event["s"] > (data["seq"] or 0)]:
            await socket.send_json(event)
        await self._told(session, "RESUMED", {})

    async def _identified(self, socket: web.WebSocketResponse, data: Json) -> None:
        self.identifies += 1
        number, count = data.get("shard") or (0, 1)
        self.intents, self.lost = data["intents"], False
        session = Session(f"session{self.identifies}", (number, count), data["intents"], socket)
        self.sessions = [s for s in self.sessions if s.socket is not None or s.shard != session.shard] + [session]
        guilds = [guild for guild in self.world.guilds if session.holds(guild)]
        ready = {
            "v": 10, "shard": [number, count], "user": self.world.bot, "session_id": session.id,
            "private_channels": [], "guilds": [{"id": guild, "unavailable": True} for guild in guilds],
            "resume_gateway_url": self.origin().replace("http", "ws") + "/gw",
            "application": {"id": self.world.app_id, "flags": 0},
        }  # fmt: skip
        await self._told(session, "READY", ready)
        for guild in guilds:
            await self._told(session, "GUILD_CREATE", self._guild(session, guild))

    def _guild(self, session: Session, guild: str) -> Json:
        """A server; of its members only the bot where the intent is not there."""
        whole = bool(session.intents & _MEMBERS)
        told = [m for (g, u), m in self.world.members.items() if g == guild and (whole or u == self.world.app_id)]
        return self.world.guilds[guild] | {"members": told}

    async def _members_told(self, socket: web.WebSocketResponse, data: Json) -> None:
        session = next(s for s in self.sessions if s.socket is socket)
        members = [m for (g, _), m in self.world.members.items() if g == data["guild_id"]]
        chunk = {"guild_id": data["guild_id"], "members": members, "chunk_index": 0, "chunk_count": 1, "not_found": []}
        await self._told(session, "GUILD_MEMBERS_CHUNK", chunk | {"nonce": data.get("nonce")})

    @run_apart
    async def guild_created(self, guild: str) -> None:
        """Tell of a server."""
        for session in list(self.sessions):
            if session.holds(guild):
                await self._told(session, "GUILD_CREATE", self._guild(session, guild))

    @run_apart
    async def dispatch(self, event: str, data: Any) -> None:
        """Tell whichever shard it concerns."""
        self._latest.append({"t": event, "d": data})
        for session in list(self.sessions):
            if session.holds(data.get("guild_id")):
                await self._told(session, event, data)

    async def _told(self, session: Session, event: str, data: Any) -> None:
        payload = {"op": 0, "t": event, "s": len(session.sent) + 1, "d": data}
        session.sent.append(payload)
        socket = session.socket
        if socket is not None and not socket.closed and not self.lost:
            await socket.send_json(payload)

    def _sockets(self) -> list[web.WebSocketResponse]:
        return [session.socket for session in self.sessions if session.socket is not None]

    @run_apart
    async def drop(self, code: int = 1001) -> None:
        """Close every socket."""
        for socket in self._sockets():
            await socket.close(code=code)

    @run_apart
    async def ask_reconnect(self) -> None:
        for socket in self._sockets():
            await self._send(socket, _RECONNECT, None)

    @run_apart
    async def invalidate(self) -> None:
        """Forget every session, and drop its socket: who comes to resume has to identify again."""
        sockets, self.sessions = self._sockets(), []
        for socket in sockets:
            await socket.close(code=1001)

    @run_apart
    async def again(self, event: str) -> None:
        """Send the last event of this kind a second time, under a new number."""
        last = next(e for e in reversed(self._latest) if e["t"] == event)
        await self.dispatch(event, last["d"])
