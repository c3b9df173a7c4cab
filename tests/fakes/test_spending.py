"""The books in memory pass the suite of the real ones."""

from __future__ import annotations

import pytest

from tests.fakes.spending import FakeHost, FakeSpending
from tests.spending_suite import Books, SpendingSuite


class TestFakeSpending(SpendingSuite):
    @pytest.fixture
    def books(self) -> Books:
        host = FakeHost()
        return Books(FakeSpending(host), FakeSpending(host))
