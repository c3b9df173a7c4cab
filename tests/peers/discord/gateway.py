"""The gateway: identify, heartbeats, events with sequence numbers, dropped sockets, RESUME and replay."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

from tests.peers.discord.payloads import Json
from tests.peers.discord.state import World

HEARTBEAT_MS: Final = 41_250
_MEMBERS: Final = 1 << 1
_HEARTBEAT, _IDENTIFY, _RESUME, _RECONNECT, _INVALID, _HELLO, _ACK = 1, 2, 6, 7, 9, 10, 11


@dataclass
class Gateway:
    """One shard's gateway; ``sent`` holds every event since the last IDENTIFY. ``lost`` events go into a dead socket:
    they arrive when the session is resumed.
    """

    world: World
    token: str
    origin: Callable[[], str]
    changed: Callable[[], Awaitable[None]]
    sockets: list[web.WebSocketResponse] = field(default_factory=list)
    sent: list[Json] = field(default_factory=list)
    seq: int = 0
    session: str | None = None
    intents: int = 0
    identifies: int = 0
    resumes: int = 0
    heartbeats: int = 0
    lost: bool = False

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
        if socket in self.sockets:
            self.sockets.remove(socket)
        await self.changed()
        return socket

    @staticmethod
    async def _send(socket: web.WebSocketResponse, op: int, data: Any) -> None:
        await socket.send_json({"op": op, "d": data, "s": None, "t": None})

    async def _taken(self, socket: web.WebSocketResponse, op: int, data: Any) -> bool:
        """Do what a payload asks; whether the socket stays open."""
        if op == _HEARTBEAT:
            self.heartbeats += 1
            await self._send(socket, _ACK, None)
        elif op == _IDENTIFY:
            if data["token"] != self.token:
                await socket.close(code=4004)
                return False
            await self._identified(socket, data)
        elif op == _RESUME:
            if data["session_id"] != self.session:
                await self._send(socket, _INVALID, False)
                return True
            self.resumes += 1
            self.sockets, self.lost = [socket], False
            for event in [event for event in self.sent if event["s"] > (data["seq"] or 0)]:
                await socket.send_json(event)
            await self.dispatch("RESUMED", {})
        return True

    async def _identified(self, socket: web.WebSocketResponse, data: Json) -> None:
        self.identifies += 1
        self.session, self.seq, self.sent = f"session{self.identifies}", 0, []
        self.sockets, self.intents, self.lost = [socket], data["intents"], False
        ready = {
            "v": 10, "shard": data.get("shard", [0, 1]), "user": self.world.bot, "session_id": self.session,
            "private_channels": [],
            "guilds": [{"id": guild, "unavailable": True} for guild in self.world.guilds],
            "resume_gateway_url": self.origin().replace("http", "ws") + "/gw",
            "application": {"id": self.world.app_id, "flags": 0},
        }  # fmt: skip
        await self.dispatch("READY", ready)
        for guild in list(self.world.guilds):
            await self.guild_created(guild)

    async def guild_created(self, guild: str) -> None:
        """Tell of a server; of its members only where the intent is there."""
        whole = bool(self.intents & _MEMBERS)
        told = [m for (g, u), m in self.world.members.items() if g == guild and (whole or u == self.world.app_id)]
        await self.dispatch("GUILD_CREATE", self.world.guilds[guild] | {"members": told})

    async def dispatch(self, event: str, data: Any) -> None:
        if self.session is None:
            return
        self.seq += 1
        payload = {"op": 0, "t": event, "s": self.seq, "d": data}
        self.sent.append(payload)
        for socket in [] if self.lost else list(self.sockets):
            if not socket.closed:
                await socket.send_json(payload)

    async def drop(self, code: int = 1001) -> None:
        for socket in list(self.sockets):
            await socket.close(code=code)

    async def ask_reconnect(self) -> None:
        for socket in list(self.sockets):
            await self._send(socket, _RECONNECT, None)

    async def again(self, event: str) -> None:
        """Send the last event of this kind a second time, under a new number."""
        last = next(e for e in reversed(self.sent) if e["t"] == event)
        await self.dispatch(event, last["d"])
