"""The fake passes the suite of the real ballots."""

from __future__ import annotations

import pytest

from tests.ballots_suite import BallotsSuite, Voting
from tests.fakes.ballots import FakeBallots
from tests.fakes.library import in_memory


class TestFakeBallots(BallotsSuite):
    @pytest.fixture
    def voting(self) -> Voting:
        library = in_memory()
        return Voting(FakeBallots(library.roster, library.shelf), library)
