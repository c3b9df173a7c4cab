"""`dogear run` by a clock that is so many seconds ahead as a file says, that looks often for what is due, is less
patient with a chat platform that does not answer, and reads files with less memory. All else is as it is shipped.
"""

from __future__ import annotations

import sys

from bot.adapters.chat import patience, postings
from bot.adapters.discord import serving
from bot.cli import running
from tests.together.ahead import shipped

if __name__ == "__main__":
    setattr(serving, "ANSWERS_WITHIN", 2.0)  # noqa: B010 - it is constant
    setattr(patience, "AGAIN", 0.5)  # noqa: B010 - it is constant
    setattr(postings, "WRITING", 5.0)  # noqa: B010 - it is constant
    setattr(running, "OWN_WORKER", (sys.executable, "-m", "tests.outages.worker"))  # noqa: B010 - it is constant
    shipped()
