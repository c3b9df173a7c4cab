"""The slots of a host pass the suite in memory too."""

from __future__ import annotations

import pytest

from bot.core.slots import Slots
from tests.fakes.slots import FakeSlots
from tests.slots_suite import MOST, SlotsSuite


class TestFakeSlots(SlotsSuite):
    @pytest.fixture
    def slots(self) -> FakeSlots:
        return FakeSlots(MOST)

    @pytest.fixture
    def another(self, slots: FakeSlots) -> Slots:
        return FakeSlots(MOST, slots.host)
