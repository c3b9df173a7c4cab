"""What goes wrong with Telegram as a whole."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

import pytest
from telegram.error import Conflict, InvalidToken, NetworkError, TelegramError, TimedOut

from bot.adapters.telegram import serving
from bot.adapters.telegram.serving import stopped
from bot.adapters.telegram.troubles import Revoked, Troubles


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Revoked(), "Telegram does not take TELEGRAM_TOKEN: copy the bot's token from @BotFather again."),
        (InvalidToken("7:x"), "Telegram does not take TELEGRAM_TOKEN: copy the bot's token from @BotFather again."),
        (Conflict("terminated"), "Another program asks Telegram for this bot's messages: end it, or give each its own"),
        (NetworkError("7:x"), "Telegram cannot be reached: check the network"),
        (TimedOut("7:x"), "Telegram cannot be reached: check the network"),
    ],
)
def test_a_trouble_is_said_in_one_sentence_and_not_every_second(
    error: TelegramError, sentence: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    troubles = Troubles()
    for _ in range(5):
        troubles.told(error)
    (record,) = caplog.records
    assert record.getMessage().startswith(sentence)
    assert "7:x" not in record.getMessage()


class Deaf:
    """Listening that does not end while Telegram does not answer: it swallows the first cancellation, as the updater
    does, and waits again.
    """

    ended = False

    async def stop(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            try:
                await asyncio.Event().wait()
            finally:
                self.ended = True


async def test_ending_does_not_wait_for_a_telegram_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "STOPPING", 0.02)
    deaf, began = Deaf(), monotonic()
    await stopped(deaf)
    assert deaf.ended
    assert monotonic() - began < 5
