"""The books in memory; a host's are shared by its clubs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal

from bot.core.chat_model import Usage
from bot.core.club import QuestionId
from bot.core.spending import Budget, Budgets, EntryId, JobSpent, Reservation, Settlement, Spent, day_of, month_of

Sums = dict[tuple[str, date], Decimal]


@dataclass
class FakeHost:
    """What a host spent, with all its clubs."""

    sums: Sums = field(default_factory=lambda: defaultdict(Decimal))
    entries: int = 0


@dataclass(frozen=True)
class Entry:
    """One request: what was reserved or charged for it, and once it is settled what it used."""

    reservation: Reservation
    charged: Decimal
    settlement: Settlement | None = None
    question: QuestionId | None = None
    job: int | None = None


@dataclass
class FakeSpending:
    """`Spending` of one club."""

    host: FakeHost = field(default_factory=FakeHost)
    sums: Sums = field(default_factory=lambda: defaultdict(Decimal))
    entries: dict[EntryId, Entry] = field(default_factory=dict)

    def _places(self, at: datetime) -> dict[Budget, tuple[Sums, tuple[str, date]]]:
        day, month = ("day", day_of(at)), ("month", month_of(at))
        return {
            Budget.CLUB_DAY: (self.sums, day),
            Budget.CLUB_MONTH: (self.sums, month),
            Budget.HOST_DAY: (self.host.sums, day),
            Budget.HOST_MONTH: (self.host.sums, month),
        }

    def _add(self, at: datetime, amount: Decimal) -> None:
        for sums, key in self._places(at).values():
            sums[key] += amount

    async def reserved(self, reservation: Reservation, budgets: Budgets) -> EntryId | Budget:
        for budget, (sums, key) in self._places(reservation.at).items():
            limit = budgets.of(budget)
            if limit is not None and sums[key] + reservation.most > limit:
                return budget
        self._add(reservation.at, reservation.most)
        self.host.entries += 1
        entry = EntryId(self.host.entries)
        self.entries[entry] = Entry(reservation, reservation.most)
        return entry

    async def settled(self, entry: EntryId, settlement: Settlement) -> None:
        held = self.entries.get(entry)
        if held is None or held.settlement is not None:
            return
        self._add(held.reservation.at, settlement.charged - held.charged)
        self.entries[entry] = replace(held, charged=settlement.charged, settlement=settlement)

    async def left_settled(self, before: datetime, at: datetime) -> int:
        left = [
            (entry, held)
            for entry, held in self.entries.items()
            if held.settlement is None and held.reservation.at < before
        ]
        for entry, held in left:
            used = Usage(held.reservation.model, 0, 0, 0, 0)
            await self.settled(entry, Settlement(used, held.charged, True, at))
        return len(left)

    async def charged_to(self, question: QuestionId, entries: Sequence[EntryId]) -> None:
        for entry in entries:
            self.entries[entry] = replace(self.entries[entry], question=question)

    async def charged_to_job(self, job: int, entries: Sequence[EntryId]) -> None:
        for entry in entries:
            self.entries[entry] = replace(self.entries[entry], job=job)

    async def spent(self, since: datetime, until: datetime) -> tuple[Spent, ...]:
        found: dict[tuple[str, str], Spent] = {}
        for entry in self.entries.values():
            made = entry.reservation
            if not since <= made.at < until:
                continue
            used = entry.settlement.usage if entry.settlement else Usage(made.model, 0, 0, 0, 0)
            before = found.get((made.model, made.purpose), Spent(made.model, made.purpose, 0, 0, 0, 0, 0, Decimal(0)))
            unpriced = entry.settlement is not None and not entry.settlement.priced
            found[made.model, made.purpose] = Spent(
                made.model,
                made.purpose.value,
                before.requests + 1,
                before.input + used.input,
                before.cached + used.cached,
                before.written_to_cache + used.written_to_cache,
                before.output + used.output,
                before.cost + (0 if unpriced else entry.charged),
                before.unpriced + unpriced,
                before.open + (entry.settlement is None),
            )
        return tuple(found[key] for key in sorted(found))

    async def spent_on_jobs(self, since: datetime, until: datetime) -> tuple[JobSpent, ...]:
        found: dict[int, JobSpent] = {}
        for entry in self.entries.values():
            if entry.job is not None and since <= entry.reservation.at < until:
                before = found.get(entry.job, JobSpent(entry.job, None, 0, Decimal(0)))
                found[entry.job] = replace(before, requests=before.requests + 1, cost=before.cost + entry.charged)
        return tuple(found[job] for job in sorted(found))

    async def counted(self, at: datetime) -> Budgets:
        return Budgets(*(sums[key] for sums, key in self._places(at).values()))
