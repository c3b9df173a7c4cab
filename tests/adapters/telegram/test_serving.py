"""Nothing that Telegram, or whoever passes for it, says stops the bot from hearing what comes next, or is logged."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import socket
from types import SimpleNamespace
from typing import cast

import pytest
import telegram
from telegram.ext import Updater
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from bot.adapters.telegram import connection, serving
from bot.adapters.telegram.keys import chat_key
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.where import borne_by
from bot.core.errors import Unavailable
from bot.core.roster import Posted

SAID = "Nobody is to read this."
MESSAGE = {"message_id": 1, "date": 0, "chat": {"id": 7, "type": "private"}, "text": SAID}


def _told(*updates: object) -> bytes:
    return json.dumps({"ok": True, "result": updates}).encode()


class _Telegram(connection._Readable):
    """What is told when the bot asks."""

    def __init__(self) -> None:
        super().__init__()
        self.told = b""

    async def do_request(self, *_: object, **__: object) -> tuple[int, bytes]:
        return 200, self.told


@pytest.mark.parametrize("odd", [{**MESSAGE, "chat": 7}, {"message_id": 1}, 7], ids=["chat", "parts", "number"])
async def test_an_update_that_cannot_be_read_is_passed_over_and_nothing_of_it_is_logged(
    odd: object, caplog: pytest.LogCaptureFixture
) -> None:
    connection.hush()
    asked = _Telegram()
    bot = connection._Polling("5:secret", rate_limiter=Pace(), request=_Telegram(), get_updates_request=asked)
    asked.told = _told({"update_id": 1, "message": odd, "of": SAID}, {"update_id": 2, "message": MESSAGE})
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("telegram").critical(SAID)
        first, second = await bot.get_updates()
    assert (first.update_id, first.message) == (1, None)
    assert second.message is not None
    assert second.message.text == SAID
    assert "event=unreadable" in caplog.text
    assert SAID not in caplog.text
    assert telegram.Update.de_json(json.loads(first.to_json()), None) == first


async def test_a_call_that_is_larger_than_any_of_telegrams_is_not_read() -> None:
    class Called(RequestHandler):
        def post(self) -> None:
            self.write(str(len(self.request.body)))

    server = HTTPServer(Application([("/.*", Called)]))
    serving.bounded(server)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server.listen(port, "127.0.0.1")
    found = []
    for length in (serving.CALL_BYTES, serving.CALL_BYTES + 1):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /any HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n" % length)
        if length == serving.CALL_BYTES:
            writer.write(b"." * length)
        found.append((await asyncio.wait_for(reader.readline(), 60)).split()[1])
        writer.close()
    server.stop()
    await server.close_all_connections()
    assert found == [b"200", b"400"]


async def test_a_place_to_listen_that_another_has_is_named_and_not_taken_for_a_telegram_that_is_away() -> None:
    async def taken(**_: object) -> None:
        raise OSError(errno.EADDRINUSE, "taken")

    updater = cast("Updater", SimpleNamespace(start_webhook=taken))
    with pytest.raises(Unavailable, match=r"^Nothing can listen at TELEGRAM_LISTEN \(Address already in use\)"):
        async with connection.translated():
            await serving._called(updater, serving.Address("5:secret", webhook="https://books.example"))


@pytest.mark.parametrize(("said", "borne"), [(["other", "meant"], True), (["other"], False), ([], False)])
def test_a_button_is_borne_by_the_message_that_has_it_and_by_no_other(said: list[str], borne: bool) -> None:
    markup = {"inline_keyboard": [[{"text": "Stop", "callback_data": one} for one in said]]}
    user = {"id": 7, "is_bot": False, "first_name": "Bo"}
    pressed = {"id": "1", "from": user, "chat_instance": "1", "data": "meant"}
    query = telegram.CallbackQuery.de_json({**pressed, "message": {**MESSAGE, "reply_markup": markup}}, None)
    assert query is not None
    assert borne_by(query) == (Posted(chat_key(7), "1") if borne else None)
