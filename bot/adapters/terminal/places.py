"""`/progress` and `/where` at the keyboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.terminal.life import after_progress
from bot.adapters.terminal.replies import Reply, clear, numbered
from bot.adapters.wording import schedules
from bot.core.calibration import Calibrated, Offered, meant_by_number, offered, place_chosen, place_said
from bot.core.club import Member
from bot.core.places import NotLocated, Unclear
from bot.core.ports import BookRecord
from bot.core.progress import Understood
from bot.core.progress import undo as undone
from bot.core.whereabouts import club_place, own_place

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

Action = Callable[[], Awaitable[list[Reply]]]


async def progress(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/progress PLACE`, `/progress undo`, and `/progress` alone, which shows the place. Always private."""
    del private
    member, book = await club.member(), await club.book()
    if not member.joined:
        return [clear(wording.line("members_only"))]
    if book is None:
        return [clear(wording.line("no_book"))]
    club.choices.pop(club.speaker, None)
    if not rest:
        return [clear(await _own_place(club, member, book), only=club.speaker)]
    if rest.lower() == wording.line("undo").lower():
        earlier = await undone(club.desk.doors, club.desk.roster, member, book.id, club.desk.house.clock())
        if earlier is None:
            return [clear(wording.line("nothing_to_undo"), only=club.speaker)]
        return [clear(wording.line("undone", place=await _own_place(club, member, book)), only=club.speaker)]
    return await _said(club, book, rest)


async def _said(club: TerminalClub, book: BookRecord, said: str) -> list[Reply]:
    member = await club.member()
    if not member.joined:  # who was offered a choice may have left since
        return [clear(wording.line("members_only"))]
    outcome = await place_said(club.desk.house, member, book.id, said)
    if isinstance(outcome, NotLocated):
        return [clear(wording.sentence(outcome), only=club.speaker)]
    if isinstance(outcome, Calibrated):
        return [clear(wording.line("page_counts"), only=club.speaker)]
    return await _noted(club, book, outcome, said)


async def _noted(club: TerminalClub, book: BookRecord, outcome: Understood, said: str) -> list[Reply]:
    lines = [wording.understood(outcome.place, outcome.before)]
    if isinstance(outcome.place, Unclear):
        lines += _offer_places(club, book, outcome)
    elif outcome.ask_habit:
        again = partial(_said, club, book, said)
        lines += _offer_habit(club, again, again)
    return [clear(*lines, only=club.speaker), *await after_progress(club, book, outcome)]


def _offer_places(club: TerminalClub, book: BookRecord, outcome: Understood) -> list[str]:
    """The candidates of an ambiguous statement; each is chosen by its number."""
    assert isinstance(outcome.place, Unclear)
    club.offer(*(partial(_chosen, club, book, outcome, offered(c, outcome)) for c in outcome.place.candidates))
    return numbered(wording.choices(outcome.place, outcome.chapter_map))


async def _chosen(club: TerminalClub, book: BookRecord, outcome: Understood, place: Offered) -> list[Reply]:
    """Save the place that was chosen; where the member's statement was a plain number, ask what they mean by it."""
    member = await club.member()
    if not member.joined:
        return [clear(wording.line("members_only"))]
    chosen = await place_chosen(club.desk.house, member, book.id, place)
    replies = await _noted(club, book, chosen, "")
    meant = meant_by_number(outcome, place)
    if meant is None:
        return replies
    plain = replace(outcome, number=None)
    finished, still_in = (partial(_chosen, club, book, plain, one) for one in meant)
    said = [shown.text for reply in replies if not reply.posted for shown in reply.lines]
    asked = clear(*said, *_offer_habit(club, finished, still_in), only=club.speaker)
    return [asked, *(reply for reply in replies if reply.posted)]


def _offer_habit(club: TerminalClub, finished: Action, still_in: Action) -> list[str]:
    """Ask what a plain number means; what is meant is then done."""

    async def habit(means: str, meant: Action) -> list[Reply]:
        await club.desk.roster.plain_number_means((await club.member()).id, means)
        return await meant()

    club.offer(partial(habit, "finished", finished), partial(habit, "in", still_in))
    labels = (wording.line("finished_it"), wording.line("still_in_it"))
    return [wording.line("finished_or_in"), *numbered(labels)]


async def where(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """The club's place, for the room, and the speaker's own, for them alone. Both are for members."""
    del rest
    member, book = await club.member(), await club.book()
    if not member.joined:
        return [clear(wording.line("members_only"))]
    if book is None:
        return [clear(wording.line("no_book"))]
    own = clear(await _own_place(club, member, book), only=club.speaker)
    if private:
        return [own]
    return [clear(*schedules.where(await club_place(club.desk.house, member, club.room))), own]


async def _own_place(club: TerminalClub, member: Member, book: BookRecord) -> str:
    own = await own_place(club.desk.house, member, book.id)
    return wording.member_place(own.offset, own.chapter_map)
