"""Evidence for a question, found under a boundary that is read in the transaction that retrieves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from bot.core.asked_names import names_asked
from bot.core.boundary import Boundary, boundary_for, narrowed
from bot.core.club import Audience, BookId, MemberId
from bot.core.errors import Unavailable
from bot.core.evidence import Evidence, Passage
from bot.core.live import LiveVectors, as_stored
from bot.core.names import closest_names
from bot.core.ports import BookRecord, Door, Doors, Embedder, Reranker, Similarities, TermCounts, Vectors
from bot.core.retrieve import Candidate, Query, Ranking, Straddling, query_for, rank, read_part
from bot.core.terms import length, question_terms, term_id, terms

Positions = Callable[[Door], Awaitable[Mapping[MemberId, int]]]
"""Where the members of an audience are, read in the transaction that is given."""

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about one book, for one audience. ``limit`` is the room's fixed limit (an offset), or None.

    ``positions`` reads the members' positions; where it is None they are the stored ones.
    """

    book: BookId
    question: str
    audience: Audience
    positions: Positions | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Searching:
    """What searches: the door, an embedder and a reranker where there are any, and the ranking's constants."""

    doors: Doors
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    ranking: Ranking = field(default_factory=Ranking)
    live: LiveVectors = field(default_factory=LiveVectors, compare=False)


@dataclass(frozen=True, slots=True)
class Found:
    """Evidence under one boundary, the closest first, and how long each step took in seconds.

    ``unmet_names`` are the question's words that look like names and stand nowhere in the read part.
    """

    boundary: Boundary
    book: BookRecord
    query: Query
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    unmet_names: tuple[str, ...]
    seconds: Mapping[str, float]


async def boundary_of(door: Door, asked: Asked) -> Boundary:
    """The boundary for the audience of ``asked`` as positions stand in this transaction."""
    if asked.positions is None:
        positions = await door.positions_latest(asked.book, asked.audience.members)
    else:
        positions = await asked.positions(door)
    boundary = boundary_for(asked.book, asked.audience, positions)
    return boundary if asked.limit is None else narrowed(boundary, asked.limit)


async def still_holds(doors: Doors, asked: Asked, boundary: Boundary) -> bool:
    """Whether nothing that would narrow the boundary has happened: asked again before every send and edit."""
    async with doors.opened() as door:
        return (await boundary_of(door, asked)).offset >= boundary.offset


async def find(searching: Searching, asked: Asked, limit: int) -> Found:
    """At most ``limit`` passages for the question, admitted under the boundary of its audience.

    No transaction is open while text is embedded. If a position changes meanwhile, everything is done again. Raises
    `Unavailable` when positions change faster than that.
    """
    for _ in range(_ATTEMPTS):
        found = await _attempt(searching, asked, limit)
        if found is not None:
            return found
    raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")


async def prepare(searching: Searching, asked: Asked) -> None:
    """Embed ahead what has been read of the passage that straddles the boundary of ``asked``.

    To be called when a position has been saved, so that the first question from there does not wait for it.
    """
    async with searching.doors.opened() as door:
        book = await door.book(asked.book)
        part = await door.passage_straddling(await boundary_of(door, asked))
    embedder = searching.embedder
    if part is not None and embedder is not None and _suits(embedder, book):
        await asyncio.to_thread(_part_vectors, searching.live, embedder, book.id, part)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the first transaction read: where the boundary is, and what was made of the question under it."""

    book: BookRecord
    boundary: Boundary
    part: Passage | None
    query: Query
    unmet_names: tuple[str, ...]
    matching: tuple[TermCounts, ...]


async def _attempt(searching: Searching, asked: Asked, limit: int) -> Found | None:
    began = perf_counter()
    vector, reading = await asyncio.gather(
        asyncio.to_thread(_question_vector, searching.embedder, asked.question),
        _reading(searching.doors, asked),
        return_exceptions=True,
    )
    if isinstance(reading, BaseException):
        raise reading
    book, boundary, query = reading.book, reading.boundary, reading.query
    read = perf_counter()
    embedder = searching.embedder if _suits(searching.embedder, book) else None
    if embedder is None:
        vector = None
    elif isinstance(vector, BaseException):
        raise vector
    straddling = await asyncio.to_thread(_scored_live, searching.live, embedder, reading, vector)
    embedded = perf_counter()
    async with searching.doors.opened() as door:
        if await boundary_of(door, asked) != boundary:
            return None
        admitted = await door.passages_admitted(boundary)
        nearest: Similarities | None = None
        if vector is not None:
            nearest = await door.passages_nearest(boundary, vector)
        wide = limit if searching.reranker is None else max(limit, 2 * limit)
        part = read_part(query, admitted, nearest, reading.matching, straddling)
        candidates = rank(part, query, wide, searching.ranking)
        passages = {p.ordinal: p for p in await door.passages_read(boundary, [c.ordinal for c in candidates])}
    if searching.reranker is not None:
        candidates = await asyncio.to_thread(_reranked, searching.reranker, asked.question, candidates, passages)
    candidates = candidates[:limit]
    done = perf_counter()
    return Found(
        boundary=boundary,
        book=book,
        query=query,
        evidence=tuple(Evidence(boundary, passages[c.ordinal], c.found_by) for c in candidates),
        candidates=candidates,
        unmet_names=reading.unmet_names,
        seconds={
            "boundary": read - began,
            "embed": embedded - read,
            "retrieve": done - embedded,
            "total": done - began,
        },
    )


def _suits(embedder: Embedder | None, book: BookRecord) -> bool:
    """Whether the book's vectors are of this embedder: two models are never mixed."""
    return embedder is not None and book.embedder == embedder.model


async def _reading(doors: Doors, asked: Asked) -> _Reading:
    async with doors.opened() as door:
        book = await door.book(asked.book)
        boundary = await boundary_of(door, asked)
        part = await door.passage_straddling(boundary)
        query, unmet_names, matching = await _query(door, boundary, asked.question, book.language, part)
    return _Reading(book, boundary, part, query, unmet_names, matching)


async def _query(
    door: Door, boundary: Boundary, question: str, language: str, part: Passage | None
) -> tuple[Query, tuple[str, ...], tuple[TermCounts, ...]]:
    """The query, with words that stand nowhere in the read part taken for the closest names met; the names among
    those words that come close to none; and where the query's terms stand.
    """
    query = query_for(question, language)
    matching = await door.passages_matching(boundary, list(query.terms))
    met = {counts.term for counts in matching}
    live = terms(part.text, language) if part is not None else {}
    unmet = [t for t in question_terms(question, language) if term_id(t) not in met and t not in live]
    if not unmet:
        return query, (), matching
    names = [name.name for name in await door.names_met(boundary)]
    meant = closest_names(question, names, unmet, language)
    left = (name for name in names_asked(question, unmet, language) if not closest_names(name, names, unmet, language))
    if meant:
        query = query_for(question, language, meant)
        matching = await door.passages_matching(boundary, list(query.terms))
    return query, tuple(left), matching


def _question_vector(embedder: Embedder | None, question: str) -> Vectors | None:
    return None if embedder is None else as_stored(embedder.embed_question(question))


def _part_vectors(live: LiveVectors, embedder: Embedder, book: BookId, part: Passage) -> Vectors:
    return live.embedded(embedder, book, [window.of(part.text) for window in embedder.windows(part.text)])


def _scored_live(
    live: LiveVectors, embedder: Embedder | None, reading: _Reading, vector: Vectors | None
) -> Straddling | None:
    """The straddling passage scored on its read sentences alone."""
    part = reading.part
    if part is None:
        return None
    similarity = np.nan
    if embedder is not None and vector is not None:
        similarity = float((_part_vectors(live, embedder, reading.book.id, part) @ vector).max())
    counted = terms(part.text, reading.book.language)
    counts: dict[int, int] = {}
    for term, count in counted.items():
        counts[term_id(term)] = counts.get(term_id(term), 0) + count
    return Straddling(part.ordinal, 0, part.span.start, part.span.end, similarity, counts, length(counted))


def _reranked(
    reranker: Reranker, question: str, candidates: Sequence[Candidate], passages: Mapping[int, Passage]
) -> tuple[Candidate, ...]:
    scores = reranker.rerank(question, [passages[c.ordinal].text for c in candidates])
    order = sorted(range(len(candidates)), key=lambda i: (-round(scores[i], 6), i))
    return tuple(candidates[i] for i in order)
