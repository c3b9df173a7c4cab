"""Administrators of the group in the private chat, whether they have joined the club or not; and its settings."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import NAMES, TITLES
from tests.telegram.test_schedule import turned
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def run_by(program: Program) -> Club:
    """Kit set it up and left the club again; Lou reads along."""
    club = await founded(program.peer, Kit=0, Lou=2)
    await club.does("Kit", "/leave", "You left the club")
    return club


async def test_an_administrator_who_has_not_joined_does_in_private_what_administrators_do(run_by: Club) -> None:
    for command, told in (
        ("/book", "Administrators of the group say"), ("/club", "say /club setup"), ("/club members", "Lou"),
        ("/club schedule", "no schedule"), ("/club settings names on", "names is on"), ("/club room list", "Readers"),
        ("/club reports", "No answer has been"), ("/book chapters", "Only members can do that: /join first."),
    ):  # fmt: skip
        words = await run_by.does("Kit", command, told, private=True)
        assert not any(word in words for word in (*NAMES, *TITLES)), command
    assert "You are in no club" in await run_by.does("Kit", "/where", "You are in no club", private=True)


async def test_who_administers_one_club_and_reads_in_another_is_understood(run_by: Club, peer: FakeTelegram) -> None:
    other = await founded(peer, Moe=1)
    peer.world.members[other.group, run_by["Kit"]] = "member"
    other.people["Kit"] = run_by["Kit"]
    await other.does("Kit", "/join", "You joined")
    assert "Lou" in await run_by.does("Kit", "/club members", "Lou", private=True)
    await other.does("Kit", "/leave", "You left the club")


async def test_who_administers_no_group_of_a_club_is_told_where_to_say_it(run_by: Club, peer: FakeTelegram) -> None:
    max_ = peer.world.user("Mo")
    peer.world.members[run_by.group, max_] = "administrator"
    run_by.people["Mo"] = max_
    await peer.writes(max_, max_, "/start")
    await run_by.does("Mo", "/book chapters", "I know of no club whose group you administer", private=True)
    await run_by.does("Mo", "/club settings", "weekly_day")
    await run_by.does("Mo", "/club room list", "Readers", private=True)
    peer.world.members[run_by.group, max_] = "member"
    await run_by.does("Mo", "/book chapters", "I know of no club whose group you administer", private=True)


async def test_the_settings_are_seen_and_changed_by_buttons_and_hold_nothing_of_another_platform(run_by: Club) -> None:
    club = run_by
    shown = await club.told("Kit", "/club settings", "weekly_day", private=True)
    assert "organiser_role" not in words_of(shown) + " ".join(labels(shown))
    assert max(map(len, words_of(shown).splitlines())) < 100
    await club.does("Kit", "/club settings organiser_role 7", "There is no such setting here", private=True)
    one = await turned(club, "Kit", shown, "weekly_day", "The day on which it is posted")
    assert "✓ sunday" in labels(one)
    one = await turned(club, "Kit", one, "friday", "weekly_day: friday (else sunday)")
    every = await turned(club, "Kit", one, "All settings", "· weekly_day: friday")
    await turned(club, "Kit", every, "time_zone", "The time zone")
