"""`/ask` and `/dm` at the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.answers import answer_lines
from bot.adapters.terminal.places import NO_BOOK, NOT_A_MEMBER
from bot.adapters.terminal.replies import Reply, clear, covered
from bot.core.ask import Reply as Answered
from bot.core.ask import ask as answered
from bot.core.chapters import ChapterMap
from bot.core.club import Member, private_to
from bot.core.errors import Unavailable
from bot.core.membership import room_reading
from bot.core.ports import BookRecord
from bot.core.search import Asked, still_holds

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_ATTEMPTS = 5


async def ask_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/ask QUESTION`, in the room or (within `/dm`) privately."""
    if not rest:
        return [clear("Ask something: /ask QUESTION.")]
    return await ask(club, rest, private=private)


async def ask(club: TerminalClub, question: str, *, private: bool) -> list[Reply]:
    """Answer under the boundary of everyone who will see the reply."""
    member, book = await club.member(), await club.desk.roster.current_book(club.desk.club)
    if not member.joined:
        return [clear(NOT_A_MEMBER)]
    if book is None:
        return [clear(NO_BOOK)]
    if private:
        return [await _private(club, member, book, question)]
    return await _room(club, member, book, question)


async def _private(club: TerminalClub, member: Member, book: BookRecord, question: str, *why: str) -> Reply:
    audience = private_to(member.id)
    reply, chapter_map, ahead = await _answered(club, Asked(book.id, question, audience), member)
    del ahead
    return clear(*why, *answer_lines(reply.outcome, chapter_map, audience), only=club.speaker)


async def _room(club: TerminalClub, member: Member, book: BookRecord, question: str) -> list[Reply]:
    from bot.adapters.terminal.club import ROOM

    reading = await room_reading(club.desk.doors, club.desk.roster, club.desk.club, ROOM, book.id)
    reply, chapter_map, ahead = await _answered(club, Asked(book.id, question, reading.audience), member)
    if reply.found.unmet_names:
        return [await _private(club, member, book, question, wording.line("names_unmet"))]
    first = f"@{club.speaker} asked about {book.title} - {wording.boundary_line(reply.outcome.boundary, chapter_map)}"
    pending = wording.pending(reading.pending)
    below = [*([f"{pending}. [{wording.line('set_my_place')}: /progress]"] if pending else [])]
    shown = covered(first, [question, *answer_lines(reply.outcome, chapter_map, reading.audience)], *below)
    if ahead:
        return [shown, clear(f"[{wording.line('answer_privately')}: /dm {question}]", only=club.speaker)]
    return [shown]


async def _answered(club: TerminalClub, asked: Asked, member: Member) -> tuple[Answered, ChapterMap, bool]:
    """A reply whose boundary still holds, the chapter map, and whether the member has read further than that."""
    for _ in range(_ATTEMPTS):
        reply = await answered(club.desk.searching, asked)
        if await still_holds(club.desk.doors, asked, reply.outcome.boundary):
            async with club.desk.doors.opened() as door:
                chapter_map = await door.chapter_map(asked.book)
                own = (await door.positions_latest(asked.book, [member.id])).get(member.id, 0)
            return reply, chapter_map, own > reply.outcome.boundary.offset
    raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")
