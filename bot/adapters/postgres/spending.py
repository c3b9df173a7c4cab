"""What models are paid for, as the answering role keeps it. Amounts stand there in billionths of a US dollar."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger

from bot.adapters.postgres.club_connections import ClubConnections
from bot.core.club import ClubId, QuestionId
from bot.core.spending import Budget, Budgets, EntryId, JobSpent, Reservation, Settlement, Spent, day_of, month_of

_UNIT: Final = Decimal(10) ** 9
_WITHOUT_END: Final = (1 << 63) - 1
_REFUSED: Final = {-1: Budget.CLUB_DAY, -2: Budget.CLUB_MONTH, -3: Budget.HOST_DAY, -4: Budget.HOST_MONTH}
_CHARGED_TO: Final = text(
    "update dogear.spending set question_id = q.id from dogear.question q "
    "where q.id = :question and dogear.spending.id = any(:entries)"
).bindparams(bindparam("entries", type_=ARRAY(BigInteger)))
_CHARGED_TO_JOB: Final = text(
    "update dogear.spending set job_id = j.id from dogear.job j "
    "where j.id = :job and dogear.spending.id = any(:entries)"
).bindparams(bindparam("entries", type_=ARRAY(BigInteger)))


class PostgresSpending:
    """`Spending` over the answering role's engine, in one club."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def reserved(self, reservation: Reservation, budgets: Budgets) -> EntryId | Budget:
        """Reserve a request, or say which budget has no room for it."""
        rows = await self._club.run(
            "select dogear.spending_reserved_v1(:purpose, :model, :amount, :at, :club_day, :club_month, :host_day, "
            ":host_month) as id",
            purpose=reservation.purpose.value,
            model=reservation.model,
            amount=_units(reservation.most),
            at=reservation.at,
            **{budget.value: _limit(budgets.of(budget)) for budget in Budget},
        )
        found: int = rows[0].id
        return _REFUSED[found] if found < 0 else EntryId(found)

    async def settled(self, entry: EntryId, settlement: Settlement) -> None:
        """Put what a request did cost in the place of what was reserved."""
        used = settlement.usage
        await self._club.run(
            "select dogear.spending_settled_v1(:entry, :input, :cached, :written, :output, :amount, :priced, :at)",
            entry=entry,
            input=used.input,
            cached=used.cached,
            written=used.written_to_cache,
            output=used.output,
            amount=_units(settlement.charged),
            priced=settlement.priced,
            at=settlement.at,
        )

    async def left_settled(self, before: datetime, at: datetime) -> int:
        """Settle at the most what was reserved before and never settled."""
        rows = await self._club.run(
            "select dogear.spending_settled_v1(id, 0, 0, 0, 0, charged, true, :at) as id from dogear.spending "
            "where settled_at is null and made_at < :before order by id",
            before=before,
            at=at,
        )
        return sum(row.id > 0 for row in rows)

    async def charged_to(self, question: QuestionId, entries: Sequence[EntryId]) -> None:
        """Note which question these were for."""
        if entries:
            await self._club.run(_CHARGED_TO, question=question, entries=list(entries))

    async def charged_to_job(self, job: int, entries: Sequence[EntryId]) -> None:
        """Note which job these were for."""
        if entries:
            await self._club.run(_CHARGED_TO_JOB, job=job, entries=list(entries))

    async def spent(self, since: datetime, until: datetime) -> tuple[Spent, ...]:
        """What the club used in ``[since, until)``, by model and purpose."""
        rows = await self._club.run(
            "select model, purpose, count(*) as requests, sum(input) as input, sum(cached) as cached, "
            "sum(written) as written, sum(output) as output, "
            "coalesce(sum(charged) filter (where priced or settled_at is null), 0) as cost, "
            "count(*) filter (where settled_at is not null and not priced) as unpriced, "
            "count(*) filter (where settled_at is null) as unsettled "
            "from dogear.spending where made_at >= :since and made_at < :until group by model, purpose "
            "order by model, purpose",
            since=since,
            until=until,
        )
        return tuple(
            Spent(
                row.model,
                row.purpose,
                row.requests,
                int(row.input),
                int(row.cached),
                int(row.written),
                int(row.output),
                Decimal(row.cost) / _UNIT,
                row.unpriced,
                row.unsettled,
            )
            for row in rows
        )

    async def spent_on_jobs(self, since: datetime, until: datetime) -> tuple[JobSpent, ...]:
        """What the club's jobs cost in ``[since, until)``."""
        rows = await self._club.run(
            "select s.job_id, j.book_id, count(*) as requests, sum(s.charged) as cost from dogear.spending s "
            "join dogear.job j on j.id = s.job_id where s.made_at >= :since and s.made_at < :until "
            "group by s.job_id, j.book_id order by s.job_id",
            since=since,
            until=until,
        )
        return tuple(JobSpent(row.job_id, row.book_id, row.requests, Decimal(row.cost) / _UNIT) for row in rows)

    async def counted(self, at: datetime) -> Budgets:
        """What budgets have counted so far on that day and in that month."""
        rows = await self._club.run(
            "select coalesce((select amount from dogear.club_spent where period = 'day' and starts = :day), 0) as d, "
            "coalesce((select amount from dogear.club_spent where period = 'month' and starts = :month), 0) as m, "
            "dogear.host_spent_v1('day', :day) as host_d, dogear.host_spent_v1('month', :month) as host_m",
            day=day_of(at),
            month=month_of(at),
        )
        row = rows[0]
        return Budgets(*(Decimal(amount) / _UNIT for amount in (row.d, row.m, row.host_d, row.host_m)))


def _units(dollars: Decimal) -> int:
    """Billionths, rounded up."""
    return -int(-dollars * _UNIT // 1)


def _limit(dollars: Decimal | None) -> int:
    return _WITHOUT_END if dollars is None else min(_WITHOUT_END, int(dollars * _UNIT))
