"""`/progress` and `/where`: a place is said, understood, chosen and taken back, always to one person alone."""

from __future__ import annotations

from typing import Final

from bot.adapters import wording
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, told_finished
from bot.adapters.wording import line, schedules
from bot.core.calibration import Calibrated, Offered, number_means, offered, place_chosen, place_said
from bot.core.chapter_list import chapters_listed
from bot.core.club import BookId
from bot.core.club_rooms import book_read
from bot.core.life import has_finished, room_finished
from bot.core.places import NotLocated, Unclear
from bot.core.ports import BookRecord
from bot.core.progress import Understood
from bot.core.progress import undo as undone
from bot.core.rights import require_member
from bot.core.statements import PlainNumber
from bot.core.whereabouts import club_place, own_place

MOST: Final = 25
"""Choices that are shown under what is typed, or under a reply."""
_FINISHED, _IN = "finished", "in"


async def book_here(scene: Scene) -> BookRecord | None:
    """The book that is read where they speak; privately it is the one that they chose."""
    if scene.room is None and scene.member.dm_book is not None:
        chosen = next((b for b in await scene.house.roster.books() if b.id == scene.member.dm_book), None)
        if chosen is not None:
            return chosen
    return await book_read(scene.house, scene.room)


async def progress(scene: Scene, place: str | None) -> Said:
    """`/progress [place]`: say a place; alone it shows it."""
    require_member(scene.member)
    book = await book_here(scene)
    if book is None:
        return said(line("no_book", scene.language))
    if place is None or not place.strip():
        return said(await _own_place(scene, book))
    if place.strip().lower() == line("undo", scene.language).lower():
        return await undo(scene, book.id)
    return await say_place(scene, book, place)


async def undo(scene: Scene, book: BookId) -> Said:
    """Take the last place back."""
    house = scene.house
    require_member(scene.member)
    if await undone(house.searching.doors, house.roster, scene.member, book, house.clock()) is None:
        return said(line("nothing_to_undo", scene.language))
    record = await _book(scene, book)
    return said(line("undone", scene.language, place=await _own_place(scene, record)))


async def paged(scene: Scene, page: int, begins: str) -> Said:
    """`/pages`: say how a page of one's own edition begins; from then on its page numbers count."""
    require_member(scene.member)
    book = await book_here(scene)
    if book is None:
        return said(line("no_book", scene.language))
    return await say_place(scene, book, f"p. {page} begins: {begins}")


async def _book(scene: Scene, book: BookId) -> BookRecord:
    async with scene.house.searching.doors.opened() as door:
        return await door.book(book)


async def say_place(scene: Scene, book: BookRecord, statement: str) -> Said:
    """Say a place in a book, and offer what may be meant by it."""
    return await _noted(scene, book, await place_said(scene.house, scene.member, book.id, statement))


async def _noted(scene: Scene, book: BookRecord, outcome: Understood | Calibrated | NotLocated) -> Said:
    language = scene.language
    if isinstance(outcome, NotLocated):
        return said(wording.sentence(outcome, language))
    if isinstance(outcome, Calibrated):
        return said(line("page_counts", language))
    lines = [wording.understood(outcome.place, outcome.before, language)]
    if isinstance(outcome.place, Unclear):
        buttons = _choices(scene, book.id, outcome)
    elif outcome.ask_habit:
        lines.append(line("finished_or_in", language))
        buttons = _habit(scene, book.id, outcome)
    else:
        buttons = []
    buttons.append(Button(_press(scene, Action.UNDO, book.id), line("undo", language)))
    return said(*lines, *await _finished(scene, book, outcome), buttons=buttons)


def _press(scene: Scene, action: Action, subject: int, value: str = "") -> Press:
    return Press(action, scene.house.club, subject, number_of(scene.member.person), value)


def _choices(scene: Scene, book: BookId, outcome: Understood) -> list[Button]:
    assert isinstance(outcome.place, Unclear)
    labels = wording.choices(outcome.place, outcome.chapter_map)
    return [
        Button(_press(scene, Action.CHOOSE_PLACE, book, _value(offered(candidate, outcome))), label)
        for candidate, label in list(zip(outcome.place.candidates, labels, strict=True))[: MOST - 1]
    ]


def _value(place: Offered) -> str:
    return f"{place.offset}-{place.chapter or 0}-{place.version}"


def _habit(scene: Scene, book: BookId, outcome: Understood) -> list[Button]:
    language, version = scene.language, str(outcome.chapter_map.version)
    return [
        Button(_press(scene, Action.MEANS_FINISHED, book, version), line("finished_it", language), Weight.MAIN),
        Button(_press(scene, Action.MEANS_IN, book, version), line("still_in_it", language)),
    ]


async def chosen(scene: Scene, press: Press) -> Said:
    """A place that was offered: `1234-3-0` is its offset, the chapter it is named by (or 0), and the map's version.

    Raises `Refused` where the map has changed since.
    """
    offset, chapter, version = map(int, press.value.split("-"))
    book = await _book(scene, BookId(press.subject))
    return await _noted(
        scene, book, await place_chosen(scene.house, scene.member, book.id, Offered(offset, chapter or None, version))
    )


async def habit(scene: Scene, press: Press) -> Said:
    """What a plain number means when this member says it; the last one that they said is read by it."""
    means = PlainNumber.FINISHED if press.action is Action.MEANS_FINISHED else PlainNumber.IN
    book = await _book(scene, BookId(press.subject))
    outcome = await number_means(scene.house, scene.member, book.id, means, int(press.value))
    if outcome is None:
        return said(await _own_place(scene, book))
    return await _noted(scene, book, outcome)


async def _finished(scene: Scene, book: BookRecord, outcome: Understood) -> list[str]:
    """Congratulations, where they came to the end with what they said; the club's are for its room."""
    if not has_finished(book, outcome):
        return []
    if scene.room is not None:
        finished = await room_finished(scene.house, book, scene.room, scene.see)
        if finished is not None:
            await told_finished(scene, finished)
    return [line("finished_own", scene.language, title=book.title)]


async def where(scene: Scene) -> Said:
    """`/where`: the club's place and what is due, and the member's own."""
    require_member(scene.member)
    house, language, book = scene.house, scene.language, await book_here(scene)
    if book is None:
        return said(line("no_book", language))
    own = await _own_place(scene, book)
    if scene.room is None:
        return said(own)
    club = await club_place(house, scene.member, scene.room, scene.see)
    return said(*schedules.where(club, language), own)


async def _own_place(scene: Scene, book: BookRecord) -> str:
    own = await own_place(scene.house, scene.member, book.id)
    return wording.member_place(own.offset, own.chapter_map, scene.language)


def titled(name: str, title: str) -> str:
    """A chapter by its number and, where it was met, its title: many titles begin with the number."""
    if not title:
        return name
    return title if title.casefold().startswith(name.casefold()) else f"{name}: {title}"


async def places_typed(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """What fits what is typed: chapters by number, with no title that the member has not met; (label, statement)."""
    if not scene.member.joined or (book := await book_here(scene)) is None:
        return []
    listed = (await chapters_listed(scene.house, scene.member, book.id)).chapters
    wanted, offered = typed.strip().casefold(), []
    for chapter in [c for c in listed if wanted or c.ahead] or listed:
        if wanted in f"{chapter.name} {chapter.title}".casefold():
            shown = titled(chapter.name, chapter.title)
            for key, statement in (("chat_finished", _FINISHED), ("chat_in", _IN)):
                offered.append((line(key, scene.language, chapter=shown), f"{statement} #{chapter.ordinal}"))
    return offered[:MOST]
