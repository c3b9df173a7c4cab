"""Whether a model keeps notes of a book, at the keyboard: `/book memory N`, `/book memory N on` and `off`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.wording import memories as words
from bot.core.club import Member
from bot.core.known_books import book_wanted
from bot.core.memories import memory_begun, memory_given_up, memory_offer, no_model
from bot.core.ports import BookRecord

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


async def memory(club: TerminalClub, typed: str) -> list[Reply]:
    """Say how it stands with the notes of a book, let a model keep them, or let it be."""
    named, _, last = typed.rpartition(" ")
    wish = last.lower() if named and last.lower() in {"on", "off"} else ""
    member = await club.member()
    book = await book_wanted(club.desk.house, member, named if wish else typed)
    if wish == "off":
        await memory_given_up(club.desk.house, member, book)
        return [clear(wording.line("memory_dropped"), only=member.name)]
    if wish == "on":
        await club.remember(await memory_begun(club.desk.house, member, book))
    offer = await memory_offer(club.desk.house, member, book)
    if offer is None:
        raise no_model()
    return [clear(words.standing(offer), *([] if wish else [wording.line("memory_how")]), only=member.name)]


async def offered(club: TerminalClub, member: Member, book: BookRecord) -> list[str]:
    """What is said of it to who has just brought a book; where the club always wants it, it begins."""
    offer = await memory_offer(club.desk.house, member, book)
    if offer is not None and offer.wanted and offer.job is not None:
        await club.remember(offer.job.id)
    told = "" if offer is None else words.offered(offer)
    return [told, wording.line("memory_how")] if told else []
