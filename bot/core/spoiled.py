""" "This spoiled me": the answer is hidden wherever it stands, and its numbers are kept for the admin and the host."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.core.club import Member, Person, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.ledger import Report
from bot.core.outcomes import NotAnswered, Why
from bot.core.rights import require_admin
from bot.core.roster import Posted

logger = logging.getLogger(__name__)

Hide = Callable[[Posted], Awaitable[bool]]
"""Takes away what stands there, on its platform; whether it is hidden now, or was gone already."""


@dataclass(frozen=True, slots=True)
class Spoiled:
    """What an answer's report says, whom to tell it, and whether this member is the first time heard (``new``).

    ``standing`` counts the messages that could not be hidden: saying it again tries again.
    """

    report: Report
    admins: tuple[Member, ...]
    new: bool
    standing: int = 0


async def spoiled_me(house: Clubhouse, question: QuestionId, person: Person, hide: Hide) -> Spoiled | NotAnswered:
    """Hide an answer everywhere, and keep what it stood on, as numbers. A second time it changes nothing more.

    Any member may say so of a room's answer; of a private one only who got it.
    """
    member = next((m for m in await house.roster.members() if m.person == person and m.joined), None)
    if member is None:
        return NotAnswered(Why.MEMBERS_ONLY)
    kept = await house.ledger.question(question)
    if kept is None or (kept.record.room is None and kept.record.member != member.id):
        return NotAnswered(Why.NO_SUCH_QUESTION)
    now = house.clock()
    new = await house.ledger.spoiled(question, member.id, now)
    standing = 0
    for posted in await house.ledger.postings(question):
        if await hide(posted):
            await house.ledger.hidden(question, posted, now)
        else:
            standing += 1
    report = next((r for r in await house.ledger.reports() if r.question == question), None)
    if report is None:  # the book was removed meanwhile
        return NotAnswered(Why.NO_SUCH_QUESTION)
    if new:
        passages = [c.passage for c in report.citations]
        logger.warning(
            "an answer was reported: question %d, book %d, up to %d, passages %s",
            *(question, report.book, report.boundary, passages),
        )
    if standing:
        logger.warning("a reported answer still stands: question %d, in %d messages", question, standing)
    return Spoiled(report, tuple(m for m in await house.roster.members() if m.admin and not m.removed), new, standing)


async def reports(house: Clubhouse, by: Member) -> tuple[Report, ...]:
    """Every answer that spoiled somebody, the newest first; from now on seen. Raises `Refused` for who is no admin."""
    require_admin(by)
    found = await house.ledger.reports()
    for report in found:
        if not report.seen:
            await house.ledger.report_seen(report.question, house.clock())
    return found
