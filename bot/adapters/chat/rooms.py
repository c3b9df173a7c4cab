"""The rooms of a club: what each reads, its fixed limit, and taking one from the club; and what was reported."""

from __future__ import annotations

from typing import Final

from bot.adapters import wording
from bot.adapters.chat.parts import Button
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, scene_in_room, tell_room
from bot.adapters.chat.shelf import titles_typed
from bot.adapters.wording import conversations, line
from bot.core.chapters import chapter_name, place_name
from bot.core.club import BookId
from bot.core.club_rooms import (
    RoomLimit,
    book_read,
    give_book,
    known_room,
    lift_limit,
    limit_room,
    limit_room_as_offered,
    remove_room,
    rooms_listed,
)
from bot.core.errors import Refused
from bot.core.known_books import book_wanted
from bot.core.places import NotLocated, Unclear
from bot.core.rights import require_admin, require_insider
from bot.core.rooms import is_quiet
from bot.core.spoiled import reports

OFF: Final = "off"
"""The word that takes a room's own book or limit away."""


async def listed(scene: Scene) -> Said:
    """The club's rooms, what is read in each, and which are quiet."""
    require_insider(scene.member)
    language, rows = scene.language, []
    for room, book in await rooms_listed(scene.house):
        key = "chat_room" if book is None or not (book.announced or room.book is None) else "chat_room_reads"
        notes = [line("chat_room_limited", language)] if room.limit is not None else []
        notes += [line("chat_room_quiet", language)] if is_quiet(room, scene.house.clock()) else []
        title = "" if book is None else book.title
        rows.append(" ".join([line(key, language, room=room.name, title=title), *notes]))
    return said(*(rows or [line("chat_no_room", language)]))


async def reads(scene: Scene, named: str) -> Said:
    """Let the room read a book of its own, or what the club reads."""
    house, room, by = scene.house, scene.in_room(), scene.member
    wanted = None if named.strip().lower() == OFF else (await book_wanted(house, by, named)).id
    book = await give_book(house, by, room, wanted)
    name = (await known_room(house, room)).name
    if book is None:
        return said(line("room_reads_nothing", scene.language, room=name))
    told = line("room_reads", scene.language, room=name, title=book.title)
    await tell_room(scene, told, key=f"b{book.id}")
    return said(told)


async def books_typed(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """The books that a room may read, and that it reads what the club does."""
    none = line("chat_no_own_book", scene.language)
    found = await titles_typed(scene, typed)
    return [*found, (none, OFF)] if typed.strip().casefold() in none.casefold() else found


async def limited(scene: Scene, place: str) -> Said:
    """Give the room a fixed limit, or take it away."""
    house, room, language = scene.house, scene.in_room(), scene.language
    if place.strip().lower() == OFF:
        return said(line("room_unlimited", language, room=(await lift_limit(house, scene.member, room)).name))
    outcome = await limit_room(house, scene.member, room, place)
    if isinstance(outcome, NotLocated):
        return said(wording.sentence(outcome, language))
    return _limited(scene, outcome) if isinstance(outcome, RoomLimit) else await _offered(scene, room, outcome)


async def _offered(scene: Scene, room: str, outcome: Unclear) -> Said:
    book = await book_read(scene.house, room)
    assert book is not None
    async with scene.house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book.id)
    club, person, labels = scene.house.club, number_of(scene.member.person), wording.choices(outcome, chapter_map)
    where = (await known_room(scene.house, room)).id
    buttons = [
        Button(Press(Action.LIMIT, club, book.id, person, f"{one.offset}-{book.map_version}-{where}"), label)
        for one, label in list(zip(outcome.candidates, labels, strict=True))[:25]
    ]
    return said(line("room_which", scene.language), buttons=buttons)


async def limit_chosen(scene: Scene, press: Press) -> Said:
    """The limit that was chosen among several: its offset, the map's version and the room's number are the value."""
    offset, version, room = (*(int(number or 0) for number in press.value.split("-")), 0, 0)[:3]
    there = await scene_in_room(scene, room) if room else scene
    made = await limit_room_as_offered(
        scene.house, scene.member, there.in_room(), BookId(press.subject), (offset, version)
    )
    return _limited(scene, made)


def _limited(scene: Scene, made: RoomLimit) -> Said:
    place = place_name(made.offset, made.chapter_map)
    key = "room_limited_nothing" if place == "nothing yet" else "room_limited"
    return said(line(key, scene.language, room=made.room.name, title=made.book.title, place=place))


async def limits_typed(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """Places for a limit, by numbers alone: who sets one may have read less than it."""
    book = await book_read(scene.house, scene.room)
    if not scene.member.admin or book is None:
        return []
    async with scene.house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book.id)
    wanted = typed.strip().casefold()
    names = [(c.ordinal, chapter_name(c, chapter_map)) for c in chapter_map.chapters]
    found = [
        (line("chat_finished", scene.language, chapter=name), f"finished #{n}") for n, name in names if wanted in name
    ]
    return [*([(line("chat_no_limit", scene.language), OFF)] if OFF.startswith(wanted) else []), *found]


async def removed(scene: Scene) -> Said:
    """Take the room from the club, with its threads: nothing is answered there any more. Raises `Refused` for a thread,
    which would be a room again at its next word.
    """
    require_admin(scene.member)
    house, room = scene.house, scene.in_room()
    for other in await house.rooms.rooms():
        if other.key != room and room in await scene.client.branches(other.key, house):
            raise Refused("a_branch", line("chat_branch", scene.language, room=other.name))
    gone = await remove_room(house, scene.member, room, await scene.client.branches(room, house))
    return said(line("chat_room_removed", scene.language, room=gone.name))


async def reported(scene: Scene) -> Said:
    """Every answer that was reported as a spoiler, by numbers alone, for an admin."""
    found = await reports(scene.house, scene.member)
    rows = [conversations.report(one, scene.language) for one in found]
    return said(*(rows or [line("no_reports", scene.language)]))
