"""One process serves Discord and Telegram, keeps the clubs' clocks and a worker, and asks a model, for a whole week of
two clubs, against loopback peers of all three; then it ends cleanly.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.discord import traffic as discord_traffic
from tests.discord import wire as discord
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passages
from tests.peers.anthropic.replies import Json, Reply, claims, value
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import NAMES, TITLES
from tests.stories.program import Running, home
from tests.stories.reading import ENDS, beyond, strings
from tests.telegram import traffic as telegram_traffic
from tests.telegram import wire as telegram
from tests.together.ahead import AHEAD

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 86_400
LAST = 3
"""The last chapter that anybody reads in this week."""


def answering(body: Json) -> Reply:
    """A model that repeats a sentence of each of the first passages that it is given; its second reading is honest."""
    if checks(body):
        return honest(body)
    said = []
    for number, passage in passages(body).items():
        whole = [
            sentence.strip() + "." for sentence in " ".join(passage.split()).split(".") if "Chapter" not in sentence
        ]
        said += [(sentence, number, sentence) for sentence in whole if any(name in sentence for name in NAMES)][:1]
    return claims(*said[:3]) if said else value({"parts": []})


@dataclass
class Week:
    """Both clubs, their platforms, the model and the program. In each club the first has read to the end of chapter 1
    when the week begins, and the second too.
    """

    program: Running
    clock: Path
    address: URL
    model: FakeAnthropic
    here: discord.Club
    there: telegram.Club

    def day(self, number: int) -> None:
        """It is so many days later."""
        self.clock.write_text(str(number * DAY), "ascii")

    async def reads(self, chapter: int, first: bool) -> None:
        """The first or the second of each club says that they have finished a chapter."""
        names = ("Ana", "Dan") if first else ("Bo", "Fay")
        await asyncio.gather(
            self.here.does(names[0], "progress", place=f"finished {chapter}"),
            self.there.does(names[1], f"/progress finished {chapter}", "Noted"),
        )

    async def asks(self, question: str, chapter: int) -> None:
        """Both rooms are asked at once; each answers as far as everyone there has read."""
        on_discord, on_telegram = await asyncio.gather(
            self.here.asks("Ana", question), self.there.asks("Fay", question)
        )
        for words in (discord.plain(on_discord["content"]), telegram_traffic.words_of(on_telegram)):
            assert f"to the end of chapter {chapter}" in words.splitlines()[0]
            assert NAMES[chapter] not in words

    def posts(self) -> tuple[int, int]:
        """How many weekly posts either club has been sent."""
        begins = "The club's week in"
        told = [s for s in self.here.peer.world.shown if s.channel == self.here.room and not s.private]
        return (
            len([s for s in told if begins in discord.plain(s.body["content"])]),
            len([s for s in self.there.peer.world.shown if s.chat == self.there.group and s.text.startswith(begins)]),
        )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def model() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic(handler=answering)) as running:
        yield running


@pytest.fixture(scope="module", name="home")
def _home() -> Iterator[tuple[Path, URL]]:
    with home() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def week(home: tuple[Path, URL], model: FakeAnthropic) -> AsyncIterator[Week]:
    one, other = FakeDiscord(), FakeTelegram()
    await asyncio.gather(one.start(), other.start())
    clock = home[0].parent / "ahead"
    clock.write_text("0", "ascii")
    known = {
        **discord.Program(one, home[0]).known, **telegram.Program(other, home[0]).known, AHEAD: str(clock),
        "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": model.origin, "DOGEAR_HEALTH": f"127.0.0.1:{_free_port()}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip
    ready = ("Discord is connected.", "Telegram is connected.")
    program = Running(other, home[0], known, ready, command=(str(Path(__file__).with_name("ahead.py")),))
    try:
        await program.start()
        here, there = await asyncio.gather(discord.founded(one, Ana=1, Bo=1), telegram.founded(other, Dan=1, Fay=1))
        yield Week(program, clock, home[1], model, here, there)
    finally:
        if program.process is not None:
            with suppress(TimeoutError):
                await program.end()
        await asyncio.gather(one.stop(), other.stop())


async def _unfinished(address: URL) -> int:
    engine = create_async_engine(address)
    async with engine.connect() as connection:
        found = await connection.execute(text("select count(*) from dogear.job where state = 'running'"))
        count = int(found.scalar_one())
    await engine.dispose()
    return count


async def test_a_week_of_two_clubs_passes_in_one_process_and_ends_cleanly(week: Week) -> None:
    post_at = datetime.now(UTC) + timedelta(days=6)
    await asyncio.gather(
        week.here.does("Ana", "club settings", name="weekly_day", value=f"{post_at:%A}".lower()),
        week.there.does("Dan", f"/club settings weekly_day {post_at:%A}".lower(), "weekly_day is"),
    )
    await asyncio.gather(
        week.here.does("Ana", "club settings", name="weekly_time", value=f"{post_at:%H:%M}"),
        week.there.does("Dan", f"/club settings weekly_time {post_at:%H:%M}", "weekly_time is"),
    )
    before = week.posts()
    await week.asks("Who carried the lantern on the first day?", 1)
    week.day(1)
    await week.reads(2, first=True)
    await week.asks("Who carried the lantern on the second day?", 1)
    week.day(2)
    await week.reads(2, first=False)
    await week.asks("Who counted the boats on the third day?", 2)
    week.day(4)
    await week.reads(LAST, first=True)
    alone = await week.there.asks_alone("Dan", "Who counted the boats on the fifth day?")
    assert NAMES[2] in alone["text"]
    week.day(5)
    await week.reads(LAST, first=False)
    await week.asks("Who mended the rope on the sixth day?", 3)
    assert week.posts() == before
    week.day(6)
    await week.there.peer.until(lambda: week.posts()[1] > before[1])
    await week.here.peer.until(lambda: week.posts()[0] > before[0])
    await week.asks("Who mended the rope on the seventh day?", 3)
    assert week.posts() == (before[0] + 1, before[1] + 1)


async def test_what_the_week_sent_anybody_or_the_model_was_within_what_was_read(week: Week) -> None:
    assert week.model.requests
    written = [s for body in week.model.requests for s in strings(body)]
    assert [found for said in written for found in beyond(said, ENDS[LAST])] == []
    assert not [said for said in written if "harbour.txt" in said or TITLES[4] in said]
    assert discord_traffic.Watch(week.here.peer, week.program.log).wrong() == []
    assert telegram_traffic.Watch(week.there.peer, week.program.log).wrong() == []
    assert not [entry for entry in week.program.log if "event=fault" in entry or "Traceback" in entry]
    assert not [entry for entry in week.program.log if KEY in entry or week.there.peer.token in entry]


async def test_a_token_that_is_revoked_is_said_once_and_in_health_and_the_other_club_goes_on(week: Week) -> None:
    begun = len(week.program.log)
    week.there.peer.revoked = True
    await week.there.peer.writes(week.there["Dan"], week.there["Dan"], "/where")
    sentence = "Telegram does not take TELEGRAM_TOKEN: copy the bot's token from @BotFather again."
    await week.program.says(sentence, begun)
    code, out = await week.program.once("health", "--json")
    assert code == 5
    parts = json.loads(out)
    assert (parts["parts"]["telegram"], parts["parts"]["discord"], parts["parts"]["database"]) == (False, True, True)
    assert parts["why"] == {"telegram": "telegram_turned_away"}
    assert sentence in (await week.program.once("health"))[1]
    await week.here.asks("Bo", "Who goes on and mends the rope?")
    assert len([entry for entry in week.program.log[begun:] if sentence in entry]) == 1


async def test_at_its_end_it_leaves_no_process_and_nothing_half_done(week: Week) -> None:
    assert week.program.process is not None
    children = psutil.Process(week.program.process.pid).children(recursive=True)
    assert children
    began = time.monotonic()
    assert await week.program.end() == 0
    assert time.monotonic() - began < 12
    _, alive = psutil.wait_procs(children, timeout=5)
    assert alive == []
    assert await _unfinished(week.address) == 0
    assert "Ended." in week.program.log[-5:]
