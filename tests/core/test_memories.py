"""Whether a model is to read a book: nobody but an admin decides, what it costs is said before, and nothing begins by
itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, cast

import pytest

from bot.adapters.chat import memories as chat
from bot.adapters.chat.books import underway
from bot.adapters.chat.pressed import DONE
from bot.adapters.chat.presses import Action
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import memories as words
from bot.core.chat_model import Purpose
from bot.core.club import Member, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.jobs import JobKind, JobState, Taking
from bot.core.memories import memory_begun, memory_given_up, memory_offer
from bot.core.ports import BookRecord
from bot.core.writing import Writing
from tests.fakes.chat_model import FakeModel
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.jobs import FakeJobQueue, FakeJobs
from tests.fakes.library import LANTERN, in_memory

REMEMBERS = Taking("one", None, frozenset({JobKind.REMEMBER}))


def costs(purpose: Purpose, read: int, written: int) -> Decimal | None:
    return Decimal(read + 5 * written) / 1_000_000 if purpose is Purpose.MEMORY else Decimal(0)


@dataclass
class Club:
    """A club with one book; `ana` is its admin, `ben` is none."""

    house: Clubhouse
    book: BookRecord
    ana: Member
    ben: Member

    @property
    def queue(self) -> FakeJobQueue:
        assert isinstance(self.house.jobs, FakeJobs)
        return FakeJobQueue(self.house.jobs.store, self.house.clock())

    async def sets(self, value: str) -> None:
        await self.house.rooms.setting_changed("memory", value, self.ana.id, self.house.clock())

    def scene(self, member: Member) -> Scene:
        return Scene(cast(Any, None), self.house, member)


async def club(*, model: bool = True, priced: bool = True) -> Club:
    library = in_memory()
    await library.add(LANTERN)
    for name in ("discord:1", "discord:2"):
        await library.member(name)
    await library.roster.role_given((await library.member("discord:1")).id, Role.ADMIN)
    house = house_of(library, FakeClock())
    writing = Writing(FakeModel(str), cost=costs) if priced else Writing(FakeModel(str))
    house = replace(house, searching=replace(house.searching, writing=writing if model else None))
    (book,) = await house.roster.books()
    return Club(house, book, await library.member("discord:1"), await library.member("discord:2"))


async def test_nothing_is_read_until_an_admin_says_so() -> None:
    made = await club()
    offer = await memory_offer(made.house, made.ana, made.book)
    assert offer is not None
    assert (offer.job, offer.wanted, offer.choice) == (None, False, "ask")
    assert offer.cost is not None
    assert offer.cost > 0
    assert await made.house.jobs.jobs() == ()
    for act in (memory_offer, memory_begun, memory_given_up):
        with pytest.raises(Refused, match="admin"):
            await act(made.house, made.ben, made.book)


async def test_without_a_model_there_is_no_offer_and_nothing_to_begin() -> None:
    made = await club(model=False)
    assert await memory_offer(made.house, made.ana, made.book) is None
    with pytest.raises(Refused, match="No model"):
        await memory_begun(made.house, made.ana, made.book)
    assert await chat.offered(made.scene(made.ana), made.book) == ([], [])
    with pytest.raises(Refused, match="No model"):
        await chat.standing(made.scene(made.ana), "1")


@pytest.mark.parametrize(("choice", "said"), [("ask", True), ("never", False), ("always", False)])
async def test_who_brings_a_book_is_offered_it_where_the_club_asks_each_time(choice: str, said: bool) -> None:
    made = await club()
    await made.sets(choice)
    lines, buttons = await chat.offered(made.scene(made.ana), made.book)
    assert (bool(lines), bool(buttons)) == (said, said)
    if said:
        assert "USD" in lines[0]
        assert buttons[0].press is not None
        assert buttons[0].press.action is Action.NOTES


async def test_a_price_that_is_not_known_is_said_to_be_unknown() -> None:
    made = await club(priced=False)
    offer = await memory_offer(made.house, made.ana, made.book)
    assert offer is not None
    assert "not known" in words.standing(offer)


async def test_a_button_begins_it_and_another_ends_it_and_forgets_what_there_is() -> None:
    made = await club()
    scene = made.scene(made.ana)
    _, (button,) = await chat.offered(scene, made.book)
    assert button.press is not None
    told = await DONE[button.press.action](scene, button.press)
    assert "0%" in told.lines[0]
    (job,) = await made.house.jobs.jobs()
    assert (job.kind, job.book, job.by) == (JobKind.REMEMBER, made.book.id, made.ana.id)
    claim = await made.queue.job_claimed(REMEMBERS, made.house.clock())
    assert claim is not None
    await made.queue.job_put_off(claim, made.house.clock(), "over_budget", counted=False)
    assert "money" in (await chat.standing(scene, "1")).lines[0]
    assert "money" in (await underway(scene)).lines[0]
    claim = await made.queue.job_claimed(REMEMBERS, made.house.clock())
    assert claim is not None
    await made.queue.job_put_off(claim, made.house.clock(), "unreachable", counted=False)
    assert "tried again" in (await chat.standing(scene, "1")).lines[0]
    (stop,) = (await chat.standing(scene, "1")).buttons
    assert stop.press is not None
    assert stop.press.action is Action.NO_NOTES
    await DONE[stop.press.action](scene, stop.press)
    assert await made.queue.job_claimed(REMEMBERS, made.house.clock()) is None
    assert (await made.house.jobs.jobs())[0].state is JobState.CANCELLED
    again = await chat.standing(scene, "1")
    assert again.buttons[0].press is not None
    assert again.buttons[0].press.action is Action.NOTES


async def test_a_button_of_an_admins_does_nothing_for_who_is_none() -> None:
    made = await club()
    _, (button,) = await chat.offered(made.scene(made.ana), made.book)
    assert button.press is not None
    with pytest.raises(Refused, match="admin"):
        await DONE[button.press.action](made.scene(made.ben), button.press)
    assert await made.house.jobs.jobs() == ()
