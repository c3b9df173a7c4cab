"""What must hold of whatever says who leads, the fake and the real one: subclassed with a `leading` fixture."""

from __future__ import annotations

import pytest

from bot.core.leading import Leading


class LeadingSuite:
    """Every test starts with nothing led. ``another`` leads in another process."""

    async def test_of_two_one_leads_until_it_leaves(self, leading: Leading, another: Leading) -> None:
        async with leading.led("one") as mine:
            assert mine is not None and await mine.holds()
            async with another.led("one") as theirs:
                assert theirs is None
            async with another.led("two") as other:
                assert other is not None
            assert await mine.holds()
        async with another.led("one") as theirs:
            assert theirs is not None and await theirs.holds()

    async def test_whoever_fails_leads_no_more(self, leading: Leading, another: Leading) -> None:
        with pytest.raises(ValueError, match="failed"):
            async with leading.led("one"):
                raise ValueError("failed")
        async with another.led("one") as theirs:
            assert theirs is not None
