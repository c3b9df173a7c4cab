"""What Telegram says of a chat's time is kept no longer than it holds."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from telegram.error import RetryAfter

from bot.adapters.telegram.pace import Pace


@pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")
async def test_a_chat_that_was_to_wait_is_forgotten_once_its_time_is_over() -> None:
    pace, told = Pace(), set[int]()

    async def asked(chat: int) -> None:
        if chat not in told:
            told.add(chat)
            raise RetryAfter(timedelta(0))

    async def ask(chat: int) -> None:
        await pace.process_request(asked, (chat,), {}, "getChat", {"chat_id": chat}, None)

    await asyncio.gather(*(ask(chat) for chat in range(1, 31)))
    await ask(31)
    assert list(pace._until) == [31]
