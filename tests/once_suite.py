"""What must hold of whatever remembers what was done, the fake and the real one: subclassed with a `once` fixture."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.core.once import Once

NOW = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
UNTIL = NOW + timedelta(hours=1)


class OnceSuite:
    """Every test starts with nothing done."""

    async def test_a_key_comes_first_once(self, once: Once) -> None:
        assert await once.first("one", UNTIL, NOW)
        assert not await once.first("one", UNTIL, NOW)
        assert await once.first("two", UNTIL, NOW)

    async def test_of_several_at_once_one_is_first(self, once: Once) -> None:
        found = await asyncio.gather(*(once.first("one", UNTIL, NOW) for _ in range(5)))
        assert sorted(found) == [False, False, False, False, True]

    async def test_what_is_over_is_forgotten_and_nothing_before(self, once: Once) -> None:
        assert await once.first("one", UNTIL, NOW)
        assert not await once.first("one", UNTIL, UNTIL - timedelta(seconds=1))
        assert await once.first("one", UNTIL + timedelta(hours=2), UNTIL + timedelta(seconds=1))
