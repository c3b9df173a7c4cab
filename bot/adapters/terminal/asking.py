"""`/ask`, `/dm` and `/stop` at the keyboard."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.answers import answer_lines
from bot.adapters.terminal.replies import Holds, Reply, clear, covered
from bot.core.ask import Reply as Answered
from bot.core.ask import ask as answered
from bot.core.audience import everyone_in, limit_in
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap
from bot.core.club import Member, private_to
from bot.core.club_rooms import book_read
from bot.core.errors import Unavailable
from bot.core.membership import pending
from bot.core.ports import BookRecord
from bot.core.search import Asked, still_holds

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class _Made:
    """A reply and the chapter map; whether the member has read past its boundary, and how many said no place."""

    reply: Answered
    chapter_map: ChapterMap
    ahead: bool
    pending: int


async def ask_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/ask QUESTION`, in the room or (within `/dm`) privately."""
    if not rest:
        return [clear(wording.line("ask_how"))]
    return await ask(club, rest, private=private)


async def dm_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/dm QUESTION`, or `/dm /COMMAND`: what is said to the bot alone is answered alone."""
    if private or not rest:
        return [clear(wording.line("dm_how"))]
    speaker = club.speaker
    return [reply if reply.posted else replace(reply, only=speaker) for reply in await club.private(rest)]


async def stop_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/stop`: the speaker's running answer is given up; it says so itself."""
    del rest, private
    if club.stop(club.speaker):
        return []
    return [clear(wording.line("not_answered"), only=club.speaker)]


async def ask(club: TerminalClub, question: str, *, private: bool) -> list[Reply]:
    """Answer under the boundary of everyone who will see the reply, unless it is stopped meanwhile."""
    member, book = await club.member(), await club.book()
    if not member.joined:
        return [clear(wording.line("members_only"))]
    if book is None:
        return [clear(wording.line("no_book"))]
    speaker = club.speaker
    answer = _private(club, member, book, question) if private else _room(club, member, book, question)
    task = club.answering[speaker] = asyncio.ensure_future(answer)
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()
        del club.answering[speaker]
    return [clear(wording.line("stopped"), only=speaker)] if task.cancelled() else task.result()


async def _private(club: TerminalClub, member: Member, book: BookRecord, question: str, *why: str) -> list[Reply]:
    audience = private_to(member.id)
    made = await _answered(club, Asked(book.id, question, audience), member)
    lines = answer_lines(made.reply.outcome, made.chapter_map, audience)
    said = clear(wording.line("you_asked", question=question), *why, *lines, only=member.name)
    return [replace(said, answers=True)]


async def _room(club: TerminalClub, member: Member, book: BookRecord, question: str) -> list[Reply]:
    asked = Asked(book.id, question, everyone_in(club.room), limit=limit_in(club.room))
    made = await _answered(club, asked, member)
    if made.reply.found.unmet_names:
        return await _private(club, member, book, question, wording.line("names_unmet"))
    outcome, chapter_map = made.reply.outcome, made.chapter_map
    up_to = wording.boundary_line(outcome.boundary, chapter_map)
    first = wording.line("asked", name=member.name, title=book.title, boundary=up_to)
    below = []
    if waiting := wording.pending(made.pending):
        below.append(wording.line("pending_set", pending=waiting, label=wording.line("set_my_place")))
    shown = covered(first, [question, *answer_lines(outcome, chapter_map, outcome.boundary.audience)], *below)
    shown = replace(shown, answers=True, holds=_holds(club, asked, outcome.boundary))
    if not made.ahead:
        return [shown]
    button = wording.line("button", label=wording.line("answer_privately"), command=f"/dm {question}")
    return [shown, clear(button, only=member.name)]


def _holds(club: TerminalClub, asked: Asked, boundary: Boundary) -> Holds:
    """Whether the club still reads the book, who speaks is of the audience, and the boundary still holds."""

    room = club.room

    async def holds() -> bool:
        member, book = await club.member(), await book_read(club.desk.house, room)
        if book is None or book.id != asked.book or member.id not in boundary.audience.members:
            return False
        return await still_holds(club.desk.doors, asked, boundary)

    return holds


async def _answered(club: TerminalClub, asked: Asked, member: Member) -> _Made:
    """An answer that still holds; last of all it is asked whether it does."""
    for _ in range(_ATTEMPTS):
        reply = await answered(club.desk.searching, asked)
        boundary = reply.outcome.boundary
        async with club.desk.doors.opened() as door:
            chapter_map = await door.chapter_map(asked.book)
            own = (await door.positions_latest(asked.book, [member.id])).get(member.id, 0)
            waiting = await pending(door, boundary)
        if await still_holds(club.desk.doors, asked, boundary):
            return _Made(reply, chapter_map, own > boundary.offset, waiting)
    raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")
