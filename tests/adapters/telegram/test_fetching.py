"""Fetching a file from Telegram holds nobody up."""

from __future__ import annotations

import ssl
import threading

import httpx
import pytest

from bot.adapters.telegram import uploads


async def test_whom_to_trust_is_read_once_and_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[threading.Thread] = []
    made = ssl.create_default_context

    def counted(*args: object, **more: object) -> ssl.SSLContext:
        read.append(threading.current_thread())
        return made(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ssl, "create_default_context", counted)
    uploads._trusted.cache_clear()
    for _ in range(2):
        with pytest.raises(httpx.ConnectError):
            _ = [chunk async for chunk in uploads._from_wire("http://127.0.0.1:9/none")]
    assert len(read) == 1
    assert read[0] is not threading.main_thread()
