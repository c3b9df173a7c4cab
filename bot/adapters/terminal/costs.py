"""`/club spent`: what the club has spent on models, for the admin alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.wording import costs as said
from bot.core.costs import club_costs

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


async def spent_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club spent`: today, this month, and on what."""
    del rest, private
    found = await club_costs(club.desk.house, await club.member())
    return [clear(*said.club_costs(found), only=club.speaker)]
