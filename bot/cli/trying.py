"""`dogear try`: the terminal club, on the sample book by default."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot.adapters.terminal.pipe import play
from bot.app import App, opened, terminal_club
from bot.cli.books import named_book
from bot.cli.output import Output, run
from bot.cli.progress_bar import progress_bar
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.ingest.worker import Upload, add_file, fill_vectors
from bot.settings import Settings

SAMPLE = "a-turn-owing"


def samples_folder() -> Path:
    """The folder of samples: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parents[1]
    installed = package / "_samples"
    return installed if installed.is_dir() else package.parent / "samples"


@click.command(name="try")
@click.argument("book_name", metavar="[FILE|BOOK]", required=False)
@click.option("--tour", is_flag=True, help="Play the scripted tour on the sample book.")
def try_club(book_name: str | None, tour: bool) -> None:
    """Open the terminal club: several members at one keyboard, on the sample book by default."""
    output = Output(as_json=False)
    interactive = sys.stdin.isatty() and not tour

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            club_name = "tour" if tour else "club"
            book, fresh = await _book(app, output, book_name, club_name)
            async with terminal_club(app, club_name) as club:
                await app.roster.switch_book(club.desk.club, book)
                if interactive:
                    from bot.adapters.terminal.screen import converse

                    await club.fill(book)
                    with progress_bar() as progress:
                        club.show_progress = progress
                    await converse(club, app.home / "history")
                    return
                club.wait_for_vectors = True
                if fresh:
                    await club.fill(book)
                lines = (samples_folder() / f"{SAMPLE}.tour.txt").read_text("utf-8").splitlines() if tour else sys.stdin
                await play(club, lines, sys.stdout)

    run(output, work)


async def _book(app: App, output: Output, name: str | None, club_name: str) -> tuple[BookId, bool]:
    """The book to read, and whether vectors are missing: a file, a book by number or title, or the sample."""
    club = await app.shelf.club_named(club_name)
    path = samples_folder() / f"{SAMPLE}.epub" if name is None else Path(name)
    if name is not None and not path.is_file():
        record = await named_book(app, name)
        if record.club != club:
            raise Refused("other_club", "That book belongs to another club: give its file, to add it to this one.")
        return record.id, record.status != "ready"
    with progress_bar() as progress:
        added = await add_file(app.shelf, Upload(path, club), progress)
        if added.new:
            output.note(f"Added “{added.book.title}”: {added.book.chapters} chapters.")
        return added.book.id, added.book.status != "ready"
