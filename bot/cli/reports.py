"""`dogear reports`: answers that spoiled somebody, and what was asked, for the host."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

import click

from bot.adapters.wording import conversations
from bot.app import opened
from bot.cli.output import Output, json_option, run
from bot.core.club import ClubId
from bot.core.ledger import Cited, KeptQuestion, Report, Verdicts
from bot.settings import Settings

EVER: Final = datetime(2000, 1, 1, tzinfo=UTC)


_NOTHING: Final = {
    (False, True): "No answer has been reported as a spoiler.",
    (False, False): "Nothing has been asked.",
    (True, True): "Nobody has said whether an answer was useful.",
}
"""What is said where nothing is listed: for ``--useful`` or not, without ``--asked`` or with it."""


@click.command(name="reports")
@click.option("--asked", type=click.IntRange(1, 10_000), help="List the last so many questions of each club instead.")
@click.option("--useful", is_flag=True, help="Count what members say of answers instead, by who wrote them.")
@json_option
def reports_command(asked: int | None, useful: bool, as_json: bool) -> None:
    """List answers that members say spoiled the book for them, by numbers alone; or what was asked, with its words; or
    count which answers they call useful.
    """
    if useful and asked is not None:
        raise click.UsageError("Say --asked or --useful, not both.")
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        values: list[dict[str, Any]] = []
        lines: list[str] = []
        async with opened(settings, output.note) as app:
            for club in await app.directory.clubs():
                ledger = app.clubhouse(club).ledger
                if useful:
                    counted = await ledger.verdicts()
                    values += [{"club": club, **asdict(verdicts)} for verdicts in counted]
                    lines += [_counted(club, verdicts) for verdicts in counted]
                elif asked is None:
                    found = await ledger.reports()
                    values += [_report(club, report) for report in found]
                    lines += [f"club {club}, {conversations.report(report)}" for report in found]
                else:
                    kept = await ledger.questions(EVER, asked)
                    values += [_question(club, one) for one in kept]
                    lines += [_line(club, one) for one in kept]
        output.result(values, lines or [_NOTHING[useful, asked is None]])

    run(output, work)


def _counted(club: ClubId, verdicts: Verdicts) -> str:
    return (
        f"club {club}, answers by {verdicts.engine}: {verdicts.useful} times useful, {verdicts.not_useful} times not, "
        f"of {verdicts.answers} answers"
    )


def _report(club: ClubId, report: Report) -> dict[str, Any]:
    return {
        "club": club,
        "question": report.question,
        "book": report.book,
        "private": report.room is None,
        "boundary": report.boundary,
        "citations": _cited(report.citations),
        "members": report.members,
        "said_at": report.said_at.isoformat(),
        "seen": report.seen,
    }


def _question(club: ClubId, kept: KeptQuestion) -> dict[str, Any]:
    """A question with the words of who asked, who is a number here."""
    record = kept.record
    return {
        "club": club,
        "question": kept.id,
        "book": record.book,
        "member": record.member,
        "private": record.room is None,
        "said": record.said,
        "boundary": record.boundary,
        "audience": sorted(record.audience),
        "status": record.status.value,
        "engine": record.engine,
        "follows": record.follows,
        "seconds": round(record.seconds, 3),
        "cost": float(record.cost),
        "asked_at": record.asked_at.isoformat(),
        "citations": _cited(record.citations),
    }


def _line(club: ClubId, kept: KeptQuestion) -> str:
    record = kept.record
    where = "privately" if record.room is None else f"for {len(record.audience)} in a room"
    return (
        f"club {club}, question {kept.id}: {record.status.value} {where}, book {record.book}, up to {record.boundary}, "
        f"{len(record.citations)} quotes, {record.seconds:.2f} s, {record.asked_at:%Y-%m-%d %H:%M}: {record.said}"
    )


def _cited(citations: Iterable[Cited]) -> list[dict[str, Any]]:
    return [
        {"n": c.n, "passage": c.passage, "start": c.span.start, "end": c.span.end, "chapter": c.chapter}
        for c in citations
    ]
