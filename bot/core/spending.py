"""What models are paid for: reserved before a request, settled after it, within budgets by day and month."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final, NewType, Protocol

from bot.core.chat_model import Purpose, Usage
from bot.core.club import BookId, QuestionId

EntryId = NewType("EntryId", int)


class Budget(StrEnum):
    """A budget, of a club or of the host with all its clubs. Days and months are of UTC."""

    CLUB_DAY = "club_day"
    CLUB_MONTH = "club_month"
    HOST_DAY = "host_day"
    HOST_MONTH = "host_month"


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much may be spent, in US dollars; None is without end, 0 is nothing at all."""

    club_day: Decimal | None = None
    club_month: Decimal | None = None
    host_day: Decimal | None = None
    host_month: Decimal | None = None

    def of(self, budget: Budget) -> Decimal | None:
        found: Decimal | None = getattr(self, budget.value)
        return found


@dataclass(frozen=True, slots=True)
class Reservation:
    """A request that is to be made, at the most that it can cost (US dollars)."""

    purpose: Purpose
    model: str
    most: Decimal
    at: datetime


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a request used, what budgets count for it (US dollars), and whether its model's price is known."""

    usage: Usage
    charged: Decimal
    priced: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class BookedUsage(Usage):
    """What a request used, and where that stands in the books."""

    entry: EntryId


@dataclass(frozen=True, slots=True)
class Spent:
    """What requests of one model and purpose used and cost (US dollars). ``unpriced`` of them, whose model's price is
    not known, are in the tokens and not in the cost; ``open`` are not settled yet, and counted at the most.
    """

    model: str
    purpose: str
    requests: int
    input: int
    cached: int
    written_to_cache: int
    output: int
    cost: Decimal
    unpriced: int = 0
    open: int = 0


@dataclass(frozen=True, slots=True)
class JobSpent:
    """What the requests of one job, by its number, cost so far (US dollars); ``book`` is what it works on."""

    job: int
    book: BookId | None
    requests: int
    cost: Decimal


class Spending(Protocol):
    """The books of one club, and with it of the host."""

    async def reserved(self, reservation: Reservation, budgets: Budgets) -> EntryId | Budget:
        """Reserve a request, or say which budget has no room for it. Of any number of processes at once."""

    async def settled(self, entry: EntryId, settlement: Settlement) -> None:
        """Put what a request did cost in the place of what was reserved; once, a second time is nothing."""

    async def left_settled(self, before: datetime, at: datetime) -> int:
        """Settle at the most, ``at`` this time, what was reserved before ``before`` and never settled: the process that
        made it is gone, and what its server was paid nobody knows. How many.
        """

    async def charged_to(self, question: QuestionId, entries: Sequence[EntryId]) -> None:
        """Note which question these were for. When it goes, they stay without it."""

    async def charged_to_job(self, job: int, entries: Sequence[EntryId]) -> None:
        """Note which job (by its number) these were for. When it goes, they stay without it."""

    async def spent(self, since: datetime, until: datetime) -> tuple[Spent, ...]:
        """What the club used in ``[since, until)``, by model and purpose."""

    async def spent_on_jobs(self, since: datetime, until: datetime) -> tuple[JobSpent, ...]:
        """What the club's jobs cost in ``[since, until)``, of those that are still there."""

    async def counted(self, at: datetime) -> Budgets:
        """What budgets have counted so far on that day and in that month, in US dollars."""


LEFT: Final = timedelta(hours=2)
"""A request that was made so long ago is no longer under way: the longest may take one."""


def day_of(at: datetime) -> date:
    """The day (UTC)."""
    return at.astimezone(UTC).date()


def month_of(at: datetime) -> date:
    """The first day of the month (UTC)."""
    return day_of(at).replace(day=1)


def entries_of(spent: Iterable[Usage]) -> tuple[EntryId, ...]:
    """Where these stand in the books; what stands in none is left out."""
    return tuple(usage.entry for usage in spent if isinstance(usage, BookedUsage))
