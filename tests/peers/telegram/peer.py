"""A loopback Bot API in a thread of its own, and people who use Telegram.

It is a model of the service and proves nothing about the real one: docs/manual-check.md is for that.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import aiohttp
from aiohttp import web

from tests.peers.apart import Apart, run_apart
from tests.peers.telegram.entities import Json, Refused
from tests.peers.telegram.methods import Files, Methods
from tests.peers.telegram.people import People
from tests.peers.telegram.world import World

T = TypeVar("T")

_JSON: Final = frozenset(
    ("reply_markup", "entities", "commands", "scope", "reply_parameters", "allowed_updates", "link_preview_options")
)


@dataclass
class Fault:
    """What happens to the next calls of a method instead: an error, or (with ``after``) a lost answer."""

    method: str
    code: int
    times: int = 1
    retry_after: int = 0
    after: bool = False
    says: str = ""
    chat: int = 0
    """Of this chat alone, or of any."""


@dataclass
class Call:
    method: str
    parameters: Json
    answered: int = 0
    at: float = field(default_factory=time.monotonic)


class FakeTelegram(People):
    """Telegram, in a thread of its own."""

    def __init__(self, token: str = "123456:loopback", username: str = "DogearTestBot") -> None:
        self.token, self.origin, self.apart = token, "", Apart()
        bot = {
            "id": int(token.split(":", maxsplit=1)[0]), "is_bot": True, "first_name": "Dogear", "username": username,
            "can_join_groups": True, "can_read_all_group_messages": False, "supports_inline_queries": False,
            "can_connect_to_business": False, "has_main_web_app": False,
        }  # fmt: skip
        self.world = World(bot)
        self.methods = Methods(self.world)
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.updates: list[Json] = []
        self.keep = False
        """Updates are told again, as if they had not been confirmed."""
        self.told: list[Json] = []
        """Every update that the bot was told of."""
        self.allowed: list[str] = []
        self.revoked = False
        """The token is taken no more."""
        self.conflicts = 0
        self._numbers = itertools.count(1000)
        self._condition = asyncio.Condition()
        self._polls = 0
        self._waits = False

    @property
    def problems(self) -> list[str]:
        return self.methods.problems

    @run_apart
    async def start(self) -> None:
        app = web.Application(client_max_size=80 << 20)
        app.router.add_route("*", "/bot{token}/{method}", self._called)
        app.router.add_get("/file/bot{token}/{path:.*}", self._file)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        await self._stopped()
        self.apart.end()

    @run_apart
    async def _stopped(self) -> None:
        await self._runner.cleanup()

    @run_apart
    async def touch(self) -> None:
        """Something that is waited for may have happened outside."""
        await self._changed()

    async def _changed(self) -> None:
        async with self._condition:
            self._condition.notify_all()

    @run_apart
    async def until(self, found: Callable[[], T | None], seconds: float = 45.0) -> T:
        """What ``found`` returns once it is true of anything. Raises ``TimeoutError``."""

        async def happens() -> T:
            async with self._condition:
                while not (value := found()):
                    await self._condition.wait()
                return value

        return await asyncio.wait_for(happens(), seconds)

    async def push(self, kind: str, value: Json) -> Json:
        update = {"update_id": next(self._numbers), kind: value}
        self.world.heard.append((time.monotonic(), update))
        if not self.allowed or kind in self.allowed:
            self.updates.append(update)
            self.told.append(update)
        await self._changed()
        return update

    @run_apart
    async def again(self, update: Json) -> None:
        """Tell an update once more."""
        self.updates.append(update)
        await self._changed()

    @run_apart
    async def polls(self) -> None:
        """Another program asks for the bot's messages, once."""
        async with self._condition:
            await self._condition.wait_for(lambda: self._waits)
        self._polls += 1
        await self._changed()

    # the wire

    async def _file(self, request: web.Request) -> web.StreamResponse:
        found = self.world.files.get(request.match_info["path"].rpartition("/")[2])
        if found is None or request.match_info["token"] != self.token:
            return web.Response(status=404)
        self.calls.append(Call("file", {"path": request.match_info["path"]}, 200))
        return web.Response(body=found[1])

    async def _called(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        parameters, files = await _parameters(request)
        call = Call(method, parameters)
        if method != "getUpdates":
            self.calls.append(call)
        try:
            answer: Json = {"ok": True, "result": await self._result(request.match_info["token"], call, files)}
            call.answered = 200
        except Refused as error:
            answer = {"ok": False, "error_code": error.code, "description": error.description}
            if error.parameters:
                answer["parameters"] = error.parameters
            call.answered = error.code
        await self._changed()
        return web.json_response(answer, status=call.answered)

    async def _result(self, token: str, call: Call, files: Files) -> object:
        if token != self.token or self.revoked:
            raise Refused(401, "Unauthorized")
        done = self._updates if call.method == "getUpdates" else self.methods.named(call.method)
        chat = int(call.parameters.get("chat_id") or 0)
        fault = next((f for f in self.faults if f.method == call.method and f.chat in (0, chat)), None)
        if fault is None:
            return await done(call.parameters, files)
        fault.times -= 1
        if fault.times <= 0:
            self.faults.remove(fault)
        if fault.after:
            await done(call.parameters, files)
        more = {"retry_after": fault.retry_after} if fault.code == 429 else {}
        raise Refused(fault.code, fault.says or f"a fault of {fault.code}", **more)

    async def _updates(self, p: Json, files: Files) -> object:
        """Long polling: of two at a time the first is turned away."""
        self.allowed = p.get("allowed_updates") or self.allowed
        self._polls += 1
        mine, offset, ends = self._polls, int(p.get("offset") or 0), time.monotonic() + float(p.get("timeout") or 0)
        await self._changed()
        while True:
            if not self.keep:
                self.updates = [u for u in self.updates if u["update_id"] >= offset]
            waiting = [u for u in self.updates if u["update_id"] >= offset]
            left = ends - time.monotonic()
            if waiting or left <= 0:
                return waiting[: int(p.get("limit") or 100)]
            if self._polls != mine:
                self.conflicts += 1
                raise Refused(409, "Conflict: terminated by other getUpdates request")
            async with self._condition:
                self._waits = True
                self._condition.notify_all()
                try:
                    await asyncio.wait_for(self._condition.wait(), min(left, 5))
                except TimeoutError:
                    continue
                finally:
                    self._waits = False

    @run_apart
    async def hook(self, port: int, update: Json, secret: str | None, path: str | None = None) -> int:
        """Tell an update by webhook, past the public address, or at another path; the status that came back."""
        path = self.methods.webhook["url"].split("/", 3)[3] if path is None else path
        headers = {} if secret is None else {"X-Telegram-Bot-Api-Secret-Token": secret}
        address = f"http://127.0.0.1:{port}/{path}"
        async with aiohttp.ClientSession() as session, session.post(address, json=update, headers=headers) as response:
            return response.status


async def _parameters(request: web.Request) -> tuple[Json, Files]:
    parameters: dict[str, Any] = dict(request.query)
    files: Files = {}
    if request.content_type == "application/json":
        parameters |= await request.json()
    elif request.content_type.startswith("multipart/"):
        reader = await request.multipart()
        while (part := await reader.next()) is not None:
            assert isinstance(part, aiohttp.BodyPartReader)
            if part.filename:
                files[part.name or ""] = (part.filename, bytes(await part.read(decode=False)))
            else:
                parameters[part.name or ""] = await part.text()
    else:
        parameters |= dict(await request.post())
    for key in _JSON & parameters.keys():
        if isinstance(parameters[key], str):
            parameters[key] = json.loads(parameters[key])
    return parameters, files
