"""After a restart: the weekly post that is due, and two processes that hear of Telegram by webhooks."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.peers.telegram.entities import Json, cut, uncovered
from tests.peers.telegram.peer import FakeTelegram
from tests.peers.telegram.world import Shown
from tests.stories.book import NAMES, chapter_text
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")

PUBLIC = "https://books.example.org/tg"
OWN_PLACE = "You are at "


async def _weeks_passed(address: URL, club: Club) -> None:
    """40 days ago everybody joined, and nothing was done today."""
    engine = create_async_engine(address)
    theirs = "club_id in (select club_id from dogear.member where person = :person)"
    values = {"person": f"telegram:{club['Dan']}", "ago": datetime.now(UTC) - timedelta(days=40)}
    async with engine.begin() as connection:
        update = f"update dogear.member set joined_at = :ago where joined_at is not null and {theirs}"
        await connection.execute(text(update), values)
        await connection.execute(text("delete from dogear.daily_round"))
    await engine.dispose()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Hooked:
    """A club whose weekly post was due when both processes began, and the port where each hears of Telegram."""

    club: Club
    programs: tuple[Program, Program]
    ports: tuple[int, int]

    @property
    def hook(self) -> Json:
        """What Telegram was told of the webhook."""
        return self.club.peer.methods.webhook

    @property
    def secret(self) -> str:
        return str(self.hook["secret_token"])

    async def told(self, update: Json, secret: str | None, process: int = 0, *, path: str | None = None) -> int:
        """The status of a call, once the process listens: it tells Telegram the address just before."""
        for _ in range(600):
            try:
                return await self.club.peer.hook(self.ports[process], update, secret, path)
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.1)
        raise TimeoutError

    async def asks_where(self, name: str, *processes: int) -> Json:
        """Somebody asks for their place, and each of these processes is told; the answer."""
        written = await self.club.peer.writes(self.club[name], self.club[name], "/where")
        update = self.club.peer.told[-1]
        statuses = await asyncio.gather(*(self.told(update, self.secret, process) for process in processes))
        assert set(statuses) == {200}
        return await self.club.tells(self.club[name], OWN_PLACE, written["message_id"])

    def places(self, name: str) -> int:
        """How often somebody was told where they are."""
        return len(self.club.own(self.club[name], OWN_PLACE))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hooked(program: Program, telegram_server: tuple[Path, URL]) -> AsyncIterator[Hooked]:
    club = await founded(program.peer, Dan=3, Fay=2)
    now = datetime.now(UTC) - timedelta(minutes=2)
    await club.does("Dan", f"/club settings weekly_day {now:%A}".lower(), "weekly_day is")
    await club.does("Dan", f"/club settings weekly_time {now:%H:%M}", "weekly_time is")
    assert await program.end() == 0
    await _weeks_passed(telegram_server[1], club)
    ports = (_free_port(), _free_port())
    other = Program(program.peer, program.home)
    for one, port in ((program, ports[0]), (other, ports[1])):
        one.settings = {"TELEGRAM_WEBHOOK": PUBLIC, "TELEGRAM_LISTEN": f"127.0.0.1:{port}", "DOGEAR_LOG": "DEBUG"}
    try:
        await asyncio.gather(program.start(), other.start())
        yield Hooked(club, (program, other), ports)
    finally:
        program.settings = {}
        await other.end()


def _posts(club: Club) -> list[Shown]:
    return [s for s in club.peer.world.shown if s.chat == club.group and s.text.startswith("The club's week in")]


async def test_the_weekly_post_quotes_what_everybody_has_read_and_its_words_are_covered(
    hooked: Hooked, peer: FakeTelegram
) -> None:
    del peer
    weeks = hooked.club.said  # the picture, which may have come by now too, has no text
    post = await hooked.club.peer.until(lambda: next((m for m in weeks("The club's week") if "text" in m), None))
    seen = uncovered(post["text"], post["entities"])
    covers = [e for e in post["entities"] if e["type"] == "spoiler"]
    covered = " ".join(cut(post["text"], e["offset"], e["length"]) for e in covers)
    assert "From the part that everyone has newly read, for everyone who has read to the end of chapter 2:" in seen
    assert any(sentence in covered for sentence in re.findall(r"[A-Z][^.]+\.", chapter_text(1) + chapter_text(2)))
    assert not any(name in seen for name in NAMES)
    assert not any(name in words_of(post) for name in NAMES[2:])


async def test_a_webhook_hears_nobody_but_who_knows_its_path_and_its_secret(hooked: Hooked, peer: FakeTelegram) -> None:
    club, hook = hooked.club, hooked.hook
    public, _, path = hook["url"].rpartition("/")
    assert public == PUBLIC
    assert len(path) >= 32
    assert {"message", "callback_query", "chat_member", "my_chat_member"} <= set(hook["allowed_updates"])
    before = hooked.places("Dan")
    await peer.writes(club["Dan"], club["Dan"], "/where")
    update = peer.told[-1]
    for wrong in (None, "", hooked.secret[:-1] + "x"):
        assert await hooked.told(update, wrong) == 403
    for guessed in ("", "tg", "tg/guessed", f"tg/{peer.token}", path):
        assert await hooked.told(update, hooked.secret, path=guessed) == 404
    await hooked.asks_where("Fay", 0)
    assert hooked.places("Dan") == before


async def test_what_is_told_twice_or_to_two_processes_at_once_is_done_once(hooked: Hooked, peer: FakeTelegram) -> None:
    club = hooked.club
    dan, fay = hooked.places("Dan"), hooked.places("Fay")
    await hooked.asks_where("Dan", 0)
    assert await hooked.told(peer.told[-1], hooked.secret) == 200
    assert await hooked.told(peer.told[-1], hooked.secret, 1) == 200
    await hooked.asks_where("Fay", 0, 1, 0, 1)
    await peer.writes(club["Dan"], club.group, "/ask Who carried the lantern for both?")
    assert {await hooked.told(peer.told[-1], hooked.secret, n) for n in (1, 0)} == {200}
    await club.answered("Who carried the lantern for both?")
    await hooked.asks_where("Dan", 0)  # those before it have been heard
    await hooked.asks_where("Dan", 1)
    assert (hooked.places("Dan"), hooked.places("Fay")) == (dan + 3, fay + 1)
    assert len(club.said("Who carried the lantern for both?")) == 1


async def test_no_secret_is_in_a_log_and_after_the_end_of_all_no_second_weekly_post_comes(
    hooked: Hooked, peer: FakeTelegram, tmp_path: Path
) -> None:
    """Nor is a file refused for its size where a Bot API server of the host's own gives it."""
    secrets = (hooked.secret, hooked.hook["url"].rpartition("/")[2], peer.token.split(":")[1])
    for program in hooked.programs:
        assert await program.end() == 0
        assert not [entry for entry in program.log if any(secret in entry for secret in secrets)]
    (program, _) = hooked.programs
    program.settings = {"TELEGRAM_LOCAL": "yes"}
    await program.start()  # and looks at once for what is due
    club, peer.methods.local = hooked.club, tmp_path
    sent = await peer.writes(club["Dan"], club["Dan"], document=("large.epub", b"x" * 20_500_000))
    await peer.until(lambda: next(tmp_path.iterdir(), None))
    await peer.until(lambda: [m for m in club.own(club["Dan"]) if "Forget the file" in labels(m)])
    assert not [m for m in club.own(club["Dan"], "larger than") if m["message_id"] > sent["message_id"]]
    assert await program.end() == 0
    assert len(_posts(hooked.club)) == 1
