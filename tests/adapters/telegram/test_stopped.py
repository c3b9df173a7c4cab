"""Who sent something to a process that died is told so in the private chat."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from telegram.error import BadRequest, Forbidden, NetworkError, TimedOut

from bot.adapters.chat import owing
from bot.adapters.chat.parts import Content
from bot.adapters.telegram.faults import Unreached, away
from bot.adapters.telegram.telling import stopped
from bot.core.errors import Refused
from bot.core.owed import OwedReply
from tests.fakes.leading import FakeLeading
from tests.fakes.owed import FakeOwed

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

REPLY = OwedReply("update:5:9", "telegram:5", "42", False, "gone", datetime(2025, 12, 6, tzinfo=UTC))


@dataclass
class Inlet:
    """What came; ``begun`` says that a process has begun it."""

    begun: bool = True

    async def untouched(self, key: str) -> bool:
        assert key == REPLY.key
        return not self.begun


@dataclass
class Client:
    """What somebody is told alone, unless ``fails``."""

    fails: Exception | None = None
    inlet: Inlet = field(default_factory=Inlet)
    told: list[tuple[int, str]] = field(default_factory=list)

    async def to_person(self, number: int, *contents: Content) -> None:
        if self.fails is not None:
            raise self.fails
        self.told += [(number, str(part.text)) for content in contents for part in content.parts]


async def _nothing(_: object) -> None: ...


async def told_by(*, begun: bool = True) -> list[tuple[int, str]]:
    client = Client(inlet=Inlet(begun))
    await stopped(cast("Dogear", cast(Any, client)), REPLY)
    return client.told


async def test_who_sent_it_is_told_what_may_be_done_or_not() -> None:
    ((number, words),) = await told_by()
    assert number == 42
    assert "I was stopped in the middle of what you asked for last." in words


async def test_who_sent_what_was_not_begun_is_told_nothing_since_it_is_done_all_the_same() -> None:
    assert await told_by(begun=False) == []


@pytest.mark.parametrize(
    ("fails", "kept"),
    [
        (NetworkError("away"), True),
        (TimedOut(), True),
        (BadRequest("message is empty"), False),
        (Forbidden("bot was kicked"), False),
        (Unreached(), False),
        (Refused("may_not_write", "I may not write there."), False),
    ],
    ids=repr,
)
async def test_where_telegram_is_away_they_are_told_at_another_look_and_who_cannot_be_told_is_left(
    fails: Exception, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owing, "GRACE", 0.0)
    clubs = SimpleNamespace(owed=FakeOwed(), leading=FakeLeading())
    client = cast("Dogear", cast(Any, Client(fails)))
    clubs.owed.replies[REPLY.key] = REPLY
    await owing.Owing(cast(owing.Clubs, clubs), lambda: REPLY.app, _nothing, partial(stopped, client), away).look()
    assert bool(clubs.owed.replies) is kept
