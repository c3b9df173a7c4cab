"""What a club has spent, as its admins are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from bot.adapters.wording import costs as said
from bot.core.chat_model import Purpose, Usage
from bot.core.club import Role
from bot.core.clubhouse import Clubhouse
from bot.core.costs import ClubCosts, club_costs
from bot.core.errors import Refused
from bot.core.spending import Budget, Budgets, Reservation, Settlement, Spent
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory


async def paid(house: Clubhouse, dollars: str, model: str = "claude", *, priced: bool = True) -> None:
    made = Reservation(Purpose.ANSWER, model, Decimal(1), house.clock())
    entry = await house.spending.reserved(made, Budgets())
    assert not isinstance(entry, Budget)
    used = Usage(model, 1_000, 500, 0, 20)
    await house.spending.settled(entry, Settlement(used, Decimal(dollars), priced, house.clock()))


async def test_an_admin_sees_today_and_the_month_and_a_member_nothing() -> None:
    library, clock = in_memory(), FakeClock()
    house = replace(house_of(library, clock), budgets=Budgets(club_day=Decimal(2), host_day=Decimal(9)))
    boss, ana = await library.member("boss"), await library.member("ana")
    await library.roster.role_given(boss.id, Role.ADMIN)
    boss = await library.member("boss")
    clock.now = clock.now.replace(day=3)
    await paid(house, "0.5")
    clock.now += timedelta(days=1)
    await paid(house, "0.25")
    found = await club_costs(house, boss)
    used = Spent("claude", "answer", 2, 2_000, 1_000, 0, 40, Decimal("0.75"))
    assert found == ClubCosts(Decimal("0.25"), Decimal(2), Decimal("0.75"), None, (used,))
    with pytest.raises(Refused):
        await club_costs(house, ana)


def test_it_is_told_in_dollars_and_tokens() -> None:
    used = Spent("claude", "answer", 1, 1_000, 500, 0, 20, Decimal("0.75"))
    assert said.club_costs(ClubCosts(Decimal("0.003"), Decimal(2), Decimal("0.75"), None, (used,))) == [
        "Spent today: 0.0030 of 2.00 USD.",
        "Spent this month: 0.75 USD.",
        "Past that answers are the closest passages. Days and months are of UTC.",
        "claude, answers: 1 request, 1,500 tokens read, 500 of them from the cache, 20 written, 0.75 USD",
    ]


def test_nothing_is_told_as_nothing() -> None:
    nothing = ClubCosts(Decimal(0), None, Decimal(0), None, ())
    assert said.club_costs(nothing)[0] == "Nothing was spent on models this month."


@pytest.mark.parametrize(("requests", "cost"), [(1, "cost not known"), (2, "0.10 USD and what is not known")])
def test_a_cost_that_is_not_known_is_told_as_that(requests: int, cost: str) -> None:
    used = Spent("qwen", "parts", requests, 1, 0, 0, 1, Decimal("0.1") * (requests - 1), unpriced=1)
    assert said.spent(used).endswith(cost)
    assert "splitting questions" in said.spent(used)
