"""What Telegram handed over is answered, once, whatever happens to the database or the process before it is begun."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.adapters.postgres.roles import APP
from tests.peers.telegram.entities import Json
from tests.peers.telegram.peer import FakeTelegram
from tests.telegram.wire import Club, Program

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def database(server: tuple[Path, URL]) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(server[1], isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def answered_once(club: Club, question: str, *, again: bool = False) -> None:
    """The answer, once they ask ``again`` or without, and nothing more of it once what was said later is answered."""
    if again:
        await club.peer.writes(club["Bo"], club["Bo"], question)
    await club.answered_alone("Bo", question)
    await club.does("Bo", "/where", "The club is")
    assert len([m for m in club.own(club["Bo"], question) if m["text"].startswith(question)]) == 1


async def confirmed(peer: FakeTelegram, update: Json) -> None:
    """Telegram was told that an update came: it does not tell it again."""
    await peer.until(lambda: update not in peer.updates)


async def test_what_was_confirmed_and_not_begun_when_the_process_was_killed_is_answered_once_by_the_next(
    club: Club, peer: FakeTelegram, program: Program, telegram_server: tuple[Path, URL]
) -> None:
    question = "Who came along the wall with a lantern?"
    try:
        async with database(telegram_server) as held, _locked(held):
            await peer.writes(club["Bo"], club["Bo"], question)
            await confirmed(peer, peer.told[-1])
            assert await program.end(60, kill=True) != 0
        assert not club.own(club["Bo"], question)
    finally:
        begun = len(program.log)
        await program.start()
    await answered_once(club, question)
    await program.says("event=recovered", begun)
    async with database(telegram_server) as it:  # that it was stopped is told to nobody: it was not begun
        for _ in range(600):
            owed = (await it.execute(text("select key from dogear.owed_reply"))).scalars().all()
            if not owed:
                break
            await asyncio.sleep(0.1)
        assert not owed
    assert not club.own(club["Bo"], "I was stopped")


async def test_what_people_say_to_one_another_where_the_bot_is_told_everything_is_kept_nowhere(
    club: Club, peer: FakeTelegram, telegram_server: tuple[Path, URL]
) -> None:
    await peer.makes("administrator", club.group, club["Ana"])
    question = "Who had a lantern when they came?"
    async with database(telegram_server) as held, _locked(held):
        for said in ("I had a dreadful day.", "/weather Leeds", "/weather@another_bot Leeds"):
            await peer.writes(club["Bo"], club.group, said)
        asked = await peer.writes(club["Bo"], club["Bo"], question)
        await peer.until(lambda: not peer.updates)
        bodies = (await held.execute(text("select body from dogear.inbox where body like '%text%'"))).scalars()
        kept = [json.loads(body)["message"]["message_id"] for body in bodies]
    assert kept == [asked["message_id"]]
    await answered_once(club, question)
    await peer.makes("member", club.group, club["Ana"])


@asynccontextmanager
async def _locked(connection: AsyncConnection) -> AsyncIterator[None]:
    """Nothing can be begun: it is put down, and waits."""
    await connection.execute(text("begin"))
    await connection.execute(text("lock table dogear.once in exclusive mode"))
    try:
        yield
    finally:
        await connection.execute(text("rollback"))


async def test_while_the_database_is_away_who_asks_is_told_so_once_and_who_leaves_has_left_once_it_is_back(
    club: Club, peer: FakeTelegram, program: Program, telegram_server: tuple[Path, URL]
) -> None:
    question, begun = "Who came with a lantern along the wall?", len(program.log)
    await peer.makes("administrator", club.group, club["Ana"])
    pat = peer.world.user("Pat")
    peer.world.members[club.group, pat], club.people["Pat"] = "member", pat
    await peer.writes(pat, pat, "/start")
    await club.does("Pat", "/join", "You joined")
    async with database(telegram_server) as it:
        await it.execute(text(f"alter role {APP} nologin"))
        try:
            gone = "select pg_terminate_backend(pid) from pg_stat_activity where usename = :app"
            await it.execute(text(gone), {"app": APP})
            await peer.leaves(pat, club.group)
            asked = await peer.writes(club["Bo"], club["Bo"], question)
            await club.tells(club["Bo"], "The database does not answer", asked["message_id"])
        finally:
            await it.execute(text(f"alter role {APP} login"))
    await program.says("event=polling", begun)  # it leads again
    await answered_once(club, question, again=True)
    assert "Pat" not in await club.does("Ana", "/members", "Bo")
    await peer.makes("member", club.group, club["Ana"])
