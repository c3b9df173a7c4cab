"""An answer on its way over the real database: a handful of what may happen, at a handful of its steps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.core.asked_in import Asking
from bot.core.club import BookId
from bot.core.conversation import answer_me_privately, ask_in_room, stop
from bot.core.ledger import Status
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.ingest.pipeline import index_book
from tests.core.test_delivery import OTHER_FILE, SAID
from tests.databases import Databases
from tests.fakes.library import LANTERN, end_of
from tests.fakes.posts import FakePosts
from tests.interleavings import EVENTS, ROOM, Witness
from tests.noninterference.world import NOW, world_of


@asynccontextmanager
async def opened(databases: Databases) -> AsyncIterator[Witness]:
    """A room in which `ana` has read all of it and `ben` two chapters; `eve` has not joined."""
    async with world_of(databases, LANTERN, None) as world:
        house = world.club.desk.house
        await house.roster.switch_book(world.book)
        places = {"ana": LANTERN.body_end, "ben": end_of(LANTERN, 2)}
        for name, offset in places.items():
            await world.place(name, offset)
        people = {name: await house.roster.member_known(name) for name in (*places, "eve")}
        room = await house.rooms.room_added(ROOM, "Lounge")

        async def replaced(old: BookId) -> BookId:
            new, _ = await world.shelf.store_book(house.club, index_book(OTHER_FILE), "again", "The Lantern")
            await house.roster.switch_book(new)
            await world.shelf.remove_book(old)
            return new

        yield Witness(house, room.id, world.book, people, places, world.shelf.remove_book, replaced)


CASES = [
    *(("joins", back) for back in (1, 4)),
    *(("goes_back", back) for back in (1, 4)),
    *(("book_is_removed", back) for back in (1, 2, 4)),
    *(("book_is_replaced", back) for back in (1, 4)),
    *((name, 2) for name in ("leaves", "is_away", "room_is_limited", "room_is_paused", "asker_leaves")),
]


@pytest.mark.parametrize(("event", "back"), CASES)
async def test_whatever_happens_before_one_of_the_last_steps_nothing_stale_is_shown_or_stays(
    databases: Databases, event: str, back: int
) -> None:
    async with opened(databases) as first:
        await first.run(SAID)
        assert first.reach() == end_of(LANTERN, 2)
        steps = first.steps
    async with opened(databases) as witness:
        witness.events = {steps - back: EVENTS[event]}
        await witness.run(SAID)
        assert witness.posts.withdrawals > 0


async def test_a_question_that_is_stopped_is_recorded_as_stopped_and_nothing_stands(databases: Databases) -> None:
    async with opened(databases) as witness:
        reached, never = asyncio.Event(), asyncio.Event()

        async def held(_: Showing) -> None:
            reached.set()
            await never.wait()

        witness.posts.after_show = held
        task = asyncio.ensure_future(ask_in_room(witness.house, ROOM, Asking("ana", SAID), witness.posts))
        waiting = asyncio.ensure_future(
            ask_in_room(witness.house, ROOM, Asking("ana", "Who knocked?"), FakePosts(ROOM))
        )
        await reached.wait()
        await asyncio.sleep(0.1)
        assert await stop(witness.house, "ana") == 2
        assert await task == await waiting == (NotAnswered(Why.STOPPED),)
        assert witness.reach() == -1
        kept = await witness.house.ledger.questions(NOW, 9)
        assert [k.record.status for k in kept] == [Status.STOPPED] * 2


async def test_of_two_presses_at_the_same_moment_one_is_answered(databases: Databases) -> None:
    async with opened(databases) as witness:
        (asked,) = await witness.run(SAID)
        assert isinstance(asked, Delivered)
        posts = FakePosts(ROOM)
        pressed = [answer_me_privately(witness.house, asked.question, "ana", posts) for _ in range(4)]
        outcomes = [outcome for (outcome,) in await asyncio.gather(*pressed)]
        assert sum(isinstance(outcome, Delivered) for outcome in outcomes) == 1
        assert outcomes.count(NotAnswered(Why.AGAIN)) == 3
        assert len(posts.standing("dm")) == 1
