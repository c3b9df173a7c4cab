"""`/club welcome`, `/club finish`, `/club nominate` and `/club vote` at the keyboard, and congratulations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.replies import Reply, clear, posted
from bot.adapters.wording import lives
from bot.core.ballots import Ballot, Nomination
from bot.core.club_settings import settings_of
from bot.core.life import ClubFinished, Step, club_finished, finished_without, has_finished, room_finished, welcome
from bot.core.next_book import Standing, close_vote, decide_tie, nominate, standing, vote, vote_until
from bot.core.ports import BookRecord
from bot.core.progress import Understood

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_TYPED: Final = {
    Step.JOIN: "/join",
    Step.SET_PLACE: "/progress",
    Step.WHAT_IS_KEPT: "/privacy",
    Step.ADD_BOOK: "/book add FILE",
    Step.TALK_ROOM: "/club room add NAME",
    Step.NOMINATE: "/club nominate TITLE",
    Step.VOTE: "/club vote",
}
_NUMBERS: Final = re.compile(r"\d{1,4}(?:[\s,]+\d{1,4})*", re.ASCII)


async def welcome_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club welcome`: how a room is greeted; an admin is told what comes next, alone."""
    del rest, private
    made = await welcome(club.desk.house, await club.member())
    lines = [wording.line("greeting")]
    if made.book is not None:
        lines.append(wording.line("greeting_book", title=made.book.title))
    lines.append(wording.line("greeting_covered" if made.covered else "greeting_strict"))
    replies = [clear(*lines, *_steps(made.steps))]
    return replies if made.next is None else [*replies, clear(*_steps([made.next]), only=club.speaker)]


async def after_progress(club: TerminalClub, book: BookRecord, said: Understood) -> list[Reply]:
    """Congratulations, where a member has come to the end with what they just said; the club's are for the room."""
    if not has_finished(book, said):
        return []
    own = clear(wording.line("finished_own", title=book.title), only=club.speaker)
    told = await room_finished(club.desk.house, book, club.room)
    return [own] if told is None else [own, _told(told)]


async def after_going(club: TerminalClub) -> list[Reply]:
    """The club's congratulations, where everyone who is left here has finished what is read here."""
    told = await finished_without(club.desk.house, club.room)
    return [] if told is None else [_told(told)]


def news(told: ClubFinished | Ballot) -> Reply:
    """What the club's clock brings to the room."""
    return _told(told) if isinstance(told, ClubFinished) else _closed(told)


async def finish_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club finish`: an admin says that the club is done with the book."""
    del rest, private
    book = await club.book()
    if book is None:
        return [clear(wording.line("no_book"))]
    told = await club_finished(club.desk.house, await club.member(), book)
    return [clear(wording.line("club_done_already", title=book.title)) if told is None else _told(told)]


async def nominate_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club nominate TITLE`, or the number of a book on the shelf."""
    del private
    if not rest:
        return [clear(wording.line("nominate_how"))]
    member = await club.member()
    made = await nominate(club.desk.house, member, rest)
    key = "nominated" if made.new else "nominated_already"
    line = wording.line(key, name=member.name, title=made.nomination.title, n=made.nomination.n)
    return [clear(line, _button(Step.VOTE))]


async def vote_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club vote` shows the round; `/club vote 1 3`, `none`, `close`, `close N` and `until DAY`."""
    del private
    house, member = club.desk.house, await club.member()
    what, *after = rest.split(None, 1) or [""]
    match what.lower(), after:
        case "", []:
            return await _seen(club, await standing(house, member))
        case "close", _:
            ended = await decide_tie(house, member, _number(after[0])) if after else await close_vote(house, member)
            return [_closed(ended)]
        case "until", [day]:
            zone = await _zone(club)
            return [clear(_until(await vote_until(house, member, day, zone), zone))]
    if rest.strip().lower() != "none" and not _NUMBERS.fullmatch(rest.strip()):
        return [clear(wording.line("vote_how"), only=club.speaker)]
    return [_voted(club, await vote(house, member, map(int, re.findall(r"\d+", rest))))]


def _number(said: str) -> int:
    """The number that is said; 0, which no nomination has, for anything else."""
    return int(said[:6]) if said.isascii() and said.isdigit() else 0


async def _seen(club: TerminalClub, seen: Standing | None) -> list[Reply]:
    if seen is None:
        return [clear(wording.line("no_ballot"))]
    if not seen.ballot.open:
        return [replace(_closed(seen.ballot), posted=seen.closed_now)]
    ballot = seen.ballot
    rows = [
        wording.line("ballot_row" if n.book is None else "ballot_row_shelf", n=n.n, title=n.title)
        for n in ballot.nominations
    ]
    until = [] if ballot.closes_at is None else [_until(ballot.closes_at, await _zone(club))]
    head = [wording.line("ballot_head"), *rows, wording.line("voters", count=ballot.voters), *until]
    return [clear(*head, wording.line("vote_how")), _voted(club, seen)]


def _voted(club: TerminalClub, seen: Standing) -> Reply:
    if seen.own is None:
        return clear(wording.line("not_voted"), only=club.speaker)
    chosen = [n for n in seen.ballot.nominations if n.n in seen.own]
    said = wording.line("voted", titles=lives.titles(chosen)) if chosen else wording.line("voted_none")
    return clear(said, only=club.speaker)


def _closed(ballot: Ballot) -> Reply:
    """What came of a round: for the room."""
    chosen = ballot.chosen
    return posted(*lives.news(ballot), *([] if chosen is None else [_next(chosen)]))


def _next(chosen: Nomination) -> str:
    key, typed = ("next_to_add", "/book add FILE") if chosen.book is None else ("next_on_shelf", "/book switch ")
    return wording.line("button", label=wording.line(key), command=f"{typed}{chosen.book or ''}")


def _told(told: ClubFinished) -> Reply:
    return posted(*lives.news(told), *_steps(told.steps))


def _until(closes_at: datetime, zone: tzinfo) -> str:
    last = (closes_at - timedelta(microseconds=1)).astimezone(zone)
    return wording.line("ballot_until", day=last.date().isoformat())


async def _zone(club: TerminalClub) -> tzinfo:
    return settings_of(await club.desk.house.rooms.settings()).time_zone


def _steps(steps: Iterable[Step]) -> list[str]:
    return [_button(step) for step in steps]


def _button(step: Step) -> str:
    return wording.line("button", label=wording.line(f"step_{step.value}"), command=_TYPED[step])
