"""Claude, or any server that speaks the Messages API: every call bounded in time, tried again within that, cancelled
with its reader, and booked as far as it went. Nothing of what is sent or written is in a log or an error.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any, Final

import anthropic
import httpx2

from bot.adapters.models.at_once import AtOnce
from bot.adapters.models.bill import Bill, EndedBadly, require_whole
from bot.adapters.models.failures import Failure, failure_of
from bot.adapters.models.json_object import JsonObject
from bot.adapters.models.messages import counting, most_input, most_output, params
from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Spent, Usage
from bot.core.club import ClubId
from bot.core.slots import Slots

MODEL: Final = "claude-sonnet-5-5"
SMALL_MODEL: Final = "claude-haiku-5-5"
ORIGIN: Final = "https://api.anthropic.com"
SECONDS: Final = 90.0
CALLS: Final = 8

_ATTEMPTS: Final = 5
_MOST_BACKOFF: Final = 8.0
_COUNT_SECONDS: Final = 10.0
_LINGER: Final = 5.0
"""Seconds that are waited for what a server says after its object: what it has spent, and how it ended."""
_LARGE: Final = frozenset((Purpose.ANSWER, Purpose.JUDGE, Purpose.MEMORY))
"""What goes to the model; all else to the small one."""
_CHECKED: Final = frozenset((Purpose.ANSWER, Purpose.MEMORY))
"""What is checked by other requests while it is written."""
_QUIET: Final = ("anthropic", "httpx2", "httpcore2", "httpcore", "httpx")
"""Loggers that at DEBUG repeat what is sent."""

log = logging.getLogger("dogear.model")


@dataclass(frozen=True, slots=True)
class ClaudeSettings:
    """Where the model is and how it is called. ``seconds`` bounds each request as a whole, with its waiting and its
    further attempts; ``calls`` are out at once; ``backoff`` (seconds) is doubled with each attempt.
    Without a ``base_url`` it is Anthropic's; a server of one's own may need no ``key``. ``cache_hour`` keeps prefixes
    in the server's cache for an hour instead of five minutes.
    """

    key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    model: str = MODEL
    small: str = SMALL_MODEL
    seconds: float = SECONDS
    calls: int = CALLS
    backoff: float = 0.5
    cache_hour: bool = False


class Claude:
    """The server, for all clubs; ``retried`` is told each time that a request is tried again. Without ``slots`` the
    calls are counted in this process alone. Raises ``ValueError`` for fewer than two calls at once.
    """

    def __init__(
        self, settings: ClaudeSettings, retried: Callable[[], None] = lambda: None, slots: Slots | None = None
    ) -> None:
        self.retried = retried
        for name in _QUIET:
            logging.getLogger(name).setLevel(logging.WARNING)
        self.settings = settings
        self.at_once = AtOnce(settings.calls, slots)
        self.counts = True
        self.plain: set[str] = set()
        """Models whose server takes no structured output."""
        origin = (settings.base_url or ORIGIN).rstrip("/").removesuffix("/v1")
        self.own = settings.base_url is not None
        """Whether it is another server than Anthropic's: it may know less, and no proxy stands before it."""
        http = anthropic.DefaultAsyncHttpxClient(verify=_certificates(), trust_env=not self.own, follow_redirects=False)
        with _nothing_ambient():
            self.client = anthropic.AsyncAnthropic(
                api_key=settings.key or "none",
                base_url=origin,
                timeout=httpx2.Timeout(settings.seconds, connect=min(10.0, settings.seconds)),
                max_retries=0,
                http_client=http,
                open_telemetry=False,
            )
        _ = self.client.messages  # imports a second's worth, which no question shall wait for

    def name(self, purpose: Purpose) -> str:
        """The model that requests of this purpose go to."""
        return self.settings.model if purpose in _LARGE else self.settings.small

    def of(self, club: ClubId) -> ClubModel:
        """The model, as one club calls it."""
        return ClubModel(self, club)

    async def close(self) -> None:
        await self.at_once.close()
        await self.client.close()


@dataclass(frozen=True, slots=True)
class ClubModel:
    """`ChatModel` for one club."""

    claude: Claude
    club: ClubId

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        """The reply's one JSON object as it comes. Once some of it was handed on it is not begun anew."""
        bill = Bill(self.claude.name(request.purpose), request)
        try:
            deadline = asyncio.get_running_loop().time() + self.claude.settings.seconds
            async with AsyncExitStack() as stack:
                place = self.claude.at_once.place(self.club, long=request.purpose in _CHECKED)
                async with _until(deadline):
                    await stack.enter_async_context(place)
                async with aclosing(self._tried(request, bill, deadline)) as pieces:
                    async for piece in pieces:
                        yield piece
        finally:
            spent(bill.usage())

    def most(self, request: ModelRequest) -> Usage:
        """The most that a request can use: all of its input written to the cache, which is the dearest kind."""
        model = self.claude.name(request.purpose)
        return Usage(model, 0, 0, most_input(request), most_output(request, model))

    async def _tried(self, request: ModelRequest, bill: Bill, deadline: float) -> AsyncGenerator[str, None]:
        model = bill.model
        plain = model in self.claude.plain
        for attempt in count(1):
            reply = JsonObject()
            try:
                async with aclosing(self._attempt(request, bill, reply, (plain, deadline))) as pieces:
                    async for piece in pieces:
                        yield piece
            except anthropic.AnthropicError as error:
                failure = failure_of(error)
            except (httpx2.HTTPError, httpx2.StreamError):
                failure = Failure(Failed.UNREACHABLE, again=True, note="disconnected")
            except (ValueError, TypeError, AttributeError, KeyError):  # of the server's events: they may hold anything
                failure = Failure(Failed.BAD_REPLY, again=False, note="not_of_the_api")
            except EndedBadly as ended:
                failure = ended.failure
            else:
                if plain:
                    self.claude.plain.add(model)
                return
            log.info("event=model.attempt purpose=%s model=%s %s", request.purpose.value, model, failure.line)
            if failure.unknown_form and self.claude.own and not plain and not reply.begun:
                plain = True
                continue
            if reply.begun or not failure.again or attempt >= _ATTEMPTS:
                raise ModelFailed(failure.failed) from None
            await self._waited(failure, attempt, deadline)

    async def _waited(self, failure: Failure, attempt: int, deadline: float) -> None:
        """Wait until it may be tried again. Raises `ModelFailed` where the time that is left does not allow it."""
        backoff = min(_MOST_BACKOFF, self.claude.settings.backoff * 2 ** (attempt - 1))
        wait = backoff * random.uniform(0.75, 1.0) if failure.after is None else failure.after  # noqa: S311
        if asyncio.get_running_loop().time() + wait >= deadline:
            raise ModelFailed(failure.failed)
        await asyncio.sleep(wait)
        self.claude.retried()

    async def _attempt(
        self, request: ModelRequest, bill: Bill, reply: JsonObject, how: tuple[bool, float]
    ) -> AsyncGenerator[str, None]:
        plain, deadline = how
        sent = params(request, bill.model, plain=plain, cache_hour=self.claude.settings.cache_hour)
        bill.begin()
        async with _until(deadline):
            try:
                stream = await self.claude.client.messages.create(**sent, stream=True)
            except anthropic.AnthropicError:
                bill.sent = False
                raise
        try:
            events = aiter(stream)
            while True:
                event = await _next(events, reply, deadline)
                if event is None and reply.ended:  # a server of one's own may say no more
                    break
                if event is None:
                    raise EndedBadly(Failure(Failed.UNREACHABLE, again=True, note="ended_early"))
                ended, text = reply.ended, bill.seen(event)
                if (piece := reply.taken(text)) != "":
                    yield piece
                if event.type == "message_stop" or (ended and text.strip()):  # it goes on after its object
                    break
        finally:
            try:
                await stream.close()
            except Exception as error:  # whatever it is, the reply is here or lost already
                log.info("event=model.not_closed kind=%s", type(error).__name__)
        require_whole(bill, reply)

    async def counted(self, request: ModelRequest) -> int | None:
        """The input tokens of a request, by the server's counter; None where it has none, or does not answer."""
        model = self.claude.name(request.purpose)
        if not self.claude.counts or model in self.claude.plain:
            return None
        try:
            async with asyncio.timeout(min(_COUNT_SECONDS, self.claude.settings.seconds)):
                counted = await self.claude.client.messages.count_tokens(**counting(request, model))
                return int(counted.input_tokens)
        except anthropic.APIStatusError as error:
            if error.status_code in {400, 404, 405, 422, 501}:
                self.claude.counts = not self.claude.own
                log.info("event=model.no_counter status=%d", error.status_code)
        except (anthropic.AnthropicError, httpx2.HTTPError, TimeoutError, ValueError, TypeError, AttributeError):
            log.info("event=model.not_counted")
        return None


async def _next(events: AsyncIterator[Any], reply: JsonObject, deadline: float) -> Any:
    """The next event; None where there is no more, or where a server says no more after its object.

    Raises `ModelFailed` where the time is up.
    """
    until = min(deadline, asyncio.get_running_loop().time() + _LINGER) if reply.ended else deadline
    try:
        async with _until(until):
            return await anext(events, None)
    except ModelFailed:
        if reply.ended:
            return None
        raise


@asynccontextmanager
async def _until(deadline: float) -> AsyncIterator[None]:
    """Raises `ModelFailed` where the time is up."""
    try:
        async with asyncio.timeout_at(deadline):
            yield
    except TimeoutError:
        raise ModelFailed(Failed.OUT_OF_TIME) from None


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust: read once, which takes a third of a second."""
    return httpx2.create_ssl_context()


@contextmanager
def _nothing_ambient() -> Iterator[None]:
    """The client reads headers and more from ``ANTHROPIC_*`` when it is made: it is made without them."""
    ambient = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("ANTHROPIC_")}
    try:
        yield
    finally:
        os.environ.update(ambient)
