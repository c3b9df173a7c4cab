"""The club's weeks at the keyboard: the schedule, previews, reminders, and a clock that is set forward."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.adapters.terminal.completions import completions
from bot.adapters.terminal.covers import Covers
from bot.adapters.terminal.schedule import ShiftedClock
from tests.databases import Databases
from tests.fakes.library import LANTERN, end_of
from tests.noninterference.world import NOW, World, world_of


@pytest.fixture
async def world(databases: Databases, tmp_path: Path) -> AsyncIterator[World]:
    async with world_of(databases, LANTERN, None) as made:
        await made.club.desk.roster.switch_book(made.book)
        made.club.charts = tmp_path / "charts"
        await made.place("you", end_of(LANTERN, 1))
        await made.place("ben", end_of(LANTERN, 2))
        yield made


async def typed(world: World, *lines: str) -> list[str]:
    return [await world.typed(line) for line in lines]


async def test_the_schedule_is_set_by_an_admin_and_told_by_number(world: World) -> None:
    seen = await typed(world, "/club schedule", "/club schedule 1 chapter a week", "/where", "/club schedule off")
    assert "has no schedule: an admin says" in seen[0]
    assert "chapter 2 by Friday 7 March" in seen[1] and "chapter 3 by Friday 14 March" in seen[1]
    assert "Due in the next seven days: chapter 2, by Friday 7 March." in seen[2]
    assert "The club is at the end of chapter 1." in seen[2]
    assert seen[3] == "“The Lantern” has no schedule any more."
    assert "Bolted" not in "".join(seen)


async def test_a_member_who_is_no_admin_sees_the_schedule_and_sets_none(world: World) -> None:
    seen = await typed(
        world, "/where", "/as ben", "/club schedule end by 2031-04-01", "/club schedule", "/club preview"
    )
    assert seen[2] == seen[4] == "Only an admin of the club can do that: ask one of them."
    assert "has no schedule" in seen[3]
    outside = await typed(world, "/as eve", "/club schedule", "/club remind on", "/clock +9d")
    assert outside[1:] == ["Only members can do that: /join first."] * 3


async def test_what_cannot_be_a_schedule_is_one_sentence(world: World) -> None:
    (seen,) = await typed(world, "/club schedule 9 by tomorrow")
    assert seen == "The book ends before that: its last is chapter 3."


async def test_a_preview_is_private_covered_and_writes_its_chart(world: World, tmp_path: Path) -> None:
    seen = (await typed(world, "/privacy show", "/club preview"))[1].splitlines()
    assert seen[0] == "(for you alone)"
    assert "for week 9 of 2031" in seen[1]
    file = tmp_path / "charts" / "week-2031-09.png"
    assert seen[-1] == f"Its chart is in {file}."
    assert file.read_bytes().startswith(b"\x89PNG")
    quoted = [line for line in seen if "lantern" in line.replace("The Lantern", "") or "Fogg" in line]
    assert quoted and all(line.startswith("||") for line in quoted)


async def test_a_chart_that_cannot_be_written_is_said_in_a_sentence(world: World, tmp_path: Path) -> None:
    (tmp_path / "charts").write_text("no folder")
    (seen,) = await typed(world, "/club preview")
    assert seen.splitlines()[-1].startswith("Its chart could not be written to")


async def test_what_a_preview_covers_is_shown_only_while_it_holds(world: World) -> None:
    covers = Covers()
    covers.keep(await world.club.handle("/club preview"))
    await covers.turn(100, 40)
    assert "lantern" in covers.shown(100, 40)
    covers.cover()
    await world.place("you", 0)
    await covers.turn(100, 40)
    assert "lantern" not in covers.shown(100, 40)


async def test_a_clubs_week_passes_in_a_moment(world: World) -> None:
    await typed(
        world, "/privacy show", "/club schedule 2 by 2031-03-09", "/club remind on", "/as ben", "/club remind on"
    )
    (seen,) = await typed(world, "/clock +9d")
    assert seen.count("The club's week in “The Lantern”") == 2  # of 2 and of 9 March, both Sundays
    assert seen.count("chapter 2 is due on Sunday 9 March, and you have not finished it yet") == 1
    assert "(for you alone)\n“The Lantern”: chapter 2" in seen
    assert "Nobody has moved on since the last time." in seen
    assert seen.splitlines()[-1] == "The clock of this sitting shows Monday 10 March 2031, 12:00 (UTC)."
    assert "Nothing was due until then." in (await typed(world, "/clock +1h"))[0]


async def test_whoever_is_silent_is_told_that_they_are_away_once_the_clock_has_moved(world: World) -> None:
    (seen,) = await typed(world, "/clock +4w")
    assert "(for ben alone)\nNothing was heard of you for 21 days" in seen


@pytest.mark.parametrize("said", ["soon", "-3d", "+0d", "+9999w", "+3y", "7d"])
async def test_a_clock_that_is_told_nonsense_says_how(world: World, said: str) -> None:
    assert (await typed(world, f"/clock {said}"))[0].startswith("Say /clock +7d")


async def test_a_clock_only_goes_forward() -> None:
    clock = ShiftedClock(lambda: NOW)
    clock.forward_to(NOW + timedelta(days=3))
    clock.forward_to(NOW + timedelta(days=1))
    assert clock() == NOW + timedelta(days=3)


async def test_words_after_club_are_completed(world: World) -> None:
    offered = [choice.text.strip() for choice in await completions(world.club, "/club ")]
    assert {"schedule", "preview", "remind"} <= set(offered)
