"""The weekly post, its chart's bytes, previews, the schedule and reminders are the same for twins."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import Phase, example, given, settings

from bot.adapters.bulletins import weekly_bulletin
from bot.adapters.terminal.people import Whispers
from bot.adapters.wording import lives
from bot.core import rounds
from bot.core.audience import cannot_tell
from bot.core.ballots import Ballot
from bot.core.club import Room
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.life import ClubFinished
from bot.core.rounds import Send
from bot.core.scheduling import remind, schedule_seen, set_schedule
from bot.core.weekly_post import WeeklyPost, weekly_post
from tests.conftest import STRESS
from tests.databases import Databases
from tests.fakes.clubhouse import FakeClock
from tests.noninterference.twins import Twins, make_twins, twins
from tests.noninterference.world import NOW, World, world_of

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Every example costs seconds: a failing one is printed as it is."""

SAID = (
    "1 by 2031-03-20", "2 chapters a week", "end by 2031-05-01", "99 by tomorrow", "the murderer by tomorrow",
    "Chapter 2: Poison by tomorrow", "part 2 ch 1 by 2031-04-01", "1 by 2031-03-20, end by 2031-05-01", "off",
    "1 chapter a week",
)  # fmt: skip


async def _posted(house: Clubhouse, room: str, post: WeeklyPost) -> str:
    found = await house.rooms.room(room)
    assert found is not None
    bulletin = await weekly_bulletin(found, post)
    assert bulletin.picture is not None
    png = sha256(bulletin.picture.png).hexdigest()
    told = [str(quote.evidence.passage) for quote in post.highlights]
    return f"{bulletin.lines} {bulletin.picture.alt} {png} {told} {post.talk} {post.bars} {post.points}"


@dataclass
class _Posted:
    """Adds what is posted to what was seen."""

    house: Clubhouse
    seen: list[str]

    async def prepare(self, room: Room, post: WeeklyPost) -> Send:
        self.seen.append(await _posted(self.house, room.key, post))

        async def send() -> bool:
            return True

        return send


async def _weeks(world: World, boundary: int, further: int) -> list[str]:
    """Three weeks of a club whose slower member reads up to the boundary by the second."""
    house = replace(world.club.desk.house, clock=FakeClock(NOW))
    seen: list[str] = []

    async def announce(_: Room, told: ClubFinished | Ballot) -> bool:
        seen.append(" ".join(lives.news(told)))
        return True

    await house.roster.switch_book(world.book)
    room = (await house.rooms.room_added("room", "Room")).key
    await world.place("ana", further)
    await world.made_admin("you")
    for week, place in enumerate((boundary // 2, boundary, boundary)):
        await world.place("you", place)
        you = await world.club.member()
        for name in ("you", "ana"):
            await house.roster.shown((await house.roster.member_known(name)).id, True)
        await remind(house, you, True)
        if week == 0:
            seen += [await _scheduled(house, room, said) for said in SAID]
        now = NOW + timedelta(days=7 * week + 2)
        seen.append(await _posted(house, room, await weekly_post(house, room, cannot_tell, now)))
        whispers = Whispers()
        for day in range(7):
            at = NOW + timedelta(days=7 * week + day)
            standing = replace(house, clock=FakeClock(at))
            state = await rounds.tick(
                standing, cannot_tell, rounds.Sending(_Posted(house, seen).prepare), whispers, announce, at
            )
            seen.append(f"{at}: {state}")
        seen += [f"{reply.only}: {reply.lines}" for reply in whispers.replies]
    return seen


async def _scheduled(house: Clubhouse, room: str, said: str) -> str:
    member = await house.roster.member_known("you")
    try:
        made = await set_schedule(house, member, room, cannot_tell, said)
    except Refused as error:
        return str(error)
    kept = await schedule_seen(house, room)
    return f"{said}: {made.schedule} {made.due} {kept.schedule} {kept.due}"


@settings(max_examples=2 * STRESS, phases=UNSHRUNK)
@given(pair=twins())
@example(pair=make_twins(seed=2, chapters=5, parts=True, size=1500, share=0.8, snap=1))
async def test_a_clubs_weeks_are_the_same_for_twins(
    databases: Databases, caplog: pytest.LogCaptureFixture, pair: Twins
) -> None:
    caplog.set_level(logging.INFO)
    seen, logged = [], []
    for text in (pair.first, pair.second):
        caplog.clear()
        async with world_of(databases, text, None) as world:
            seen.append(await _weeks(world, pair.boundary, pair.first.body_end))
        logged.append([record.getMessage() for record in caplog.records if record.name.startswith(("dogear", "bot"))])
    assert len(seen[0]) == len(seen[1]) > 20
    for one, other in zip(*seen, strict=True):
        assert one == other
    assert logged[0] == logged[1]


async def test_a_clubs_weeks_differ_once_everyone_has_read_on(databases: Databases) -> None:
    pair = make_twins(seed=7, chapters=4, parts=False, size=900, share=0.3, snap=0)
    seen = []
    for text in (pair.first, pair.second):
        async with world_of(databases, text, None) as world:
            seen.append(await _weeks(world, pair.first.body_end, pair.first.body_end))
    assert seen[0] != seen[1]


async def test_the_chart_that_a_preview_writes_is_the_same_for_twins(databases: Databases, tmp_path: Path) -> None:
    pair = make_twins(seed=3, chapters=5, parts=False, size=900, share=0.6, snap=0)
    charts = []
    for n, text in enumerate((pair.first, pair.second)):
        async with world_of(databases, text, None) as world:
            world.club.charts = tmp_path / str(n)
            await world.place("ana", pair.first.body_end)
            await world.place("you", pair.boundary)
            for line in ("/privacy show", "/club schedule 1 chapter a week", "/club preview", "/clock +9d"):
                await world.typed(line)
            charts.append({file.name: file.read_bytes() for file in sorted((tmp_path / str(n)).iterdir())})
    assert len(charts[0]) == 2
    assert charts[0] == charts[1]
