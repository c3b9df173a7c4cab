"""What others do, under the same boundary: one search alone, and the common recipe reimplemented plainly.

The common recipe cuts the whole text into chunks of 800 tokens that overlap, searches them by vector and by words,
makes one list by reciprocal rank (k = 60) and takes the top 8. A token is taken for four characters, as our passages
take it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.core.fusion import best_first, bm25, reciprocal_ranks
from bot.core.offsets import Span
from bot.core.ports import Embedder, Vectors
from bot.core.retrieve import query_for, read_part
from bot.core.search import Asked, Searching, boundary_of
from bot.core.terms import question_terms, terms

CHUNK: Final = 3200
OVERLAP: Final = 400
"""800 and 100 tokens, in characters."""
RECIPE_TOP: Final = 8

_WORD: Final = re.compile(r"\w+")


async def one_search_alone(searching: Searching, asked: Asked, limit: int) -> Mapping[str, tuple[Span, ...]]:
    """Our passages by text search alone ("text") and by vector search alone ("vector"), the closest first.

    Neither is smoothed, and names are not corrected.
    """
    async with searching.doors.opened() as door:
        book = await door.book(asked.book)
        boundary = await boundary_of(door, asked)
        query = query_for(asked.question, book.language)
        admitted = await door.passages_admitted(boundary)
        matching = await door.passages_matching(boundary, list(query.terms))
        nearest = None
        if searching.embedder is not None and book.embedder == searching.embedder.model:
            nearest = await door.passages_nearest(boundary, searching.embedder.embed_question(asked.question))
    part = read_part(query, admitted, nearest, matching)
    weights = np.fromiter(query.terms.values(), dtype=np.float64)
    scores = {"text": bm25(part.counts, part.lengths, weights)}
    if nearest is not None:
        scores["vector"] = np.nan_to_num(part.similarity, nan=-np.inf)
    spans = [Span(int(a), int(b)) for a, b in zip(admitted.starts, admitted.ends, strict=True)]
    return {name: tuple(spans[row] for row in best_first(found)[:limit]) for name, found in scores.items()}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of the text with everything the recipe knows of it. ``vector`` is None without an embedder."""

    span: Span
    terms: Mapping[str, int]
    trigrams: frozenset[str]
    vector: Vectors | None


@dataclass(frozen=True, slots=True)
class Recipe:
    """The common recipe over the body of one book, in memory."""

    text: str
    language: str
    embedder: Embedder | None
    chunks: tuple[Chunk, ...] = field(repr=False)

    def top(self, question: str, boundary: int, limit: int = RECIPE_TOP, trigram: bool = False) -> tuple[Span, ...]:
        """The spans of the closest chunks before ``boundary`` (an offset); the one that straddles it is cut there.

        With ``trigram`` the second list is by trigram similarity instead of by words.
        """
        chunks = self._before(boundary)
        if not chunks:
            return ()
        if trigram:
            asked = trigrams(question)
            words = np.array([len(asked & c.trigrams) / (len(asked | c.trigrams) or 1) for c in chunks])
        else:
            words = self._bm25(question, chunks)
        fused = reciprocal_ranks(np.where(words > 0, words, np.nan))
        if self.embedder is not None:
            asked_vector = self.embedder.embed_question(question)
            near = np.array([float(c.vector @ asked_vector) for c in chunks if c.vector is not None])
            fused = fused + reciprocal_ranks(near)
        return tuple(chunks[row].span for row in best_first(fused)[:limit])

    def _before(self, boundary: int) -> list[Chunk]:
        found = []
        for chunk in self.chunks:
            if chunk.span.end <= boundary:
                found.append(chunk)
            elif chunk.span.start < boundary:
                found += chunks_of(self.text, [Span(chunk.span.start, boundary)], self.language, self.embedder)
        return found

    def _bm25(self, question: str, chunks: Sequence[Chunk]) -> NDArray[np.float64]:
        asked = question_terms(question, self.language)
        counts = np.array([[float(c.terms.get(term, 0)) for term in asked] for c in chunks])
        lengths = np.array([float(sum(c.terms.values())) for c in chunks])
        return bm25(counts.reshape(len(chunks), len(asked)), lengths, np.fromiter(asked.values(), dtype=np.float64))


def recipe_for(text: str, body: Span, language: str, embedder: Embedder | None) -> Recipe:
    """Cut and embed the body of a book as the recipe does: windows of fixed size, whatever stands there."""
    return Recipe(text, language, embedder, tuple(chunks_of(text, cuts(text, body), language, embedder)))


def cuts(text: str, body: Span, chunk: int = CHUNK, overlap: int = OVERLAP) -> list[Span]:
    """Spans of about ``chunk`` characters that overlap by about ``overlap``, cut at spaces where there are any."""
    found = []
    start = body.start
    while start < body.end:
        end = min(start + chunk, body.end)
        if end < body.end and (space := text.rfind(" ", start + chunk // 2, end)) > 0:
            end = space
        found.append(Span(start, end))
        if end == body.end:
            break
        space = text.find(" ", end - overlap, end)
        start = space + 1 if space > 0 else end - overlap
    return found


def chunks_of(text: str, spans: Sequence[Span], language: str, embedder: Embedder | None) -> list[Chunk]:
    """The chunks at ``spans``, counted and embedded. A chunk longer than the model reads is embedded in parts."""
    stretches = [span.of(text) for span in spans]
    vectors = None if embedder is None or not spans else embedder.embed_passages(stretches)
    found = []
    for row, (span, stretch) in enumerate(zip(spans, stretches, strict=True)):
        counted = terms(stretch, language)
        vector = None if vectors is None else vectors[row]
        found.append(Chunk(span, counted, trigrams(stretch), vector))
    return found


def trigrams(text: str) -> frozenset[str]:
    """The trigrams of each word, two spaces before it and one after, as PostgreSQL's pg_trgm makes them."""
    padded = (f"  {word} " for word in _WORD.findall(text.lower()))
    return frozenset(word[at : at + 3] for word in padded for at in range(len(word) - 2))
