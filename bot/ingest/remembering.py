"""One chapter of a book more is remembered: the work of a job, which goes on from chapter to chapter in turn."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Final

from bot.core.chat_model import Failed, ModelFailed, Usage
from bot.core.club import BookId
from bot.core.jobs import Claim, JobQueue
from bot.core.memory import ChapterMemory, Kept, next_chapter
from bot.core.ports import Doors
from bot.core.remembering import chapter_left, chapter_remembered
from bot.core.shelf import Shelf
from bot.core.spending import Spending, day_of, entries_of
from bot.core.writing import Writing

AGAIN_AFTER: Final = timedelta(minutes=5)
"""When it is tried again after a model could not be reached, or wrote nothing that could be used."""
TRIES: Final = 3
"""So often a model is asked for a chapter that it refuses or writes nonsense of; then the chapter is left without."""
_OF_THE_REPLY: Final = frozenset((Failed.REFUSED, Failed.BAD_REPLY, Failed.CUT_OFF))

logger = logging.getLogger("dogear.worker")


@dataclass(frozen=True, slots=True)
class Remembering:
    """What remembers the books of one club: its door, the model within its budgets, and its books of what is spent."""

    doors: Doors
    writing: Writing
    spending: Spending


@dataclass(frozen=True, slots=True)
class Chapters:
    """Does what jobs ask of it with what it is given; ``again_after`` is how long it waits after an outage."""

    queue: JobQueue
    shelf: Shelf
    now: Callable[[], datetime]
    again_after: timedelta = field(default=AGAIN_AFTER)

    async def one_more(self, claim: Claim, book: BookId, club: Remembering, tell: Callable[[str, float], None]) -> None:
        """Remember the next chapter and let the job go on; or put it off, or end it where there is none.

        What a chapter costs is spent once: it is stored whole, or not at all, with how far the job is.
        """
        record, done = await self.shelf.book(book), await self.queue.chapters_remembered(claim)
        chapter = next_chapter(done, record.chapters)
        if chapter is None:
            await self.queue.job_done(claim, book, self.now())
            return
        tell("remember", len(done) / record.chapters)
        used: list[Usage] = []
        try:
            memory = await self._memory(claim, book, chapter, club, used)
        finally:
            await club.spending.charged_to_job(claim.job, entries_of(used))
        if memory is not None:
            await self.queue.chapter_stored(claim, Kept(memory, self.now(), record.chapters))

    async def _memory(
        self, claim: Claim, book: BookId, chapter: int, club: Remembering, used: list[Usage]
    ) -> ChapterMemory | None:
        """The memory of a chapter; None where the job was put off."""
        try:
            return await chapter_remembered(club.doors, club.writing, book, chapter, used.append)
        except ModelFailed as failed:
            of_the_reply = failed.failed in _OF_THE_REPLY
            logger.warning("event=put_off job=%d chapter=%d code=%s", claim.job, chapter, failed.code)
            if of_the_reply and claim.attempt >= TRIES:
                return await chapter_left(club.doors, book, chapter)
            until = self._until(failed.failed)
            await self.queue.job_put_off(claim, until, failed.failed.value, counted=of_the_reply)
            return None

    def _until(self, failed: Failed) -> datetime:
        """When it is tried again: money comes with the next day (UTC), all else may come in minutes."""
        now = self.now()
        if failed is Failed.OVER_BUDGET:
            return datetime.combine(day_of(now) + timedelta(days=1), time(), now.tzinfo)
        return now + self.again_after
