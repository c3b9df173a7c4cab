"""An answer on its way, while everything that may happen to a club happens at every one of its steps."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.answer import Answer
from bot.core.asked_in import Asking
from bot.core.club import BookId
from bot.core.conversation import ask_in_room, ask_privately, stop
from bot.core.errors import SpoilerLeak, Unavailable
from bot.core.ledger import Status
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.ingest.pipeline import index_book
from tests.conftest import STRESS
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.interleavings import EVENTS, ROOM, WatchedDoors, Witness, steps_of
from tests.made_books import book_of, chapter

SAID = "What did Ana Wren do at the door, and what of the gull?"
OTHER_FILE = book_of(
    chapter(1, "The ferry came. Ana Wren saw a gull at the door of the old lamp house, and it was warm."),
    title="The Lantern",
)


async def opened() -> Witness:
    """A room in which `ana` has read all of it and `ben` two chapters; `eve` has not joined."""
    library = in_memory()
    book = await library.add(LANTERN)
    places = {"ana": LANTERN.body_end, "ben": end_of(LANTERN, 2)}
    people = {name: await library.place(name, book, offset) for name, offset in places.items()}
    people["eve"] = await library.roster.member_known("eve")
    house = house_of(library, FakeClock())
    room = await house.rooms.room_added(ROOM, "Lounge")

    async def replaced(old: BookId) -> BookId:
        new, _ = await library.shelf.store_book(library.club, index_book(OTHER_FILE), "again", "The Lantern")
        await library.shelf.remove_book(old)
        await library.roster.switch_book(new)
        return new

    return Witness(house, room.id, book, people, places, library.shelf.remove_book, replaced)


async def test_without_events_the_answer_grows_and_stands() -> None:
    witness = await opened()
    (outcome,) = await witness.run(SAID)
    assert isinstance(outcome, Delivered)
    assert witness.reach() == witness.minimum == end_of(LANTERN, 2)
    assert witness.steps > 15
    assert len(witness.posts.ever_in_room) > 2


async def test_an_answer_is_settled_once_it_is_recorded_that_it_was_given_and_where_it_stands() -> None:
    witness, found = await opened(), list[tuple[str, int]]()

    async def settled() -> None:
        kept = await witness.house.ledger.question(witness.posts.ever_in_room[-1].question)
        assert kept is not None
        found.append((kept.record.status.value, len(await witness.house.ledger.postings(kept.id))))

    witness.posts.when_settled = settled
    await witness.run(SAID)
    assert found == [("answered", 1)]


@pytest.mark.parametrize("event", EVENTS)
async def test_whatever_happens_at_whatever_step_nothing_stale_is_shown_or_stays(event: str) -> None:
    withdrawn = 0
    steps = await steps_of(opened, SAID)
    for step in range(1, steps + 1):
        witness = await opened()
        witness.events = {step: EVENTS[event]}
        await witness.run(SAID)
        assert witness.reach() <= witness.minimum
        withdrawn += witness.posts.withdrawals
    assert (withdrawn > 0) is (event != "reads_on")


@settings(max_examples=60 * STRESS)
@given(st.dictionaries(st.integers(1, 40), st.sampled_from(sorted(EVENTS)), min_size=2, max_size=6))
async def test_several_things_that_happen_at_several_steps_leave_nothing_stale(events: dict[int, str]) -> None:
    witness = await opened()
    witness.events = {step: EVENTS[name] for step, name in events.items()}
    await witness.run(SAID)
    assert witness.reach() <= witness.minimum
    assert witness.of_the_book()


async def test_what_the_room_is_shown_again_is_under_the_new_boundary_and_both_are_recorded() -> None:
    witness = await opened()
    steps = await steps_of(opened, SAID)

    async def goes_back_a_chapter(of: Witness) -> None:
        await of.place("ben", end_of(LANTERN, 1))

    witness.events = {steps - 1: goes_back_a_chapter}
    (outcome,) = await witness.run(SAID)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.outcome.boundary.offset == end_of(LANTERN, 1)
    kept = await witness.house.ledger.questions(witness.house.clock().replace(year=2000), 9)
    seen = sorted((k.record.status.value, k.record.boundary) for k in kept)
    assert seen[-1] == ("withdrawn", end_of(LANTERN, 2))
    assert seen[0] == ("answered", end_of(LANTERN, 1))
    assert len(seen) == 2


async def test_a_name_that_is_not_met_any_more_leaves_the_room_nothing_and_is_answered_alone() -> None:
    witness = await opened()
    witness.events = {await steps_of(opened, SAID) - 1: EVENTS["goes_back"]}
    (outcome,) = await witness.run(SAID)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.why is Why.NAMES_UNMET
    assert witness.reach() == -1


async def test_places_that_never_rest_end_in_a_sentence_and_nothing_stands() -> None:
    witness = await opened()
    offsets = iter(range(600, 100, -1))

    async def back_a_little(of: Witness) -> None:
        await of.place("ben", next(offsets))

    witness.events = dict.fromkeys(range(1, 999), back_a_little)
    with pytest.raises(Unavailable, match="changed too often"):
        await witness.run(SAID)
    assert witness.reach() == -1
    kept = await witness.house.ledger.questions(witness.house.clock().replace(year=2000), 99)
    assert {k.record.status for k in kept} <= {Status.WITHDRAWN, Status.FAILED}


async def test_a_file_that_takes_the_books_place_is_asked_instead() -> None:
    witness = await opened()
    steps = await steps_of(opened, SAID)
    witness.events = {steps - 3: EVENTS["book_is_replaced"]}
    (outcome,) = await witness.run(SAID)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.book.id == witness.book


async def test_a_map_that_was_marked_anew_makes_the_answer_again() -> None:
    witness = await opened()
    assert witness.book is not None
    shelf_doors = witness.house.searching.doors

    async def marked(of: Witness) -> None:
        assert of.book is not None
        kept = shelf_doors._shelf.of(of.book)  # type: ignore[attr-defined]
        kept.record = replace(kept.record, map_version=kept.record.map_version + 1)

    steps = await steps_of(opened, SAID)
    witness.events = {steps - 1: marked}
    (outcome,) = await witness.run(SAID)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.book.map_version == 1
    assert witness.posts.withdrawals == 1


async def test_a_posting_that_fails_leaves_nothing_standing_and_is_recorded() -> None:
    witness = await opened()

    async def broken(showing: Showing) -> None:
        if isinstance(showing.outcome, Answer) and len(showing.outcome.claims) == 2:
            raise SpoilerLeak("an answer was about to be shown to an audience it was not made for")

    witness.posts.after_show = broken
    with pytest.raises(SpoilerLeak):
        await ask_in_room(witness.house, ROOM, Asking("ana", SAID), witness.posts)
    assert witness.reach() == -1
    (kept,) = await witness.house.ledger.questions(witness.house.clock().replace(year=2000), 9)
    assert kept.record.status is Status.FAILED


@pytest.mark.parametrize("private", [False, True])
async def test_stopping_ends_the_work_takes_away_what_stands_and_is_recorded(private: bool) -> None:
    steps = (await opened()).steps
    for at in range(1, 99):
        witness = await opened()
        reached, never = asyncio.Event(), asyncio.Event()

        async def held(
            of: Witness = witness, at: int = at, reached: asyncio.Event = reached, never: asyncio.Event = never
        ) -> None:
            of.steps += 1
            if of.steps == at:
                reached.set()
                await never.wait()

        async def held_after(_: Showing, held: object = held) -> None:
            await held()  # type: ignore[operator]

        witness.posts.before_show, witness.posts.after_show = held, held_after
        asked = Asking("ana", SAID)
        work = (
            ask_privately(witness.house, asked, witness.posts)
            if private
            else ask_in_room(witness.house, ROOM, asked, witness.posts)
        )
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait([task, asyncio.ensure_future(reached.wait())], return_when="FIRST_COMPLETED")
        if task in done:
            assert at > 5
            break
        shown = len(witness.posts.made[0].seen)
        assert await stop(witness.house, "ben") == 0
        assert await stop(witness.house, "ana") == 1
        assert await stop(witness.house, "ana") == 0
        assert (await task)[-1] == NotAnswered(Why.STOPPED)
        steps = witness.steps
        for _ in range(20):
            await asyncio.sleep(0)
        assert witness.steps == steps
        assert len(witness.posts.made[0].seen) == shown
        assert not witness.posts.standing(ROOM)
        assert not witness.posts.standing("dm")
        (kept,) = await witness.house.ledger.questions(witness.house.clock().replace(year=2000), 9)
        assert kept.record.status is Status.STOPPED


async def test_stopping_while_it_searches_opens_no_door_again_and_embeds_nothing_more() -> None:
    at = 0
    while True:
        at += 1
        library, embedder = in_memory(), HashEmbedder(32)
        book = await library.add(LANTERN, embedder)
        for name in ("ana", "ben"):
            await library.place(name, book, LANTERN.body_end)
        opening, held, reached, never = [0], [at], asyncio.Event(), asyncio.Event()

        async def hold(
            opening: list[int] = opening, held: list[int] = held, reached: asyncio.Event = reached,
            never: asyncio.Event = never,
        ) -> None:  # fmt: skip
            opening[0] += 1
            if opening[0] == held[0]:
                reached.set()
                await never.wait()

        house = house_of(library, FakeClock(), embedder)
        await house.rooms.room_added(ROOM, "Lounge")
        house = replace(house, searching=replace(house.searching, doors=WatchedDoors(house.searching.doors, hold)))
        posts = FakePosts(ROOM)
        task = asyncio.ensure_future(ask_in_room(house, ROOM, Asking("ana", SAID), posts))
        done, _ = await asyncio.wait([task, asyncio.ensure_future(reached.wait())], return_when="FIRST_COMPLETED")
        if task in done:
            break
        await asyncio.sleep(0.02)  # what a thread had begun is over
        held[0], embedded = 0, embedder.embedded
        if await stop(house, "ana") == 0:  # before its turn
            task.cancel()
            continue
        assert (await task)[-1] == NotAnswered(Why.STOPPED)
        openings = opening[0]
        await asyncio.sleep(0.02)
        assert (opening[0], embedder.embedded) == (openings, embedded)
        assert not posts.standing(ROOM)
        (kept,) = await house.ledger.questions(house.clock().replace(year=2000), 9)
        assert kept.record.status is Status.STOPPED
    assert at > 8


async def test_what_stands_is_taken_away_while_what_was_answering_still_clears_up() -> None:
    witness = await opened()
    reached, cleared = asyncio.Event(), asyncio.Event()

    async def held(_: Showing) -> None:
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            await cleared.wait()

    witness.posts.after_show = held
    task = asyncio.ensure_future(ask_in_room(witness.house, ROOM, Asking("ana", SAID), witness.posts))
    await reached.wait()
    assert witness.posts.standing(ROOM)
    assert await stop(witness.house, "ana") == 1
    for _ in range(20):
        await asyncio.sleep(0)
    assert not witness.posts.standing(ROOM)
    assert not task.done()
    cleared.set()
    assert (await task)[-1] == NotAnswered(Why.STOPPED)
    (kept,) = await witness.house.ledger.questions(witness.house.clock().replace(year=2000), 9)
    assert kept.record.status is Status.STOPPED
