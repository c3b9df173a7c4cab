"""Whether a model is to read a book for its club, chapter by chapter, and what that would cost: an admin decides.

Nothing is spent until one has said so, for a book or for all that are added from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from bot.core.club import Member
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.jobs import Job, JobId, JobKind, JobState
from bot.core.ports import BookRecord
from bot.core.remembering import memory_estimate
from bot.core.rights import require_admin


@dataclass(frozen=True, slots=True)
class MemoryOffer:
    """How it stands with the memory of a book.

    ``cost`` is about what all of it costs, in US dollars, or None where that is not known; ``job`` what makes it, or
    None where nobody has wanted it. ``choice`` is the club's: ``ask``, ``always`` or ``never``.
    """

    book: BookRecord
    cost: Decimal | None
    choice: str
    job: Job | None

    @property
    def wanted(self) -> bool:
        """Whether it is there, or being made."""
        job = self.job
        return job is not None and job.state not in {JobState.CANCELLED, JobState.FAILED} and not job.cancelling


async def memory_offer(house: Clubhouse, by: Member, book: BookRecord) -> MemoryOffer | None:
    """How it stands with the memory of a book of the club; None where no model is set. Raises `Refused`.

    It is made of the chapter map and the club's own jobs: of no word of the book.
    """
    require_admin(by)
    writing = house.searching.writing
    if writing is None:
        return None
    async with house.searching.doors.opened() as door:
        chapter_map, choice = await door.chapter_map(book.id), settings_of(await door.settings()).memory
    cost = memory_estimate(chapter_map, book.language, writing).cost
    jobs = [job for job in await house.jobs.jobs() if job.kind is JobKind.REMEMBER and job.book == book.id]
    return MemoryOffer(book, cost, choice, jobs[-1] if jobs else None)


async def memory_begun(house: Clubhouse, by: Member, book: BookRecord) -> JobId:
    """Let a model read a book for the club. Raises `Refused` for who is no admin, and where no model is set."""
    require_admin(by)
    if house.searching.writing is None:
        raise no_model()
    return await house.jobs.memory_wanted(book.id, by.id, house.clock())


async def memory_given_up(house: Clubhouse, by: Member, book: BookRecord) -> None:
    """Let it be, and forget what is remembered of a book. Raises `Refused` for who is no admin."""
    require_admin(by)
    for job in await house.jobs.jobs():
        if job.kind is JobKind.REMEMBER and job.book == book.id:
            await house.jobs.job_cancelled(job.id, house.clock())


def no_model() -> Refused:
    """Nothing here could read a book."""
    return Refused("no_model", "No model is set here: recaps and cards are made of quotes.")
