"""Whose question is answered when: one of each member, a few at once, the rest in order, and stopped for real."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from bot.core.club import MemberId
from bot.core.turns import NotTaken, Turns

ANA, BEN, EVE = MemberId(1), MemberId(2), MemberId(3)


@dataclass
class Line:
    """Questions that are answered when the test says so."""

    turns: Turns
    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[str | NotTaken]] = field(default_factory=dict)

    def ask(self, member: MemberId, name: str) -> None:
        gate = self.gates[name] = asyncio.Event()
        told = self.places[name] = []

        async def work() -> str:
            self.begun.append(name)
            await gate.wait()
            self.ended.append(name)
            return name

        async def waiting(place: int) -> None:
            told.append(place)

        self.tasks[name] = asyncio.ensure_future(self.turns.taken(member, work, waiting, f"person {member}"))

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def end(self, name: str) -> None:
        self.gates[name].set()
        await self.settle()


async def line(at_once: int = 2, waiting: int = 5) -> Line:
    return Line(Turns(at_once, waiting))


async def test_one_question_of_a_member_is_answered_at_a_time_and_the_next_follows() -> None:
    made = await line()
    for name in ("a1", "a2"):
        made.ask(ANA, name)
    made.ask(BEN, "b1")
    await made.settle()
    assert made.begun == ["a1", "b1"]
    assert made.places == {"a1": [], "a2": [1], "b1": []}
    await made.end("a1")
    assert made.begun == ["a1", "b1", "a2"]


async def test_the_rest_wait_in_order_and_hear_their_place_as_it_changes() -> None:
    made = await line(at_once=1)
    for member, name in ((ANA, "a"), (BEN, "b"), (EVE, "e")):
        made.ask(member, name)
    await made.settle()
    assert (made.begun, made.places["b"], made.places["e"]) == (["a"], [1], [2])
    await made.end("a")
    assert (made.begun, made.places["e"]) == (["a", "b"], [2, 1])
    await made.end("b")
    await made.end("e")
    assert made.ended == ["a", "b", "e"]
    assert [await task for task in made.tasks.values()] == ["a", "b", "e"]
    assert made.turns.running == 0


async def test_many_questions_of_one_member_keep_nobody_waiting_longer_than_one_of_theirs() -> None:
    made = await line(at_once=1)
    for name in ("a1", "a2", "a3", "a4"):
        made.ask(ANA, name)
    await made.settle()
    made.ask(BEN, "b1")
    await made.settle()
    for name in ("a1", "b1", "a2", "a3", "a4"):
        assert made.begun[-1] == name
        await made.end(name)


async def test_more_than_may_wait_is_refused_and_no_other_member_is() -> None:
    made = await line(at_once=1, waiting=2)
    for name in ("a1", "a2", "a3", "a4"):
        made.ask(ANA, name)
    await made.settle()
    assert await made.tasks["a4"] is NotTaken.FULL
    made.ask(BEN, "b1")
    await made.settle()
    assert made.places["b1"] == [1]


async def test_what_is_stopped_while_it_waits_never_begins_and_the_next_moves_up() -> None:
    made = await line(at_once=1)
    for member, name in ((BEN, "b"), (ANA, "a"), (EVE, "e")):
        made.ask(member, name)
    await made.settle()
    assert made.turns.stop(ANA) == 1
    await made.settle()
    assert await made.tasks["a"] is NotTaken.STOPPED
    assert made.places["e"] == [2, 1]
    await made.end("b")
    assert made.begun == ["b", "e"]


async def test_what_is_stopped_while_it_runs_goes_no_further_and_frees_its_place_when_it_has_cleared_up() -> None:
    turns, cleared, clearing = Turns(1), asyncio.Event(), asyncio.Event()
    done: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
            done.append("more work")
        except asyncio.CancelledError:
            clearing.set()
            await cleared.wait()
            done.append("cleared up")
            raise

    async def next_one() -> None:
        done.append("next")

    first = asyncio.ensure_future(turns.taken(ANA, work, _nothing))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(turns.taken(BEN, next_one, _nothing))
    await asyncio.sleep(0)
    assert turns.stop(ANA) == 1
    await clearing.wait()
    assert turns.stop(ANA) == 0  # a second press does not disturb the clearing up
    assert done == []
    cleared.set()
    assert await first is NotTaken.STOPPED
    await second
    assert done == ["cleared up", "next"]


async def test_a_person_is_stopped_by_who_they_are_alone() -> None:
    made = Line(Turns())
    made.ask(ANA, "one")
    made.ask(BEN, "other")
    await made.settle()
    assert (made.turns.stop_of("person 1"), made.turns.stop_of("person 1"), made.turns.stop_of("nobody")) == (1, 0, 0)
    await made.settle()
    await made.end("other")
    assert await made.tasks["one"] is NotTaken.STOPPED
    assert await made.tasks["other"] == "other"


async def test_stopping_everyone_stops_everyone_and_nobody_where_nothing_runs() -> None:
    made = await line(at_once=1)
    for member, name in ((ANA, "a"), (BEN, "b")):
        made.ask(member, name)
    await made.settle()
    assert made.turns.stop() == 2
    results = await asyncio.gather(*made.tasks.values(), return_exceptions=True)
    assert results == [NotTaken.STOPPED] * 2
    assert made.turns.stop() == 0
    assert made.begun == ["a"]


async def test_who_goes_away_themselves_takes_their_question_with_them() -> None:
    made = await line(at_once=1)
    made.ask(ANA, "a")
    made.ask(BEN, "b")
    await made.settle()
    made.tasks["a"].cancel()
    await made.settle()
    assert made.tasks["a"].cancelled()
    assert made.begun == ["a", "b"]


@pytest.mark.parametrize("broken", ["work", "telling"])
async def test_a_fault_is_raised_to_who_asked_and_frees_the_place(broken: str) -> None:
    turns = Turns(1)
    gate = asyncio.Event()

    async def fault(*_: object) -> None:
        raise ZeroDivisionError

    async def waits() -> None:
        await gate.wait()

    work: Callable[[], Awaitable[None]] = fault if broken == "work" else waits
    first = asyncio.ensure_future(turns.taken(ANA, waits, _nothing))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(turns.taken(BEN, work, fault if broken == "telling" else _nothing))
    await asyncio.sleep(0.001)
    gate.set()
    with pytest.raises(ZeroDivisionError):
        await second
    await first
    assert turns.running == 0


async def _nothing(*_: object) -> None:
    pass


async def test_the_clubs_of_a_process_share_its_places_and_stopping_one_that_waits_for_one_frees_nothing() -> None:
    everywhere, over = asyncio.Semaphore(1), asyncio.Event()
    one, other = Turns(everywhere=everywhere), Turns(everywhere=everywhere)

    async def told(_: int) -> None:
        return None

    async def work() -> str:
        await over.wait()
        return "done"

    first = asyncio.ensure_future(one.taken(MemberId(1), work, told))
    await asyncio.sleep(0)
    later = [asyncio.ensure_future(other.taken(MemberId(n), work, told)) for n in (1, 2)]
    for _ in range(5):
        await asyncio.sleep(0)
    assert other.stop(MemberId(1)) == 1
    assert await later[0] is NotTaken.STOPPED
    assert not later[1].done()
    over.set()
    assert [await first, await later[1]] == ["done", "done"]
