"""A loopback Messages API: scripted replies and faults, streamed over HTTP, strict about what the real one refuses.

It is a model of the service and proves nothing about the real one.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from aiohttp import web

from tests.peers.anthropic.prompt_cache import PromptCache, tokens
from tests.peers.anthropic.replies import Breaks, Json, Reply
from tests.peers.anthropic.rules import Refused, blocks_of, checked

T = TypeVar("T")

KEY: Final = "sk-ant-loopback"
_ID: Final = {"request-id": "req_loopback"}

Handler = Callable[[Json], Reply | Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server can do: the real one all of it, local model servers some. ``structured`` says what becomes of
    ``output_config``: "taken", "refused" or "ignored". A server without ``keys`` asks for none. ``told`` is when it
    says what it read: at the "start", at the "end", or "never"; then not what it wrote either, nor that it stops.
    """

    counts: bool = True
    structured: str = "taken"
    caches: bool = True
    lists: bool = True
    keys: bool = True
    told: str = "start"


LOCAL: Final = Dialect(counts=False, structured="ignored", caches=False, lists=False, keys=False)
"""A local model server that speaks no more than it must."""


@dataclass
class FakeAnthropic:
    """``origin`` is its base URL. Replies are those of the ``handler``, from the request's body, else of the script in
    order. ``requests`` and ``headers`` are what was asked to write; ``gone`` counts requests that were given up.
    """

    dialect: Dialect = field(default_factory=Dialect)
    handler: Handler | None = None
    origin: str = ""
    requests: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    counted: list[Json] = field(default_factory=list)
    cache: PromptCache = field(default_factory=PromptCache)
    running: int = 0
    most_running: int = 0
    gone: int = 0
    written: int = 0
    """Pieces that were sent."""
    _script: deque[Reply] = field(default_factory=deque)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _condition: asyncio.Condition = field(default_factory=asyncio.Condition)

    def script(self, *replies: Reply) -> None:
        """Say these next."""
        self._script.extend(replies)

    async def start(self) -> None:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_post("/v1/messages/count_tokens", self._count)
        app.router.add_get("/v1/models/{model}", self._model)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        await self._runner.cleanup()

    async def until(self, found: Callable[[], T | None], seconds: float = 60.0) -> T:
        """What ``found`` returns once it is true of anything. Raises ``TimeoutError``."""

        async def waited() -> T:
            async with self._condition:
                while not (value := found()):
                    await self._condition.wait()
                return value

        return await asyncio.wait_for(waited(), seconds)

    async def _changed(self) -> None:
        async with self._condition:
            self._condition.notify_all()

    def _refused(self, request: web.Request) -> web.Response | None:
        sent = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        if self.dialect.keys and sent != KEY:
            return _error(401, "authentication_error", "invalid x-api-key")
        if "anthropic-version" not in request.headers:
            return _error(400, "invalid_request_error", "anthropic-version: header is required")
        return None

    async def _model(self, request: web.Request) -> web.Response:
        if (refused := self._refused(request)) is not None:
            return refused
        name = request.match_info["model"]
        if not self.dialect.lists or not name.startswith("claude-"):
            return _error(404, "not_found_error", f"model: {name}")
        made = {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}
        return web.json_response(made, headers=_ID)

    async def _count(self, request: web.Request) -> web.Response:
        if not self.dialect.counts:
            return web.Response(status=404, text="404 page not found")
        if (refused := self._refused(request)) is not None:
            return refused
        body = await request.json()
        self.counted.append(body)
        total = sum(tokens(block.get("text", block)) for block in blocks_of(body))
        return web.json_response({"input_tokens": total}, headers=_ID)

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        if (refused := self._refused(request)) is not None:
            return refused
        body = await request.json()
        self.requests.append(body)
        self.headers.append({name.lower(): said for name, said in request.headers.items()})
        await self._changed()
        if self.dialect.structured == "refused" and "output_config" in body:
            return _error(400, "invalid_request_error", "unknown field output_config")
        try:
            checked(body)
        except Refused as wrong:
            return _error(400, "invalid_request_error", str(wrong))
        reply = await self._reply(body)
        if reply.status != 200:
            await asyncio.sleep(reply.first)
            return _error(reply.status, reply.error, reply.message, reply.headers)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await self._changed()
            return await self._streamed(request, body, reply)
        except (asyncio.CancelledError, ConnectionResetError):
            self.gone += 1
            raise
        finally:
            self.running -= 1
            await self._changed()

    async def _reply(self, body: Json) -> Reply:
        if self.handler is None:
            return self._script.popleft() if self._script else Reply(status=500, message="nothing is scripted")
        made = self.handler(body)
        return made if isinstance(made, Reply) else await made

    async def _streamed(self, request: web.Request, body: Json, reply: Reply) -> web.StreamResponse:
        assert body.get("stream"), "Dogear streams"
        output = reply.usage.get("output_tokens", tokens(json.dumps(reply.blocks)) if reply.blocks else 0)
        stop = "max_tokens" if output > body["max_tokens"] and reply.stop == "end_turn" else reply.stop
        plain = {"input_tokens": sum(tokens(block.get("text", block)) for block in blocks_of(body))}
        usage = {**(self.cache.usage(body) if self.dialect.caches else plain), "output_tokens": 1, **reply.usage}
        message = {
            "id": f"msg_{next(self._ids):06d}", "type": "message", "role": "assistant", "model": body["model"],
            "content": [], "stop_reason": None, "stop_sequence": None,
            "usage": {**(usage if self.dialect.told == "start" else {"input_tokens": 0}), "output_tokens": 1},
        }  # fmt: skip
        response = web.StreamResponse(headers={"content-type": "text/event-stream; charset=utf-8", **_ID})
        await response.prepare(request)
        stream = _Stream(request, response, reply, self._sent)
        await asyncio.sleep(reply.first)
        await stream.event("message_start", message=message)
        await stream.event("ping")
        for index, block in enumerate(reply.blocks):
            if not await stream.block(index, block):
                return response
        if reply.breaks is not None and await stream.broken():
            return response
        ended = {"stop_reason": stop, "stop_sequence": None}
        if self.dialect.told == "never":
            await stream.event("message_delta", delta={"stop_reason": stop})
            return response
        late = usage if self.dialect.told == "end" else {}
        await stream.event("message_delta", delta=ended, usage={**late, "output_tokens": output})
        await stream.event("message_stop")
        return response

    async def _sent(self) -> None:
        self.written += 1
        await self._changed()


@dataclass
class _Stream:
    """One reply on its way."""

    request: web.Request
    response: web.StreamResponse
    reply: Reply
    sent: Callable[[], Awaitable[None]]
    pieces: int = 0

    async def event(self, kind: str, **more: Any) -> None:
        said = json.dumps({"type": kind, **more}, ensure_ascii=False)
        await self.response.write(f"event: {kind}\ndata: {said}\n\n".encode())

    async def block(self, index: int, block: Json) -> bool:
        """Send a block in pieces; False where the stream broke."""
        kind = block["type"]
        empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}}[kind]
        await self.event("content_block_start", index=index, content_block={"type": kind, **empty})
        said, size = block[kind], self.reply.chunk
        for at in range(0, len(said), size):
            if self.pieces == self.reply.whole and await self.broken():
                return False
            if self.pieces == self.reply.whole and self.reply.go_on is not None:
                await self.reply.go_on.wait()
            self.pieces += 1
            await self.event(
                "content_block_delta", index=index, delta={"type": f"{kind}_delta", kind: said[at : at + size]}
            )
            await self.sent()
            await asyncio.sleep(self.reply.gap)
        await self.event("content_block_stop", index=index)
        return True

    async def broken(self) -> bool:
        """Break as the reply says; False where it does not."""
        breaks = self.reply.breaks
        if breaks is None:
            return False
        if breaks is Breaks.CLOSED:
            assert self.request.transport is not None
            self.request.transport.close()
        elif breaks is Breaks.SILENT:
            await asyncio.sleep(3600)
        elif breaks is Breaks.NONSENSE:
            await self.response.write(b'event: content_block_delta\ndata: {"type": "content_blo\n\n')
        else:
            await self.event("error", error={"type": breaks.value, "message": breaks.value})
        return True


def _error(status: int, kind: str, message: str, headers: Any = None) -> web.Response:
    said = {"type": "error", "error": {"type": kind, "message": message}, "request_id": _ID["request-id"]}
    return web.json_response(said, status=status, headers={**_ID, **(headers or {})})
