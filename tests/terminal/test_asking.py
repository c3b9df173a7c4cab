"""Asking at the keyboard: which book, what follows, what is asked again, what is stopped, and what spoiled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

import pytest

from bot.adapters.terminal.asking import parsed
from bot.adapters.terminal.covers import Covers
from bot.core.ask import Reply
from bot.core.asked_in import Asking
from bot.core.club import MemberId, Person
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from bot.core.turns import NotTaken, Told
from bot.ingest.pipeline import index_book
from tests.databases import Databases
from tests.made_books import book_of, chapter
from tests.noninterference.world import NOW, World, world_of

LAST = "That was all."
BOOK = book_of(
    chapter(1, "The ferry came in at noon. The old harbour master took the rope. " * 3 + LAST, "One"),
    chapter(2, "In the evening the lamp was lit by Ana Wren. The harbour master was asleep. " * 3 + LAST, "Two"),
    chapter(3, "Captain Marrable drowned the lamp in the harbour. The rope was cut. " * 3 + LAST, "Three"),
    title="The Harbour",
)
HERON = book_of(chapter(1, "A heron stood in the mill race. Idris Pell fed it eels from a pail."), title="The Heron")
ASK = "/ask Who took the rope?"


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    """`you` has read two chapters, `ana` all of it; they read The Harbour."""
    async with world_of(databases, BOOK, None) as made:
        await made.club.desk.roster.switch_book(made.book)
        await made.place("you", BOOK.chapters[1].span.end)
        await made.place("ana", BOOK.body_end)
        yield made


async def typed(world: World, *lines: str) -> list[str]:
    return [await world.typed(line) for line in lines]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Who?", Asking("you", "Who?")),
        ("--follow and why?", Asking("you", "and why?", follows=True)),
        ("--book 2 Who?", Asking("you", "Who?", "2")),
        ("--book all --follow Who?", Asking("you", "Who?", "all", follows=True)),
        ('--book "The Heron" Who?', Asking("you", "Who?", "The Heron")),
        ("--book “The Heron” Who?", Asking("you", "Who?", "The Heron")),
        ("Who said --book 2?", Asking("you", "Who said --book 2?")),
        ("--book 2", None),
        ("--follow", None),
        ("--followed by whom?", None),
        ("--loud Who?", None),
    ],
)
def test_options_stand_before_the_question(line: str, expected: Asking | None) -> None:
    assert parsed("you", line) == expected


async def test_a_book_may_be_named_and_finished_ones_are_asked_too(world: World) -> None:
    house = world.club.desk.house
    heron, _ = await world.shelf.store_book(house.club, index_book(HERON), "heron", "The Heron")
    await house.ballots.book_finished(heron, NOW)
    for name in ("you", "ana"):
        await world.typed(f"/as {name}")
        await world.typed(f"/club room book {heron}")
    seen = await typed(
        world, "/as you", f"/ask --book {world.book} Who took the rope?", "/ask --book 99 Who?", "/ask --x"
    )
    assert "asked about The Harbour" in seen[1]
    assert "harbour master" in seen[1]
    assert seen[2] == "(for you alone)\nThe club has no such book: /book list shows those it has."
    assert seen[3].startswith("(for you alone)\nSay /ask --book N")
    both = await world.typed("/ask --book all What stood there?")
    assert [line for line in both.splitlines() if " asked about " in line] == [
        "@you asked about The Heron - for everyone here, who have not all started",
        "@you asked about The Harbour - for everyone who has read to the end of chapter 2",
    ]
    alone = await world.typed("/dm --book all What stood there?")
    assert [line for line in alone.splitlines() if line.startswith("About")] == [
        "About “The Heron”:",
        "About “The Harbour”:",
    ]


async def test_the_book_of_private_questions_is_switched_by_its_member_alone(world: World) -> None:
    house = world.club.desk.house
    heron, _ = await world.shelf.store_book(house.club, index_book(HERON), "heron", "The Heron")
    seen = await typed(
        world, f"/dm /book {heron}", "/dm Who took the rope?", ASK, "/dm /book 99", "/as ana", "/dm Who took the rope?"
    )
    assert seen[0] == "(for you alone)\nYour private questions are about “The Heron” now."
    assert "harbour master" not in seen[1]
    assert "asked about The Harbour" in seen[2]
    assert "no such book" in seen[3]
    assert "harbour master" in seen[5]
    assert (await world.typed("/dm /book the harbour")).endswith("about “The Harbour” now.")


async def test_who_is_ahead_is_answered_alone_once_by_command_or_by_number(world: World) -> None:
    said = "Who was asleep, or cut the rope?"
    seen = await typed(world, "/as ana", f"/ask {said}", "1", "/private", "/as you", "/private")
    assert seen[1].endswith(f"[Answer me privately: /dm {said}]")
    assert "The rope was cut." not in seen[1]
    assert seen[2].startswith(f"(for ana alone)\nYou asked: {said}")
    assert "The rope was cut." in seen[2]
    assert seen[3] == "(for ana alone)\nThat was done already."
    assert seen[5].startswith("(for you alone)")
    assert "The rope was cut." not in seen[5]


async def test_a_private_answer_is_shared_by_asking_the_room_again(world: World) -> None:
    seen = await typed(
        world, "/as ana", "/share", "/dm What about the rope?", "/share", "/share", "/dm What did Marrable drown?", "1"
    )
    assert seen[1] == "(for ana alone)\nThere is no private answer of yours to share: /dm QUESTION."
    assert "The rope was cut." in seen[2]
    assert seen[2].endswith("[Share with the room: /share]\n[Look ahead...: /ahead]")
    assert seen[3].startswith("@ana asked about The Harbour - for everyone who has read to the end of chapter 2")
    assert "The rope was cut." not in seen[3]
    assert "||" in seen[3]
    assert seen[4] == "(for ana alone)\nThat was done already."
    assert seen[6].startswith("(for ana alone)\nYour question names something that not everyone here has met")


async def test_what_names_nobody_the_room_has_met_is_answered_alone_and_not_offered_to_it(world: World) -> None:
    seen = await typed(world, "/as ana", "/ask What did Marrable drown?", "1")
    assert seen[0:1] != seen[1:2]
    lines = seen[1].splitlines()
    assert lines[0] == "(for ana alone)"
    assert lines[2] == "Your question names something that not everyone here has met, so only you see this."
    assert "Share with the room" not in seen[1]
    assert seen[2].startswith("Say /ask QUESTION")


async def test_an_answer_that_spoiled_is_covered_for_good_and_told_to_the_admins_by_numbers(world: World) -> None:
    await world.made_admin("boss")
    covers = Covers()
    await world.club.handle("/where")
    covers.keep(await world.club.handle(ASK))
    assert "harbour master" in " ".join(covers.lines)
    seen = await typed(world, "/as ana", "/spoiled", "/spoiled", "/club reports", "/as boss", "/club reports")
    assert "hidden wherever it stood" in seen[1]
    assert "(for boss alone)\nAn answer was reported as a spoiler: question 1." in seen[1]
    assert seen[2] == "(for ana alone)\nYou said so already: the answer is hidden."
    assert "Only an admin" in seen[3]
    assert seen[5].startswith("(for boss alone)\nquestion 1: book 1, chapter")
    assert "reported by 1 member, " in seen[5]
    assert "rope" not in " ".join(seen[1:])
    await world.typed("/as you")
    await covers.turn(80, 20)
    assert "harbour master" not in covers.shown(80, 20)


async def test_there_is_nothing_to_share_answer_or_report_before_anything_was_asked(world: World) -> None:
    seen = await typed(world, "/share", "/private", "/spoiled", "/as eve", "/share", "/private", "/spoiled")
    assert [line.split("\n")[-1].split(":")[0] for line in seen[:3]] == [
        "There is no private answer of yours to share",
        "Nothing has been answered in this room yet",
        "Nothing that you can see has been answered yet.",
    ]
    assert {line.split("\n")[-1] for line in seen[4:]} == {"Only members can do that: /join first."}


async def test_a_limit_is_told_with_when_the_next_question_is_free(world: World) -> None:
    house, you = world.club.desk.house, await world.club.member()
    await house.rooms.setting_changed("member_questions_hour", "1", you.id, NOW)
    seen = await typed(world, ASK, ASK)
    assert "harbour master" in seen[0]
    told = "The limit for a member is 1 in an hour: your next question is free in 60 minutes."
    assert seen[1] == f"(for you alone)\n{told}"


async def test_what_waits_is_told_its_place_and_stopping_stops_it_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, waits = asyncio.Event(), asyncio.Event(), asyncio.Event()
    turns = world.club.desk.house.turns
    taken = turns.taken

    async def seen(
        member: MemberId, work: Callable[[], Awaitable[None]], told: Told, person: Person | None = None
    ) -> NotTaken | None:
        async def heard(place: int) -> None:
            await told(place)
            waits.set()

        return await taken(member, work, heard, person)

    async def slow(searching: Searching, asked: Asked, _: object) -> AsyncGenerator[Reply, None]:
        begun.set()
        await go_on.wait()
        yield await ask(searching, asked)

    monkeypatch.setattr("bot.core.delivery.replying", slow)
    monkeypatch.setattr(turns, "taken", seen)
    first, second = (asyncio.ensure_future(world.typed(ASK)) for _ in range(2))
    async with asyncio.timeout(10):
        await asyncio.gather(begun.wait(), waits.wait())
    waits.clear()
    assert await world.typed("/stop") == ""
    told = [await first, await second]
    assert all(line.endswith("(for you alone)\nStopped.") for line in told)
    third, fourth = (asyncio.ensure_future(world.typed(ASK)) for _ in range(2))
    async with asyncio.timeout(10):
        await waits.wait()
    go_on.set()
    answered = [await third, await fourth]
    assert all("harbour master" in line for line in answered)
    assert sum("It waits its turn: number 1." in line for line in answered) == 1


async def test_looking_ahead_is_told_and_then_shown_to_the_speaker_alone(world: World) -> None:
    said = "Who drowned the lamp, and was the rope cut?"
    seen = await typed(
        world, "/ahead", "/ahead up", f"/dm {said}", "/ahead show", "/ahead", "1", "/ahead show", "/ahead", "/as ana",
        "/ahead", "/as you",
    )  # fmt: skip
    assert seen[0] == "(for you alone)\nThere is no private answer of yours to look ahead from: /dm QUESTION."
    assert seen[1] == "(for you alone)\nSay /ahead, and then /ahead show."
    assert seen[3] == "That cannot be looked up ahead any more: ask your question again."
    assert seen[4].startswith("(for you alone)\nThe book may answer it further on.")
    assert seen[4].endswith("[Show it, I accept spoilers: /ahead show]")
    assert not any(word in seen[4] for word in ("ch.", "chapter", "Marrable", "lamp"))
    assert seen[5].startswith("(for you alone)\nFrom past where you are, the closest to your question:\n[1] ch. 3: ")
    assert "Captain Marrable drowned the lamp in the harbour." in seen[5]
    assert seen[6:8] == ["(for you alone)\nThat was done already."] * 2
    assert seen[9] == "(for ana alone)\nThere is no private answer of yours to look ahead from: /dm QUESTION."


async def test_what_was_refused_is_asked_again_once_more_was_read(world: World) -> None:
    await world.place("you", 0)
    await world.typed("/dm Who took the rope?")
    assert (await world.typed("/retry")).startswith("(for you alone)\nNothing more has been read since")
    await world.place("you", BOOK.chapters[0].span.end)
    assert "The old harbour master took the rope." in await world.typed("/retry")
    seen = await typed(world, "/retry", "/dm /retry", "/as ana", "/retry")
    assert seen[:2] == ["(for you alone)\nThat was done already."] * 2
    assert seen[3].startswith("(for ana alone)\nNothing that you asked here is without an answer")


async def test_the_last_answer_is_useful_or_not(world: World) -> None:
    seen = await typed(
        world, "/useful", ASK, "/useful", "/useful no", "/useful no", "/useful yes", "/as ana", "/useful"
    )
    assert seen[0] == "(for you alone)\nNothing that you can see has been answered yet."
    assert [line.split("\n")[1].split(".")[0] for line in seen[2:6]] == [
        "Noted as useful", "Noted as not useful", "You said so already",
        "Say /useful, or /useful no, of the last answer that you can see",
    ]  # fmt: skip
    assert seen[7].startswith("(for ana alone)\nNoted as useful.")
