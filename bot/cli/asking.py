"""`dogear ask` and `dogear passages`, one at a time or a file of them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, BinaryIO

import click

from bot.adapters.answers import answer_lines
from bot.app import App, opened
from bot.cli.books import named_book
from bot.cli.output import Output, error_value, json_option, located_or_raise, run, written_as_json
from bot.core.answer import Answer
from bot.core.ask import Reply
from bot.core.chapters import ChapterMap, chapter_at
from bot.core.club import Audience, BookId, MemberId
from bot.core.errors import DogearError, Refused, SpoilerLeak
from bot.core.ports import Door
from bot.core.progress import locate_for_host
from bot.core.replying import ask as answered
from bot.core.search import Asked, find
from bot.settings import Settings

_Request = tuple[str, str, list[str]]
"""A book, a question, and where each reader is."""

at_option = click.option("--at", "at", multiple=True, help="Where a reader is; several make an audience of several.")
batch_option = click.option(
    "--batch", type=click.File("rb", lazy=False), help='A file of {"book", "question", "at"}, one a line; - is stdin.'
)


def audience_of(
    statements: Iterable[str],
) -> tuple[Audience, Callable[[BookId], Callable[[Door], Awaitable[Mapping[MemberId, int]]]]]:
    """An audience of readers known by their statements alone, and what reads their positions."""
    said = list(statements)
    members = [MemberId(-n) for n in range(1, len(said) + 1)]
    audience = Audience(frozenset(members), room="command line" if len(said) > 1 else None)

    def positions_in(book: BookId) -> Callable[[Door], Awaitable[Mapping[MemberId, int]]]:
        async def positions(door: Door) -> Mapping[MemberId, int]:
            places = [located_or_raise(s, await locate_for_host(door, book, s)) for s in said]
            return {member: place.offset for member, place in zip(members, places, strict=True)}

        return positions

    return audience, positions_in


async def ask_value(app: App, book_name: str, question: str, at: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """The answer to one question, as the contract has it and as lines."""
    record = await named_book(app, book_name)
    book = record.id
    audience, positions = audience_of(at)
    reply = await answered(app.searching(record.club), Asked(book, question, audience, positions(book)))
    async with app.doors(record.club).opened() as door:
        chapter_map = await door.chapter_map(book)
    lines = answer_lines(reply.outcome, chapter_map, audience, reply.failed is not None)
    return answer_value(reply, lines, chapter_map), lines


def answer_value(reply: Reply, lines: list[str], chapter_map: ChapterMap) -> dict[str, Any]:
    """An answer or a refusal, as the contract has it; ``lines`` are its text."""
    outcome = reply.outcome
    reached = chapter_at(outcome.boundary.offset, chapter_map)
    value: dict[str, Any] = {
        "status": "refused",
        "text": "\n".join(lines),
        "engine": "quotes",
        "boundary": {"offset": outcome.boundary.offset, "chapter": reached.ordinal if reached else None},
        "claims": [],
        "citations": [],
        "failed": None if reply.failed is None else reply.failed.value,
        "seconds": {stage: round(spent, 4) for stage, spent in reply.found.seconds.items()},
    }
    if isinstance(outcome, Answer):
        value |= {
            "status": "answered",
            "engine": outcome.engine.value,
            "claims": [{"text": c.text, "citations": list(c.citations)} for c in outcome.claims],
            "citations": [
                {"n": c.n, "chapter": c.chapter, "start": c.span.start, "end": c.span.end, "quote": c.quote}
                for c in outcome.citations
            ],
        }
    return value


async def passages_value(
    app: App, book_name: str, question: str, at: Iterable[str], k: int
) -> tuple[list[dict[str, Any]], list[str]]:
    """The ranked passages for one question, as the contract has them and as lines."""
    record = await named_book(app, book_name)
    book = record.id
    audience, positions = audience_of(at)
    found = await find(app.searching(record.club), Asked(book, question, audience, positions(book)), k)
    values: list[dict[str, Any]] = [
        {
            "rank": rank,
            "start": e.passage.span.start,
            "end": e.passage.span.end,
            "chapter": e.passage.chapter,
            "text": e.passage.text,
            "found_by": list(e.found_by),
        }
        for rank, e in enumerate(found.evidence, start=1)
    ]
    lines = []
    for v in values:
        place = f"chapter #{v['chapter']}" if v["chapter"] else "outside the chapters"
        lines += [f"{v['rank']}. {place} [{v['start']}, {v['end']}) {'+'.join(v['found_by'])}", v["text"], ""]
    return values, lines or ["Nothing has been read."]


async def each_line(app: App, lines: Iterable[bytes], one: Callable[[App, _Request], Awaitable[object]]) -> None:
    """Answer ``{"book", "question", "at"}`` a line, one JSON value a line out, in order and as soon as it is there.

    What is wrong with one line is said in its place and stops no other; a tripped guard stops everything.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = await one(app, _request(line, number))
        except SpoilerLeak:
            raise
        except DogearError as error:
            code, message, _, more = error_value(error)
            value = {"error": {"code": code, "message": message}} | more
        click.echo(written_as_json(value))


def _request(line: bytes, number: int) -> _Request:
    wrong = Refused("bad_line", f'Line {number} is not {{"book": .., "question": .., "at": ..}}: mend it.')
    try:
        asked = json.loads(line.decode("utf-8-sig"))
        at = asked["at"]
        texts = [asked["book"], asked["question"], *(at if isinstance(at, list) else [at])]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise wrong from None
    if any(isinstance(t, bool) or not isinstance(t, str | int) for t in texts):
        raise wrong
    book, question, *said = map(clean, texts)
    if not said or not question.strip():
        raise wrong
    return book, question, said


def clean(value: str | int) -> str:
    """A value of a request as text that a database can hold."""
    return str(value).encode("utf-8", "replace").decode().replace("\0", " ")


def _checked(book_name: str | None, question: str | None, at: tuple[str, ...], batch: BinaryIO | None) -> None:
    if batch is not None:
        if book_name or question or at:
            raise click.UsageError("--batch takes BOOK, QUESTION and --at from its lines: give it alone.")
    elif not (book_name and question and question.strip()):
        raise click.UsageError("Give BOOK and QUESTION, or --batch FILE.")
    elif not at:
        raise click.UsageError("Say where the reader is: --at 12, --at 'in 12', --at 45%, --at none or --at finished.")


Valued = Callable[[App, str, str, Iterable[str]], Awaitable[tuple[object, list[str]]]]
"""What one question gets, as JSON and as lines: from the book's name, the question and the statements."""


def _run_each(output: Output, batch: BinaryIO | None, request: tuple[str, str, Iterable[str]], valued: Valued) -> None:
    """The value of one request, or of every line of ``batch``."""

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            if batch is None:
                output.result(*await valued(app, *request))
                return

            async def one(app: App, asked: _Request) -> object:
                return (await valued(app, *asked))[0]

            await each_line(app, batch, one)

    run(output, work)


@click.command()
@click.argument("book_name", metavar="BOOK", required=False)
@click.argument("question", required=False)
@at_option
@batch_option
@json_option
def ask(
    book_name: str | None, question: str | None, at: tuple[str, ...], batch: BinaryIO | None, as_json: bool
) -> None:
    """Answer QUESTION about BOOK from what every reader has read."""
    _checked(book_name, question, at, batch)
    request = (clean(str(book_name)), clean(str(question)), at)
    _run_each(Output(as_json or batch is not None), batch, request, ask_value)


@click.command()
@click.argument("book_name", metavar="BOOK", required=False)
@click.argument("question", required=False)
@at_option
@click.option("-k", "k", type=click.IntRange(1, 100), default=8, show_default=True, help="How many passages.")
@batch_option
@json_option
def passages(
    book_name: str | None, question: str | None, at: tuple[str, ...], k: int, batch: BinaryIO | None, as_json: bool
) -> None:
    """Show the passages that would stand behind an answer."""
    _checked(book_name, question, at, batch)

    async def valued(app: App, book: str, asked: str, places: Iterable[str]) -> tuple[object, list[str]]:
        return await passages_value(app, book, asked, places, k)

    request = (clean(str(book_name)), clean(str(question)), at)
    _run_each(Output(as_json or batch is not None), batch, request, valued)
