"""Replies that somebody was promised, known to every process: who gets none since one died is told so."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol

OWED_FOR: Final = timedelta(minutes=15)
"""How long a reply can be given at all."""


@dataclass(frozen=True, slots=True)
class OwedReply:
    """One reply that is owed since ``noted_at``, by the process ``owed_by`` of the application ``app``.

    ``key`` is what it answers, on its platform; ``token`` is what it is answered with. ``in_place`` says that it was to
    change the message that it came from. Nothing in it is of a book; of a person at most their number on the platform,
    or that of their private chat, as the ``token`` by which they are told.
    """

    key: str
    app: str
    token: str = field(repr=False)
    in_place: bool
    owed_by: str
    noted_at: datetime


class Owed(Protocol):
    """The replies that are owed, by all processes on a database."""

    async def reply_owed(self, reply: OwedReply) -> bool:
        """Note that a reply is owed; false where it is noted already. What is too old to be given is forgotten."""

    async def reply_taken_over(self, reply: OwedReply) -> bool:
        """The same, whoever noted it before: at once, so that it is owed by somebody at every moment."""

    async def reply_paid(self, key: str) -> bool:
        """A reply was given, or will not be: whether it was owed till then."""

    async def replies_owed(self, app: str, before: datetime) -> tuple[OwedReply, ...]:
        """Those of an application that were noted at ``before`` or earlier, the oldest first: at most 500."""
