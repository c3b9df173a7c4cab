"""What was done once passes the suite in memory too."""

from __future__ import annotations

import pytest

from bot.core.once import Once
from tests.fakes.once import FakeOnce
from tests.once_suite import OnceSuite


class TestFakeOnce(OnceSuite):
    @pytest.fixture
    def once(self) -> Once:
        return FakeOnce()
