"""What a club's clock brings: the weekly post, reminders, a look for the silent. A function of the time it is given.

A firing only notes that something is due; the work is claimed from those notes, so that of several processes exactly
one does it. Whoever works for a club leads it meanwhile (`bot.core.leading`), so that a claim whose process is gone can
be taken within seconds, and one whose process is slow is not. A post is noted as made before it is sent: one whose
process dies while it sends is sent again at once where the platform can tell that it comes twice (``again``). Where it
cannot, it is never sent twice, and may not have been sent at all.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.core.audience import See, cannot_tell
from bot.core.away import ASKED_AFTER, check_away
from bot.core.ballots import Ballot
from bot.core.club import Member, Room
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import DogearError, Refused, SpoilerLeak
from bot.core.life import ClubFinished, finished_without
from bot.core.next_book import ballot_due
from bot.core.notices import Tell
from bot.core.rights import require_admin, require_member
from bot.core.rooms import is_quiet
from bot.core.scheduling import REMIND_DAYS, send_reminders
from bot.core.timetable import PostState, WeeklyRun
from bot.core.weekly import WeeklyDue, daily_due, local_day, too_late, weekly_due
from bot.core.weekly_post import WeeklyPost, weekly_holds, weekly_post

LEASE: Final = timedelta(seconds=15)
"""How long a claim holds where its process does not lead the club any more."""
AGAIN: Final = timedelta(minutes=10)
"""After how long a post is tried again that could not be sent, or whose room is quiet."""
SOON: Final = timedelta(minutes=1)
"""After how long a post is tried again that could not be made."""
_ATTEMPTS: Final = 5

Send = Callable[[], Awaitable[bool]]
"""Sends what was prepared; whether it was delivered."""

Prepare = Callable[[Room, WeeklyPost], Awaitable[Send]]
"""Makes of a post what a platform sends: rendered first, sent after."""


@dataclass(frozen=True, slots=True)
class Sending:
    """How a platform sends posts; ``again`` says that it can tell when the same comes a second time soon after."""

    prepare: Prepare
    again: bool = False


Announce = Callable[[Room, ClubFinished | Ballot], Awaitable[bool]]
"""Tells a room that its club has finished a book, or what came of a vote; whether it was delivered."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToDo:
    """How many weekly posts and daily rounds can be claimed now."""

    posts: int
    rounds: int


async def note_due(house: Clubhouse, now: datetime, known: ClubSettings | None = None, *, again: bool = False) -> ToDo:
    """Note what is due now and is not older than a day. Done twice, or by several, it is as if it were done once.

    ``known`` are the club's settings, where they were read just now.
    """
    settings = known or await _settings(house)
    noted = await house.timetable.noted(weekly_due(settings, now).week, daily_due(settings, now)[0], now, again=again)
    due = due_now(settings, now)
    left = DueNow(None if noted.weekly else due.post, None if noted.daily else due.round)
    made = await note(house, left)
    return ToDo(noted.posts + made.posts, noted.rounds + made.rounds)


@dataclass(frozen=True, slots=True)
class DueNow:
    """A weekly post that is due, and a daily round: its day, and the instant (UTC) for which it is planned. Each is
    None where there is none, or it is too late.
    """

    post: WeeklyDue | None = None
    round: tuple[date, datetime] | None = None


def due_now(settings: ClubSettings, now: datetime) -> DueNow:
    """What a club with these settings should have noted at ``now``."""
    post, day = weekly_due(settings, now), daily_due(settings, now)
    wanted = settings.weekly and not too_late(post.planned, now)
    return DueNow(post if wanted else None, None if too_late(day[1], now) else day)


async def note(house: Clubhouse, due: DueNow) -> ToDo:
    """Note what is due, where it is not; how much was not."""
    posts = due.post is not None and await house.timetable.weekly_planned(due.post)
    days = due.round is not None and await house.timetable.day_planned(*due.round)
    return ToDo(int(posts), int(days))


async def _settings(house: Clubhouse) -> ClubSettings:
    async with house.searching.doors.opened() as door:
        return settings_of(await door.settings())


async def room_of_posts(house: Clubhouse) -> Room | None:
    """The room in which the club posts: its first in which the current book is read."""
    book = await house.roster.current_book()
    rooms = await house.rooms.rooms()
    return next((room for room in rooms if book is not None and room.book in {None, book.id}), None)


@dataclass(frozen=True, slots=True)
class Preview:
    """A post, and the room that it is for."""

    room: Room
    post: WeeklyPost


async def weekly_preview(house: Clubhouse, admin: Member, see: See) -> Preview | None:
    """The next post as it would be posted now, for an admin who has joined, alone; None where no room would get it.

    Their own place counts for it too. Raises `Refused` for anybody else.
    """
    require_admin(admin)
    require_member(admin)
    room = await room_of_posts(house)
    if room is None:
        return None
    return Preview(room, await weekly_post(house, room.key, see, house.clock(), viewer=admin.id))


async def weekly_round(house: Clubhouse, see: See, sending: Sending, now: datetime) -> PostState | None:
    """Claim one weekly post that is due and post it; what became of it, or None where there was none to claim.

    A club has nothing to post in which nobody reads anything, or everybody joined after the post was planned. In a
    paused or muted room a post waits.
    """
    run = await house.timetable.weekly_claimed(now, LEASE, again=sending.again)
    if run is None:
        return None
    room = await room_of_posts(house)
    if too_late(run.planned, now) or room is None or not await _there_before(house, run.planned):
        await house.timetable.weekly_skipped(run, now)
        return PostState.SKIPPED
    if is_quiet(room, now):
        return await _put_off(house, run, now + AGAIN)
    return await _posted(house, room, see, sending.prepare, run, now)


async def _there_before(house: Clubhouse, planned: datetime) -> bool:
    members = await house.roster.members()
    return any(m.joined and (m.joined_at is None or m.joined_at <= planned) for m in members)


async def _posted(
    house: Clubhouse, room: Room, see: See, prepare: Prepare, run: WeeklyRun, now: datetime
) -> PostState | None:
    """Make the post and send it. Where nothing of it was sent, whoever comes after the lease makes it again."""
    try:
        ready = await _ready(house, room, see, prepare, run, now)
    except DogearError:
        await _put_off(house, run, now + SOON)
        raise
    if ready is None or isinstance(ready, PostState):
        return ready
    if await ready():
        await house.timetable.weekly_posted(run, now)
        return PostState.POSTED
    return await _put_off(house, run, now + AGAIN)


async def _put_off(house: Clubhouse, run: WeeklyRun, until: datetime) -> PostState:
    """Give a post back that was not sent. One that may stand stays as it is: by then nobody could tell that it came
    twice.
    """
    if run.may_stand:
        return PostState.MADE
    await house.timetable.weekly_returned(run, until)
    return PostState.DUE


async def _ready(
    house: Clubhouse, room: Room, see: See, prepare: Prepare, run: WeeklyRun, now: datetime
) -> Send | PostState | None:
    """What sends the post, made again and again until its boundary holds at the moment it is sent.

    Else what becomes of the post; None where the claim on it was lost.
    """
    for _ in range(_ATTEMPTS):
        try:
            post = await weekly_post(house, room.key, see, now, run.week)
        except Refused:  # the book was removed or replaced at this moment
            continue
        send = await prepare(room, post)
        if not await house.timetable.weekly_made(run, post.record):
            return None
        if await weekly_holds(house, room.key, see, post):
            return send
    return await _put_off(house, run, now + AGAIN)


async def daily_round(house: Clubhouse, see: See, tell: Tell, announce: Announce, now: datetime) -> bool:
    """Claim the round of a day and make it: reminders, a look for the silent, and the vote whose date has come.

    Where somebody is away from now on, a room may have finished its book. False where there was no round to claim.
    What is older than a day is done with, and not made.
    """
    run = await house.timetable.day_claimed(now, LEASE)
    if run is None:
        return False
    if not too_late(run.planned, now) and await _wanted(house, now):
        await send_reminders(house, tell, now)
        done = await check_away(house, tell)
        await _announced(house, see, announce, now, went_away=done.away > 0)
    await house.timetable.day_done(run, now)
    return True


async def _wanted(house: Clubhouse, now: datetime) -> bool:
    """Whether there may be anything to do: in most clubs on most days there is not."""
    async with house.searching.doors.opened() as door:
        settings = settings_of(await door.settings())
        today = local_day(now, settings.time_zone)
        due = (today, today + timedelta(days=REMIND_DAYS))
        return await door.round_wanted(now, now - timedelta(days=settings.away_after_days), now - ASKED_AFTER, due)


async def _announced(house: Clubhouse, see: See, announce: Announce, now: datetime, went_away: bool) -> None:
    """Tell the room in which the club posts what it is to know, and rooms with a book of their own that it is finished.

    What may not be said there now is told another day.
    """
    posts = await room_of_posts(house)
    news: list[tuple[Room, ClubFinished | Ballot | None]] = []
    for room in await _rooms_apart(house, posts) if went_away else ():
        sight = see if room == posts else cannot_tell
        news.append((room, await finished_without(house, room.key, sight)))
    if posts is not None and not is_quiet(posts, now):
        news.append((posts, await ballot_due(house)))
    for room, told in news:
        if told is not None and not await announce(room, told):
            logger.warning("club %s: news could not be told", house.club)


async def _rooms_apart(house: Clubhouse, posts: Room | None) -> list[Room]:
    """The room in which the club posts, and those that read another book than it does."""
    current = await house.roster.current_book()
    apart = {None, None if current is None else current.id}
    return [room for room in await house.rooms.rooms() if room == posts or room.book not in apart]


async def tick(
    house: Clubhouse, see: See, sending: Sending, tell: Tell, announce: Announce, now: datetime
) -> PostState | None:
    """Note what is due and do all of it. An outage of one thing ends none of the others."""
    todo = await note_due(house, now, again=sending.again)
    state: PostState | None = None
    try:
        for _ in range(todo.posts):
            became = await weekly_round(house, see, sending, now)
            state = became or state
    except SpoilerLeak as error:
        logger.critical("guard tripped: %s", error)
    except DogearError as error:
        logger.warning("club %s: the weekly post has to wait (%s)", house.club, type(error).__name__)
    for _ in range(todo.rounds):
        await daily_round(house, see, tell, announce, now)
    return state
