"""What must hold of a host's slots, the fake ones and the real ones: subclassed with a `slots` fixture."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.adapters.models.at_once import AtOnce
from bot.core.club import ClubId
from bot.core.slots import Slots

MOST: Final = 3


class SlotsSuite:
    """Every test starts with `MOST` slots, all of them free. ``another`` takes them in another process."""

    async def test_there_are_so_many_in_all_processes_together(self, slots: Slots, another: Slots) -> None:
        taken = [await one.taken(long=False) for one in (slots, another, slots, another, slots)]
        assert sorted(taken[:MOST], key=str) == [0, 1, 2]
        assert taken[MOST:] == [None, None]

    async def test_one_that_is_left_is_free(self, slots: Slots, another: Slots) -> None:
        taken = [await slots.taken(long=False) for _ in range(MOST)]
        assert taken[1] is not None
        assert await another.taken(long=False) is None
        await slots.left(taken[1])
        assert await another.taken(long=False) == taken[1]

    async def test_one_is_kept_for_what_others_need_to_end(self, slots: Slots, another: Slots) -> None:
        assert None not in [await slots.taken(long=True), await another.taken(long=True)]
        assert [await one.taken(long=True) for one in (slots, another)] == [None, None]
        assert await another.taken(long=False) is not None

    async def test_a_process_that_ends_leaves_all_it_had(self, slots: Slots, another: Slots) -> None:
        assert None not in [await slots.taken(long=False) for _ in range(MOST)]
        await slots.close()
        assert None not in [await another.taken(long=False) for _ in range(MOST)]

    async def test_who_has_more_keeps_back_for_who_waits_with_fewer(self, slots: Slots, another: Slots) -> None:
        taken = [await slots.taken(long=False) for _ in range(MOST)]
        assert await another.taken(long=False) is None
        await another.waiting(long=False, short=True)
        assert taken[0] is not None
        await slots.left(taken[0])
        assert await slots.taken(long=False) is None
        assert await another.taken(long=False) == taken[0]

    async def test_who_has_no_more_than_who_waits_keeps_not_back(self, slots: Slots, another: Slots) -> None:
        assert None not in [await slots.taken(long=False), await another.taken(long=False)]
        await another.waiting(long=False, short=True)
        assert await slots.taken(long=False) is not None

    async def test_who_waits_for_another_kind_or_no_more_holds_up_nobody(self, slots: Slots, another: Slots) -> None:
        await another.waiting(long=True, short=True)
        await another.waiting(long=True, short=False)
        assert None not in [await slots.taken(long=False) for _ in range(MOST)]

    async def test_who_waits_and_takes_nothing_holds_others_up_for_a_moment_only(
        self, slots: Slots, another: Slots
    ) -> None:
        assert await slots.taken(long=False) is not None
        await another.waiting(long=False, short=True)
        async with asyncio.timeout(60):
            while await slots.taken(long=False) is None:  # noqa: ASYNC110 - each look is a try
                await asyncio.sleep(0.05)

    async def test_two_processes_with_much_to_ask_take_turns_and_keep_to_the_number(
        self, slots: Slots, another: Slots
    ) -> None:
        """Each process has more than it can ever have out, and neither ends long before the other."""
        out, most, order = 0, 0, ""
        asked = 12

        async def one(places: AtOnce, name: str, number: int) -> None:
            nonlocal out, most, order
            async with places.place(ClubId(number % 3), long=number % 2 == 0):
                out += 1
                most = max(most, out)
                order += name
                await asyncio.sleep(0.05)
                out -= 1

        first, second = AtOnce(MOST, slots), AtOnce(MOST, another)
        async with asyncio.timeout(60):
            await asyncio.gather(
                *(one(first, "a", n) for n in range(asked)), *(one(second, "b", n) for n in range(asked))
            )
        await first.close()
        await second.close()
        assert most == MOST
        assert {order.count(name) for name in "ab"} == {asked}
        half = order[:asked]
        assert min(half.count(name) for name in "ab") >= 2
