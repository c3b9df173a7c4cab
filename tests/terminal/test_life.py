"""Greeting, finishing and voting at the keyboard, over a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.core.book import SectionKind
from bot.core.club import Role
from tests.databases import Databases
from tests.made_books import book_of, chapter, matter
from tests.noninterference.world import World, world_of

BOOK = book_of(
    matter(SectionKind.ESSAY, "Introduction", "Everyone knows that the harbour master did it."),
    chapter(1, "The ferry came in at noon, and the old harbour master took the rope."),
    chapter(2, "He said nothing at all about the lamp. The tide went out."),
    matter(SectionKind.NOTES, "Notes", "The lamp was found at Exeter."),
    title="The Harbour",
)


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, BOOK, None) as made:
        roster = made.club.desk.roster
        await roster.switch_book(made.book)
        you = await made.club.member()
        await roster.join(you.id)
        await roster.role_given(you.id, Role.ADMIN)
        yield made


async def typed(world: World, *lines: str) -> list[str]:
    return [await world.typed(line) for line in lines]


async def test_a_room_is_greeted_and_says_what_comes_next(world: World) -> None:
    (seen,) = await typed(world, "/club welcome")
    assert "The club reads The Harbour." in seen
    assert seen.endswith("[Join: /join]\n[Set my place: /progress]\n[What this bot keeps and never shows: /privacy]")


async def test_without_a_book_the_admin_alone_is_told_to_add_one(world: World) -> None:
    await world.shelf.remove_book(world.book)
    seen = await typed(world, "/club welcome", "/as ana", "/club welcome")
    assert seen[0].endswith("(for you alone)\n[Add the book: /book add FILE]")
    assert "Add the book" not in seen[2]


async def test_who_finishes_is_congratulated_alone_and_the_club_once_in_the_room(world: World) -> None:
    await world.place("ana", 0)
    seen = await typed(world, "/progress finished", "/as ana", "/dm /progress finished", "/progress finished")
    assert "You have finished The Harbour: congratulations!" in seen[0]
    assert "Everyone here" not in seen[0]
    alone, _, room = seen[2].partition("Everyone here has finished The Harbour")
    assert alone.startswith("(for ana alone)")
    assert "open to you now" in alone
    assert "[A room to talk about the whole book: /club room add NAME]" in room
    assert "[Nominate the next book: /club nominate TITLE]" in room
    assert "congratulations" not in seen[3]


async def test_going_back_and_finishing_again_congratulates_the_reader_and_not_the_club(world: World) -> None:
    seen = await typed(world, "/progress finished", "/progress back to 1", "/progress finished")
    assert "Everyone here" in seen[0]
    assert "congratulations" not in seen[1]
    assert "You have finished" in seen[2]
    assert "Everyone here" not in seen[2]


@pytest.mark.parametrize("gone", [("/as ana", "/leave"), ("/club remove ana",)])
async def test_when_the_last_who_still_read_is_gone_the_club_has_finished(world: World, gone: tuple[str, ...]) -> None:
    await world.place("ana", 0)
    seen = await typed(world, "/progress finished", *gone)
    assert "Everyone here" not in seen[0]
    assert "Everyone here has finished The Harbour" in seen[-1]


async def test_finishing_by_a_choice_that_is_asked_about_congratulates_the_room_too(world: World) -> None:
    seen = await typed(world, "/progress 2", "1")
    assert "finished" in seen[1]
    assert "(for you alone)\n" in seen[1]
    assert "\nEveryone here has finished The Harbour" in seen[1]


async def test_what_was_sealed_opens_in_private_for_who_has_finished(world: World) -> None:
    question = "/dm What was found at Exeter?"
    seen = await typed(world, "/progress finished 1", question, "/progress finished", question)
    assert "Exeter" not in seen[1].partition("\n")[2].replace("You asked: What was found at Exeter?", "")
    assert "The lamp was found at Exeter." in seen[3]


async def test_an_admin_ends_a_book_once_and_others_cannot(world: World) -> None:
    seen = await typed(world, "/as ana", "/join", "/club finish", "/as you", "/club finish", "/club finish")
    assert "Only an admin" in seen[2]
    assert seen[4].startswith("The club is done with The Harbour. Whoever still reads it keeps their place")
    assert seen[5] == "The club has finished The Harbour already."


async def test_a_next_book_is_nominated_voted_for_and_chosen(world: World) -> None:
    seen = await typed(
        world, "/club vote", "/club nominate The Long Ships", "/as ana", "/join", "/club nominate the long ships",
        "/club nominate Ninety || Three {x}", "/club vote 1 2", "/club vote 2", "/club vote", "/as you", "/club vote",
        "/club vote close",
    )  # fmt: skip
    assert seen[0].startswith("Nothing is nominated yet")
    assert seen[1].startswith("you nominated The Long Ships (number 1).\n[Vote for the next book")
    assert "is nominated already (number 1)" in seen[4]
    assert "Ninety ¦¦ Three {x}" in seen[5]
    assert seen[6] == "(for ana alone)\nYour vote: The Long Ships (1), Ninety ¦¦ Three {x} (2)."
    assert seen[8].startswith("Which book is next?\n  1  The Long Ships\n  2  Ninety ¦¦ Three {x}\n1 member has voted.")
    assert seen[8].endswith("(for ana alone)\nYour vote: Ninety ¦¦ Three {x} (2).")
    assert seen[10].endswith("(for you alone)\nYou have not voted yet.")
    assert seen[11].startswith("The vote is closed. The next book is Ninety ¦¦ Three {x}, with 1 vote.")
    assert seen[11].endswith("[Add its file: /book add FILE]")


async def test_a_tie_is_told_and_an_admin_chooses(world: World) -> None:
    seen = await typed(
        world, "/club nominate A", "/club nominate B", "/club vote 1 2", "/club vote close", "/club vote",
        "/club vote close 3", "/club vote close two", "/club vote close 2", "/club vote",
    )  # fmt: skip
    assert seen[3] == (
        "The vote is closed. It is a tie, with 1 vote each: A (1), B (2).\nAn admin chooses: /club vote close N."
    )
    assert seen[4] == seen[3]
    assert "Choose one of those that are tied: 1, 2." in seen[5]
    assert "Choose one of those that are tied: 1, 2." in seen[6]
    assert seen[7].startswith("The next book is B.")
    assert seen[8] == seen[7]


async def test_nobody_has_voted_is_said(world: World) -> None:
    seen = await typed(world, "/club nominate A", "/club vote none", "/club vote close")
    assert seen[1].endswith("Your vote: none of them.")
    assert seen[2].startswith("The vote is closed. Nobody voted for any of them: A (1).")


async def test_a_vote_says_until_when_and_what_is_no_vote_is_explained(world: World) -> None:
    seen = await typed(
        world, "/club nominate A", "/club vote until 2999-12-05", "/club vote", "/club vote what?", "/club nominate",
        "/club vote 7", "/club vote until never", "/club nominate " + "x" * 121,
    )  # fmt: skip
    assert seen[1] == "The vote closes at the end of 2999-12-05."
    assert seen[1] in seen[2]
    assert "Vote for every book you would gladly read" in seen[3]
    assert seen[4].startswith("Say which book")
    assert seen[5] == "Vote with numbers from 1 to 1."
    assert seen[6].startswith("Say the day as")
    assert seen[7] == "Say the title in at most 120 characters."


async def test_who_left_votes_no_more_and_sees_no_round(world: World) -> None:
    seen = await typed(
        world, "/club nominate A", "/as ana", "/join", "/club vote 1", "/leave", "/club vote 1", "/club vote",
        "/club nominate B", "/as you", "/club vote",
    )  # fmt: skip
    assert all(line.startswith("Only members") for line in seen[5:8])
    assert "0 members have voted." in seen[9]
