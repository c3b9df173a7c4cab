"""A model within budgets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Spent, Usage
from bot.core.errors import Unavailable
from bot.core.metered import MeteredModel
from bot.core.prices import price, price_list
from bot.core.spending import BookedUsage, Budgets, EntryId, Reservation, Settlement
from tests.fakes.spending import FakeSpending

NOW = datetime(2031, 3, 1, tzinfo=UTC)
REQUEST = ModelRequest(Purpose.ANSWER, "Answer.", ("It rained.",), "Did it?", {"type": "object"}, 10)
PRICES = price_list({"m": price("1000000", "1000000")})
"""A dollar a token."""


@dataclass
class Scripted:
    """A model that writes these pieces, then fails or not; ``waits`` before its second piece until it is cancelled."""

    pieces: Sequence[str] = ("a", "b")
    fails: Failed | None = None
    waits: bool = False
    most_of: Usage = field(default_factory=lambda: Usage("m", 0, 0, 0, 10))
    asked: int = 0
    writing: asyncio.Event = field(default_factory=asyncio.Event)

    def most(self, request: ModelRequest) -> Usage:
        return self.most_of

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        self.asked += 1
        written = 0
        try:
            for piece in self.pieces:
                if written and self.waits:
                    self.writing.set()
                    await asyncio.Event().wait()
                written += 1
                yield piece
            if self.fails:
                raise ModelFailed(self.fails)
        finally:
            spent(Usage("m", 2, 0, 0, written))

    async def counted(self, request: ModelRequest) -> int | None:
        return 7


def metered(model: Scripted, spending: FakeSpending, budgets: Budgets | None = None) -> MeteredModel:
    return MeteredModel(model, spending, PRICES, budgets or Budgets(), lambda: NOW)


async def read(model: MeteredModel, told: list[Usage]) -> str:
    return "".join([piece async for piece in model.written(REQUEST, told.append)])


async def day(spending: FakeSpending) -> Decimal | None:
    return (await spending.counted(NOW)).club_day


async def test_what_was_used_is_settled_and_told_with_its_place_in_the_books() -> None:
    spending, told = FakeSpending(), list[Usage]()
    assert await read(metered(Scripted(), spending), told) == "ab"
    assert told == [BookedUsage("m", 2, 0, 0, 2, EntryId(1))]
    assert await day(spending) == 4


async def test_nothing_is_asked_that_there_is_no_room_for() -> None:
    spending, model, told = FakeSpending(), Scripted(), list[Usage]()
    with pytest.raises(ModelFailed) as failed:
        await read(metered(model, spending, Budgets(club_day=Decimal(9))), told)
    assert failed.value.failed is Failed.OVER_BUDGET
    assert (model.asked, told) == (0, [])
    assert await day(spending) == 0


async def test_a_failure_is_settled_at_what_it_used() -> None:
    spending, told = FakeSpending(), list[Usage]()
    with pytest.raises(ModelFailed):
        await read(metered(Scripted(fails=Failed.OVERLOADED), spending), told)
    assert await day(spending) == 4


async def test_who_stops_pays_for_what_was_written() -> None:
    spending, told = FakeSpending(), list[Usage]()
    pieces = metered(Scripted(), spending).written(REQUEST, told.append)
    assert await anext(pieces) == "a"
    assert await day(spending) == 10
    await pieces.aclose()
    assert await day(spending) == 3
    assert len(told) == 1


async def test_who_is_cancelled_is_settled_too() -> None:
    spending, told = FakeSpending(), list[Usage]()
    model = Scripted(waits=True)
    reading = asyncio.ensure_future(read(metered(model, spending), told))
    await model.writing.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await day(spending) == 3
    assert all(entry.settlement for entry in spending.entries.values())


@dataclass
class Slow(FakeSpending):
    """Books that take their time."""

    going: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def reserved(self, reservation: Reservation, budgets: Budgets) -> EntryId:
        entry = await super().reserved(reservation, budgets)
        self.reached.set()
        await self.going.wait()
        assert not isinstance(entry, str)
        return entry


async def test_who_is_cancelled_while_it_is_reserved_leaves_nothing_reserved() -> None:
    spending, model = Slow(), Scripted()
    reading = asyncio.ensure_future(read(metered(model, spending), []))
    await spending.reached.wait()
    reading.cancel()
    await asyncio.sleep(0)
    spending.going.set()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await day(spending) == 0
    assert model.asked == 0


class Gone(FakeSpending):
    """Books that take no settlement."""

    async def settled(self, entry: EntryId, settlement: Settlement) -> None:
        raise Unavailable("The database does not answer.")


async def test_what_cannot_be_settled_stays_counted_and_the_reply_is_there() -> None:
    spending = Gone()
    assert await read(metered(Scripted(), spending), []) == "ab"
    assert await day(spending) == 10


async def test_counting_costs_nothing() -> None:
    spending = FakeSpending()
    assert await metered(Scripted(), spending).counted(REQUEST) == 7
    assert not spending.entries
