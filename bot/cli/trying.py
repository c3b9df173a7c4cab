"""`dogear try`: the terminal club, on its current book, or on the sample where it has none."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.pipe import lines_of, play, scripted
from bot.app import DEFAULT_CLUB, App, opened, terminal_club, utc_now
from bot.cli.books import existing, named_book
from bot.cli.output import Output, run
from bot.cli.progress_bar import progress_bar
from bot.core.club import ClubId
from bot.core.ports import BookRecord
from bot.ingest.worker import Upload, add_file
from bot.settings import Settings

SAMPLE: Final = "a-turn-owing"

BOOK_FILES: Final = frozenset((".epub", ".pdf", ".txt"))


@dataclass(frozen=True, slots=True)
class Script:
    """Commands that are played in a club of their own, with its own copy of the sample book: nobody's place is
    disturbed. They are the file ``file`` among the samples.
    """

    club: str
    file: str


TOUR: Final = Script("tour", f"{SAMPLE}.tour.txt")

LIFE: Final = Script("life", "a-clubs-life.txt")

LIFE_BEGINS: Final = datetime(2026, 1, 6, 19, tzinfo=UTC)
"""A Tuesday on which the club's life always begins, and on which its clock stands until the script moves it."""


def samples_folder() -> Path:
    """The folder of samples: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parents[1]
    installed = package / "_samples"
    return installed if installed.is_dir() else package.parent / "samples"


@click.command(name="try")
@click.argument("book_name", metavar="[FILE|BOOK]", required=False)
@click.option("--tour", "script", flag_value="tour", help="Play the scripted tour on the sample book.")
@click.option("--life", "script", flag_value="life", help="Play the whole life of a club on the sample book.")
def try_club(book_name: str | None, script: str | None) -> None:
    """Open the terminal club: several members at one keyboard.

    It reads the FILE or BOOK, else its current book; a club without any book gets the sample.

    Without a terminal on stdin, commands are read from it, a line each, and answered on stdout.
    """
    if script and book_name is not None:
        raise click.UsageError(f"That has a book of its own: give --{script} alone.")
    played = {"tour": TOUR, "life": LIFE}.get(script or "")
    output = Output(as_json=False)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            book = await _book(app, output, book_name, played.club if played else DEFAULT_CLUB)
            if played:
                await _played(app, book, played)
                return
            async with terminal_club(app, book.club) as club:
                await app.roster(book.club).switch_book(book.id)
                if _at_a_terminal():
                    from bot.adapters.terminal.screen import converse

                    await converse(club, app.home / "history")
                else:
                    await _piped(club, book, _typed_lines())

    run(output, work)


def _at_a_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _typed_lines() -> AsyncIterator[str]:
    return scripted(()) if sys.stdin is None else lines_of(sys.stdin.buffer)


async def _played(app: App, book: BookRecord, script: Script) -> None:
    """A script, from a club in which nobody has been yet; its book and the vectors are kept from one to the next."""
    await app.emptied(book.club, book.id)
    lines = (samples_folder() / script.file).read_text("utf-8").splitlines()
    async with terminal_club(app, book.club, (lambda: LIFE_BEGINS) if script is LIFE else utc_now) as club:
        club.folder, club.charts = samples_folder(), club.charts / script.club
        await _piped(club, book, scripted(lines), remarks=True)


async def _piped(club: TerminalClub, book: BookRecord, lines: AsyncIterator[str], *, remarks: bool = False) -> None:
    """Lines in and answers out; every vector is there before the first of them, so that answers are always the same."""
    club.wait_for_vectors = True
    if book.status != "ready":
        silent = club.show_progress
        with progress_bar() as club.show_progress:
            await club.fill(book.id)
        club.show_progress = silent
    await play(club, lines, sys.stdout, remarks=remarks)


def _file(name: str) -> Path | None:
    """The file that is named, if it is one."""
    path = Path(name)
    return existing(path) if path.is_file() or len(path.parts) > 1 or path.suffix in BOOK_FILES else None


async def _book(app: App, output: Output, name: str | None, club_name: str) -> BookRecord:
    """The book to read: a file, which the club gets if it is new; a book by number or title; or, where none is named,
    the club's own, and the sample for a club without any and for what is played from a script.
    """
    club = await app.shelf.club_named(club_name)
    if name is None and club_name not in {TOUR.club, LIFE.club} and (own := await _own_book(app, club)) is not None:
        return own
    path = samples_folder() / f"{SAMPLE}.epub" if name is None else _file(name)
    if path is None:
        return await named_book(app, str(name))
    with progress_bar() as progress:
        added = await add_file(app.shelf, Upload(path, club), progress)
    if added.new:
        output.note(f"Added “{added.book.title}”: {added.book.chapters} chapters.")
    return added.book


async def _own_book(app: App, club: ClubId) -> BookRecord | None:
    """The club's current book; where that was removed the one added last; None where it has no book at all."""
    roster = app.roster(club)
    return await roster.current_book() or next(reversed(await roster.books()), None)
