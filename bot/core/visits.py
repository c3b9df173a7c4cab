"""When a member was last here, and how far they had read then: by the times at which they said a place or asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.core.club import BookId, MemberId
from bot.core.clubhouse import Clubhouse
from bot.core.ports import PositionRecord

APART: Final = timedelta(hours=6)
"""Whoever is silent for longer comes back to another visit."""
_MOST: Final = 200
_WITHIN: Final = timedelta(days=366)
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


async def place_at_last_visit(house: Clubhouse, member: MemberId, book: BookId) -> int:
    """The offset up to which a member had read when the visit before this one ended; 0 where this is the first."""
    now = house.clock()
    positions = await house.roster.positions(member, book)
    asked = await house.ledger.questions(now - _WITHIN, _MOST, member)
    return place_before_visit(now, positions, (kept.record.asked_at for kept in asked))


def place_before_visit(now: datetime, positions: Sequence[PositionRecord], asked: Iterable[datetime]) -> int:
    """The offset of the latest of ``positions`` (the newest first) that was said before the visit that goes on at
    ``now``; ``asked`` are further times at which the member was here. A position without a time is from long ago.
    """
    said = [(position.at or _LONG_AGO, position.offset) for position in positions]
    began = now
    for time in sorted((*(at for at, _ in said), *asked), reverse=True):
        if time > now:
            continue
        if began - time > APART:
            return next((offset for at, offset in said if at <= time), 0)
        began = time
    return 0
