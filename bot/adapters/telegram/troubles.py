"""What goes wrong with Telegram as a whole: said in one sentence, and not every second."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from telegram.error import Conflict, Forbidden, InvalidToken, TelegramError

from bot.adapters.wording import line
from bot.core.errors import Unavailable

TOLD_EVERY: Final = 60.0
"""Seconds between two lines of the log about the same trouble."""
REVOKED_EVERY: Final = 3600.0
"""The same where the token is not taken: nobody but the host ends that."""
TURNED_AWAY: Final = "telegram_turned_away"
"""The code, and the line of the catalogue, where Telegram does not take the token."""
UNREACHABLE: Final = "telegram_unreachable"
CONFLICT: Final = "telegram_conflict"

logger = logging.getLogger("dogear.telegram")


class Revoked(TelegramError):
    """Telegram does not take the token while it is being polled, which goes on: the next answer may be another."""

    def __init__(self) -> None:
        super().__init__("the token is not taken")


def turned_away() -> Unavailable:
    """What is raised where Telegram does not take the token."""
    return Unavailable(line(TURNED_AWAY), code=TURNED_AWAY)


def unreachable() -> Unavailable:
    """What is raised where Telegram does not answer as it should."""
    return Unavailable(line(UNREACHABLE))


@dataclass
class Troubles:
    """Says each trouble when it comes, and again only after a while."""

    said_at: dict[str, float] = field(default_factory=dict)

    def told(self, error: TelegramError) -> None:
        """Log it in one sentence. Raises nothing."""
        key = _key(error)
        every = REVOKED_EVERY if key == TURNED_AWAY else TOLD_EVERY
        if monotonic() - self.said_at.get(key, -every) >= every:
            self.said_at[key] = monotonic()
            logger.warning("%s", line(key))


def _key(error: TelegramError) -> str:
    if isinstance(error, Revoked | InvalidToken | Forbidden):
        return TURNED_AWAY
    return CONFLICT if isinstance(error, Conflict) else UNREACHABLE
