"""How many questions a member, and a club, may ask in an hour and in a day, and when the next is free."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.club import MemberId
from bot.core.club_settings import ClubSettings
from bot.core.ledger import Ledger

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` questions within any ``window``, by one member or by the whole club."""

    of_member: bool
    window: timedelta
    most: int


@dataclass(frozen=True, slots=True)
class Limited:
    """A limit that is reached, and how long until the next question is free; None where it never is."""

    limit: Limit
    wait: timedelta | None


def limits_of(settings: ClubSettings) -> tuple[Limit, ...]:
    """The four limits of a club."""
    return (
        Limit(True, HOUR, settings.member_questions_hour),
        Limit(True, DAY, settings.member_questions_day),
        Limit(False, HOUR, settings.club_questions_hour),
        Limit(False, DAY, settings.club_questions_day),
    )


async def limited(
    ledger: Ledger, settings: ClubSettings, member: MemberId, now: datetime, under_way: int = 0
) -> Limited | None:
    """The limit that keeps ``member`` waiting longest at ``now``, or None where a question is free.

    ``under_way`` counts the club's questions that are being answered and are in no ledger yet.
    """
    reached: list[Limited] = []
    limits = limits_of(settings)
    if (none := next((limit for limit in limits if limit.most == 0), None)) is not None:
        return Limited(none, None)
    lefts = [limit.most if limit.of_member else limit.most - under_way for limit in limits]
    wanted = [(max(1, n), member if limit.of_member else None) for n, limit in zip(lefts, limits, strict=True)]
    latest = await ledger.nths_latest(wanted, now - max(limit.window for limit in limits))
    for limit, left, at in zip(limits, lefts, latest, strict=True):
        if at is not None and at + limit.window > now:
            reached.append(Limited(limit, at + limit.window - now))
        elif left <= 0:  # a moment, until one that is under way has its place in the ledger
            reached.append(Limited(limit, timedelta(seconds=1)))
    return max(reached, key=lambda one: one.wait or timedelta(), default=None)
