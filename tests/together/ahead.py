"""`dogear run` by a clock that is so many seconds ahead as a file says, and looks often for what is due: a week passes
while a test waits. Everything else is as it is shipped.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import bot.app
from bot.adapters import scheduler

AHEAD: Final = "DOGEAR_TEST_AHEAD"
"""The name of the variable that names the file."""


def ahead() -> datetime:
    """What time it is said to be."""
    return datetime.now(UTC) + timedelta(seconds=float(Path(os.environ[AHEAD]).read_text("ascii")))


def shipped() -> None:
    """Run it."""
    setattr(bot.app, "utc_now", ahead)  # noqa: B010 - it is no variable
    setattr(scheduler, "WORK_EVERY", 0.5)  # noqa: B010 - it is constant
    setattr(scheduler, "LOOK_EVERY", 1.0)  # noqa: B010 - it is constant
    sys.argv[1:] = ["run"]
    from bot.cli import main

    main()


if __name__ == "__main__":
    shipped()
