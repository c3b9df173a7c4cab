"""The fake keeps owed replies as the database does."""

from __future__ import annotations

import pytest

from bot.core.owed import Owed
from tests.fakes.owed import FakeOwed
from tests.owed_suite import OwedSuite


class TestFakeOwed(OwedSuite):
    @pytest.fixture
    def owed(self) -> Owed:
        return FakeOwed()
