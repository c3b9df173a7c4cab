"""Who speaks and who is a member: `/as`, `/join`, `/leave`, and `/club members`, `remove`, `readmit` and `aside`."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.life import after_going
from bot.adapters.terminal.personal import place_choices
from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.wording import people as said
from bot.core import membership
from bot.core.away import sign_of_life
from bot.core.club import Member
from bot.core.membership import Gone, Joining
from bot.core.notices import CountsAgain, Notice
from bot.core.roles import member_named

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

LONGEST_NAME: Final = 40


@dataclass
class Whispers:
    """`Tell` at the keyboard: what a member is told alone is one more reply, which everyone at the keyboard sees."""

    replies: list[Reply] = field(default_factory=list)

    async def tell(self, member: Member, notice: Notice) -> bool:
        """Always delivered."""
        self.replies.append(clear(said.notice(notice), only=member.name))
        return True


async def signed(club: TerminalClub, line: str) -> list[Reply]:
    """Note that the speaker is there; who was away is told that they count again. `/as` is no sign of anybody."""
    member = next((m for m in await club.desk.roster.members() if m.person == club.speaker), None)
    club.joined.discard(club.speaker)
    if member is None or not member.joined:
        return []
    club.joined.add(club.speaker)
    first, *_ = line.lower().split()
    if first == "/as":
        return []
    private = first == "/dm"
    if not await sign_of_life(club.desk.house, member, private=private):
        return []
    return [clear(said.notice(CountsAgain()), only=member.name)]


async def speak_as(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/as NAME`: the next lines are this member's. A new name is known from now on, and has not joined."""
    del private
    name = unicodedata.normalize("NFC", rest.lstrip("@"))
    one_word = len(name.split()) == 1 and name.isprintable() and "\ufffd" not in name
    if not one_word or len(name) > LONGEST_NAME or name.startswith("/"):
        return [clear(wording.line("as_how", count=LONGEST_NAME))]
    club.speaker = name
    member = await club.member()
    return [clear(wording.line("as_now" if member.joined else "as_spectator", name=name))]


async def join(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/join`: asks where the member is, and whether the club may see that; `/progress` may be said instead."""
    del rest, private
    joined = await membership.join(club.desk.house, club.speaker)
    if joined.outcome is Joining.REMOVED:
        return [clear(wording.line("was_removed", name=club.speaker), only=club.speaker)]
    club.joined.add(club.speaker)
    new = joined.outcome is Joining.NEW
    told = clear(wording.line("joined" if new else "joined_already", name=club.speaker))
    asked = [wording.line("where_are_you")] if joined.ask_where else []
    if joined.ask_shown and new:
        asked += await place_choices(club)
    return [told, clear(*asked, only=club.speaker)] if asked else [told]


async def leave(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/leave`."""
    del rest, private
    member = await club.member()
    if not member.joined:
        return [clear(wording.line("not_in_club", name=club.speaker))]
    gone = await membership.leave(club.desk.house, member)
    return [*_gone(club, gone, "left"), *await after_going(club)]


def _gone(club: TerminalClub, gone: Gone, key: str) -> list[Reply]:
    """What follows of an end: nothing is offered any more, and no answer of theirs is finished."""
    forget_speaker(club, gone.member.person)
    replies = [clear(wording.line(key, name=gone.member.name))]
    if gone.admin is not None:
        replies.append(clear(wording.line("admin_inherited", name=gone.admin.name), only=gone.admin.name))
    return replies


def forget_speaker(club: TerminalClub, person: str) -> None:
    """Drop what this sitting holds for a person: what they may choose from, and their running answer."""
    club.choices.pop(person, None)
    club.joined.discard(person)
    club.opened = False  # an admin may have gone with them: see to it before the next line
    club.stop(person)


async def members(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club members`: by name, with the last whole chapter of those who show their place."""
    del private, rest
    book = await club.book()
    seen = await membership.members_listed(club.desk.house, await club.member(), None if book is None else book.id)
    return [clear(wording.line("members"), *(said.listed(m, seen.chapter_map) for m in seen.members))]


async def remove(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club remove NAME`."""
    del private
    if not rest:
        return [clear(wording.line("remove_how"))]
    house = club.desk.house
    gone = await membership.remove(house, await club.member(), await member_named(house, rest))
    return [*_gone(club, gone, "removed"), *await after_going(club)]


async def readmit(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club readmit NAME`."""
    del private
    if not rest:
        return [clear(wording.line("readmit_how"))]
    house = club.desk.house
    member = await member_named(house, rest)
    await membership.readmit(house, await club.member(), member)
    return [clear(wording.line("readmitted", name=member.name))]


async def aside(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club aside NAME`: a member who has said no place does not count until they do."""
    del private
    if not rest:
        return [clear(wording.line("aside_how"))]
    house, whispers = club.desk.house, Whispers()
    member = await member_named(house, rest)
    told = await membership.set_aside(house, await club.member(), member, whispers)
    key = "aside" if told else "aside_untold"
    return [clear(wording.line(key, name=member.name), only=club.speaker), *whispers.replies]
