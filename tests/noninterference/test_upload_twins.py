"""Two files whose books are equal up to a boundary are added alike: replies, job rows, progress, posts and logs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.core.book import BookText
from bot.core.jobs import percent_of
from bot.core.library import RoomProgress, upload_followed
from tests.databases import SUPERUSER, Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import CLUB
from tests.noninterference.twins import make_twins
from tests.noninterference.world import World, world_of

EMBEDDER = HashEmbedder()
TWINS = make_twins(seed=7, chapters=4, parts=True, size=500, share=0.4, snap=0)
TITLED = "The Drowned Heiress"
"""A file name, and a word of the unread part: of neither is anything shown."""


class Post:
    """What a room was shown, as it was."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def progress_posted(self, progress: RoomProgress) -> None:
        self.shown.append(f"posted {progress}")

    async def progress_edited(self, progress: RoomProgress) -> None:
        self.shown.append(f"edited {progress}")


async def rows(world: World) -> list[str]:
    """Every job as the answering role sees it: all columns that it may read."""
    async with world.app.connect() as connection:
        await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
        columns = await connection.exec_driver_sql(
            "select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a "
            "where a.attrelid = 'dogear.job'::regclass and a.attnum > 0 and not a.attisdropped "
            "and has_column_privilege(a.attrelid, a.attnum, 'select')"
        )
        found = await connection.exec_driver_sql(f"select {columns.scalar_one()} from dogear.job order by id")
        return [str(dict(row)) for row in found.mappings()]


async def added(world: World, file: Path) -> list[str]:
    """All that is shown while a file is added, announced and taken back, by everyone who can look."""
    seen: list[str] = []
    steps: list[str] = []
    world.club.show_progress = lambda stage, done: steps.append(f"{stage} {percent_of(done)}")
    for line in (
        f"/book add {file}", "/book jobs", "/book list", "/as ana", "/book list", "/book jobs", "/as you", "1",
        f"/book add {file}", "/book list", "/book undo", "/book jobs", f"/book add {file}", "2", "/book list",
        f"/book add {file}", "/book cancel 7", "/book retry 7", "/book retry 99", "/book cancel x",
    ):  # fmt: skip
        seen.append(f"{line.replace(str(file), 'FILE')} -> {await world.typed(line)}")
        seen += await rows(world)
    for job in await world.club.desk.house.jobs.jobs():
        post = Post()
        await world.worker.see_through(job.id, world.club.show_progress)
        await upload_followed(world.club.desk.house, job.id, post, _no_pause)
        seen += post.shown
    return [*seen, *steps]


async def _no_pause(_seconds: float) -> None:
    raise AssertionError("every job has ended")


async def _seen(databases: Databases, text: BookText, file: Path) -> list[str]:
    async with world_of(databases, text, EMBEDDER) as world:
        await world.place("you", TWINS.boundary)
        await world.made_admin("you")
        return await added(world, file)


async def test_a_file_is_added_alike_whatever_its_book_goes_on_with(
    databases: Databases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    seen, logged = [], []
    for name, text in (("The Murderer", TWINS.first), (TITLED, TWINS.second)):
        folder = tmp_path / name.split()[-1]
        folder.mkdir()
        file = folder / f"{name}.txt"
        file.write_text(text.text)
        caplog.clear()
        seen.append(await _seen(databases, text, file))
        logged.append([record.getMessage() for record in caplog.records if record.name.startswith(("dogear", "bot"))])
    for one, other in zip(*seen, strict=True):
        assert one == other
    assert logged[0] == logged[1] != []
    everything = "\n".join([*seen[1], *logged[1]])
    assert "New in the club: “Twin”, 4 chapters." in everything
    assert "embed 100" in everything
    assert not any(word in everything for word in TITLED.split()[1:])


async def test_the_rows_of_a_file_that_the_answering_role_cannot_see_do_differ(
    databases: Databases, tmp_path: Path
) -> None:
    hidden = []
    for text in (TWINS.first, TWINS.second):
        file = tmp_path / "book.txt"
        file.write_text(text.text)
        async with world_of(databases, text, None) as world:
            await world.made_admin("you")
            await world.typed(f"/book add {file}")
            database = str(world.app.url.database)
            async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
                found = await connection.exec_driver_sql("select key from dogear.job")
                hidden.append(found.scalar_one())
    assert hidden[0] != hidden[1]
