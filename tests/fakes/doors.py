"""The door over books in memory: fits ``Doors`` and ``Door``, and honours the boundary as the real one does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime
from itertools import groupby

import numpy as np

from bot.core.book import SectionKind
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap, chapter_map_of
from bot.core.club import BookId, Member, MemberId, Person, Present, Room
from bot.core.errors import SpoilerLeak
from bot.core.evidence import Passage, ReadSentence
from bot.core.indexed import IndexedSentence
from bot.core.memory import BookMemory
from bot.core.offsets import Span
from bot.core.ports import (
    AdmittedPassages,
    BookRecord,
    Door,
    NameMet,
    Similarities,
    TermCounts,
    TitleMet,
    Vectors,
)
from bot.core.titles import spoken_titles
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf


def _ints(values: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(list(values), dtype=np.int32)


class FakeDoor:
    """One transaction. With ``honours`` false it is a broken one, that admits what it is asked for."""

    def __init__(self, shelf: FakeShelf, roster: FakeRoster, honours: bool = True) -> None:
        self._shelf = shelf
        self._roster = roster
        self._honours = honours
        self._opened: dict[BookId, int] = {}

    def _open(self, boundary: Boundary) -> Callable[[int], bool]:
        """What a row's ``revealed_at`` must satisfy under ``boundary``."""
        if not self._honours:
            return lambda revealed_at: True
        end = self._shelf.of(boundary.book).record.body_end if boundary.book in self._shelf.kept else 0
        if boundary.offset > end or boundary.offset > self._opened.get(boundary.book, end):
            raise SpoilerLeak(f"book {boundary.book}: a boundary at {boundary.offset} cannot be opened here")
        self._opened[boundary.book] = boundary.offset
        return boundary.admits

    async def book(self, book: BookId) -> BookRecord:
        return await self._shelf.book(book)

    async def books(self) -> tuple[BookRecord, ...]:
        return await self._roster.books()

    async def current_book(self) -> BookRecord | None:
        return await self._roster.current_book()

    async def members(self) -> tuple[Member, ...]:
        return self._roster.everyone()

    async def member(self, member: MemberId) -> Member | None:
        return await self._roster.member(member)

    async def member_of_person(self, person: Person) -> Member | None:
        return next((m for m in self._roster.everyone() if m.person == person), None)

    async def foreseen(self, member: MemberId, room: str | None, book: BookId) -> None:
        del member, room, book

    async def present(self, book: BookId | None = None) -> tuple[Present, ...]:
        del book
        return tuple(Present(m.id, m.person, m.away, m.aside) for m in self._roster.everyone() if m.joined)

    async def round_wanted(self, now: datetime, silent: datetime, unplaced: datetime, due: tuple[date, date]) -> bool:
        del now, silent, unplaced, due  # it may always
        return True

    async def settings(self) -> Mapping[str, str]:
        return dict(self._roster.settings)

    async def room(self, key: str) -> Room | None:
        return self._roster.room_seen(key)

    async def positions_latest(self, book: BookId, members: Iterable[MemberId]) -> Mapping[MemberId, int]:
        known = {member: self._roster.latest(member, book) for member in members if self._roster.has_joined(member)}
        return {member: offset for member, offset in known.items() if offset is not None}

    async def passages_admitted(self, boundary: Boundary) -> AdmittedPassages:
        admits = self._open(boundary)
        rows = [p for p in self._shelf.passages(boundary.book) if admits(p.cut.revealed_at)]
        return AdmittedPassages(
            ordinals=_ints(p.cut.ordinal for p in rows),
            sections=_ints(p.cut.section for p in rows),
            chapters=_ints(p.chapter or 0 for p in rows),
            bodies=np.array([p.body for p in rows], dtype=np.bool_),
            starts=_ints(p.cut.span.start for p in rows),
            ends=_ints(p.cut.span.end for p in rows),
            revealed=_ints(p.cut.revealed_at for p in rows),
            lengths=_ints(p.length for p in rows),
        )

    async def passages_nearest(self, boundary: Boundary, question: Vectors) -> Similarities:
        admits = self._open(boundary)
        near = {
            ordinal: max(float(np.float32(piece.vector.astype(np.float16) @ question)) for piece in read)
            for ordinal, pieces in sorted(self._shelf.of(boundary.book).vectors.items())
            if (read := [piece for piece in pieces if admits(piece.revealed_at)])
        }
        return Similarities(_ints(near), np.array(list(near.values()), dtype=np.float32))

    async def passages_matching(self, boundary: Boundary, terms: Sequence[int]) -> tuple[TermCounts, ...]:
        admits = self._open(boundary)
        rows = [p for p in self._shelf.passages(boundary.book) if admits(p.cut.revealed_at)]
        found = {term: [(p.cut.ordinal, p.terms[term]) for p in rows if term in p.terms] for term in set(terms)}
        return tuple(
            TermCounts(term, _ints(o for o, _ in places), np.array([n for _, n in places], dtype=np.float32))
            for term, places in sorted(found.items())
            if places
        )

    async def passages_read(self, boundary: Boundary, ordinals: Sequence[int]) -> tuple[Passage, ...]:
        admits = self._open(boundary)
        wanted = set(ordinals)
        rows = [
            s for s in self._shelf.sentences(boundary.book) if s.passage in wanted and admits(s.sentence.revealed_at)
        ]
        made = []
        for ordinal, group in groupby(rows, key=lambda s: s.passage):
            own = list(group)
            read = tuple(ReadSentence(s.sentence.span, s.text, s.sentence.revealed_at, s.paragraph_start) for s in own)
            made.append(
                Passage(
                    ordinal=ordinal,
                    chapter=own[0].chapter,
                    span=Span(read[0].span.start, read[-1].span.end),
                    revealed_at=max(s.revealed_at for s in read),
                    text=own[0].text + "".join(s.lead + s.text for s in own[1:]),
                    sentences=read,
                )
            )
        return tuple(made)

    async def passage_straddling(self, boundary: Boundary) -> Passage | None:
        self._open(boundary)
        begun = [
            (s.sentence.revealed_at, index, s.passage)
            for index, s in enumerate(self._shelf.sentences(boundary.book))
            if boundary.admits(s.sentence.revealed_at) and s.sentence.span.start < boundary.offset
        ]
        if not begun:
            return None
        ordinal = max(begun)[2]
        if boundary.admits(self._shelf.passages(boundary.book)[ordinal].cut.revealed_at):
            return None
        (passage,) = await self.passages_read(boundary, [ordinal])
        return passage

    async def names_met(self, boundary: Boundary) -> tuple[NameMet, ...]:
        admits = self._open(boundary)
        names = self._shelf.of(boundary.book).indexed.names.items()
        met = sorted((revealed_at, name) for name, revealed_at in names if admits(revealed_at))
        return tuple(NameMet(name, revealed_at) for revealed_at, name in met)

    async def memory_read(self, boundary: Boundary) -> BookMemory:
        admits = self._open(boundary)
        kept = self._shelf.of(boundary.book)
        current = [m for m in kept.memory.values() if m.map_version == kept.record.map_version]
        done = sorted((m for m in current if admits(m.revealed_at)), key=lambda m: m.chapter)
        claims = tuple(claim for memory in done for claim in memory.claims if admits(claim.revealed_at))
        return BookMemory(frozenset(memory.chapter for memory in done), claims)

    async def titles_met(self, boundary: Boundary) -> tuple[TitleMet, ...]:
        admits = self._open(boundary)
        return tuple(
            TitleMet(s.ordinal, s.chapter, s.title, tuple(part.title for part in s.parts), s.title_revealed_at)
            for s in self._shelf.of(boundary.book).indexed.book.sections
            if admits(s.title_revealed_at)
        )

    async def chapter_map(self, book: BookId) -> ChapterMap:
        text = self._shelf.of(book).indexed.book
        return replace(
            chapter_map_of(text.sections, len(text.text), bool(text.pages)),
            version=self._shelf.of(book).record.map_version,
        )

    async def quote_offsets(self, book: BookId, runs: Sequence[str]) -> tuple[tuple[int, int], ...]:
        sections = self._shelf.of(book).indexed.book.sections
        body = {s.ordinal for s in sections if s.kind is SectionKind.BODY}
        sentences = [s for s in self._shelf.sentences(book) if s.section in body]
        letters = "".join(s.folded for s in sentences)
        found = []
        for run, wanted in enumerate(runs):
            at = letters.find(wanted) if wanted else -1
            for _ in range(2):
                if at >= 0:
                    found.append((run, self._read_to(sentences, at + len(wanted))))
                    at = letters.find(wanted, at + 1)
        return tuple(sorted(found))

    @staticmethod
    def _read_to(sentences: Sequence[IndexedSentence], match_end: int) -> int:
        """The start of the first sentence of which something lies past the match."""
        read, last = 0, 0
        for sentence in sentences:
            start = sentence.sentence.span.start
            if read + len(sentence.folded) > match_end:
                return start
            read += len(sentence.folded)
            last = sentence.sentence.span.end
        return last

    async def page_offsets(self, book: BookId, label: str) -> tuple[int, ...]:
        pages = self._shelf.of(book).indexed.book.pages
        return tuple(p.start for p in pages if p.label.lower() == label.lower())

    async def title_chapters(self, book: BookId, reached: int, folded: str) -> tuple[int, ...]:
        return tuple(
            s.chapter
            for s in self._shelf.of(book).indexed.book.sections
            if s.chapter is not None and s.title_revealed_at <= reached and folded in spoken_titles(s.title)
        )


class FakeDoors:
    """Opens fake doors; ``before_opening`` is called with the number of each, from 1. ``open`` counts those open."""

    def __init__(self, shelf: FakeShelf, roster: FakeRoster, honours: bool = True) -> None:
        self._shelf = shelf
        self._roster = roster
        self._honours = honours
        self.before_opening: Callable[[int], None] = lambda _number: None
        self.opened_so_far = 0
        self.open = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        self.opened_so_far += 1
        self.before_opening(self.opened_so_far)
        self.open += 1
        try:
            yield FakeDoor(self._shelf, self._roster, self._honours)
        finally:
            self.open -= 1
