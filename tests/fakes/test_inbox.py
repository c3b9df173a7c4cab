"""The inbox in memory."""

from __future__ import annotations

import pytest

from bot.core.inbox import Inbox
from tests.fakes.inbox import FakeInbox
from tests.inbox_suite import InboxSuite


class TestFakeInbox(InboxSuite):
    @pytest.fixture
    def inbox(self) -> Inbox:
        return FakeInbox()
