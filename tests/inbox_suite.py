"""What must hold of whatever keeps what came, the fake and the real one: subclassed with an `inbox` fixture."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.core.inbox import KEPT, Inbox

NOW = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
UNTIL = NOW + timedelta(days=3)
MINUTE = timedelta(minutes=1)


class InboxSuite:
    """Every test starts with nothing there."""

    async def test_what_came_waits_in_its_order_until_it_is_begun(self, inbox: Inbox) -> None:
        for n in (9, 10, 2):
            assert await inbox.came(f"one:{n}", f"said {n}", NOW)
        assert await inbox.came("two:1", "another's", NOW)
        assert await inbox.waiting("one:", NOW) == (("one:9", "said 9"), ("one:10", "said 10"), ("one:2", "said 2"))
        assert await inbox.begun("one:10", UNTIL, NOW)
        assert [key for key, _ in await inbox.waiting("one:", NOW)] == ["one:9", "one:2"]

    async def test_what_came_again_is_neither_put_down_again_nor_begun_again(self, inbox: Inbox) -> None:
        assert await inbox.came("one:1", "said", NOW)
        assert not await inbox.came("one:1", "said", NOW)
        assert await inbox.begun("one:1", UNTIL, NOW)
        assert not await inbox.begun("one:1", UNTIL, NOW)
        assert not await inbox.came("one:1", "said", NOW + MINUTE)
        assert await inbox.waiting("one:", NOW + MINUTE) == ()

    async def test_of_several_that_begin_it_at_once_one_does(self, inbox: Inbox) -> None:
        await inbox.came("one:1", "said", NOW)
        found = await asyncio.gather(*(inbox.begun("one:1", UNTIL, NOW) for _ in range(5)))
        assert sorted(found) == [False, False, False, False, True]

    async def test_what_waits_for_a_while_is_told_apart_and_after_a_day_forgotten(self, inbox: Inbox) -> None:
        await inbox.came("one:1", "said", NOW)
        assert await inbox.waiting("one:", NOW + MINUTE / 2, MINUTE) == ()
        assert len(await inbox.waiting("one:", NOW + MINUTE, MINUTE)) == 1
        later = NOW + KEPT + MINUTE
        assert await inbox.waiting("one:", later) == ()
        await inbox.came("one:2", "said", later)
        assert [key for key, _ in await inbox.waiting("one:", NOW + KEPT)] == ["one:2"]
        assert [key for key, _ in await inbox.waiting("one:", later)] == ["one:2"]

    async def test_what_was_put_down_by_a_clock_that_is_ahead_waits_at_once_but_for_no_while(
        self, inbox: Inbox
    ) -> None:
        await inbox.came("one:1", "said", NOW + timedelta(hours=3))
        assert await inbox.waiting("one:", NOW) == (("one:1", "said"),)
        assert await inbox.waiting("one:", NOW, MINUTE) == ()
