"""The scheduler: triggers from settings, what was missed, and several processes on one database that post once."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.adapters.bulletins import Bulletin
from bot.adapters.postgres.roles import APP
from bot.adapters.scheduler import Outlet, Schedules, run_scheduler, tick, triggers
from bot.core.audience import cannot_tell
from bot.core.club import ClubId
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Unavailable
from bot.core.timetable import PostState
from bot.core.weekly import IsoWeek
from tests.adapters.racing_process import START
from tests.databases import Databases
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.leading import FakeLeading
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.tell import FakeTell
from tests.noninterference.world import world_of

SUNDAY = datetime(2026, 12, 6, 18, tzinfo=UTC)


@dataclass
class FakePost:
    """Keeps what is posted; fails while ``out``."""

    bulletins: list[Bulletin] = field(default_factory=list)
    out: bool = False

    async def post(self, bulletin: Bulletin) -> bool:
        if self.out:
            raise Unavailable("The platform cannot be reached.")
        self.bulletins.append(bulletin)
        return True


@dataclass
class FakeAgenda:
    """Every club is always said to be due, and to lack what may be due; ``clocks`` are those that are not as most."""

    known: list[ClubId]
    clocks: dict[ClubId, ClubSettings] = field(default_factory=dict)
    asked: list[tuple[ClubId, ...]] = field(default_factory=list)
    noted: set[ClubId] = field(default_factory=set)

    async def club_clocks(self) -> Mapping[ClubSettings, tuple[ClubId, ...]]:
        found: dict[ClubSettings, tuple[ClubId, ...]] = {}
        for club in self.known:
            settings = self.clocks.get(club, settings_of({}))
            found[settings] = (*found.get(settings, ()), club)
        return found

    async def clubs_without_post(self, clubs: Sequence[ClubId], week: IsoWeek) -> tuple[ClubId, ...]:
        del week
        return tuple(club for club in clubs if club not in self.noted)

    async def clubs_without_round(self, clubs: Sequence[ClubId], day: date) -> tuple[ClubId, ...]:
        del day
        self.asked.append(tuple(clubs))
        return tuple(club for club in clubs if club not in self.noted)

    async def clubs_due(self, now: datetime) -> tuple[ClubId, ...]:
        del now
        return tuple(self.known)


@dataclass
class Clubs:
    """One club in memory, behind an agenda, on a clock that stands."""

    house: Clubhouse
    clock: FakeClock
    agenda: FakeAgenda
    post: FakePost = field(default_factory=FakePost)
    tell: FakeTell = field(default_factory=FakeTell)
    leading: FakeLeading = field(default_factory=FakeLeading)

    async def outlet(self, club: ClubId) -> Outlet | None:
        return Outlet(self.house, cannot_tell, self.post, self.tell) if club == self.house.club else None

    def schedules(self) -> Schedules:
        return Schedules(self.agenda, self.leading, self.outlet, self.clock)


@pytest.fixture
async def clubs() -> AsyncIterator[Clubs]:
    library, clock = in_memory(), FakeClock(SUNDAY - timedelta(days=2))
    book = await library.add(LANTERN)
    house = house_of(library, clock)
    await house.rooms.room_added("room", "Room")
    await library.place("ana", book, end_of(LANTERN, 1))
    yield Clubs(house, clock, FakeAgenda([house.club, ClubId(99)]))


def jobs(schedules: Schedules) -> dict[str, datetime]:
    return {
        job.id: job.trigger.get_next_fire_time(None, SUNDAY).astimezone(UTC) for job in schedules.scheduler.get_jobs()
    }


def test_a_trigger_fires_in_the_clubs_own_time() -> None:
    settings = settings_of({"time_zone": "America/New_York", "weekly_day": "monday", "weekly_time": "20:15"})
    weekly, daily = triggers(settings)
    assert weekly is not None
    zone = ZoneInfo("America/New_York")
    assert weekly.get_next_fire_time(None, SUNDAY).astimezone(zone).isoformat() == "2026-12-07T20:15:00-05:00"
    assert daily.get_next_fire_time(None, SUNDAY).astimezone(zone).isoformat() == "2026-12-07T09:00:00-05:00"
    assert triggers(settings_of({"weekly": "off"}))[0] is None


async def test_clubs_whose_posts_are_due_at_the_same_times_share_triggers_and_these_follow_their_settings(
    clubs: Clubs,
) -> None:
    schedules = clubs.schedules()
    await schedules.look()
    daily = SUNDAY + timedelta(hours=15)
    assert jobs(schedules) == {"weekly: sunday 18:00 UTC": SUNDAY, "daily: sunday 18:00 UTC": daily}
    clubs.agenda.clocks[clubs.house.club] = settings_of({"weekly_time": "19:30"})
    await schedules.look()
    later = {"weekly: sunday 19:30 UTC": SUNDAY + timedelta(minutes=90), "daily: sunday 19:30 UTC": daily}
    assert jobs(schedules) == {"weekly: sunday 18:00 UTC": SUNDAY, "daily: sunday 18:00 UTC": daily, **later}
    clubs.agenda.known = [clubs.house.club]
    await schedules.look()
    assert jobs(schedules) == later
    clubs.agenda.clocks[clubs.house.club] = settings_of({"weekly_time": "19:30", "weekly": "off"})
    await schedules.look()
    assert jobs(schedules) == {"daily: sunday 19:30 UTC, off": daily}
    clubs.agenda.known = []
    await schedules.look()
    assert jobs(schedules) == {}


async def test_after_the_first_look_only_clubs_whose_clock_is_new_are_asked_about_until_an_hour_is_over(
    clubs: Clubs,
) -> None:
    schedules, one, other = clubs.schedules(), clubs.house.club, ClubId(99)
    clubs.agenda.noted = {other}
    await schedules.look()
    await schedules.look()
    assert clubs.agenda.asked == [(one, other)]
    clubs.agenda.clocks[one] = settings_of({"weekly_time": "19:30"})
    await schedules.look()
    assert clubs.agenda.asked[1:] == [(one,)]
    clubs.clock.now += timedelta(hours=1)
    await schedules.look()
    assert clubs.agenda.asked[2:] == [(one, other)]


async def test_a_club_that_is_not_reached_yet_is_asked_about_again(clubs: Clubs) -> None:
    schedules = clubs.schedules()
    await schedules.look()
    await schedules.look()
    assert clubs.agenda.asked == [(clubs.house.club, ClubId(99)), (ClubId(99),)]


async def test_a_trigger_that_fires_notes_the_posts_of_all_its_clubs(clubs: Clubs) -> None:
    schedules = clubs.schedules()
    await schedules.look()
    clubs.clock.now = SUNDAY
    for job in schedules.scheduler.get_jobs():
        if job.id.startswith("weekly"):
            await job.func()
    assert (await clubs.house.timetable.noted(IsoWeek(2026, 49), SUNDAY.date(), SUNDAY)).posts == 1


async def test_what_a_trigger_could_not_note_is_noted_by_the_next_look(
    clubs: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> tuple[ClubId, ...]:
        raise Unavailable("No database.")

    schedules, clubs.clock.now = clubs.schedules(), SUNDAY - timedelta(minutes=1)
    await schedules.look()
    clubs.clock.now = SUNDAY
    with monkeypatch.context() as broken:
        broken.setattr(clubs.agenda, "clubs_without_post", away)
        for job in schedules.scheduler.get_jobs():
            await job.func()
    assert (await clubs.house.timetable.noted(IsoWeek(2026, 49), SUNDAY.date(), SUNDAY)).posts == 0
    await schedules.look()
    assert (await clubs.house.timetable.noted(IsoWeek(2026, 49), SUNDAY.date(), SUNDAY)).posts == 1


async def test_what_is_noted_already_opens_no_club(clubs: Clubs) -> None:
    clubs.agenda.noted = {clubs.house.club, ClubId(99)}
    schedules, opened = clubs.schedules(), list[ClubId]()

    async def outlet(club: ClubId) -> Outlet | None:
        opened.append(club)
        return None

    schedules.outlet_of = outlet
    clubs.clock.now = SUNDAY
    await schedules.look()
    assert jobs(schedules) and opened == []


async def test_a_look_notes_what_was_missed_and_work_does_it(clubs: Clubs) -> None:
    clubs.clock.now = SUNDAY + timedelta(hours=5)
    schedules = clubs.schedules()
    await schedules.look()
    assert (await clubs.house.timetable.noted(IsoWeek(2026, 49), SUNDAY.date(), clubs.clock.now)).posts == 1
    await schedules.work()
    await schedules.work()
    assert [b.key for b in clubs.post.bulletins] == ["weekly:room:2026-49"]


async def test_a_post_names_the_commands_of_the_platform_that_it_is_sent_to(clubs: Clubs) -> None:
    for spoken, command in (
        (lambda language: f"{language}@discord", "/privacy changes"),
        (str, "/privacy show changes"),
    ):
        outlet = Outlet(clubs.house, cannot_tell, clubs.post, clubs.tell, spoken)
        clubs.clock.now = SUNDAY + timedelta(weeks=len(clubs.post.bulletins))
        await tick(outlet, clubs.clock.now)
        assert f"Nobody shows their place to the club: {command} that." in [
            x.text for x in clubs.post.bulletins[-1].lines
        ]


async def test_a_club_for_which_another_process_works_is_left_to_it(clubs: Clubs) -> None:
    clubs.clock.now = SUNDAY
    schedules = clubs.schedules()
    await schedules.look()
    async with clubs.leading.led(f"club {clubs.house.club}"):
        await schedules.work()
    assert clubs.post.bulletins == []
    await schedules.work()
    assert [b.key for b in clubs.post.bulletins] == ["weekly:room:2026-49"]


async def test_an_outage_ends_nothing(clubs: Clubs, caplog: pytest.LogCaptureFixture) -> None:
    clubs.clock.now, clubs.post.out = SUNDAY, True
    schedules = clubs.schedules()
    await schedules.work()
    assert "has to wait (Unavailable)" in caplog.text
    assert clubs.post.bulletins == []


async def test_a_club_that_cannot_be_looked_at_holds_up_no_other_and_its_fault_is_logged_without_its_words(
    clubs: Clubs, caplog: pytest.LogCaptureFixture
) -> None:
    clubs.clock.now = SUNDAY
    schedules, reached = clubs.schedules(), clubs.outlet
    clubs.agenda.known = [ClubId(98), ClubId(97), clubs.house.club]
    faults = {ClubId(98): ValueError("The keeper drowned himself."), ClubId(97): Unavailable("No database.")}

    async def outlet(club: ClubId) -> Outlet | None:
        if club in faults:
            raise faults[club]
        return await reached(club)

    schedules.outlet_of = outlet
    await schedules.look()
    await schedules.work()
    assert "ValueError" in caplog.text and "Unavailable" in caplog.text
    assert "keeper" not in caplog.text and "Traceback" not in caplog.text
    assert [b.key for b in clubs.post.bulletins] == ["weekly:room:2026-49"]
    clubs.agenda.noted, faults[clubs.house.club] = {clubs.house.club}, faults.pop(ClubId(98))
    clubs.agenda.asked.clear()
    await schedules.look()
    assert clubs.agenda.asked == [(ClubId(98), ClubId(97))]


async def test_the_scheduler_runs_until_it_is_told_to_end(clubs: Clubs) -> None:
    clubs.clock.now = SUNDAY
    ended = asyncio.Event()
    running = asyncio.ensure_future(run_scheduler(clubs.agenda, clubs.leading, clubs.outlet, clubs.clock, ended))
    for _ in range(500):
        await asyncio.sleep(0.01)
        if clubs.post.bulletins:
            break
    ended.set()
    await asyncio.wait_for(running, 10)
    assert [b.key for b in clubs.post.bulletins] == ["weekly:room:2026-49"]


async def test_a_bulletin_has_its_chart_and_every_word_of_the_book_is_covered(clubs: Clubs) -> None:
    outlet = await clubs.outlet(clubs.house.club)
    assert outlet is not None
    clubs.clock.now = SUNDAY
    assert await tick(outlet, SUNDAY) is PostState.POSTED
    (bulletin,) = clubs.post.bulletins
    assert bulletin.room == "room" and not bulletin.lines[0].covered
    assert bulletin.picture is not None and bulletin.picture.png.startswith(b"\x89PNG")
    clear = " ".join(line.text for line in bulletin.lines if not line.covered) + bulletin.picture.alt
    covered = " ".join(line.text for line in bulletin.lines if line.covered)
    for word in ("lantern", "Fogg", "Wren", "quay", "Saltmouth", "Ferry"):
        assert word not in clear.replace("The Lantern", "")
    assert "lantern" in covered and "to the end of chapter 1" in clear


class Racer:
    """Another process over the same database."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, url: str) -> Racer:
        command = (sys.executable, "-m", "tests.adapters.racing_process", url)
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def said(self, last: str) -> list[str]:
        """The lines up to ``last``."""
        assert self._process.stdout is not None
        lines: list[str] = []
        while (line := (await self._process.stdout.readline()).decode().strip()) != last:
            assert line
            lines.append(line)
        return lines

    async def ticks(self, hour: int) -> list[str]:
        """What it posts at this hour."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{hour}\n".encode())
        return await self.said("ticked")

    async def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.communicate()
        assert self._process.returncode == 0


async def test_processes_that_race_on_one_database_post_every_week_once(databases: Databases) -> None:
    async with world_of(databases, LANTERN, None) as world:
        house = world.club.desk.house
        await house.roster.switch_book(world.book)
        await house.rooms.room_added("room", "Room")
        member = await house.roster.member_known("ana")
        await house.roster.join(member.id, START)
        await house.rooms.setting_changed("away_after_days", "365", member.id, START)
        url = databases.url(APP, world.app.url.database or "").render_as_string(hide_password=False)
        racers = [await Racer.started(url) for _ in range(2)]
        for racer in racers:
            await racer.said("ready")
        posts: list[str] = []
        for week in range(8):
            for hour in (0, 1, 23):
                ticked = await asyncio.gather(*(racer.ticks(24 * 7 * week + hour) for racer in racers))
                posts += [key for keys in ticked for key in keys]
        for racer in racers:
            await racer.end()
    weeks = [f"weekly:room:2026-{week}" for week in range(49, 54)] + [f"weekly:room:2027-0{n}" for n in range(1, 4)]
    assert posts == weeks
