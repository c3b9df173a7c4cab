"""The chapter map at the keyboard: what an admin sees of it, shows, marks, and how a book is replaced."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.chapter_maps import Calibration
from tests.databases import Databases
from tests.fakes.library import end_of
from tests.made_books import book_of, chapter, matter
from tests.noninterference.world import World, world_of
from tests.rebuilding_suite import PROLOGUE

TALE = book_of(
    matter(SectionKind.UNKNOWN, "Before", PROLOGUE),
    *(
        chapter(
            n,
            f"The ferry came late on day {n}. Ana Wren stood on the quay with lamp {n}. She went home at {n}.",
            f"The Bell of {n}",
        )
        for n in range(1, 5)
    ),
    matter(SectionKind.NOTES, "Notes", "The gold was never found by anyone."),
    title="The Tide",
)
NEW = book_of(
    matter(SectionKind.ESSAY, "Introduction", "Everybody knows how this ends: the ferry was never there."),
    *(
        chapter(n, f"The ferry came late on day {n}. Ana Wren stood on the quay with lamp {n}. She went home at {n}.")
        for n in range(1, 5)
    ),
    title="The Tide, Second Edition",
)


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, TALE, None) as made:
        await made.made_admin("you")
        await made.place("you", end_of(TALE, 2))
        yield made


def reads(world: World, text: BookText) -> None:
    """From now on the world's worker takes every file for ``text``."""

    async def read(path: Path, *, name: str, progress: object) -> BookText:
        del path, name, progress
        return text

    object.__setattr__(world.worker, "read", read)


async def test_an_admin_sees_every_section_by_kind_number_and_length_and_the_titles_they_met(world: World) -> None:
    rows = (await world.typed("/book chapters")).splitlines()
    assert rows[0] == "(for you alone)"
    assert rows[1] == f"1  not known  -  {len(TALE.sections[0].span)} characters"
    assert rows[2].endswith("characters  Chapter 1: The Bell of 1")
    assert rows[4] == f"4  story  chapter 3  {len(TALE.sections[3].span)} characters"
    assert rows[6].startswith("6  notes  -  ")
    assert rows[7].startswith("Is that right?")
    assert "confirmed" in await world.typed("/book chapters ok")
    assert (await world.typed("/book chapters")).splitlines()[-1] == "The map is confirmed."


async def test_a_member_sees_the_chapters_alone_and_changes_nothing(world: World) -> None:
    await world.place("bob", end_of(TALE, 1))
    await world.typed("/as bob")
    assert (await world.typed("/book chapters")).splitlines()[1:] == [
        "#1  chapter 1  Chapter 1: The Bell of 1", "#2  chapter 2", "#3  chapter 3", "#4  chapter 4",
    ]  # fmt: skip
    for line in ("ok", "show 1", "story 1", "not-story 2..3", "starts 1", "ends 2"):
        assert "Only an admin" in await world.typed(f"/book chapters {line}")
    assert "Only an admin" in await world.typed("/book replace FILE")


async def test_how_a_section_begins_is_shown_where_it_was_read(world: World) -> None:
    shown = await world.typed("/book chapters show 3")
    assert "Section 3: Chapter 2: The Bell of 2" in shown
    assert "It begins: The ferry came late on day 2. Ana Wren stood on the ..." in shown
    assert await world.club.desk.house.maps.consents((await world.club.member()).id) == ()


async def test_past_the_place_it_is_shown_on_consent_alone_and_that_is_kept(world: World) -> None:
    asked = await world.typed("/book chapters show 4")
    assert "Section 4 lies past where you are." in asked
    assert "Bell of 3" not in asked
    assert "Nothing was shown" in await world.typed("2")
    await world.typed("/book chapters show 4")
    shown = await world.typed("1")
    assert shown.startswith("(for you alone)")
    assert "Section 4: Chapter 3: The Bell of 3" in shown
    assert "day 3" in shown
    (kept,) = await world.club.desk.house.maps.consents((await world.club.member()).id)
    assert (kept.book, kept.number, kept.at) == (world.book, 4, world.club.desk.house.clock())
    assert "Choose a number" not in await world.typed("1")


async def test_who_is_no_admin_any_more_is_shown_nothing_by_an_earlier_choice(world: World) -> None:
    await world.typed("/book chapters show 4")
    await world.typed("/leave")
    assert "day 3" not in await world.typed("1")


async def test_marks_change_what_is_story_and_take_places_back(world: World) -> None:
    assert (await world.typed("/book chapters ok")).endswith("Look at the map first: /book chapters shows it.")
    await world.typed("/book chapters")
    assert "confirmed" in await world.typed("/book chapters ok")
    told = await world.typed("/book chapters story 1")
    assert told.startswith("The chapter map was changed.")
    assert "was changed since you were shown it" in await world.typed("/book chapters ok")
    assert "read nothing yet" in await world.typed("/progress")
    rows = (await world.typed("/book chapters")).splitlines()
    assert [row.split("  ")[1] for row in rows[1:-1]] == ["story"] * 5 + ["notes"]
    assert rows[-1].startswith("Is that right?")
    await world.typed("/book chapters not-story 2..3")
    await world.typed("/book chapters ends 4")
    kinds = [row.split("  ")[1] for row in (await world.typed("/book chapters")).splitlines()[1:-1]]
    assert kinds == ["story", "back matter", "back matter", "story", "back matter", "notes"]
    await world.typed("/book chapters starts 2")
    kinds = [row.split("  ")[1] for row in (await world.typed("/book chapters")).splitlines()[1:-1]]
    assert kinds == ["not known", "story", "back matter", "story", "back matter", "notes"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("story 9", "The book has sections 1 to 6"),
        ("show 9", "The book has sections 1 to 6"),
        ("not-story 1..6", "some story"),
        ("starts 1..2", "Say a section by its number"),
        ("ends", "Say a section by its number"),
        ("story x", "Say a section by its number"),
        ("nonsense 3", "Say /book chapters"),
    ],
)
async def test_what_cannot_be_is_refused_in_a_sentence(world: World, line: str, sentence: str) -> None:
    assert sentence in await world.typed(f"/book chapters {line}")
    assert "chapter 2" in await world.typed("/progress")


async def test_a_book_is_replaced_once_that_is_said_to_be_right(world: World, tmp_path: Path) -> None:
    await world.place("bob", TALE.body_end)
    file = tmp_path / "new.txt"
    file.write_text("a new file")
    reads(world, NEW)
    asked = await world.typed(f"/book replace {file}")
    assert "“The Tide, Second Edition”, 4 chapters. Let it take the place of “The Tide”?" in asked
    assert "Nothing was replaced" in await world.typed("2")
    assert [b.title for b in await world.club.desk.roster.books()] == ["The Tide"]
    await world.typed(f"/book replace {file}")
    told = await world.typed("1")
    assert told == "“The Tide, Second Edition” has taken the place of “The Tide”: /progress shows where you are."
    (book,) = await world.club.desk.roster.books()
    assert book.id != world.book
    assert "the end of chapter 2" in await world.typed("/progress")
    await world.typed("/as bob")
    assert "the end of the book" in await world.typed("/progress")


async def test_a_file_that_is_not_there_replaces_nothing(world: World) -> None:
    assert "There is no file" in await world.typed("/book replace nothing.txt")


async def test_pages_count_once_one_of_them_was_said_to_begin_somewhere(world: World) -> None:
    assert "no page numbers" in await world.typed("/progress p. 9")
    said = await world.typed('/progress p. 9 = "The ferry came late on day 3. Ana Wren"')
    assert said == "(for you alone)\nPages count as in your own edition now: say /progress p. N."
    you = await world.club.member()
    (known,) = await world.club.desk.house.maps.calibrations(you.id, world.book)
    assert known == Calibration(9, TALE.text.index("Ana Wren stood on the quay with lamp 3") - 38 - 40)
    assert known.offset <= TALE.text.index("The ferry came late on day 3")
    assert "from page 9 of your edition" in await world.typed("/progress p. 9")
    assert "first seven words" in await world.typed("/progress p. 12 = too few words")
    for _ in range(5):
        last = await world.typed('/progress my page 40 begins: "these seven words stand in no chapter"')
    assert "enough quoted words" in last
