"""Books in memory are changed whole: fits the ``Rebuilding`` port."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.core.book import SectionKind
from bot.core.club import BookId, Member
from bot.core.errors import Refused
from bot.core.indexed import IndexedBook
from bot.core.places import Kind
from bot.core.ports import PositionRecord
from bot.core.rebuilding import Carry, KeptBook, map_changed
from bot.core.remarking import AsRead
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf, Kept


@dataclass
class FakeRebuilding:
    """What sections were read as is kept beside the shelf's books."""

    shelf: FakeShelf
    roster: FakeRoster

    def __post_init__(self) -> None:
        self._as_read: dict[BookId, tuple[AsRead, ...]] = {}

    async def book_kept(self, book: BookId) -> KeptBook:
        kept = self.shelf.of(book)
        sections = kept.indexed.book.sections
        end = kept.indexed.book.body_end
        read = tuple(
            AsRead(
                s.kind,
                s.chapter is not None,
                s.revealed_at - 1 if s.kind is SectionKind.FOOTNOTES and s.revealed_at < end else None,
            )
            for s in sections
        )
        return KeptBook(kept.record, kept.indexed.book, self._as_read.get(book, read))

    async def book_rebuilt(self, kept: KeptBook, indexed: IndexedBook, carry: Carry) -> int:
        now, book = self._unchanged(kept), indexed.book
        was_body = {p.cut.ordinal: p.body for p in now.indexed.passages}
        stale = {p.cut.ordinal for p in indexed.passages if p.body and not was_body[p.cut.ordinal]}
        for passage in indexed.passages:
            pieces = [] if passage.cut.ordinal in stale else now.vectors.get(passage.cut.ordinal, [])
            now.vectors.pop(passage.cut.ordinal, None)
            if pieces:
                sealed = passage.cut.revealed_at
                now.vectors[passage.cut.ordinal] = (
                    pieces if passage.body else [replace(piece, revealed_at=sealed) for piece in pieces]
                )
        now.indexed, now.memory = indexed, {}
        now.record = replace(
            now.record,
            body_start=indexed.body_start,
            body_end=book.body_end,
            chapters=len(book.chapters),
            map_version=now.record.map_version + 1,
            status="searchable" if stale else now.record.status,
        )
        self._as_read[kept.record.id] = kept.as_read
        return await self._places_kept(kept.record.id, carry)

    async def book_replaced(self, old: KeptBook, new: KeptBook, carry: Carry) -> None:
        self._unchanged(old)
        self._unchanged(new)
        before, after = old.record.id, new.record.id
        everyone = await self.roster.members()
        if any([await self.roster.positions(member.id, after) for member in everyone]):
            raise Refused("book_read", "Somebody reads that file already: /book switch makes it current.")
        for member in everyone:
            if history := await self.roster.positions(member.id, before):
                self._append(member, after, carry, history[0].offset)
        if self.shelf.current.get(old.record.club) == before:
            self.shelf.current[old.record.club] = after
        await self.shelf.remove_book(before)

    def _unchanged(self, kept: KeptBook) -> Kept:
        if self.shelf.of(kept.record.id).record.map_version != kept.record.map_version:
            raise map_changed()
        return self.shelf.of(kept.record.id)

    async def _places_kept(self, book: BookId, carry: Carry) -> int:
        lowered = 0
        for member in await self.roster.members():
            offsets = [p.offset for p in await self.roster.positions(member.id, book)]
            if offsets:
                lowered += carry(offsets[0]).offset < offsets[0]
                if any(carry(at).offset < at for at in (offsets[0], max(offsets))):
                    self._append(member, book, carry, offsets[0])
        return lowered

    def _append(self, member: Member, book: BookId, carry: Carry, offset: int) -> None:
        place = carry(offset)
        self.roster.append(
            PositionRecord(member.id, book, place.offset, Kind.MAP.value, place.said, place.understood, at=place.at)
        )
