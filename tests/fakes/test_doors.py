"""The fake door passes the suite of the real one."""

from __future__ import annotations

import pytest

from bot.core.club import MemberId, private_to
from bot.core.errors import SpoilerLeak
from bot.core.search import Asked, Searching, find
from tests.doors_suite import Any_, DoorsSuite
from tests.fakes.library import LANTERN, end_of, in_memory


class TestFakeDoors(DoorsSuite):
    @pytest.fixture
    def library(self) -> Any_:
        return in_memory()


async def test_a_broken_door_is_caught_by_the_evidence() -> None:
    library = in_memory(honours=False)
    book = await library.add(LANTERN)
    member = await library.place("ana", book, end_of(LANTERN, 1))
    with pytest.raises(SpoilerLeak):
        await find(Searching(library.doors), Asked(book, "Who confessed?", private_to(MemberId(member.id))), 8)
