"""Changing books in memory passes the suite of the real thing."""

from __future__ import annotations

import pytest

from tests.fakes.library import in_memory
from tests.fakes.rebuilding import FakeRebuilding
from tests.rebuilding_suite import RebuildingSuite, Rebuilt


class TestFakeRebuilding(RebuildingSuite):
    @pytest.fixture
    def rebuilt(self) -> Rebuilt:
        library = in_memory()
        return Rebuilt(library, FakeRebuilding(library.shelf, library.roster))
