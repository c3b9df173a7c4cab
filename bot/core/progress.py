"""What a member says about where they are becomes a position; the history is only ever appended to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.chapters import ChapterMap
from bot.core.club import BookId, Member
from bot.core.folding import folded
from bot.core.places import one
from bot.core.ports import Door, Doors, PositionRecord
from bot.core.reading import (
    Found,
    Kind,
    Located,
    Lookup,
    NotLocated,
    PageLookup,
    Place,
    PlainNumber,
    QuoteLookup,
    Standing,
    TitleLookup,
    Unclear,
    host_standing,
    is_plain,
    locate,
    lookup_for,
    parse,
    standing,
)
from bot.core.roster import Roster

QUOTE_TRIES: Final = 5
"""How often a day a member may look for quoted words in one book: more would be a way to search ahead."""
TOO_MANY_TRIES: Final = NotLocated(
    "too_many_tries", "That is enough quoted words for one day: say a chapter or a percentage."
)
UNDONE: Final = "undo"
"""What is kept as said when a place was taken back."""
_SHORTEST_RUN: Final = 5
"""Words: shorter runs of a quotation are rarely unique (INGEST 4.2)."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Understood:
    """A place that was saved, as it was understood; ``before`` is the earlier offset or None.

    ``number`` is the plain number of a chapter that the member used, who has not yet said what they mean by one.
    """

    place: Located | Unclear
    before: int | None
    chapter_map: ChapterMap
    number: int | None = None

    @property
    def ask_habit(self) -> bool:
        """Whether the member is to be asked what they mean by a plain number."""
        return self.number is not None


async def locate_for_host(door: Door, book: BookId, said: str) -> Place:
    """A statement as the person at the command line means it: a plain ``12`` is *finished chapter 12*."""
    chapter_map = await door.chapter_map(book)
    return await _located(door, book, said, chapter_map, host_standing(chapter_map))


async def progress(
    doors: Doors, roster: Roster, member: Member, book: BookId, said: str, now: datetime | None = None
) -> Understood | NotLocated:
    """Understand ``said`` and save the place, as said at ``now``: the smallest reading where several are possible.

    A plain number counts as "still in it" until the member has said that it means "finished".
    """
    async with doors.opened() as door:
        chapter_map = await door.chapter_map(book)
        current = (await door.positions_latest(book, [member.id])).get(member.id)
        plain = PlainNumber.FINISHED if member.plain_number == "finished" else PlainNumber.IN
        who = standing(plain, current, chapter_map)
    statement = parse(said)
    if isinstance(lookup_for(statement, chapter_map, who), QuoteLookup):
        tries = await roster.quote_tries(member.id, book, now)  # with no door open: one connection at a time
        if tries > QUOTE_TRIES:
            return TOO_MANY_TRIES
    async with doors.opened() as door:
        place = await _located(door, book, said, chapter_map, who)
    if isinstance(place, NotLocated):
        return place
    await roster.position_appended(
        PositionRecord(
            member.id,
            book,
            place.offset,
            place.kind.value,
            _kept(said, place.kind),
            place.understood,
            map_version=chapter_map.version,
            at=now,
        )
    )
    number = statement.number if member.plain_number is None and is_plain(statement) else None
    return Understood(place, current, chapter_map, number)


async def undo(
    doors: Doors, roster: Roster, member: Member, book: BookId, now: datetime | None = None
) -> PositionRecord | None:
    """Go back to the place before the last one, by appending it again; None where no place is left to undo.

    Before the first place there is the start of the book. Said again it goes one place further back, and never past a
    change of the chapter map: earlier places were said of another one. Raises `Refused` where it changes meanwhile.
    """
    async with doors.opened() as door:  # before the places are read: those of another map are then refused
        chapter_map = await door.chapter_map(book)
    standing_places: list[PositionRecord] = []
    for record in reversed(await roster.positions(member.id, book)):
        if record.said == UNDONE:
            del standing_places[-1:]  # of two presses at once the second finds nothing left
        elif record.kind == Kind.MAP:
            standing_places = [record]
        else:
            standing_places.append(record)
    if not standing_places or (len(standing_places) == 1 and standing_places[0].kind == Kind.MAP):
        return None
    if len(standing_places) > 1:
        earlier = standing_places[-2]
        offset, kind, understood = earlier.offset, earlier.kind, earlier.understood
    else:
        start = one(0, chapter_map, Kind.NONE)
        offset, kind, understood = 0, Kind.NONE.value, start.understood
    version = chapter_map.version
    again = PositionRecord(member.id, book, offset, kind, UNDONE, understood, at=now, map_version=version)
    await roster.position_appended(again)
    return again


def _kept(said: str, kind: Kind) -> str:
    """What is kept of a statement: never words of the book."""
    if kind in {Kind.QUOTE, Kind.TITLE}:
        return "words quoted from the book"
    return " ".join("".join(c if c.isprintable() else " " for c in said).split())[:80]


async def _located(door: Door, book: BookId, said: str, chapter_map: ChapterMap, who: Standing) -> Place:
    statement = parse(said)
    lookup = lookup_for(statement, chapter_map, who)
    found = Found() if lookup is None else await _looked_up(door, book, lookup)
    place = locate(statement, chapter_map, found, who)
    if isinstance(place, Located) and place.offset > chapter_map.body_end:  # in the matter after the story
        return one(chapter_map.body_end, chapter_map, place.kind, place.certain)
    return place


async def _looked_up(door: Door, book: BookId, lookup: Lookup) -> Found:
    match lookup:
        case QuoteLookup(words, horizon):
            return await quoted(door, book, words, horizon)
        case PageLookup(label):
            return Found(offsets=await door.page_offsets(book, label))
        case TitleLookup(titles, reached):
            for title in titles:
                if chapters := await door.title_chapters(book, reached, title):
                    return Found(chapters=chapters)
            return Found()


async def quoted(door: Door, book: BookId, words: str, horizon: int) -> Found:
    """All the words, else the longest run of five or more of them that stands in one place only.

    What stands past ``horizon`` is as if it were not there, when places are counted too.
    """
    by_run: dict[int, list[int]] = {}
    for run, offset in await door.quote_offsets(book, [folded(words), *_runs(words)]):
        if offset <= horizon:
            by_run.setdefault(run, []).append(offset)
    if whole := by_run.pop(0, None):
        return Found(offsets=tuple(sorted(set(whole))))
    for run in sorted(by_run):  # the longest first; of equals the later words, for the last words count
        if len(by_run[run]) == 1:
            return Found(offsets=(by_run[run][0],), exact=False)
    return Found()


def _runs(words: str) -> Sequence[str]:
    """Runs of a quotation's words, shorter by a word at a time, folded."""
    found = _WORD.findall(words)[-24:]
    return [
        folded("".join(found[start : start + size]))
        for size in range(len(found) - 1, _SHORTEST_RUN - 1, -1)
        for start in range(len(found) - size, -1, -1)
    ]
