"""Who leads passes the suite in memory too."""

from __future__ import annotations

import pytest

from bot.core.leading import Leading
from tests.fakes.leading import FakeLeading
from tests.leading_suite import LeadingSuite


class TestFakeLeading(LeadingSuite):
    @pytest.fixture
    def leading(self) -> FakeLeading:
        return FakeLeading()

    @pytest.fixture
    def another(self, leading: FakeLeading) -> Leading:
        return FakeLeading(leading.taken)
