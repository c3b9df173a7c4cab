"""The club at the keyboard: `/club setup`, `settings`, `room`, `pause`, `resume`, `mute`, `admin`, and `/room`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.desk import ROOM
from bot.adapters.terminal.replies import Reply, clear
from bot.core.chapters import place_name
from bot.core.club import Role
from bot.core.club_rooms import (
    RoomLimit,
    add_room,
    book_read,
    give_book,
    known_room,
    lift_limit,
    limit_room,
    limit_room_at,
    mute_room,
    name_of,
    pause_room,
    quiet_in,
    remove_room,
    resume_room,
)
from bot.core.club_settings import settings_of
from bot.core.clubs import SettingSeen, change_setting, set_up_in, settings_listed
from bot.core.errors import Refused
from bot.core.folding import folded
from bot.core.known_books import book_wanted
from bot.core.places import Candidate, NotLocated, Unclear, candidate_label
from bot.core.roles import admin_given, admin_taken, has_admin, member_named

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

ROOM_WORDS: Final = ("add ", "remove", "book ", "limit ")
"""What follows `/club room`."""

OFF: Final = "off"

HEARD: Final = frozenset(
    (
        "/dm", "/ahead", "/useful", "/stop", "/progress", "/privacy", "/export", "/forget", "/as", "/room", "/help",
        "/club setup", "/club settings", "/club room", "/club pause", "/club resume", "/club mute", "/club admin",
        "/club members", "/club preview", "/club remind", "/clock",
    )
)  # fmt: skip
"""Commands that are heard in a paused or muted room: what they say is then said to the speaker alone."""

ADMINS: Final = (
    "/book add", "/book jobs", "/book cancel", "/book retry", "/book announce", "/book undo", "/book switch",
    "/book remove", "/book replace",
    "/club setup", "/club settings NAME VALUE", "/club room",
    "/club pause", "/club resume", "/club mute", "/club admin", "/club schedule WHAT", "/club preview",
    "/club spent", "/club finish", "/club vote close", "/club vote until DAY",
)  # fmt: skip
"""Commands of admins alone, as help names them. The core asks again, whatever is typed."""


async def opened(club: TerminalClub, first: str) -> None:
    """See that the club has a room at this keyboard, and an admin: where it has none, it is ``first``."""
    house = club.desk.house
    mine = _first_key(club)
    here = [r.key for r in await house.rooms.rooms() if r.key in {ROOM, mine} or r.key.startswith(f"{mine}:")]
    if not here:
        name = wording.line("first_room")
        try:
            made = await house.rooms.room_added(ROOM, name)
        except Refused:  # another club of this host has it
            made = await house.rooms.room_added(mine, name)
        here = [made.key]
    if club.room not in here:
        club.room = here[0]
    if not await has_admin(house):
        member = await house.roster.member_known(first)
        await house.roster.role_given(member.id, Role.ADMIN)


def _first_key(club: TerminalClub) -> str:
    return f"{ROOM}:{club.desk.club}"


async def quiet(club: TerminalClub) -> bool:
    """Whether nothing may be said in the present room now."""
    return await quiet_in(club.desk.house, club.room)


async def hushed(club: TerminalClub, typed: str, answer: Callable[[], Awaitable[list[Reply]]]) -> list[Reply]:
    """What a typed line is answered with; in a paused or muted room the room itself hears nothing.

    It is asked before and after: what was under way when a room was paused is not said there any more.
    """
    before, words = await quiet(club), typed.lower().split()
    if typed.startswith("/") and HEARD.isdisjoint({words[0], " ".join(words[:2])}):
        replies = [] if before else await answer()
        if before or (any(r.only is None for r in replies) and await quiet(club)):
            return [clear(wording.line("room_quiet"), only=club.speaker)]
        return replies
    speaker, replies = club.speaker, await answer()
    if before and await quiet(club):
        return [r if r.only else replace(r, only=speaker) for r in replies]
    return replies


async def room_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/room NAME`: speak in another room of the club. Alone it shows the rooms."""
    del private
    rooms = await club.desk.house.rooms.rooms()
    if not rest:
        rows = [wording.line("rooms_row", mark="*" if r.key == club.room else " ", room=r.name) for r in rooms]
        return [clear(*rows)]
    room = next((r for r in rooms if folded(r.name) == folded(rest)), None)
    if room is None:
        return [clear(wording.line("no_such_room"))]
    club.room = room.key
    return [clear(wording.line("room_now", room=room.name))]


async def setup(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club setup [NAME]`: the room is the club's, under this name. It makes an admin where there is none."""
    del private
    house = club.desk.house
    known = await house.rooms.room(club.room)
    name = rest or (known.name if known else wording.line("first_room"))
    made = await set_up_in(house, club.room, name, club.speaker, club.speaker)
    lines = [wording.line("setup_done", room=made.room.name, name=made.admin.name)]
    if await book_read(house, made.room.key) is None:
        lines.append(wording.line("setup_book"))
    return [clear(*lines, wording.line("setup_next"), wording.line("setup_spectators"))]


async def settings(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club settings` lists them with what each does; `/club settings NAME VALUE` changes one."""
    del private
    name, *value = rest.split(None, 1) or [""]
    if value:
        changed = await change_setting(club.desk.house, await club.member(), name, value[0])
        return [clear(wording.line("setting_now", name=changed.name, value=changed.value))]
    listed = await settings_listed(club.desk.house)
    if name and name.lower() not in {setting.name for setting in listed}:
        return [clear(wording.line("settings_how"))]
    rows = [_setting_row(setting) for setting in listed if name.lower() in {"", setting.name}]
    return [clear(*rows, wording.line("settings_how"))]


def _setting_row(setting: SettingSeen) -> str:
    about = wording.line(f"setting_{setting.name}")
    if len(setting.choices) > 1:
        about = wording.line("setting_choices", about=about, choices=", ".join(setting.choices))
    key = "setting_row_changed" if setting.changed else "setting_row"
    return wording.line(key, name=setting.name, value=setting.value, default=setting.default, about=about)


async def room(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club room add NAME`, `remove`, `book N`, `book off`, `limit PLACE` and `limit off`, for the present room."""
    del private
    what, *after = rest.split(None, 1) or [""]
    said = after[0] if after else ""
    match what.lower(), said:
        case "add", name if name:
            return await _add(club, name)
        case "remove", "":
            return await _remove(club)
        case "book", number if number:
            return await _book(club, number)
        case "limit", place if place:
            return await _limit(club, place)
    return [clear(wording.line("room_how"))]


async def _add(club: TerminalClub, said: str) -> list[Reply]:
    name = name_of(said)
    there = [r for r in await club.desk.house.rooms.rooms() if folded(r.name) == folded(name)]
    made = there[0] if there else None
    member = await club.member()
    if made is None:
        made = await add_room(club.desk.house, member, f"{_first_key(club)}:{folded(name) or name}", name)
        return [clear(wording.line("room_added", room=made.name))]
    return [clear(wording.line("room_there", room=made.name))]


async def _remove(club: TerminalClub) -> list[Reply]:
    house = club.desk.house
    others = [r for r in await house.rooms.rooms() if r.key != club.room]
    if not others:
        return [clear(wording.line("room_last"))]
    gone = await remove_room(house, await club.member(), club.room)
    club.room = others[0].key
    return [clear(wording.line("room_removed", room=gone.name, now=others[0].name))]


async def _book(club: TerminalClub, said: str) -> list[Reply]:
    house, by = club.desk.house, await club.member()
    wanted = None if said.lower() == OFF else (await book_wanted(house, by, said)).id
    reads = await give_book(house, by, club.room, wanted)
    name = (await known_room(house, club.room)).name
    if reads is None:
        return [clear(wording.line("room_reads_nothing", room=name))]
    return [clear(wording.line("room_reads", room=name, title=reads.title))]


async def _limit(club: TerminalClub, said: str) -> list[Reply]:
    house, by = club.desk.house, await club.member()
    if said.lower() == OFF:
        return [clear(wording.line("room_unlimited", room=(await lift_limit(house, by, club.room)).name))]
    outcome = await limit_room(house, by, club.room, said)
    if isinstance(outcome, NotLocated):
        return [clear(wording.sentence(outcome))]
    if isinstance(outcome, RoomLimit):
        return [clear(_limited(outcome))]
    return [clear(*await _offered(club, outcome), only=club.speaker)]


async def _offered(club: TerminalClub, outcome: Unclear) -> list[str]:
    """The places that may be meant, to choose one by number."""
    book = await club.book()
    assert book is not None
    async with club.desk.doors.opened() as door:
        chapter_map = await door.chapter_map(book.id)
    labels = [candidate_label(candidate, chapter_map) for candidate in outcome.candidates]

    async def chosen(candidate: Candidate, key: str) -> list[Reply]:
        return [clear(_limited(await limit_room_at(club.desk.house, await club.member(), key, candidate)))]

    club.offer(*(partial(chosen, candidate, club.room) for candidate in outcome.candidates))
    return [wording.line("room_which"), *_numbered(labels)]


def _limited(made: RoomLimit) -> str:
    place = place_name(made.offset, made.chapter_map)
    key = "room_limited_nothing" if place == "nothing yet" else "room_limited"
    return wording.line(key, room=made.room.name, title=made.book.title, place=place)


def _numbered(labels: Iterable[str]) -> list[str]:
    return [wording.line("choice", number=n, label=label) for n, label in enumerate(labels, start=1)]


async def pause(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club pause`: nothing is answered in the present room until it is resumed."""
    del rest, private
    paused = await pause_room(club.desk.house, await club.member(), club.room)
    return [clear(wording.line("room_paused", room=paused.name))]


async def resume(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club resume`: the present room is answered again."""
    del rest, private
    resumed = await resume_room(club.desk.house, await club.member(), club.room)
    return [clear(wording.line("room_resumed", room=resumed.name))]


async def mute(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club mute 2h`: nothing is answered in the present room for so long."""
    del private
    if not rest:
        return [clear(wording.line("mute_how"))]
    muted = await mute_room(club.desk.house, await club.member(), club.room, rest)
    zone = settings_of(await club.desk.house.rooms.settings()).time_zone
    assert muted.muted_until is not None
    until = f"{muted.muted_until.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}"
    return [clear(wording.line("room_muted", room=muted.name, until=until))]


async def admin(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club admin NAME` and `/club admin NAME off`; alone it says who they are."""
    del private
    name, *after = rest.split() or [""]
    house, by = club.desk.house, await club.member()
    if not name or after not in ([], [OFF]):
        names = ", ".join(m.name for m in await house.roster.members() if m.admin)
        return [clear(wording.line("admins", names=names), wording.line("admin_how"))]
    member = await member_named(house, name.lstrip("@"))
    if after:
        await admin_taken(house, by, member)
    else:
        await admin_given(house, by, member)
    return [clear(wording.line("admin_taken" if after else "admin_given", name=member.name))]
