"""People at the keyboard: joining, privacy, export, being forgotten, removed or away, and what ends with membership."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.adapters import wording
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.terminal.people import Whispers
from bot.core.away import check_away
from bot.core.membership import lost
from tests.databases import Databases
from tests.noninterference.surfaces import TYPED
from tests.noninterference.world import NOW, World, world_of
from tests.terminal.test_club import BOOK, end_of, typed

OF_THE_BOOK = re.compile(r"\b(?:Bell|ferry|harbour master|rope|lamp)\b")
"""Words of the book and of its titles."""
PLACES = re.compile(r"chapter \d|part \d|\d ?%|the end of")
"""How anybody's place is named."""
OF_HELP = {"/help", "/export", "/forget"}
"""Commands that name places as examples, or as their own that were said before."""
NO_LONGER = ("/join", "/as", "/leave")


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, BOOK, None) as made:
        await made.club.desk.roster.switch_book(made.book)
        await made.typed("/where")  # the first line makes `you` an admin
        yield made


async def joined(world: World, *names: str) -> None:
    for name in names:
        await typed(world, f"/as {name}", "/join")
    await typed(world, "/as you")


def told(seen: str) -> str:
    """What is shown but for the lines that repeat a question."""
    return "\n".join(line for line in seen.splitlines() if not line.startswith(("You asked", "||")) or "||[" in line)


async def test_joining_asks_for_a_place_and_what_may_be_seen_and_a_place_simply_follows(world: World) -> None:
    seen = await typed(world, "/join", "/progress 3", "/club members", "/join", "1")
    assert "Where are you?" in seen[0]
    assert "1  Show my place to the club" in seen[0]
    assert "2  Only count me" in seen[0]
    assert "you are the only one who counts here" in seen[0]
    assert "Which one?" in seen[1] or "Noted" in seen[1]
    assert seen[2].splitlines() == ["Members:", "  you"]


@pytest.mark.parametrize(("number", "row"), [("1", "  you: the end of part 1, chapter 2"), ("2", "  you")])
async def test_the_choice_at_joining_says_whether_the_club_sees_the_place(world: World, number: str, row: str) -> None:
    seen = await typed(world, "/join", number, "/progress finished #2", "/club members")
    assert ("may see the last chapter" in seen[1]) is (number == "1")
    assert seen[3].splitlines() == ["Members:", row]


async def test_a_place_is_listed_by_whole_chapters_and_only_by_who_shows_it(world: World) -> None:
    for name, offset in (("ana", end_of(1) + 5), ("ben", end_of(2) - 1), ("cleo", BOOK.body_end), ("dora", 3)):
        await world.place(name, offset)
    for name in ("ana", "cleo", "dora"):
        await typed(world, f"/as {name}", "/privacy show")
    seen = await world.typed("/club members")
    assert seen.splitlines() == [
        "Members:",
        "  ana: the end of part 1, chapter 1",
        "  ben",
        "  cleo: the end of the book",
        "  dora: no whole chapter yet",
    ]
    await typed(world, "/privacy hide", "1")
    assert "  dora\n" in (await world.typed("/club members")) + "\n"


async def test_before_a_member_hides_it_is_said_what_a_room_can_still_infer(world: World) -> None:
    await joined(world, "you", "ana")
    await typed(world, "/privacy show")
    seen = await typed(world, "/privacy", "/privacy hide", "2", "/privacy", "/privacy hide", "1", "/privacy")
    assert "you are two here" in seen[0]
    assert "you are two here" in seen[1]
    assert "1  Only count me" in seen[1]
    assert "The club sees the last chapter" in seen[3]
    assert "The club does not see your place" in seen[6]
    await joined(world, "ben")
    for name in ("ana", "ben"):
        await typed(world, f"/as {name}", "/privacy show")
    assert "all others show theirs" in (await typed(world, "/as you", "/privacy"))[1]


async def test_a_member_can_have_everything_that_is_kept_as_a_file(world: World, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    await typed(world, "/join", "/progress finished #2", "/progress undo", "/ask Who took the rope?")
    printed = (await world.typed("/export")).partition("\n")[2]
    assert f"is in {file}" in await world.typed(f"/export {file}")
    assert file.read_text("utf-8").strip() == printed
    kept = json.loads(printed)
    assert [(p["said"], p["at"]) for p in kept["positions"]] == [
        ("finished #2", NOW.isoformat()),
        ("undo", NOW.isoformat()),
    ]
    assert not OF_THE_BOOK.search(printed.replace("Who took the rope?", ""))
    assert "There is a file" in await world.typed(f"/export {file}")
    assert "cannot be written" in await world.typed(f"/export {tmp_path / 'nowhere' / 'x'}")


async def test_charts_of_a_club_do_not_keep_the_name_of_who_was_forgotten(world: World, tmp_path: Path) -> None:
    world.club.charts = tmp_path / "charts"
    await typed(world, "/join", "/privacy show", "/progress finished #1", "/club preview")
    assert [file.suffix for file in world.club.charts.iterdir()] == [".png"]
    await typed(world, "/forget me", "1")
    assert not world.club.charts.exists()


async def test_being_forgotten_everywhere_is_in_the_other_clubs_too(world: World) -> None:
    await typed(world, "/join", "/progress finished #1")
    other = PostgresRoster(world.app, await PostgresDirectory(world.app).club_named("other"))
    there = await other.member_known("you")
    seen = await typed(world, "/forget me", "1", "/join", "/forget everywhere", "1")
    assert "Deleted: your name, 1 place you said." in seen[1]
    assert "Deleted in 2 clubs." in seen[4]
    assert await other.member(there.id) is None
    assert await world.club.desk.roster.members() == ()
    assert (await world.typed("/forget all of it")).endswith(wording.line("forget_how"))


async def test_who_was_removed_is_told_so_and_joins_once_readmitted(world: World) -> None:
    await joined(world, "you", "ana")
    seen = await typed(world, "/club remove ana", "/as ana", "/join", "/ask Who took the rope?", "/forget me", "1")
    assert seen[0].startswith("ana is removed from the club")
    assert "an admin removed you" in seen[2]
    assert seen[3] == wording.line("members_only")
    assert "that an admin removed you" in seen[5]
    seen = await typed(world, "/join", "/club readmit ana", "/as you", "/club readmit ana", "/as ana", "/join")
    assert "an admin removed you" in seen[0]
    assert "Only an admin" in seen[1]
    assert seen[3] == "ana may join again."
    assert seen[5].startswith("ana joined the club.")


async def test_a_pending_member_is_set_aside_and_told_and_no_room_says_who(world: World) -> None:
    await world.place("you", end_of(2))
    await joined(world, "ana")
    assert "1 member has not said" in await world.typed("/where")
    seen = await world.typed("/club aside ana")
    assert "(for ana alone)" in seen
    where = await world.typed("/where")
    assert "The club is at the end of part 1, chapter 2." in where
    assert "not said" not in where
    assert "ana" not in where
    await typed(world, "/as ana", "/progress in #1")
    assert "The club has not started" in await world.typed("/where")
    assert "has said where they are" in (await typed(world, "/as you", "/club aside ana"))[1]


async def test_away_is_told_to_one_alone_and_any_line_brings_them_back(world: World) -> None:
    await world.place("you", end_of(2))
    await world.place("ana", end_of(1))
    desk, whispers = world.club.desk, Whispers()
    world.club.desk = replace(desk, house=replace(desk.house, clock=lambda: NOW + timedelta(days=22)))
    await world.typed("/where")
    assert (await check_away(world.club.desk.house, whispers)).away == 1
    (reply,) = whispers.replies
    assert reply.only == "ana"
    assert "22 days" not in reply.lines[0].text
    assert "21 days" in reply.lines[0].text
    where = await world.typed("/where")
    assert "The club is at the end of part 1, chapter 2." in where
    assert "ana" not in where
    back = await typed(world, "/as ana", "/help", "/where")
    assert back[1].startswith("(for ana alone)\nWelcome back")
    assert "Welcome back" not in back[2]
    assert "The club is at the end of part 1, chapter 1." in back[2]


async def test_speaking_as_somebody_else_is_no_sign_of_who_spoke_before(world: World) -> None:
    await world.place("you", end_of(2))
    await world.place("ana", end_of(1))
    desk = world.club.desk
    world.club.desk = replace(desk, house=replace(desk.house, clock=lambda: NOW + timedelta(days=22)))
    assert (await check_away(world.club.desk.house, Whispers())).away == 2
    assert await world.typed("/as ana") == "Speaking as ana."
    assert await world.typed("/as you") == "Speaking as you."
    assert (await world.typed("/where")).startswith("(for you alone)\nWelcome back")


async def test_who_left_gets_nothing_of_the_clubs_books_by_any_command(world: World) -> None:
    await world.place("you", BOOK.body_end)
    await world.place("ana", BOOK.body_end)
    await typed(world, "/as ana")
    assert OF_THE_BOOK.search(await world.typed("/ask Who took it at noon?"))
    assert PLACES.search(await world.typed("/where"))
    await lost(world.club.desk.house, "ana")
    seen = {}
    for command, lines in TYPED.items():
        for line in (f for f in lines if not f.removeprefix("/dm ").startswith(NO_LONGER)):
            seen[line] = told(await world.typed(line))
            assert not OF_THE_BOOK.search(seen[line]), line
            assert command in OF_HELP or not PLACES.search(seen[line]), line
        assert world.club.speaker == "ana"
        assert not (await world.club.member()).joined
    for line in ("/progress 2", "/where", "/club members", "/book chapters", "/privacy show"):
        assert seen[line].splitlines()[-1] == wording.line("members_only"), line


async def test_what_a_member_was_offered_is_gone_once_they_cannot_see_the_club(world: World) -> None:
    await typed(world, "/as ana", "/join")
    offered = []
    for lines in TYPED.values():
        for line in (f for f in lines if not f.removeprefix("/dm ").startswith(NO_LONGER)):
            await world.place("ana", end_of(3))
            await world.made_admin("ana")
            world.club.choices.pop("ana", None)
            await world.typed(line)
            if "ana" in world.club.choices and not line.startswith(("/forget", "/dm /forget")):
                offered.append(line.split()[0])
                before = await world.club.desk.roster.positions((await world.club.member()).id, world.book)
                await lost(world.club.desk.house, "ana")
                assert (await world.typed("1")).splitlines()[-1] == wording.line("members_only"), line
                after = await world.club.desk.roster.positions((await world.club.member()).id, world.book)
                assert after == before
    assert {"/progress", "/privacy"} <= set(offered)


async def test_what_was_offered_at_joining_is_gone_for_who_left(world: World) -> None:
    await typed(world, "/join")
    await lost(world.club.desk.house, "you")
    assert await world.typed("1") == wording.line("members_only")
    assert (await world.club.member()).shown is None


async def test_who_left_can_still_have_themselves_forgotten(world: World) -> None:
    await typed(world, "/join", "/forget me")
    await lost(world.club.desk.house, "you")
    assert "Deleted: your name" in await world.typed("1")
