"""`/ahead` and `/ahead show` at the keyboard: what lies past the speaker's place, told to them alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.ahead import ahead_lines
from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.wording import conversations
from bot.core.ahead import Step
from bot.core.club import QuestionId
from bot.core.looking_ahead import Foreseen, ToldAhead, look_ahead
from bot.core.outcomes import NotAnswered

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

SHOW = "show"


async def ahead_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/ahead`: whether the book may answer the speaker's last private question further on; `/ahead show`: what it says
    there.
    """
    del private
    if rest.lower() not in {"", SHOW}:
        return [clear(wording.line("ahead_how"), only=club.speaker)]
    member = await club.member()
    last = await club.desk.house.ledger.last_answered(member.id, None)
    if last is None and member.joined:
        return [clear(wording.line("nothing_ahead"), only=club.speaker)]
    step = Step.ANSWER if rest else Step.WHETHER
    return await _looked(club, QuestionId(0) if last is None else last.id, step)


async def _looked(club: TerminalClub, question: QuestionId, step: Step) -> list[Reply]:
    member, speaker, lines = await club.member(), club.speaker, list[str]()

    async def show(foreseen: Foreseen) -> None:
        lines.extend(ahead_lines(foreseen, member.id))

    outcome = await look_ahead(club.desk.house, question, speaker, step, show)
    if isinstance(outcome, NotAnswered):
        return [clear(conversations.not_answered(outcome, club.desk.house.clock()), only=member.name)]
    if isinstance(outcome, ToldAhead):
        lines.append(wording.line("ahead_show_button", label=wording.line("ahead_show")))
        if speaker == club.speaker:
            club.offer(partial(_looked, club, question, Step.ANSWER))
            club.under_answer[speaker] = club.choices[speaker]
    return [clear(*lines, only=member.name)]
