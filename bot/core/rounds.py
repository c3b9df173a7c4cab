"""What a club's clock brings: the weekly post, reminders, a look for the silent. A function of the time it is given.

A firing only notes that something is due; the work is claimed from those notes, so that of several processes exactly
one does it. A post is noted as made before it is sent: one whose process dies while it sends is never sent twice, and
may not have been sent at all.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.audience import See
from bot.core.away import check_away
from bot.core.club import Member, Room
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import DogearError, Refused, SpoilerLeak
from bot.core.notices import Tell
from bot.core.rights import require_admin, require_member
from bot.core.rooms import is_quiet
from bot.core.scheduling import send_reminders
from bot.core.timetable import PostState, WeeklyRun
from bot.core.weekly import daily_due, too_late, weekly_due
from bot.core.weekly_post import WeeklyPost, weekly_holds, weekly_post

LEASE: Final = timedelta(minutes=5)
"""How long a claim holds: longer than any post takes."""
AGAIN: Final = timedelta(minutes=10)
"""After how long a post is tried again that could not be sent, or whose room is quiet."""
_ATTEMPTS: Final = 5

Send = Callable[[], Awaitable[bool]]
"""Sends what was prepared; whether it was delivered."""

Prepare = Callable[[Room, WeeklyPost], Awaitable[Send]]
"""Makes of a post what a platform sends: rendered first, sent after."""

logger = logging.getLogger(__name__)


async def note_due(house: Clubhouse, now: datetime) -> None:
    """Note what is due now and is not older than a day. Done twice, or by several, it is as if it were done once."""
    async with house.searching.doors.opened() as door:
        settings = settings_of(await door.settings())
    due = weekly_due(settings, now)
    if settings.weekly and not too_late(due.planned, now):
        await house.timetable.weekly_planned(due)
    day, planned = daily_due(settings, now)
    if not too_late(planned, now):
        await house.timetable.day_planned(day, planned)


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


async def weekly_round(house: Clubhouse, see: See, prepare: Prepare, now: datetime) -> PostState | None:
    """Claim one weekly post that is due and post it; what became of it, or None where there was none to claim.

    A club has nothing to post in which nobody reads anything, or everybody joined after the post was planned, or is
    away. In a paused or muted room a post waits.
    """
    run = await house.timetable.weekly_claimed(now, LEASE)
    if run is None:
        return None
    room = await room_of_posts(house)
    if too_late(run.planned, now) or room is None or not await _there_before(house, run.planned):
        await house.timetable.weekly_skipped(run, now)
        return PostState.SKIPPED
    if is_quiet(room, now):
        await house.timetable.weekly_returned(run, now + AGAIN)
        return PostState.DUE
    return await _posted(house, room, see, prepare, run, now)


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
        await house.timetable.weekly_returned(run, now + LEASE)
        raise
    if ready is PostState.SKIPPED:
        await house.timetable.weekly_skipped(run, now)
    if ready is None or isinstance(ready, PostState):
        return ready
    if await ready():
        await house.timetable.weekly_posted(run, now)
        return PostState.POSTED
    await house.timetable.weekly_returned(run, now + AGAIN)
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
        if not post.boundary.audience.members:
            return PostState.SKIPPED
        send = await prepare(room, post)
        if not await house.timetable.weekly_made(run, post.record):
            return None
        if await weekly_holds(house, room.key, see, post):
            return send
    await house.timetable.weekly_returned(run, now + AGAIN)
    return PostState.DUE


async def daily_round(house: Clubhouse, tell: Tell, now: datetime) -> bool:
    """Claim the round of a day and make it: reminders, and a look for the silent. False where there was none to claim.

    What is older than a day is done with, and not made.
    """
    run = await house.timetable.day_claimed(now, LEASE)
    if run is None:
        return False
    if not too_late(run.planned, now):
        await send_reminders(house, tell, now)
        await check_away(house, tell)
    await house.timetable.day_done(run, now)
    return True


async def tick(house: Clubhouse, see: See, prepare: Prepare, tell: Tell, now: datetime) -> PostState | None:
    """Note what is due and do all of it. An outage of one thing ends none of the others."""
    await note_due(house, now)
    state: PostState | None = None
    try:
        while (became := await weekly_round(house, see, prepare, now)) is not None:
            state = became
    except SpoilerLeak as error:
        logger.critical("guard tripped: %s", error)
    except DogearError as error:
        logger.warning("club %s: the weekly post has to wait (%s)", house.club, type(error).__name__)
    while await daily_round(house, tell, now):
        pass
    return state
