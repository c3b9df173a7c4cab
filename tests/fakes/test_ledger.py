"""The fake ledger passes the suite of the real one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from bot.core.club import BookId, ClubId, Member, MemberId
from tests.fakes.ledger import FakeLedger
from tests.fakes.library import in_memory
from tests.fakes.roster import FakeRoster
from tests.ledger_suite import KeptBooks, LedgerSuite, asked


class TestFakeLedger(LedgerSuite):
    @pytest.fixture
    def kept(self) -> KeptBooks:
        library = in_memory()
        others = FakeLedger(library.shelf, FakeRoster(library.shelf, ClubId(2)))
        return KeptBooks(library, FakeLedger(library.shelf, library.roster), others)


def test_a_question_has_an_offset_and_a_time_with_a_zone() -> None:
    ana = Member(MemberId(1), "ana", joined=True)
    for wrong in ({"boundary": -1}, {"asked_at": datetime(2031, 3, 1)}):
        with pytest.raises(ValueError, match="a question has a boundary"):
            replace(asked(ana, BookId(1)), **wrong)
