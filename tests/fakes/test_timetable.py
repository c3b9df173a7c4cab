"""The fake timetable passes the suite of the real one."""

from __future__ import annotations

import pytest

from bot.core.timetable import Timetable
from tests.fakes.library import Library, in_memory
from tests.fakes.timetable import FakeTimetable
from tests.timetable_suite import TimetableSuite


class TestFakeTimetable(TimetableSuite):
    @pytest.fixture
    def library(self) -> Library:  # type: ignore[type-arg]
        return in_memory()

    @pytest.fixture
    def timetable(self) -> Timetable:
        return FakeTimetable()
