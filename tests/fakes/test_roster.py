"""The fake roster passes the suite that the real one passes."""

from __future__ import annotations

import pytest

from tests.doors_suite import Any_
from tests.fakes.library import in_memory
from tests.roster_suite import RosterSuite


class TestFakeRoster(RosterSuite):
    @pytest.fixture
    def library(self) -> Any_:
        return in_memory()
