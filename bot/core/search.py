"""Evidence for a question, found under a boundary that is read in the transaction that retrieves."""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import numpy as np

from bot.core.asked_names import names_asked
from bot.core.boundary import Boundary, boundary_for, narrowed
from bot.core.club import Audience, BookId, MemberId
from bot.core.errors import Refused, Unavailable
from bot.core.evidence import Evidence, Passage
from bot.core.following import Following, Turn, followed
from bot.core.fusion import standardised
from bot.core.names import names_meant
from bot.core.ports import (
    BookRecord,
    Door,
    Doors,
    Embedder,
    Reranker,
    Similarities,
    TermCounts,
)
from bot.core.question_vectors import leaning, question_vector
from bot.core.retrieve import Candidate, Query, Ranking, Straddling, query_for, rank, read_part
from bot.core.terms import length, question_terms, term_id, terms
from bot.core.writing import Writing

Positions = Callable[[Door], Awaitable[Mapping[MemberId, int]]]
"""Where the members of an audience are, read in the transaction that is given."""

ReadAudience = Callable[[Door], Awaitable[Audience]]
"""Who will see a reply, read in the transaction that is given."""

ReadLimit = Callable[[Door], Awaitable[int | None]]
"""The fixed limit of a room (an offset), or None, read in the transaction that is given."""

ReadSince = Callable[[Door], Awaitable[int]]
"""Where a recap begins (an offset), read in the transaction that is given."""

logger = logging.getLogger(__name__)

LONGEST_QUESTION: Final = 1_000
"""Code points. What is longer is refused and not cut: a name in the part cut off would go unnoticed."""
_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about one book, for one audience. ``limit`` is a fixed limit (an offset), what reads one, or None.

    ``audience`` is fixed, or is read anew in every transaction, as a room's must be: people join and leave.
    ``positions`` reads the members' positions; where it is None they are the stored ones. ``following`` holds the
    earlier questions that it may follow: which of them it does is decided under the boundary. ``since`` is where a
    recap begins (an offset), or what reads it; None for the beginning.
    """

    book: BookId
    question: str
    audience: Audience | ReadAudience
    positions: Positions | None = None
    limit: int | ReadLimit | None = None
    following: Following | None = None
    since: int | ReadSince | None = None


@dataclass(frozen=True, slots=True)
class Searching:
    """What searches: the door, an embedder and a reranker where there are any, and the ranking's constants.

    ``writing`` is the model that writes answers out of what is found; where it is None they are made of quotes.
    """

    doors: Doors
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    ranking: Ranking = field(default_factory=Ranking)
    writing: Writing | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Evidence under one boundary, the closest first, and how long each step took in seconds.

    ``unmet_names`` are the question's words that look like names and stand nowhere in the read part; ``followed`` are
    the earlier questions that it was read with.
    """

    boundary: Boundary
    book: BookRecord
    query: Query
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    unmet_names: tuple[str, ...]
    seconds: Mapping[str, float]
    followed: tuple[Turn, ...] = ()


def question_of(said: str) -> str:
    """``said`` in NFC, with control characters and runs of white space as single spaces.

    Raises `Refused` with one sentence where nothing is left or it is longer than `LONGEST_QUESTION`.
    """
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} else c for c in said)
    question = " ".join(unicodedata.normalize("NFC", visible).split())
    if not question:
        raise Refused("question_empty", "There is no question: ask in words about what you have read.")
    if len(question) > LONGEST_QUESTION:
        raise Refused(
            "question_too_long", f"Ask in at most {LONGEST_QUESTION:,} characters: that is {len(question):,}."
        )
    return question


async def audience_of(door: Door, asked: Asked) -> Audience:
    """The audience of ``asked`` as it is in this transaction."""
    return asked.audience if isinstance(asked.audience, Audience) else await asked.audience(door)


async def boundary_of(door: Door, asked: Asked) -> Boundary:
    """The boundary for the audience of ``asked`` as it and its positions stand in this transaction."""
    audience = await audience_of(door, asked)
    if asked.positions is None:
        positions = await door.positions_latest(asked.book, audience.members)
    else:
        positions = await asked.positions(door)
    boundary = boundary_for(asked.book, audience, positions)
    limit = await asked.limit(door) if callable(asked.limit) else asked.limit
    return boundary if limit is None else narrowed(boundary, limit)


async def find(searching: Searching, asked: Asked, limit: int) -> Found:
    """At most ``limit`` passages for the question, admitted under the boundary of its audience.

    No transaction waits for an embedder or a reranker; where one fails, the search does without it. If a position
    changes meanwhile, or somebody joins or leaves, everything is done again. Raises `Unavailable` when that happens too
    often, `Refused` for a question that is empty or too long.
    """
    asked = replace(asked, question=question_of(asked.question))
    for _ in range(_ATTEMPTS):
        found = await _attempt(searching, asked, limit)
        if found is not None:
            return found
    raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the first transaction read: where the boundary is, and what was made of the question under it."""

    book: BookRecord
    boundary: Boundary
    part: Passage | None
    query: Query
    unmet_names: tuple[str, ...]
    matching: tuple[TermCounts, ...]
    earlier: tuple[Turn, ...]


async def _attempt(searching: Searching, asked: Asked, limit: int) -> Found | None:
    began = perf_counter()
    of_question, reading = await asyncio.gather(
        asyncio.to_thread(question_vector, searching.embedder, asked.question),
        _reading(searching.doors, asked),
        return_exceptions=True,
    )
    if isinstance(reading, BaseException):
        raise reading
    if isinstance(of_question, BaseException):
        raise of_question
    book, boundary, query = reading.book, reading.boundary, reading.query
    read = perf_counter()
    earlier = [turn.said for turn in reading.earlier]
    # vectors of two models are never mixed
    vector = of_question[1] if of_question is not None and of_question[0] == book.embedder else None
    if vector is not None and earlier:
        of_earlier = await asyncio.to_thread(question_vector, searching.embedder, earlier[0])
        vector = vector if of_earlier is None else leaning(vector, of_earlier[1])
    straddling = _counted_live(reading.part, book.language)
    async with searching.doors.opened() as door:
        now = await door.book(asked.book)  # raises if it was removed; its vectors may be of another model since
        same = (now.embedder, now.map_version) == (book.embedder, book.map_version)
        if not same or await boundary_of(door, asked) != boundary:
            return None
        admitted = await door.passages_admitted(boundary)
        nearest: Similarities | None = None
        if vector is not None:
            nearest = await door.passages_nearest(boundary, vector)
        wide = limit if searching.reranker is None else 2 * limit
        part = read_part(query, admitted, nearest, reading.matching, straddling)
        candidates = await asyncio.to_thread(rank, part, query, wide, searching.ranking)  # long in a long book
        passages = {p.ordinal: p for p in await door.passages_read(boundary, [c.ordinal for c in candidates])}
    evidence = {c.ordinal: Evidence(boundary, passages[c.ordinal], c.found_by) for c in candidates}
    if searching.reranker is not None:
        together = " ".join((*reversed(earlier), asked.question))
        candidates = await asyncio.to_thread(_reranked, searching.reranker, together, candidates, evidence)
    candidates = candidates[:limit]
    done = perf_counter()
    return Found(
        boundary=boundary,
        book=book,
        query=query,
        evidence=tuple(evidence[c.ordinal] for c in candidates),
        candidates=candidates,
        unmet_names=reading.unmet_names,
        seconds={
            "embed": read - began,
            "retrieve": done - read,
            "total": done - began,
        },
        followed=reading.earlier,
    )


async def _reading(doors: Doors, asked: Asked) -> _Reading:
    async with doors.opened() as door:
        book = await door.book(asked.book)
        boundary = await boundary_of(door, asked)
        part = await door.passage_straddling(boundary)
        earlier = followed(asked.question, asked.following, boundary)
        said = [turn.said for turn in earlier]
        query, unmet_names, matching = await _query(door, boundary, (asked.question, said), book.language, part)
    return _Reading(book, boundary, part, query, unmet_names, matching, earlier)


async def _query(
    door: Door, boundary: Boundary, said: tuple[str, Sequence[str]], language: str, part: Passage | None
) -> tuple[Query, tuple[str, ...], tuple[TermCounts, ...]]:
    """The query of a question and the earlier ones it follows, with words that stand nowhere in the read part taken for
    the closest names met; the names among those words that come close to none; and where the query's terms stand.
    """
    question, earlier = said
    query = query_for(question, language, earlier=earlier)
    matching = await door.passages_matching(boundary, list(query.terms))
    met = {counts.term for counts in matching}
    live = terms(part.text, language) if part is not None else {}
    unmet = [t for t in question_terms(question, language) if term_id(t) not in met and t not in live]
    if not unmet:
        return query, (), matching
    names = [name.name for name in await door.names_met(boundary)]
    meant = names_meant(question, names, unmet, language)
    left = tuple(name for name in names_asked(question, unmet, language) if name not in meant)
    if meant:
        query = query_for(question, language, tuple(dict.fromkeys(meant.values())), earlier)
        matching = await door.passages_matching(boundary, list(query.terms))
    return query, left, matching


def _counted_live(part: Passage | None, language: str) -> Straddling | None:
    """The straddling passage, with the words of its read sentences alone."""
    if part is None:
        return None
    counted = terms(part.text, language)
    counts: dict[int, int] = {}
    for term, count in counted.items():
        counts[term_id(term)] = counts.get(term_id(term), 0) + count
    return Straddling(part.ordinal, counts, length(counted))


def _reranked(
    reranker: Reranker, question: str, candidates: Sequence[Candidate], evidence: Mapping[int, Evidence]
) -> tuple[Candidate, ...]:
    """The candidates in the reranker's order with its scores, standardised; equal scores in their own order.

    They are as they were where it cannot be used.
    """
    try:
        scores = reranker.rerank(question, [evidence[c.ordinal].passage.text for c in candidates])
    except Unavailable as error:
        logger.warning("the reranker cannot be used (%s): the order stays", error.code)
        return tuple(candidates)
    order = sorted(range(len(candidates)), key=lambda i: (-round(scores[i], 6), i))
    own = standardised(np.array(scores, dtype=np.float64))
    return tuple(replace(candidates[i], score=float(own[i])) for i in order)
