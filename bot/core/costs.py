"""What a club has spent on models, for its admins: of the club alone, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

from bot.core.club import Member
from bot.core.clubhouse import Clubhouse
from bot.core.rights import require_admin
from bot.core.spending import LEFT, Spent, month_of


@dataclass(frozen=True, slots=True)
class ClubCosts:
    """US dollars that budgets have counted ``today`` and in this ``month`` (UTC), what may be spent in each (None:
    without end), and what ``used`` them in this month, by model and purpose.
    """

    today: Decimal
    most_today: Decimal | None
    month: Decimal
    most_month: Decimal | None
    used: tuple[Spent, ...]


async def club_costs(house: Clubhouse, by: Member) -> ClubCosts:
    """What the club has spent. Raises `Refused` where ``by`` is no admin."""
    require_admin(by)
    return await costs(house)


async def costs(house: Clubhouse) -> ClubCosts:
    """What the club has spent, for its host."""
    now = house.clock()
    await house.spending.left_settled(now - LEFT, now)
    counted = await house.spending.counted(now)
    since = datetime.combine(month_of(now), time(), UTC)
    used = await house.spending.spent(since, now + timedelta(seconds=1))
    return ClubCosts(
        counted.club_day or Decimal(0),
        house.budgets.club_day,
        counted.club_month or Decimal(0),
        house.budgets.club_month,
        used,
    )
