"""`dogear spent`: what every club, and the host with all of them, has spent on models."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import click

from bot.adapters.wording import costs as said
from bot.app import opened, utc_now
from bot.cli.output import Output, json_option, run
from bot.core.club import ClubId
from bot.core.spending import LEFT, Budget, JobSpent, Spent
from bot.settings import Settings


@click.command(name="spent")
@click.option("--days", type=click.IntRange(1, 366), default=30, show_default=True, help="Of so many days.")
@json_option
def spent_command(days: int, as_json: bool) -> None:
    """List what each club has spent on models, by model and purpose, and what the budgets have counted so far."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        now = utc_now()
        clubs: list[dict[str, Any]] = []
        lines: list[str] = []
        async with opened(settings, output.note) as app:
            for club in await app.directory.clubs():
                await app.spending(club).left_settled(now - LEFT, now)
                used = await app.spending(club).spent(now - timedelta(days=days), now + timedelta(seconds=1))
                if used:
                    since, until = now - timedelta(days=days), now + timedelta(seconds=1)
                    jobs = await app.spending(club).spent_on_jobs(since, until)
                    counted = await app.spending(club).counted(now)
                    own = _club(club, used, counted.club_day, counted.club_month)
                    clubs.append(own | {"jobs": [_job(job) for job in jobs]})
                    lines += [f"club {club}, {said.spent(one)}" for one in used]
                    lines += [
                        f"club {club}, job {j.job}, book {j.book}: {j.requests} requests, {said.dollars(j.cost)} USD"
                        for j in jobs
                    ]
            counted = await app.spending(ClubId(0)).counted(now)
            limits = app.model.budgets
        host = {
            "today": _dollars(counted.host_day),
            "this_month": _dollars(counted.host_month),
            "budgets": {budget.value: _dollars(limits.of(budget)) for budget in Budget},
        }
        for name, amount, most in (
            ("today", counted.host_day, limits.host_day),
            ("this month", counted.host_month, limits.host_month),
        ):
            bound = "without a bound" if most is None else f"of {said.dollars(most)}"
            lines.append(f"All clubs {name}: {said.dollars(amount or Decimal(0))} {bound} USD")
        output.result({"days": days, "clubs": clubs, "host": host}, lines)

    run(output, work)


def _club(club: ClubId, used: Iterable[Spent], day: Decimal | None, month: Decimal | None) -> dict[str, Any]:
    return {
        "club": club,
        "today": _dollars(day),
        "this_month": _dollars(month),
        "used": [
            {
                "model": one.model,
                "purpose": one.purpose,
                "requests": one.requests,
                "tokens": {
                    "input": one.input,
                    "cached": one.cached,
                    "written_to_cache": one.written_to_cache,
                    "output": one.output,
                },
                "cost": None if one.unpriced == one.requests else _dollars(one.cost),
                "without_price": one.unpriced,
                "open": one.open,
            }
            for one in used
        ],
    }


def _job(one: JobSpent) -> dict[str, Any]:
    return {"job": one.job, "book": one.book, "requests": one.requests, "cost": _dollars(one.cost)}


def _dollars(amount: Decimal | None) -> float | None:
    return None if amount is None else round(float(amount), 9)
