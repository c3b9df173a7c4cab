"""REST v10: every route that the bot uses, every request kept; one that nobody foresaw is a 501."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import BodyPartReader, web

from tests.peers.discord.faults import VIA, Fault, Faults, error_response, json_response
from tests.peers.discord.gateway import Gateway
from tests.peers.discord.interactions import Interactions
from tests.peers.discord.payloads import EPHEMERAL, ApiError, File, Json, bad_form, snowflake
from tests.peers.discord.state import ATTACH, DIRECT, PRIVATE_THREAD, PUBLIC_THREAD, SEND, SEND_IN_THREADS, World
from tests.peers.discord_payloads import request_problems

_MEMBERS_GRANTED: Final = 1 << 15


@dataclass(frozen=True)
class Request:
    """One request as it came; ``at`` is in seconds of the epoch, ``reason`` what an audit log would show."""

    method: str
    path: str
    body: Any
    files: tuple[File, ...] = ()
    at: float = 0.0
    reason: str = ""


@dataclass
class Rest:
    """The API. ``granted`` says that the portal grants the members intent; ``problems`` is what was wrong with what
    came, and was refused.
    """

    world: World
    gateway: Gateway
    token: str
    faults: Faults
    changed: Callable[[], Awaitable[None]]
    wait: Callable[[Callable[[], object]], Awaitable[object]]
    granted: bool = True
    shards: int = 1
    requests: list[Request] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _nonces: dict[tuple[str, str], Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.interactions = Interactions(self.world, self.announce)

    async def announce(self, message: Json, event: str = "MESSAGE_CREATE") -> None:
        if message["flags"] & EPHEMERAL:
            return
        guild = self.world.channels[message["channel_id"]].get("guild_id")
        await self.gateway.dispatch(event, message | ({"guild_id": guild} if guild else {}))

    async def cdn(self, request: web.Request) -> web.Response:
        self.requests.append(Request("GET", request.path, None))
        return web.Response(body=self.world.files[request.match_info["id"]])

    async def handle(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        body, files = await _read(request)
        reason = request.headers.get("X-Audit-Log-Reason", "")
        self.requests.append(Request(request.method, path, body, tuple(files), time.time(), reason))
        try:
            self._authorised(request, path)
            self._checked(request.method, path, body, files)
            fault, headers, out = await self._done(request.method, path, body, files)
        except ApiError as error:
            return error_response(error)
        finally:
            await self.changed()
        if fault is not None:
            return error_response(ApiError(fault.status, fault.code, "fault"))
        return web.Response(status=204, headers=headers) if out is None else json_response(out, 200, headers)

    def _checked(self, method: str, path: str, body: Any, files: Sequence[File]) -> None:
        problems = request_problems(method, path, body, files)
        if problems:
            self.problems += [f"{method} {path}: {problem}" for problem in problems]
            raise bad_form(problems)

    async def _done(
        self, method: str, path: str, body: Any, files: Sequence[File]
    ) -> tuple[Fault | None, dict[str, str], Any]:
        fault = self.faults.before(method, path)
        headers = VIA | self.faults.counted(path)
        hold = self.faults.holding(method, path, body)
        if hold is not None:
            hold.reached += 1
            await self.changed()
            await self.wait(lambda: hold.released)
        return fault, headers, await self._routed(method, path, body, files)

    def _authorised(self, request: web.Request, path: str) -> None:
        known = request.headers.get("Authorization") == f"Bot {self.token}"
        if not known and not path.startswith(("/webhooks/", "/interactions/")):
            raise ApiError(401, 0, "401: Unauthorized")

    async def _routed(self, method: str, path: str, body: Any, files: Sequence[File]) -> Any:
        for wanted, pattern, run in _ROUTES:
            if method in wanted.split("|") and (found := re.fullmatch(pattern, path)):
                return await run(self, method, found, body, files)
        raise ApiError(501, 0, f"no route {method} {path}")

    async def _me(self, *_: Any) -> Json:
        return self.world.bot

    async def _application(self, *_: Any) -> Json:
        return {
            "id": self.world.app_id, "name": "Dogear", "description": "", "icon": None, "bot_public": True,
            "bot_require_code_grant": False, "verify_key": "0" * 64, "owner": self.world.bot, "summary": "",
            "team": None, "flags": _MEMBERS_GRANTED if self.granted else 0,
        }  # fmt: skip

    async def _gateway_bot(self, *_: Any) -> Json:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        url = self.gateway.origin().replace("http", "ws") + "/gw"
        return {"url": url, "shards": self.shards, "session_start_limit": limit}

    async def _commands(self, method: str, _found: re.Match[str], body: Any, _files: Any) -> list[Json]:
        if method == "PUT":
            more = {"application_id": self.world.app_id, "version": snowflake()}
            defaults: Json = {"description": "", "type": 1, "default_member_permissions": None}
            self.world.commands = [{**defaults, **command, "id": snowflake(), **more} for command in body]
        return self.world.commands

    async def _direct(self, _method: str, _found: re.Match[str], body: Any, _files: Any) -> Json:
        return self.world.direct(str(body["recipient_id"]))

    async def _typing(self, *_: Any) -> None:
        return None

    async def _channel(self, _method: str, found: re.Match[str], *_: Any) -> Json:
        channel = self.world.channels.get(found[1])
        if channel is None:
            raise ApiError(404, 10003, "Unknown Channel")
        return channel

    async def _thread_members(self, _method: str, found: re.Match[str], *_: Any) -> list[Json]:
        if not self.granted:
            raise ApiError(403, 50001, "Missing Access")
        when = "2026-01-01T00:00:00+00:00"
        users = self.world.thread_members.get(found[1], [])
        return [{"id": found[1], "user_id": user, "join_timestamp": when, "flags": 0} for user in users]

    async def _guild(self, _method: str, found: re.Match[str], *_: Any) -> Json:
        guild = self.world.guilds.get(found[1])
        if guild is None:
            raise ApiError(404, 10004, "Unknown Guild")
        return guild

    async def _channels(self, _method: str, found: re.Match[str], *_: Any) -> list[Json]:
        if found[1] not in self.world.guilds:
            raise ApiError(404, 10004, "Unknown Guild")
        channels: list[Json] = self.world.guilds[found[1]]["channels"]
        return channels

    async def _threads(self, _method: str, found: re.Match[str], *_: Any) -> Json:
        return {"threads": self.world.guilds[found[1]]["threads"], "members": []}

    async def _member(self, _method: str, found: re.Match[str], *_: Any) -> Json:
        member = self.world.members.get((found[1], found[2]))
        if member is None:
            raise ApiError(404, 10007, "Unknown Member")
        return member

    async def _sent(self, _method: str, found: re.Match[str], body: Any, files: Sequence[File]) -> Json:
        channel = self.world.channels.get(found[1])
        if channel is None:
            raise ApiError(404, 10003, "Unknown Channel")
        if channel["type"] == DIRECT and channel["recipients"][0]["id"] in self.world.closed_to:
            raise ApiError(403, 50007, "Cannot send messages to this user")
        self._may_send(channel, files)
        nonce = (found[1], str(body.get("nonce")))
        if body.get("enforce_nonce") and nonce in self._nonces:
            return self._nonces[nonce]
        message = self.world.add_message(found[1], self.world.app_id, body, files)
        if body.get("enforce_nonce"):
            self._nonces[nonce] = message
        await self.announce(message)
        return message

    def _may_send(self, channel: Json, files: Sequence[File]) -> None:
        if channel["type"] == DIRECT:
            return
        rights = self.world.rights(self.world.app_id, channel["id"])
        if not rights:
            raise ApiError(403, 50001, "Missing Access")
        thread = channel["type"] in {PUBLIC_THREAD, PRIVATE_THREAD}
        needed = (SEND_IN_THREADS if thread else SEND) | (ATTACH if files else 0)
        if needed & ~rights:
            raise ApiError(403, 50013, "Missing Permissions")

    async def _message(self, method: str, found: re.Match[str], body: Any, files: Sequence[File]) -> Json | None:
        message = self.world.messages.get(found[1], {}).get(found[2])
        if message is None or message["flags"] & EPHEMERAL:
            raise ApiError(404, 10008, "Unknown Message")
        if method == "PATCH":
            if message["author"]["id"] != self.world.app_id:
                raise ApiError(403, 50005, "Cannot edit a message authored by another user")
            return await self.interactions.edited(message, body, files)
        if method == "DELETE":
            del self.world.messages[found[1]][found[2]]
            return None
        return message

    async def _callback(self, _method: str, found: re.Match[str], body: Any, files: Sequence[File]) -> Json:
        return await self.interactions.callback(found[1], found[2], body, files)

    async def _webhook(self, method: str, found: re.Match[str], body: Any, files: Sequence[File]) -> Json | None:
        return await self.interactions.webhook(method, found[2], found[3], body, files)


async def _read(request: web.Request) -> tuple[Any, list[File]]:
    body, files = None, []
    if request.content_type.startswith("multipart/"):
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            if part.name == "payload_json":
                body = json.loads(await part.text())
            else:
                files.append((part.name or "", part.filename or "", bytes(await part.read(decode=False))))
    elif request.can_read_body:
        body = json.loads(await request.text() or "null")
    return body, files


_ROUTES: Final[tuple[tuple[str, str, Callable[..., Awaitable[Any]]], ...]] = (
    ("GET", r"/users/@me", Rest._me),
    ("GET", r"/oauth2/applications/@me", Rest._application),
    ("GET", r"/gateway/bot", Rest._gateway_bot),
    ("PUT|GET", r"/applications/\d+(?:/guilds/\d+)?/commands", Rest._commands),
    ("POST", r"/users/@me/channels", Rest._direct),
    ("POST", r"/channels/(\d+)/typing", Rest._typing),
    ("GET", r"/channels/(\d+)", Rest._channel),
    ("GET", r"/channels/(\d+)/thread-members", Rest._thread_members),
    ("GET", r"/guilds/(\d+)", Rest._guild),
    ("GET", r"/guilds/(\d+)/channels", Rest._channels),
    ("GET", r"/guilds/(\d+)/threads/active", Rest._threads),
    ("GET", r"/guilds/(\d+)/members/(\d+)", Rest._member),
    ("POST", r"/channels/(\d+)/messages", Rest._sent),
    ("GET|PATCH|DELETE", r"/channels/(\d+)/messages/(\d+)", Rest._message),
    ("POST", r"/interactions/(\d+)/([^/]+)/callback", Rest._callback),
    ("POST|GET|PATCH|DELETE", r"/webhooks/(\d+)/([^/]+)(?:/messages/(@original|\d+))?", Rest._webhook),
)
