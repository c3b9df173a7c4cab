"""What a club is told at the end of a book, in words: for every platform, which add their own buttons."""

from __future__ import annotations

from collections.abc import Iterable

from bot.adapters.wording import line
from bot.core.ballots import Ballot, Nomination
from bot.core.life import ClubFinished


def news(told: ClubFinished | Ballot, language: str = "en") -> list[str]:
    """That a club has finished a book, or what came of a round of voting."""
    return _finished(told, language) if isinstance(told, ClubFinished) else _closed(told, language)


def _finished(told: ClubFinished, language: str) -> list[str]:
    first = line("club_finished" if told.everyone else "club_done", language, title=told.book.title)
    return [first, line("stays_on_shelf", language)]


def _closed(ballot: Ballot, language: str) -> list[str]:
    chosen, tied = ballot.chosen, ballot.tied
    if chosen is not None:
        key = "ballot_won" if len(tied) == 1 else "ballot_decided"
        return [line(key, language, title=chosen.title, count=chosen.approvals)]
    votes = tied[0].approvals if tied else 0
    key = "ballot_tied" if votes else "ballot_nobody"
    told = line(key, language, count=votes, titles=titles(tied))
    return [told, line("ballot_decide", language)]


def titles(nominations: Iterable[Nomination]) -> str:
    """Nominations in one line, each with its number."""
    return ", ".join(f"{n.title} ({n.n})" for n in nominations)
