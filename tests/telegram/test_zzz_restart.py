"""After a restart: the weekly post that is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.discord.wire import NAMES
from tests.peers.telegram.entities import uncovered
from tests.peers.telegram.peer import FakeTelegram
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded

pytestmark = pytest.mark.asyncio(loop_scope="session")


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


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def due(program: Program, telegram_server: tuple[Path, URL]) -> Club:
    """A club whose weekly post is due, once the program was ended and started again."""
    club = await founded(program.peer, Dan=3, Fay=2)
    now = datetime.now(UTC) - timedelta(minutes=2)
    await club.does("Dan", f"/club settings weekly_day {now:%A}".lower(), "weekly_day is")
    await club.does("Dan", f"/club settings weekly_time {now:%H:%M}", "weekly_time is")
    assert await program.end() == 0
    await _weeks_passed(telegram_server[1], club)
    await program.start()
    return club


async def test_the_weekly_post_comes_once_and_its_words_are_covered(due: Club, peer: FakeTelegram) -> None:
    post = await due.tells(due.group, "The club's week")
    seen = uncovered(post["text"], post["entities"])
    assert not any(name in seen for name in NAMES)
    assert not any(name in words_of(post) for name in NAMES[2:])
    shown = [s for s in peer.world.shown if s.chat == due.group and "The club's week" in s.text]
    assert len(shown) == 1
