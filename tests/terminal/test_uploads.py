"""Adding books at the keyboard: who is told what, choices, jobs, cancelling, retrying, undoing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.club import Role
from bot.core.errors import FileRefused, Unavailable
from bot.core.jobs import JobId, Taking
from bot.ingest.worker import Progress
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN
from tests.noninterference.world import NOW, World, world_of


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, LANTERN, None) as made:
        await made.made_admin("you")
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "the keeper did it.txt"
    path.write_text("Chapter 1")
    return path


async def number_of(world: World) -> JobId:
    """The number of the one job that is not done."""
    (job,) = [job for job in await world.club.desk.house.jobs.jobs() if job.book is None]
    return job.id


async def test_the_first_book_becomes_the_clubs_own_at_once_and_is_told_to_who_brought_it(
    world: World, file: Path
) -> None:
    await world.typed(f"/book remove {world.book}")
    said = (await world.typed(f"/book add {file}")).splitlines()
    assert said[0] == "(for you alone)"
    assert said[1].startswith("“The Lantern” can be asked about: 3 chapters.")
    assert said[2] == "The file names no author."
    assert said[3] == "The club reads “The Lantern” now."
    assert [line.strip() for line in said[-2:]] == ["1  Announce it to the club", "2  Not this one: take it back"]
    assert "keeper did it" not in "".join(said)
    current = await world.club.desk.roster.current_book()
    assert current is not None
    assert not current.announced
    await world.typed("/join")
    assert "finished chapter 1" in await world.typed("/progress finished 1")
    assert "@you asked about The Lantern" in await world.typed("/ask Who counted the boats?")


async def test_nobody_else_is_told_of_a_book_until_it_is_announced(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    await world.typed("/as ana")
    assert len((await world.typed("/book list")).splitlines()) == 1
    assert "Announce" not in await world.typed("1")
    await world.typed("/as you")
    own = (await world.typed("/book list")).splitlines()
    assert own[1] == "(for you alone)"
    told = await world.typed("1")
    assert told.startswith("New in the club: “The Lantern”, 3 chapters.")
    await world.typed("/as ana")
    assert len((await world.typed("/book list")).splitlines()) == 2


async def test_a_book_that_another_admin_brought_and_did_not_announce_is_removed_without_its_name(
    world: World, file: Path
) -> None:
    await world.made_admin("ana")
    for speaker in ("ana", "you"):
        await world.typed("/as you")
        await world.typed(f"/book add {file}")
        book = (await world.club.desk.roster.books())[-1].id
        await world.typed(f"/as {speaker}")
        told = await world.typed(f"/book remove {book}")
        room, *alone = told.split("(for you alone)")
        assert room.strip() == f"Book {book}, which was not announced, is gone with everything made from it."
        assert [line.strip() for line in alone] == (
            [] if speaker == "ana" else ["“The Lantern” and everything made from it is gone."]
        )


async def test_a_book_whose_offer_has_gone_by_is_announced_by_its_number(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    await world.typed("/join")
    book = (await world.club.desk.roster.books())[-1].id
    await world.made_admin("ana")
    await world.typed("/as ana")
    assert await world.typed(f"/book announce {book}") == "The club has no such book: /book list shows those it has."
    await world.typed("/as you")
    assert (await world.typed(f"/book announce {book}")).startswith("New in the club: “The Lantern”")
    assert (await world.club.desk.roster.books())[-1].announced


async def test_the_wrong_book_is_taken_back_with_nothing_left(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    assert "nothing of it is left" in await world.typed("2")
    assert len(await world.club.desk.roster.books()) == 1
    assert await world.club.desk.house.jobs.jobs() == ()


async def test_a_book_can_be_undone_after_it_was_announced(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    await world.typed("1")
    assert "“The Lantern” is taken back" in await world.typed("/book undo")
    assert await world.typed("/book undo") == ("(for you alone)\nYou have added no book that could be taken back.")


async def test_switching_to_a_book_announces_it(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    book = (await world.club.desk.roster.books())[-1]
    assert await world.typed(f"/book switch {book.id}") == "The club reads “The Lantern” now."
    assert (await world.club.desk.roster.books())[-1].announced


async def test_a_file_that_the_club_has_is_the_book_that_it_was(world: World, file: Path) -> None:
    first = await world.typed(f"/book add {file}")
    assert await world.typed(f"/book add {file}") == first
    await world.typed("1")
    again = await world.typed(f"/book add {file}")
    assert again.startswith("The club has this file already: it is book")
    assert len(await world.club.desk.roster.books()) == 2


async def test_a_file_that_is_no_book_says_why_and_offers_to_try_again(world: World, file: Path) -> None:
    good = world.worker.read

    async def refuse(path: Path, *, name: str, progress: Progress) -> object:
        raise FileRefused("no_text", "This file has no text.")

    world.worker.read = refuse  # type: ignore[assignment]
    said = (await world.typed(f"/book add {file}")).splitlines()
    job = await number_of(world)
    assert said == [
        "(for you alone)",
        "This file has no text.",
        f"/book retry {job} tries it again, /book cancel {job} forgets the file.",
    ]
    assert f"{job}  failed: This file has no text." in await world.typed("/book jobs")
    world.worker.read = good
    assert "can be asked about" in await world.typed(f"/book retry {job}")
    assert "Nothing is being uploaded." in await world.typed("/book jobs")


async def test_what_is_being_added_is_listed_and_cancelled_from_beside(world: World, file: Path) -> None:
    reading, go_on = asyncio.Event(), asyncio.Event()

    async def slow(path: Path, *, name: str, progress: Progress) -> object:
        progress("reading", 0.5)
        reading.set()
        await go_on.wait()
        return LANTERN

    world.worker.read = slow  # type: ignore[assignment]
    adding = asyncio.create_task(world.typed(f"/book add {file}"))
    await reading.wait()
    job = await number_of(world)
    assert f"{job}  waiting" in (listed := await world.typed("/book jobs")) or "reading the file" in listed
    assert "ends as soon as its worker looks" in await world.typed(f"/book cancel {job}")
    assert f"{job}  ending" in await world.typed("/book jobs")
    assert "nothing of the file is left" in await adding
    assert len(await world.club.desk.roster.books()) == 1


async def test_a_file_whose_worker_is_elsewhere_is_waited_for(world: World, file: Path) -> None:
    claim = None

    async def taken(taking: Taking, now: object) -> object:
        nonlocal claim
        if claim is None:
            claim = await type(world.worker.queue).job_claimed(world.worker.queue, Taking("elsewhere"), NOW)
            assert claim is not None
            await world.worker.queue.job_failed(claim, "x", "This file has no text.", NOW)
        return None

    world.worker.queue.job_claimed = taken  # type: ignore[method-assign, assignment]
    assert "This file has no text." in await world.typed(f"/book add {file}")


async def test_a_database_that_goes_away_is_said_and_the_file_waits(world: World, file: Path) -> None:
    good = world.worker.read

    async def away(path: Path, *, name: str, progress: Progress) -> object:
        raise Unavailable("The database does not answer: see `dogear doctor`.")

    world.worker.read = away  # type: ignore[assignment]
    assert "does not answer" in await world.typed(f"/book add {file}")
    assert "waiting" in await world.typed("/book jobs")
    world.worker.read = good
    assert "can be asked about" in await world.typed(f"/book add {file}")


async def test_a_choice_is_kept_for_who_brought_the_book_though_another_speaks(world: World, file: Path) -> None:
    reading = asyncio.Event()

    async def slow(path: Path, *, name: str, progress: Progress) -> object:
        reading.set()
        await asyncio.sleep(0.05)
        return LANTERN

    world.worker.read = slow  # type: ignore[assignment]
    adding = asyncio.create_task(world.typed(f"/book add {file}"))
    await reading.wait()
    await world.typed("/as ana")
    assert (await adding).startswith("(for you alone)")
    assert set(world.club.choices) == {"you"}


async def test_who_is_no_admin_any_more_announces_nothing(world: World, file: Path) -> None:
    await world.typed(f"/book add {file}")
    await world.made_admin("ana")
    you = await world.club.desk.roster.member_known("you")
    await world.club.desk.roster.role_given(you.id, Role.MEMBER)
    assert await world.typed("1") == "Only an admin of the club can do that: ask one of them."
    assert not (await world.club.desk.roster.books())[-1].announced


@pytest.mark.parametrize("line", ["/book cancel x", "/book retry 99", "/book cancel 9999999999999999999"])
async def test_a_job_that_is_not_there_gets_a_sentence(world: World, line: str) -> None:
    assert await world.typed(line) == "The club has no such upload: /book jobs shows those it has."


async def test_vectors_that_failed_are_tried_again_by_a_worker_that_has_their_model(world: World) -> None:
    model = HashEmbedder(32).model
    job = await world.worker.queue.job_wanted(world.book, model, NOW)
    assert job is not None
    claim = await world.worker.queue.job_claimed(Taking("elsewhere", model), NOW)
    assert claim is not None
    await world.worker.queue.job_failed(claim, "other_model", "Another command embeds this book.", NOW)
    assert f"{job}  failed: Another command embeds this book." in await world.typed("/book jobs")
    assert f"{job}  waiting" in await world.typed(f"/book retry {job}")
