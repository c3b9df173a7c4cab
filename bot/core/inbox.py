"""What came from a chat platform and nobody has begun to answer: put down before the platform is told that it came."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Protocol

KEPT: Final = timedelta(days=1)
"""What nobody has begun for so long is forgotten: the platform keeps it no longer either."""


class Inbox(Protocol):
    """Keeps what came, by a key of its own, until it is begun; and the key for a while after that."""

    async def came(self, key: str, body: str, now: datetime) -> bool:
        """Put it down; whether it is new: not where it waits already, or was begun."""

    async def begun(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether nobody has begun it before; of several at the same moment one alone is told so.

        What was put down is forgotten by it, but for its key, which is remembered at least ``until`` then.
        """

    async def waiting(self, prefix: str, now: datetime, age: timedelta = timedelta(0)) -> tuple[tuple[str, str], ...]:
        """Key and body of what waits whose key begins with ``prefix``, for ``age`` or longer, in the order in which it
        came: the first thousand. Without an age it does not matter what time the process had that put it down.
        """
