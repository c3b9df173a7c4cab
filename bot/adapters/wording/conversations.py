"""Sentences about asking: why there is no answer, and what was reported."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.adapters.wording import line
from bot.core.conversation import when_free
from bot.core.ledger import Report, Verdict
from bot.core.limits import HOUR
from bot.core.outcomes import NotAnswered, Why
from bot.core.wanted import Who

_LINES: Final = {
    Why.MEMBERS_ONLY: "members_only",
    Why.NO_BOOK: "no_book",
    Why.NO_SUCH_BOOK: "no_such_book",
    Why.BOOK_GONE: "book_replaced",
    Why.NO_SUCH_QUESTION: "no_such_question",
    Why.PAUSED: "room_quiet",
    Why.QUEUE_FULL: "queue_full",
    Why.STOPPED: "stopped",
    Why.AGAIN: "pressed_before",
    Why.NAMES_UNMET: "share_unmet",
    Why.UNMOVED: "unmoved",
    Why.OWN_VISIT: "own_visit",
}
_ALONE: Final = {Why.NAMES_UNMET: "names_unmet", Why.OWN_VISIT: "own_visit"}


def not_answered(outcome: NotAnswered, now: datetime, language: str = "en") -> str:
    """Why a question got no answer, in one sentence, told to who asked."""
    if outcome.names:
        return line("several_names", language, names=", ".join(Who(name).said for name in outcome.names))
    minutes = when_free(outcome, now)
    if outcome.why is Why.MUTED and minutes is not None:
        return line("muted_for", language, wait=_wait(minutes, language))
    if outcome.limited is not None:
        limit = outcome.limited.limit
        if minutes is None:
            return line("limit_none", language)
        who = "member" if limit.of_member else "club"
        window = "hour" if limit.window == HOUR else "day"
        return line(f"limit_{who}_{window}", language, most=limit.most, wait=_wait(minutes, language))
    return line(_LINES[outcome.why], language)


def alone(why: Why, language: str = "en") -> str:
    """Why an answer is shown to who asked alone."""
    return line(_ALONE[why], language)


def _wait(minutes: int, language: str) -> str:
    """So many minutes, from two hours on in whole hours, rounded up."""
    if minutes < 120:
        return line("minutes", language, count=minutes)
    return line("hours", language, count=-(-minutes // 60))


def verdict(said: Verdict, language: str = "en") -> str:
    """That what a member says of an answer is kept."""
    if not said.new:
        return line("useful_before", language)
    return line("useful_noted" if said.useful else "not_useful_noted", language)


def _several(what: str, numbers: Sequence[str], language: str) -> str:
    if not numbers:
        return line(f"report_no_{what}", language)
    return line(f"report_{what}s", language, count=len(numbers), list=", ".join(numbers))


def report(reported: Report, language: str = "en") -> str:
    """An answer that spoiled, by numbers alone: its passages, and in brackets the spans of its citations (code points).

    Not its boundary, which is the exact place of whoever was least far.
    """
    chapters = sorted({c.chapter for c in reported.citations if c.chapter is not None})
    spans: dict[int, list[str]] = {}
    for cited in sorted(reported.citations, key=lambda c: (c.passage, c.span)):
        spans.setdefault(cited.passage, []).append(f"{cited.span.start}-{cited.span.end}")
    return line(
        "report",
        language,
        question=reported.question,
        book=reported.book,
        chapters=_several("chapter", [f"#{chapter}" for chapter in chapters], language),
        passages=_several("passage", [f"{passage} ({', '.join(of)})" for passage, of in spans.items()], language),
        count=reported.members,
        said_at=f"{reported.said_at:%Y-%m-%d %H:%M}",
    )
