"""The pages that say how a process is."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import aiohttp
import pytest

from bot.adapters.health import pages as pages_module
from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.health.pages import Address, Watched, Works, shown
from bot.core.errors import Refused, Unavailable


async def fine() -> bool:
    return True


async def broken() -> bool:
    return False


async def away() -> bool:
    raise Unavailable("The database is away.")


async def silent() -> bool:
    await asyncio.Event().wait()
    return True


async def nothing() -> None:
    """Refresh nothing."""


def watched(refresh: Callable[[], Awaitable[None]] = nothing, **parts: Works) -> Watched:
    return Watched(PrometheusFigures(), parts, refresh)


def on_any_port(watching: Watched) -> AbstractAsyncContextManager[int | None]:
    return shown(watching, Address("127.0.0.1", 0), wanted=True)


async def got(port: int | None, path: str) -> tuple[int, str, str]:
    async with aiohttp.ClientSession() as web, web.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, answer.content_type, await answer.text()


async def test_it_lives_whatever_does_not_work() -> None:
    async with on_any_port(watched(database=away)) as port:
        assert await got(port, "/healthz") == (200, "application/json", '{"status": "ok"}')


async def test_it_is_ready_when_every_part_works() -> None:
    async with on_any_port(watched(database=fine, discord=fine)) as port:
        status, _, body = await got(port, "/readyz")
        assert (status, body) == (200, '{"ready": true, "parts": {"database": true, "discord": true}}')


@pytest.mark.parametrize("part", [broken, away, silent])
async def test_it_is_not_ready_when_a_part_does_not_work(part: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_module, "PART_SECONDS", 0.05)
    async with on_any_port(watched(database=part, discord=fine)) as port:
        status, _, body = await got(port, "/readyz")
        assert (status, body) == (503, '{"ready": false, "parts": {"database": false, "discord": true}}')


async def test_a_part_that_says_why_it_does_not_work_is_shown_with_its_code() -> None:
    async def revoked() -> bool:
        raise Unavailable("Telegram does not take the token.", code="telegram_turned_away")

    async with on_any_port(watched(database=away, telegram=revoked)) as port:
        status, _, body = await got(port, "/readyz")
    assert status == 503
    assert json.loads(body) == {
        "ready": False,
        "parts": {"database": False, "telegram": False},
        "why": {"telegram": "telegram_turned_away"},
    }


async def test_the_figures_are_refreshed_when_they_are_read() -> None:
    figures = PrometheusFigures()

    async def refresh() -> None:
        figures.queued(2, 5)

    async with on_any_port(Watched(figures, {"database": fine}, refresh)) as port:
        status, kind, body = await got(port, "/metrics")
    assert (status, kind) == (200, "text/plain")
    assert {"dogear_questions_running 2.0", "dogear_questions_waiting 5.0", 'dogear_ready{part="database"} 1.0'} <= set(
        body.splitlines()
    )


async def test_the_figures_are_shown_though_the_database_is_away() -> None:
    async def refresh() -> None:
        raise Unavailable("The database is away.")

    async with on_any_port(watched(refresh, database=away)) as port:
        status, _, body = await got(port, "/metrics")
    assert status == 200
    assert 'dogear_ready{part="database"} 0.0' in body


async def test_nothing_else_is_there_and_nothing_can_be_written() -> None:
    async with on_any_port(watched()) as port:
        assert [(await got(port, path))[0] for path in ("/", "/metrics/x", "/debug")] == [404, 404, 404]
        async with aiohttp.ClientSession() as web, web.post(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == 405


async def test_an_address_that_is_taken_is_refused_only_where_it_was_asked_for() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = Address("127.0.0.1", other.getsockname()[1])
        async with shown(watched(), address, wanted=False) as port:
            assert port is None
        with pytest.raises(Refused, match="DOGEAR_HEALTH cannot be used, something else has it"):
            async with shown(watched(), address, wanted=True):
                pass
    with pytest.raises(Refused, match="no address of this machine"):
        async with shown(watched(), Address("192.0.2.1", 8642), wanted=True):
            pass


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("127.0.0.1:8642", Address("127.0.0.1", 8642)),
        ("[::1]:80", Address("::1", 80)),
        ("0.0.0.0:0", Address("0.0.0.0", 0)),
    ],
)
def test_an_address_is_read_as_it_is_written(said: str, meant: Address) -> None:
    assert Address.said(said) == meant


@pytest.mark.parametrize("said", ["8642", ":8642", "localhost", "localhost:", "localhost:http", "localhost:99999"])
def test_what_is_no_address_is_refused(said: str) -> None:
    with pytest.raises(Refused, match="write it as"):
        Address.said(said)


async def test_whoever_opens_many_connections_and_says_nothing_keeps_nobody_from_the_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages_module, "CONNECTIONS", 5)
    async with on_any_port(watched(database=fine)) as port:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        assert (await got(port, "/healthz"))[0] == 200
        closed = [await asyncio.wait_for(reader.read(), 60) for reader, _ in silent[:15]]
        assert closed == [b""] * 15
        for _, writer in silent:
            writer.close()
