"""Signs of life, and those who give none: one silent person must not stop a club for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.club import Member, MemberId
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.notices import NowAway, Tell, WhereAreYou

NOTED_EVERY: Final = timedelta(hours=1)
"""A sign of life is written down when the last one is older than this: what is decided by it takes days."""
ASKED_AFTER: Final = timedelta(days=1)
"""How long after joining a member is asked where they are, who has not said so."""


@dataclass(frozen=True, slots=True)
class AwayStep:
    """One member, and what they are told. Only once `NowAway` is delivered do they count as away.

    ``silent_since`` is their last sign of life.
    """

    member: Member
    notice: NowAway | WhereAreYou
    silent_since: datetime


@dataclass(frozen=True, slots=True)
class AwayDone:
    """How many members are away from now on, how many were asked where they are, and how many could not be told."""

    away: int = 0
    asked: int = 0
    unreachable: int = 0


def away_check(
    members: Iterable[Member], placed: Collection[MemberId], settings: ClubSettings, now: datetime
) -> tuple[AwayStep, ...]:
    """Who is to be told that they are away, and who is to be asked where they are; each once. Pure.

    ``placed`` are those who have said a place in the current book. Members who are away, set aside or not to be reached
    get no step: the last go on counting.
    """
    steps = []
    for member in members:
        joined = member.joined_at
        if not member.joined or joined is None or member.away or member.aside or not member.reachable:
            continue
        last = max(joined, member.seen_at or joined)
        if now - last >= timedelta(days=settings.away_after_days):
            steps.append(AwayStep(member, NowAway(settings.away_after_days), last))
        elif member.id not in placed and not member.asked_where and now - joined >= ASKED_AFTER:
            steps.append(AwayStep(member, WhereAreYou(), last))
    return tuple(steps)


async def check_away(house: Clubhouse, tell: Tell) -> AwayDone:
    """Tell each silent member once, and let them count as away where that was delivered; nothing is said in a room.

    Who gives a sign meanwhile is not away. Who cannot be told goes on counting, and is not tried again until they
    write privately. What was kept for a day of forgotten people is dropped.
    """
    now = house.clock()
    await house.roster.forgotten_expired(now)
    book = await house.roster.current_book()
    async with house.searching.doors.opened() as door:
        members = await door.members()
        settings = settings_of(await door.settings())
        places = {} if book is None else await door.positions_latest(book.id, [m.id for m in members])
    asked_about = frozenset(places) if book is not None else frozenset(m.id for m in members)
    away = asked = unreachable = 0
    for step in away_check(members, asked_about, settings, now):
        if not await tell.tell(step.member, step.notice):
            await house.roster.reachable(step.member.id, False)
            unreachable += 1
        elif isinstance(step.notice, WhereAreYou):
            await house.roster.asked_where(step.member.id, now)
            asked += 1
        else:
            away += await house.roster.away(step.member.id, now, step.silent_since)
    return AwayDone(away, asked, unreachable)


async def sign_of_life(house: Clubhouse, member: Member, *, private: bool = False) -> bool:
    """Note that a member said or pressed something, before it is acted on; whether they were away, and count again.

    They are then told `CountsAgain`, alone. What is said ``private`` shows that private messages reach them.
    """
    if not member.joined:
        return False
    if private and not member.reachable:
        await house.roster.reachable(member.id, True)
    now = house.clock()
    if not member.away and member.seen_at is not None and now - member.seen_at < NOTED_EVERY:
        return False
    return await house.roster.seen(member.id, now)
