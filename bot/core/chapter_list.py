"""The chapters of a book as one member may see them: all by number, by title those whose heading they have passed."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.chapters import Chapter, ChapterMap, chapter_name
from bot.core.club import BookId, Member, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.rights import require_member
from bot.core.search import Asked, boundary_of


@dataclass(frozen=True, slots=True)
class ChapterListed:
    """A chapter by its place, its ``name`` by numbers, and its ``title`` in one line, which is empty until it was met.

    ``ahead`` says that the member has not finished it.
    """

    chapter: Chapter
    name: str
    title: str
    ahead: bool

    @property
    def ordinal(self) -> int:
        return self.chapter.ordinal


@dataclass(frozen=True, slots=True)
class ChaptersListed:
    """Every chapter of a book, in order, for a member who has read up to ``here`` (code points; 0 where they have not
    said).
    """

    chapters: tuple[ChapterListed, ...]
    chapter_map: ChapterMap
    here: int


async def chapters_listed(house: Clubhouse, member: Member, book: BookId) -> ChaptersListed:
    """The chapters of a book for a member alone. Raises `Refused` for who has not joined."""
    require_member(member)
    async with house.searching.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book, "", private_to(member.id)))
        chapter_map = await door.chapter_map(book)
        titles = {t.chapter: " ".join(t.title.split()) for t in await door.titles_met(boundary) if t.chapter}
    listed = (
        ChapterListed(c, chapter_name(c, chapter_map), titles.get(c.ordinal, ""), c.end > boundary.offset)
        for c in chapter_map.chapters
    )
    return ChaptersListed(tuple(listed), chapter_map, boundary.offset)
