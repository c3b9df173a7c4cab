"""`dogear run` by a clock that is so many seconds ahead as a file says, that looks often for what is due, is less
patient with a chat platform that does not answer, and reads files with less memory. All else is as it is shipped.
"""

from __future__ import annotations

import sys

import bot.app
from bot.adapters.chat import patience, postings
from bot.adapters.discord import serving
from tests.together.ahead import ahead, shipped

if __name__ == "__main__":
    setattr(bot.app, "utc_now", ahead)  # noqa: B010 - it is no variable, and is looked up by what is imported next
    from bot.cli import running

    setattr(serving, "ANSWERS_WITHIN", 2.0)  # noqa: B010 - it is constant
    setattr(patience, "AGAIN", 0.5)  # noqa: B010 - it is constant
    setattr(postings, "WRITING", 5.0)  # noqa: B010 - it is constant
    setattr(running, "OWN_WORKER", (sys.executable, "-m", "tests.outages.worker"))  # noqa: B010 - it is constant
    shipped()
