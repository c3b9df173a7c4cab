"""The fake that looks ahead passes the suite of the real one."""

from __future__ import annotations

import pytest

from bot.core.club import ClubId
from tests.ahead_suite import AheadSuite, Looking
from tests.fakes.ahead import FakeAhead
from tests.fakes.ledger import FakeLedger
from tests.fakes.library import in_memory
from tests.fakes.roster import FakeRoster


class TestFakeAhead(AheadSuite):
    @pytest.fixture
    def kept(self) -> Looking:
        library = in_memory()
        ledger = FakeLedger(library.shelf, library.roster)
        ahead = FakeAhead(library.shelf, library.roster, ledger)
        strangers = FakeRoster(library.shelf, ClubId(2))
        others = FakeAhead(library.shelf, strangers, FakeLedger(library.shelf, strangers))
        return Looking(library, ledger, ahead, others, ahead.minutes_pass)
