"""What is done once only, whoever is told to do it how often: a message that comes twice, a link that is used again."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Once(Protocol):
    """Remembers keys. They name nobody, and nothing of a book."""

    async def first(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether this key comes for the first time; of several at the same moment one alone is told so.

        It is remembered at least ``until`` then.
        """
