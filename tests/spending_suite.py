"""What every implementation of the books keeps to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from bot.core.chat_model import Purpose, Usage
from bot.core.spending import Budget, Budgets, EntryId, Reservation, Settlement, Spending, Spent

NOW = datetime(2031, 3, 31, 22, 30, tzinfo=UTC)
LATER = NOW + timedelta(hours=2)
"""The next day, and the next month."""
USED = Usage("claude", 100, 20, 3, 40)


def request(
    most: str = "1", at: datetime = NOW, purpose: Purpose = Purpose.ANSWER, model: str = "claude"
) -> Reservation:
    return Reservation(purpose, model, Decimal(most), at)


def settlement(charged: str, *, used: Usage = USED, priced: bool = True) -> Settlement:
    return Settlement(used, Decimal(charged), priced, LATER)


def budgets(**limits: str) -> Budgets:
    return Budgets(**{name: Decimal(limit) for name, limit in limits.items()})


@dataclass
class Books:
    """The books of two clubs of one host."""

    own: Spending
    other: Spending


async def entry(books: Spending, reservation: Reservation | None = None) -> EntryId:
    found = await books.reserved(reservation or request(), Budgets())
    assert not isinstance(found, Budget)
    return found


class SpendingSuite:
    async def test_what_is_reserved_counts_until_it_is_settled(self, books: Books) -> None:
        made = await entry(books.own, request("1.5"))
        assert await books.own.counted(NOW) == Budgets(*[Decimal("1.5")] * 4)
        await books.own.settled(made, settlement("0.000000125"))
        assert await books.own.counted(NOW) == Budgets(*[Decimal("0.000000125")] * 4)

    async def test_it_is_settled_once(self, books: Books) -> None:
        made = await entry(books.own)
        await books.own.settled(made, settlement("0.25"))
        await books.own.settled(made, settlement("0.75"))
        assert (await books.own.counted(NOW)).host_day == Decimal("0.25")

    async def test_what_a_killed_process_left_reserved_is_settled_at_the_most(self, books: Books) -> None:
        left, mine = await entry(books.own, request("0.75")), await entry(books.own, request("0.5", LATER))
        theirs = await entry(books.other, request("2"))
        assert await books.own.left_settled(LATER, LATER) == 1
        (used,) = await books.own.spent(NOW, LATER)
        assert (used.open, used.cost) == (0, Decimal("0.75"))
        assert (await books.own.counted(NOW)).club_day == Decimal("0.75")
        await books.own.settled(left, settlement("0.1"))
        assert (await books.own.counted(NOW)).club_day == Decimal("0.75")
        await books.own.settled(mine, settlement("0.1"))
        await books.other.settled(theirs, settlement("0.3"))
        assert (await books.other.counted(NOW)).club_day == Decimal("0.3")
        assert await books.own.left_settled(LATER, LATER) == 0

    async def test_nothing_is_reserved_that_a_budget_has_no_room_for(self, books: Books) -> None:
        for name in Budget:
            assert await books.own.reserved(request("1.01"), budgets(**{name.value: "1"})) is name
            assert await books.own.reserved(request("0.01"), budgets(**{name.value: "0"})) is name
        assert await books.own.counted(NOW) == Budgets(*[Decimal(0)] * 4)
        assert not isinstance(await books.own.reserved(request("1"), budgets(club_day="1")), Budget)
        assert await books.own.reserved(request("0.01"), budgets(club_day="1")) is Budget.CLUB_DAY

    async def test_a_day_and_a_month_end_in_utc(self, books: Books) -> None:
        await entry(books.own, request("1"))
        assert await books.own.counted(LATER) == Budgets(*[Decimal(0)] * 4)
        assert not isinstance(await books.own.reserved(request("1", LATER), budgets(club_month="1")), Budget)

    async def test_the_hosts_budget_is_of_all_its_clubs_and_a_clubs_own_of_itself(self, books: Books) -> None:
        await entry(books.other, request("1"))
        limits = budgets(club_day="1", host_day="1.5")
        assert await books.own.reserved(request("1"), limits) is Budget.HOST_DAY
        assert not isinstance(await books.own.reserved(request("0.5"), limits), Budget)
        assert await books.own.counted(NOW) == Budgets(*map(Decimal, ("0.5", "0.5", "1.5", "1.5")))

    async def test_what_is_settled_later_is_of_the_day_on_which_it_was_made(self, books: Books) -> None:
        made = await entry(books.own)
        await books.own.settled(made, settlement("0.5"))
        assert (await books.own.counted(LATER)).club_month == 0
        assert (await books.own.counted(NOW)).club_month == Decimal("0.5")

    async def test_a_club_does_not_settle_what_is_another_clubs(self, books: Books) -> None:
        made = await entry(books.own)
        await books.other.settled(made, settlement("0"))
        assert (await books.own.counted(NOW)).host_day == 1

    async def test_what_was_spent_is_told_by_model_and_purpose(self, books: Books) -> None:
        for charged in ("0.5", "0.25"):
            await books.own.settled(await entry(books.own), settlement(charged))
        checked = await entry(books.own, request(purpose=Purpose.SUPPORT, model="local"))
        await books.own.settled(checked, settlement("9", used=Usage("local", 7, 0, 0, 1), priced=False))
        await entry(books.own, request("2", purpose=Purpose.SUPPORT, model="local"))
        await entry(books.own, request(at=LATER))
        await entry(books.other)
        assert await books.own.spent(NOW, LATER) == (
            Spent("claude", "answer", 2, 200, 40, 6, 80, Decimal("0.75")),
            Spent("local", "support", 2, 7, 0, 0, 1, Decimal(2), unpriced=1, open=1),
        )

    async def test_many_at_once_keep_to_one_budget(self, books: Books) -> None:
        limits = budgets(host_day="5", club_day="100")
        clubs = [books.own, books.other] * 10
        found = await asyncio.gather(*(club.reserved(request("0.9"), limits) for club in clubs))
        assert sum(not isinstance(one, Budget) for one in found) == 5
        assert (await books.own.counted(NOW)).host_day == Decimal("4.5")

    async def test_what_is_charged_to_a_job_that_is_not_there_stays_in_the_sums(self, books: Books) -> None:
        made = await entry(books.own)
        await books.own.settled(made, settlement("0.5"))
        await books.own.charged_to_job(7, [])
        assert await books.own.spent_on_jobs(NOW, LATER) == ()
        assert (await books.own.counted(NOW)).club_day == Decimal("0.5")
