"""`dogear worker` whose files are read with less memory than it ships with. Everything else is as it is shipped."""

from __future__ import annotations

import sys
from functools import partial

import bot.app
from bot.ingest.files import ReadingLimits, read_book_in_child
from bot.ingest.working import Worker

MEMORY = 64 << 20
"""Bytes: enough for the book of the clubs, and not for a long one."""

if __name__ == "__main__":
    read = partial(read_book_in_child, limits=ReadingLimits(memory_bytes=MEMORY))
    setattr(bot.app, "Worker", partial(Worker, read=read))  # noqa: B010 - it is a class
    sys.argv[1:] = ["worker", "--while-open"]
    from bot.cli import main

    main()
