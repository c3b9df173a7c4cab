"""`dogear run` by a clock that is so many seconds ahead as a file says, that looks often for what is due, and is less
patient with a chat platform that does not answer. Everything else is as it is shipped.
"""

from __future__ import annotations

from bot.adapters.chat import patience, postings
from bot.adapters.discord import serving
from tests.together.ahead import shipped

if __name__ == "__main__":
    setattr(serving, "ANSWERS_WITHIN", 2.0)  # noqa: B010 - it is constant
    setattr(patience, "AGAIN", 0.5)  # noqa: B010 - it is constant
    setattr(postings, "WRITING", 5.0)  # noqa: B010 - it is constant
    shipped()
