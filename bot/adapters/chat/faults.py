"""What goes wrong while somebody is answered: they are told a sentence and a reference, the log is told the rest.

The log holds no message of an exception that is not Dogear's own: it may quote what was sent.
"""

from __future__ import annotations

import logging
import secrets
import traceback

from bot.adapters import wording
from bot.adapters.references import current_reference
from bot.core.errors import DogearError, SpoilerLeak


def fault_told(error: BaseException, logger: logging.Logger, kind: str, language: str = "en") -> str:
    """What a member is told of an error, which is of a ``kind``. Whatever is not their own doing is logged."""
    if isinstance(error, SpoilerLeak):
        logger.critical("guard tripped: %s", error)
    elif isinstance(error, DogearError):
        return wording.sentence(error, language)
    reference = current_reference() or secrets.token_hex(3)
    logger.error("event=fault reference=%s error=%s at=%s", reference, kind, _where(error))
    told = wording.sentence(error, language) if isinstance(error, DogearError) else wording.line("fault", language)
    return wording.line("chat_reference", language, sentence=told, reference=reference)


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return " ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)
