"""The end of the program and its beginning again, now as two processes of a shard each, without the members intent."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.discord.traffic import holds_book
from tests.discord.wire import NAMES, Club, Program, founded, labels, plain
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import SEND

pytestmark = pytest.mark.asyncio(loop_scope="session")

BEFORE = "Who had carried the lantern?"
LONG = "\n\n".join(
    f"Chapter {n}: Part {n} of the ledger\n\n" + f"Item {n} of the long ledger was entered and struck out again. " * 300
    for n in range(1, 61)
)
"""A book that takes longer to read than the program takes to end."""


async def _changed(url: URL, *statements: str, **values: Any) -> None:
    """Let time have passed in the database: it is written as of long ago."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement), values)
    await engine.dispose()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pair(
    program: Program, server: tuple[Path, URL], club: Club, small: Club
) -> AsyncIterator[tuple[Program, Program]]:
    """Both processes, once the first was ended; meanwhile 40 days have passed, in which nothing was heard of Cy."""
    assert program.process is not None
    assert program.process.returncode is not None
    await _changed(
        server[1],
        "update dogear.member set joined_at = :ago where joined_at is not null "
        "and club_id in (select club_id from dogear.member where person in (:one, :other))",
        "update dogear.member set seen_at = :ago where person = :silent",
        "update dogear.member set reminded = true where person = :reminded",
        "delete from dogear.daily_round",
        ago=datetime.now(UTC) - timedelta(days=40),
        one=f"discord:{club['Ana']}",
        other=f"discord:{small['Eve']}",
        silent=f"discord:{small['Cy']}",
        reminded=f"discord:{club['Bo']}",
    )
    program.peer.world.away.add(small["Cy"])
    other = Program(program.peer, server[0], settings={"DISCORD_SHARDS": "1/2"})
    program.settings["DISCORD_SHARDS"] = "0/2"
    try:
        await asyncio.gather(program.start(), other.start())
        yield program, other
    finally:
        await other.end()
    assert not [line for line in other.log if holds_book(line)]


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """What stood before the end."""
    return {}


async def test_ending_stops_what_is_answered_and_leaves_a_word_for_everybody_who_waits(
    club: Club, small: Club, peer: FakeDiscord, program: Program, kept: dict[str, Any]
) -> None:
    kept["answer"] = await club.asks("Bo", BEFORE)
    now = datetime.now(UTC) - timedelta(minutes=2)
    for one, admin in ((club, "Ana"), (small, "Eve")):
        await one.does(admin, "club settings", name="weekly_day", value=f"{now:%A}".lower())
        await one.does(admin, "club settings", name="weekly_time", value=f"{now:%H:%M}")
    due = datetime.now(UTC).date() + timedelta(days=2)
    await club.does("Ana", "club schedule", what=f"end by {due}")
    upload = await peer.slash(small["Eve"], small.room, "book add", file=("ledger.txt", LONG.encode()))
    await peer.until(lambda: small.said(has="being added"))
    question = "Who had counted them twice?"
    growing = peer.hold("PATCH", r"/channels/\d+/messages/\d+", question)
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.until(lambda: club.said(has=question))
    kept["log"] = len(program.log)
    began = time.monotonic()
    assert await program.end() == 0
    assert time.monotonic() - began < 10
    assert "Stopped." in plain(peer.message(it)["content"])
    assert not club.said(has=question)
    assert "I am being restarted" in plain(peer.message(upload)["content"])
    assert not [m for m in small.said() if "being added" in m["content"] and "%" in m["content"]]
    await peer.let_go(growing)


async def test_the_doctor_says_what_is_missing_on_discord(club: Club, peer: FakeDiscord, program: Program) -> None:
    await peer.forbid(club.room, peer.world.app_id, SEND)
    known, peer.world.commands = peer.world.commands, peer.world.commands[1:]
    peer.rest.granted = False
    code, out = await program.once("doctor", "--json")
    await peer.forbid(club.room, peer.world.app_id, 0)
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert code == 0
    assert "the members intent is not granted" in checks["discord"]["message"]
    assert known[0]["name"] in checks["commands"]["message"]
    assert "general lacks Send Messages, Attach Files" in checks["rooms"]["message"]
    assert [checks[name]["ok"] for name in ("discord", "commands", "rooms")] == [True, False, False]
    assert peer.token not in out


@pytest.mark.usefixtures("pair")
async def test_two_processes_hold_a_shard_each_and_buttons_work_as_before(
    club: Club, peer: FakeDiscord, kept: dict[str, Any]
) -> None:
    assert peer.gateway.shards == [(0, 2), (1, 2)]
    press = await peer.click(club["Ana"], club.room, kept["answer"]["id"], "Answer me privately")
    await club.answer(press, has=NAMES[2])
    assert press.ephemeral


@pytest.mark.usefixtures("pair")
async def test_each_club_gets_its_weekly_post_once(club: Club, small: Club, peer: FakeDiscord) -> None:
    def posts(one: Club) -> list[Any]:
        told = [s for s in peer.world.shown if s.channel == one.room and not s.private]
        return [s for s in told if "The club's week" in plain(s.body["content"])]

    for one in (club, small):
        await peer.until(lambda one=one: posts(one))  # type: ignore[misc]
    await club.asks("Ana", "Who was awake at last?")
    await small.does("Eve", "where")
    assert [len(posts(one)) for one in (club, small)] == [1, 1]


@pytest.mark.usefixtures("pair")
async def test_who_asked_for_it_is_reminded_once_and_who_was_silent_is_told_once(
    club: Club, small: Club, peer: FakeDiscord
) -> None:
    for one, who, words in ((club, "Bo", "is due"), (small, "Cy", "Nothing was heard of you")):
        direct = peer.world.direct(one[who])["id"]
        await peer.until(lambda one=one, direct=direct: one.said(direct))  # type: ignore[misc]
        told = [m["content"] for m in one.said(direct) if words in plain(m["content"])]
        assert told
        assert len(told) == len(set(told))
    assert not club.said(has="is due in")


async def test_what_was_being_read_is_read_to_its_end(
    small: Club, peer: FakeDiscord, pair: tuple[Program, Program], kept: dict[str, Any]
) -> None:
    since: int = kept["log"]
    await peer.until(lambda: [x for x in (*pair[0].log[since:], *pair[1].log) if "event=done" in x and "ingest" in x])
    assert len((await small.does("Eve", "book list")).splitlines()) == 2


@pytest.mark.usefixtures("pair")
async def test_answers_of_both_shards_come_once(club: Club, small: Club, peer: FakeDiscord) -> None:
    question = "Who mended it at last?"
    await club.asks("Ana", question)
    await small.asks("Eve", question)
    assert [len(one.said(has=question)) for one in (club, small)] == [1, 1]
    await peer.wrote(club["Bo"], "Who was awake after all?")
    direct = peer.world.direct(club["Bo"])["id"]
    await peer.until(lambda: [m for m in club.said(direct, "after all") if "Share with the room" in labels(m)])
    assert len(club.said(direct, "after all")) == 1


@pytest.mark.usefixtures("pair")
async def test_stop_in_a_direct_message_reaches_an_answer_that_the_other_process_makes(
    small: Club, peer: FakeDiscord
) -> None:
    question = "Who counted them thrice?"
    posting = peer.hold("POST", r"/channels/\d+/messages", question)
    it = await peer.slash(small["Eve"], small.room, "ask", question=question)
    await peer.until(lambda: posting.reached)
    direct = peer.world.direct(small["Eve"])["id"]
    assert "Stopping." in await small.answer(await peer.slash(small["Eve"], direct, "stop"))
    await peer.let_go(posting)
    assert "Stopped." in await small.answer(it)
    assert not small.said(has=question)


async def test_who_asked_a_process_that_is_killed_is_told_so_by_another(
    small: Club, peer: FakeDiscord, pair: tuple[Program, Program]
) -> None:
    question = "Who counted them a fourth time?"
    posting = peer.hold("POST", r"/channels/\d+/messages", question)
    it = await peer.slash(small["Eve"], small.room, "ask", question=question)
    await peer.until(lambda: posting.reached)
    number = (int(small.guild) >> 22) % 2
    assert await pair[number].end(kill=True) != 0
    await small.answer(it, has="I was stopped in the middle of this.")
    await peer.let_go(posting)
    await pair[number].start()
    assert await small.does("Eve", "where")


@pytest.mark.usefixtures("pair")
async def test_without_the_members_intent_everything_works_more_strictly(club: Club, peer: FakeDiscord) -> None:
    assert not peer.gateway.intents & 2
    thread = await peer.add_thread(club.room, "unseen", [club["Ana"]], private=True)
    await peer.slash(club["Ana"], thread, "ask", question="Who is awake?")
    assert "to the end of chapter 2" in plain((await club.answered("Who is awake?", thread))["content"])
    other = await founded(peer, Lea=3)
    await peer.slash(other["Lea"], other.room, "ask", question="Who is awake now?")
    assert "to the end of chapter 3" in plain((await other.answered("Who is awake now?"))["content"])
    peer.world.guilds[other.guild]["member_count"] += 1  # somebody came whom the bot cannot see
    await peer.gateway.guild_created(other.guild)
    await other.does("Lea", "club settings", name="spectators", value="strict")
    await peer.slash(other["Lea"], other.room, "ask", question="Who is awake then?")
    assert "who have not all started" in plain((await other.answered("Who is awake then?"))["content"])
    del peer.world.members[other.guild, other["Lea"]]
    await peer.wrote(other["Lea"], "Who is gone?")
    await peer.until(lambda: other.said(peer.world.direct(other["Lea"])["id"], "You are in no club"))
