"""`dogear recap` and `dogear who`: for stated readers, as a club's member would get them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from bot.adapters.answers import answer_lines
from bot.app import App, opened
from bot.cli.asking import answer_value, at_option, audience_of, clean
from bot.cli.books import named_book
from bot.cli.output import Output, SeveralPeople, json_option, located_or_raise, run
from bot.core.answer import Answer, Card
from bot.core.ports import Door
from bot.core.progress import locate_for_host
from bot.core.recap import recap as recapped
from bot.core.search import Asked
from bot.core.wanted import Recap, Scope, Who
from bot.core.who import who as carded
from bot.settings import Settings


async def told_value(
    app: App, book_name: str, wanted: Recap | Who, at: Iterable[str], since: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    """A recap or a card as JSON and as lines. Raises `Refused` where several are called so."""
    record = await named_book(app, book_name)
    book = record.id
    audience, positions = audience_of(at)

    async def from_there(door: Door) -> int:
        place = located_or_raise(since or "", await locate_for_host(door, book, since or ""))
        return int(place.offset)

    asked = Asked(book, wanted.said, audience, positions(book))
    if since is not None:
        asked = replace(asked, since=from_there)
    searching = app.searching(record.club)
    reply = await (
        recapped(searching, asked, wanted) if isinstance(wanted, Recap) else carded(searching, asked, wanted)
    )
    if reply.choices:
        assert isinstance(wanted, Who)
        raise SeveralPeople(wanted.name, reply.choices)
    async with app.doors(record.club).opened() as door:
        chapter_map = await door.chapter_map(book)
    lines = answer_lines(reply.outcome, chapter_map, audience)
    value = answer_value(reply, lines, chapter_map)
    if isinstance(wanted, Who):
        value["card"] = card_value(reply.outcome.card) if isinstance(reply.outcome, Answer) else None
    return value, lines


def card_value(card: Card | None) -> dict[str, Any] | None:
    """The head of a card: names met, the fullest first, chapters by ordinal, and who else is called so."""
    if card is None:
        return None
    return {"names": list(card.names), "first": card.first, "last": card.last, "others": list(card.others)}


def _run(as_json: bool, book: str, wanted: Recap | Who, at: tuple[str, ...], since: str | None = None) -> None:
    if not at:
        raise click.UsageError("Say where the reader is: --at 12, --at 'in 12', --at 45%, --at none or --at finished.")
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        async with opened(settings, output.note) as app:
            output.result(*await told_value(app, clean(book), wanted, at, since))

    run(output, work)


@click.command()
@click.argument("book_name", metavar="BOOK")
@at_option
@click.option("--since", help="Where the recap begins: a place as --at takes it.")
@click.option("--last-chapter", is_flag=True, help="The last chapter that was finished, and what was read since.")
@json_option
def recap(book_name: str, at: tuple[str, ...], since: str | None, last_chapter: bool, as_json: bool) -> None:
    """Tell BOOK as far as every reader has read, in its own most telling sentences."""
    if since is not None and last_chapter:
        raise click.UsageError("Give --since or --last-chapter, not both.")
    _run(as_json, book_name, Recap(Scope.CHAPTER if last_chapter else Scope.READ), at, since)


@click.command()
@click.argument("book_name", metavar="BOOK")
@click.argument("name")
@at_option
@json_option
def who(book_name: str, name: str, at: tuple[str, ...], as_json: bool) -> None:
    """Show who NAME is in BOOK, as far as every reader has read."""
    if not clean(name).strip():
        raise click.UsageError("Give BOOK and NAME.")
    _run(as_json, book_name, Who(" ".join(clean(name).split())), at)
