"""The club's weeks at the keyboard: `/club schedule`, `/club preview`, `/club remind`, and `/clock`."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.bulletins import Bulletin, weekly_bulletin
from bot.adapters.terminal.life import news
from bot.adapters.terminal.people import Whispers
from bot.adapters.terminal.replies import Holds, Reply, Shown, clear
from bot.adapters.wording import schedules
from bot.core import rounds
from bot.core.audience import cannot_tell
from bot.core.ballots import Ballot
from bot.core.club import MemberId, Room
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clock
from bot.core.life import ClubFinished
from bot.core.rights import require_member
from bot.core.rounds import Send
from bot.core.scheduling import ScheduleSeen, remind, schedule_seen, set_schedule
from bot.core.weekly import daily_due, weekly_due
from bot.core.weekly_post import WeeklyPost, weekly_holds

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

FURTHEST: Final = timedelta(days=366)
"""How far `/clock` goes at once."""
_SHIFT: Final = re.compile(r"\+ ?(\d{1,4}) ?(m|h|d|w)(?:[a-z]*)", re.IGNORECASE)
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass
class ShiftedClock:
    """A clock that can be set forward, for one sitting: a whole club's life passes in minutes."""

    base: Clock
    ahead: timedelta = timedelta(0)

    def __call__(self) -> datetime:
        return self.base() + self.ahead

    def forward_to(self, moment: datetime) -> None:
        """Show ``moment``, or what is shown already where that is later."""
        self.ahead = max(self.ahead, moment - self.base())


async def schedule_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club schedule` shows it; `/club schedule WHAT` and `off` are an admin's."""
    house, member = club.desk.house, await club.member()
    if not rest:
        require_member(member)
        seen = await schedule_seen(house, club.room)
        return [clear(*_schedule(seen, always=True), only=club.speaker if private else None)]
    seen = await set_schedule(house, member, club.room, cannot_tell, rest)
    if not seen.schedule.milestones:
        return [clear(wording.line("schedule_off", title=seen.book.title))]
    return [clear(*_schedule(seen, always=True), *schedules.spread(seen.schedule.spread))]


def _schedule(seen: ScheduleSeen, *, always: bool) -> list[str]:
    """The schedule and what it says today; nothing of a book without one, unless ``always``."""
    if not seen.schedule.milestones and not always:
        return []
    rows = schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today)
    return [*rows, *schedules.due(seen.due, seen.chapter_map, seen.today)]


async def remind_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club remind on|off`."""
    del private
    if rest.lower() not in {"on", "off"}:
        return [clear(wording.line("remind_how"), only=club.speaker)]
    await remind(club.desk.house, await club.member(), rest.lower() == "on")
    return [clear(wording.line(f"remind_{rest.lower()}"), only=club.speaker)]


async def preview_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club preview`: the next post as it would be posted now, under its room's boundary, for an admin alone."""
    del rest, private
    made = await rounds.weekly_preview(club.desk.house, await club.member(), cannot_tell)
    if made is None:
        return [clear(wording.line("preview_no_room"), only=club.speaker)]
    post = made.post
    bulletin = await weekly_bulletin(made.room, post)
    file = await _written(club, bulletin)
    head = wording.line("preview", week=post.week.week, year=post.week.year)
    shown = _reply(club, post, bulletin, (await club.member()).id)
    return [replace(shown, lines=(Shown(head), *shown.lines, Shown(file)), only=club.speaker)]


async def _written(club: TerminalClub, bulletin: Bulletin) -> str:
    """Write the chart to a file of the sitting; the sentence that names it."""
    assert bulletin.picture is not None
    file = club.charts / bulletin.picture.name

    def write(png: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(png)

    try:
        await asyncio.to_thread(write, bulletin.picture.png)
    except OSError as error:
        return wording.line("preview_no_file", file=file, why=(error.strerror or "error").lower())
    return wording.line("preview_file", file=file)


def _reply(club: TerminalClub, post: WeeklyPost, bulletin: Bulletin, viewer: MemberId | None = None) -> Reply:
    lines = [Shown(line.text, line.covered) for line in bulletin.lines]
    if bulletin.picture is not None:
        lines.append(Shown(wording.line("picture", alt=bulletin.picture.alt)))
    return Reply(tuple(lines), answers=True, holds=_holds(club, bulletin.room, post, viewer))


def _holds(club: TerminalClub, room: str, post: WeeklyPost, viewer: MemberId | None) -> Holds:
    """Whether who speaks is of the post's audience, and its boundary still holds. A preview has one ``viewer``."""

    async def holds() -> bool:
        member = await club.member()
        if member.id not in post.boundary.audience.members:
            return False
        return await weekly_holds(club.desk.house, room, cannot_tell, post, viewer)

    return holds


@dataclass
class _Board:
    """What the clock brings, as replies, in the order in which it comes."""

    club: TerminalClub
    replies: list[Reply] = field(default_factory=list)

    async def prepare(self, room: Room, post: WeeklyPost) -> Send:
        bulletin = await weekly_bulletin(room, post)

        async def send() -> bool:
            file = await _written(self.club, bulletin)
            reply = _reply(self.club, post, bulletin)
            self.replies.append(replace(reply, lines=(*reply.lines, Shown(file))))
            return True

        return send

    async def announce(self, room: Room, told: ClubFinished | Ballot) -> bool:
        del room
        self.replies.append(news(told))
        return True


async def clock_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/clock +7d`: move this sitting's clock forward; whatever was due until then is done, each at its own time."""
    del private
    house, clock = club.desk.house, club.desk.house.clock
    if not isinstance(clock, ShiftedClock):
        return [clear(wording.line("clock_fixed"))]
    require_member(await club.member())  # what comes to the room is shown to whoever is at the keyboard
    async with house.searching.doors.opened() as door:
        settings = settings_of(await door.settings())
    if not rest:
        return [clear(_shown_time(clock(), settings), wording.line("clock_how"))]
    shift = _SHIFT.fullmatch(rest)
    by = timedelta(**{_UNITS[shift[2].lower()]: int(shift[1])}) if shift else None
    if by is None or not timedelta(0) < by <= FURTHEST:
        return [clear(wording.line("clock_how"))]
    return await _passed(club, clock, settings, clock() + by)


async def _passed(club: TerminalClub, clock: ShiftedClock, settings: ClubSettings, until: datetime) -> list[Reply]:
    board, whispers = _Board(club), Whispers()
    for moment in _moments(settings, clock(), until):
        clock.forward_to(moment)
        whispers.replies = board.replies
        await rounds.tick(club.desk.house, cannot_tell, rounds.Sending(board.prepare), whispers, board.announce, moment)
    clock.forward_to(until)
    quiet = [] if board.replies else [wording.line("clock_quiet")]
    return [*board.replies, clear(*quiet, _shown_time(until, settings))]


def _moments(settings: ClubSettings, after: datetime, until: datetime) -> list[datetime]:
    """Every instant after ``after`` for which something is planned, up to ``until``, which is the last of them."""
    moments = {until}
    at = until
    while at > after:
        day = daily_due(settings, at)[1]
        post = weekly_due(settings, at).planned
        at = max(day, post)
        if at > after:
            moments.add(at)
            at -= timedelta(microseconds=1)
    return sorted(moments)


def _shown_time(now: datetime, settings: ClubSettings) -> str:
    local = now.astimezone(settings.time_zone)
    shown = schedules.day(local.date(), local.date())
    return wording.line("clock_now", day=f"{shown} {local.year}", time=f"{local:%H:%M}", zone=settings.time_zone.key)
