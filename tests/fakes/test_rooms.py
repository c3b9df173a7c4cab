"""The fake rooms pass the suite of the real ones."""

from __future__ import annotations

import pytest

from bot.core.club import ClubId
from tests.fakes.library import in_memory
from tests.fakes.rooms import FakeRooms
from tests.fakes.roster import FakeRoster
from tests.rooms_suite import Kept, RoomsSuite


class TestFakeRooms(RoomsSuite):
    @pytest.fixture
    def kept(self) -> Kept:
        library, keys = in_memory(), dict[str, ClubId]()
        theirs = FakeRoster(library.shelf, ClubId(2))
        return Kept(library, FakeRooms(library.roster, ClubId(1), keys), FakeRooms(theirs, ClubId(2), keys))
