"""The chapter map at the keyboard: `/book chapters ...` for admins, and `/book replace FILE`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal import uploads
from bot.adapters.terminal.replies import Reply, clear, numbered
from bot.core.chapter_map_review import (
    MapReview,
    MustConsent,
    book_replaced,
    first_words,
    first_words_consented,
    map_confirmed,
    map_marked,
    map_review,
)
from bot.core.chapter_maps import FirstWords, SectionOnMap
from bot.core.chapters import chapter_name
from bot.core.library import Arrived, upload, upload_state
from bot.core.ports import BookRecord
from bot.core.remarking import Mark, NotStory, Story, StoryEnds, StoryStarts
from bot.core.replacing import left_as_it_was, require_different

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_RANGE: Final = re.compile(r"(\d{1,6})(?:\s*(?:\.\.|-|–)\s*(\d{1,6}))?")


async def review(club: TerminalClub) -> list[Reply]:
    """Every section by kind, number and length, with the titles the admin has met; for them alone."""
    book = await club.book()
    if book is None:
        return [clear(wording.line("no_book"))]
    seen = await map_review(club.desk.house, await club.member(), book)
    club.maps_shown[club.speaker] = book
    rows = [_row(section, seen) for section in seen.sections]
    return [clear(*rows, wording.line("map_confirmed" if seen.confirmed else "map_unconfirmed"), only=club.speaker)]


def _row(section: SectionOnMap, seen: MapReview) -> str:
    chapter = None if section.chapter is None else seen.chapter_map.chapter(section.chapter)
    return wording.line(
        "map_row",
        number=section.number,
        kind=wording.line(f"map_kind_{section.kind.value}"),
        name="-" if chapter is None else chapter_name(chapter, seen.chapter_map),
        count=len(section.span),
        title=" ".join(seen.titles.get(section.number, "").split()),
    ).rstrip()


async def change(club: TerminalClub, typed: str) -> list[Reply]:
    """`/book chapters ok`, `show N`, `story N..M`, `not-story N..M`, `starts N` and `ends N`."""
    book = await club.book()
    if book is None:
        return [clear(wording.line("no_book"))]
    what, _, numbers = typed.partition(" ")
    if what.lower() == "ok" and not numbers:
        return [await _confirmed(club, book)]
    named = _RANGE.fullmatch(numbers.strip())
    if what.lower() not in {"show", *_MARKS}:
        return [clear(wording.line("map_how"))]
    if named is None or (named[2] and what.lower() not in _OF_RANGES):
        return [clear(wording.line("map_not_number"))]
    first, last = int(named[1]), int(named[2] or named[1])
    if what.lower() == "show":
        return await _show(club, book, first)
    await map_marked(club.desk.house, await club.member(), book, _MARKS[what.lower()](first, last))
    await club.fill(book.id)
    return [clear(wording.line("map_changed"))]


async def _confirmed(club: TerminalClub, book: BookRecord) -> Reply:
    """The map is confirmed as the speaker was shown it last."""
    shown = club.maps_shown.get(club.speaker)
    if shown is None or shown.id != book.id:
        return clear(wording.line("map_unseen"), only=club.speaker)
    await map_confirmed(club.desk.house, await club.member(), shown)
    return clear(wording.line("map_confirmed"), only=club.speaker)


_MARKS: Final[dict[str, Callable[[int, int], Mark]]] = {
    "story": Story,
    "not-story": NotStory,
    "starts": lambda section, _: StoryStarts(section),
    "ends": lambda section, _: StoryEnds(section),
}
_OF_RANGES: Final = frozenset(("story", "not-story"))


async def _show(club: TerminalClub, book: BookRecord, number: int) -> list[Reply]:
    """How a section begins: at once where the admin has read it, else when they accept spoilers; for them alone."""
    name, house = club.speaker, club.desk.house
    found = await first_words(house, await club.member(), book, number)
    if not isinstance(found, MustConsent):
        return [_begins(found, name)]

    async def accepted() -> list[Reply]:
        return [_begins(await first_words_consented(house, await club.member(), book, number), name)]

    async def declined() -> list[Reply]:
        return [clear(wording.line("section_kept_shut"), only=name)]

    club.offer(accepted, declined)
    labels = (wording.line("section_accept"), wording.line("section_decline"))
    return [clear(wording.line("section_sure", number=number), *numbered(labels), only=name)]


def _begins(found: FirstWords, name: str) -> Reply:
    title = " ".join(found.title.split()) or "-"
    lines = [wording.line("section_title", number=found.number, title=title)]
    return clear(*lines, wording.line("section_words", words=found.words), only=name)


async def replace(club: TerminalClub, name: str) -> list[Reply]:
    """Upload another file of the book that is read here, and let it take its place once that is said to be right."""
    file = club.folder / os.path.expanduser(name)  # noqa: ASYNC240, PTH111 - the keyboard's own file
    if not file.is_file():
        return [clear(wording.line("no_file", file=file))]
    member, old = await club.member(), await club.book()
    if old is None:
        return [clear(wording.line("no_book"))]
    job = await upload(club.desk.house, member, file.name, uploads.chunks(file))
    await club.desk.see_through(job, club.show_progress)
    state = await upload_state(club.desk.house, job)
    if not isinstance(state, Arrived):
        return [clear(*uploads.ended(state), only=member.name)]
    new = state.book
    require_different(old.id, new.id)
    club.offer(partial(_replaced, club, old, new), partial(_left, club, new))
    labels = (wording.line("replace_yes"), wording.line("replace_no"))
    sure = wording.line("replace_sure", new=new.title, old=old.title, count=new.chapters)
    return [clear(sure, wording.line("replace_what"), *numbered(labels), only=member.name)]


async def _replaced(club: TerminalClub, old: BookRecord, new: BookRecord) -> list[Reply]:
    await club.stop_filling(old.id)
    await book_replaced(club.desk.house, await club.member(), old, new)
    await club.fill(new.id)
    return [clear(wording.line("replaced", new=new.title, old=old.title))]


async def _left(club: TerminalClub, new: BookRecord) -> list[Reply]:
    """Leave everything as it is; the file that was uploaded for it goes, unless the club knows it already."""
    await left_as_it_was(club.desk.house, await club.member(), new)
    return [clear(wording.line("not_replaced"), only=club.speaker)]
