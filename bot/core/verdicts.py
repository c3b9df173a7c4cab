"""Useful, or not: what a member says of an answer. It is kept for the host, and never shown in a room."""

from __future__ import annotations

from bot.core.asked_in import PRIVATELY, asker_at
from bot.core.club import Person, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.ledger import Status, Verdict
from bot.core.outcomes import NotAnswered, Why


async def judge(house: Clubhouse, question: QuestionId, person: Person, useful: bool) -> Verdict | NotAnswered:
    """Keep whether an answer was useful to a member; said again it changes what they said before.

    Any member may say so of a room's answer; of a private one only who got it. A refusal is no answer.
    """
    moment = await asker_at(house, person, PRIVATELY)
    if isinstance(moment, NotAnswered):
        return moment
    kept, member = await house.ledger.question(question), moment.member
    if kept is None or kept.record.status is not Status.ANSWERED:
        return NotAnswered(Why.NO_SUCH_QUESTION)
    if kept.record.room is None and kept.record.member != member.id:
        return NotAnswered(Why.NO_SUCH_QUESTION)
    new = await house.ledger.judged(question, member.id, useful, house.clock())
    return Verdict(useful, new)
