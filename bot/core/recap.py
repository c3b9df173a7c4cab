"""A recap: what a model remembers of the chapters that were read, or the most telling sentences, in story order.

Where a model is set and remembers every whole chapter of the stretch, its sentences are told with their quotes, and of
the chapter that is being read a few sentences of the book. In any other case all of it is quoted, as follows.

The stretch is divided into as many parts as sentences are told, at chapters where there are enough, so that the whole
of it is told and not its loudest chapter. Of a long part only the most telling passages are read: those that come
closest to `TELLING`, what turns stories turn on, and where there are no vectors, passages at even distances. In every
part the sentence is chosen that `telling` finds best, words of `EVENTS` raising it (the cue words of Edmundson, *New
methods in automatic extracting*, 1969). All of it is a function of what was read: the boundary, the chapters that begin
before it, and the text.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import Final

import numpy as np

from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.ask import Reply
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap, finished_chapter
from bot.core.evidence import Evidence
from bot.core.names import NAME_WORD, bare
from bot.core.ports import Door, Embedder, EmbeddingModel, Similarities, Vectors
from bot.core.question_vectors import question_vector
from bot.core.recalled import evidence_of, stretch_remembered, told
from bot.core.retrieve import Query
from bot.core.search import Asked, Found, Searching, boundary_of
from bot.core.telling import Scored, Told, best_of, cited_in_order, scored, told_from
from bot.core.terms import stem
from bot.core.wanted import Recap, Scope

MOST: Final = 8
"""Sentences of a recap of a long stretch; of a chapter `FEWEST`."""
FEWEST: Final = 4
SINCE: Final = 2
"""Sentences of the chapter that is being read, after what a model remembers of those before it."""
POOL: Final = 40
"""Passages that are read for one recap."""

CUE: Final = (0.015, 0.04)
"""What a weak and a strong cue word add to a sentence's score, and `CUED` at most together."""
CUED: Final = 0.08
CAST: Final = 0.04
"""What each of at most two names of the cast adds; the narrator is one of it."""
OFTEN: Final = 3
"""How often a name stands in what is read of a part's passages, at least, to be one of the cast."""
SPEECH: Final = 0.05
NAMELESS: Final = 0.05
LONG: Final = 0.02
"""What speech loses, what tells of somebody ("she") and names nobody, and what has more than `LENGTHY` code points."""
LENGTHY: Final = 200

TELLING: Final = (
    "Someone dies, is killed, or is found dead.",
    "A marriage, an engagement, a proposal of love.",
    "A secret is revealed and somebody confesses the truth.",
    "They quarrel and part, or somebody leaves for a journey.",
    "A letter arrives with important news.",
)
"""What stories turn on, in words of our own: passages are compared with the mean of their vectors."""

_WEAK: Final = (
    "letter arrived arrival departed departure left returned lost found discovered truth promised refused "
    "accepted decided resolved resolution inherit inheritance fortune debt ill illness fever danger saved wept "
    "parted enemy loved suspect suspected warned mystery afraid terrible last suddenly battle attacked news "
    "sent alone"
)
_STRONG: Final = (
    "die died dead death kill killed murder murdered corpse wounded duel poison poisoned drowned shot stabbed "
    "marry married marriage engaged engagement wedding propose proposed proposal eloped fled escaped "
    "disappeared vanished discovery secret confess confessed confession revealed recognised recognized quarrel "
    "quarrelled betrayed arrest arrested accused prisoner guilty innocent ruined bankrupt born dying buried "
    "funeral revenge defeated stolen stole theft thief forgave forgiven rescued farewell"
)
_CUES: Final = {"en": (_WEAK, _STRONG)}
"""Weak and strong cue words by language: what happens, and not what is like what."""
_MADE: Final[dict[EmbeddingModel, Vectors]] = {}
_SPEAKING: Final = frozenset('“„«"‘—-')
_THIRD: Final = re.compile(r"\b(?:he|she|they|him|her|them|his|their|it)\b", re.IGNORECASE)
_FIRST: Final = re.compile(r"\b(?:I|me|my|we|us)\b")


async def recap(searching: Searching, asked: Asked, wanted: Recap) -> Reply:
    """Tell what the audience has read, from ``asked.since`` on where that is given. Where nothing was: the refusal.

    Everything is read in one transaction.
    """
    began = perf_counter()
    telling = await asyncio.to_thread(_telling, searching.embedder)
    embedded = perf_counter()
    async with searching.doors.opened() as door:
        book = await door.book(asked.book)
        boundary = await boundary_of(door, asked)
        since = await asked.since(door) if callable(asked.since) else asked.since
        chapter_map = await door.chapter_map(book.id)
        start = _start(wanted, since, boundary, chapter_map)
        vector = telling[1] if telling is not None and telling[0] == book.embedder else None
        most = _most(wanted, start, boundary, chapter_map)
        written = None
        if searching.writing is not None:
            written = stretch_remembered(await door.memory_read(boundary), chapter_map, start, boundary)
        if written is not None:
            start, most = written.end, SINCE
        parts = await _parts_read(door, boundary, start, vector, most)
        names = await door.names_met(boundary) if parts else ()
        own = {} if written is None else await evidence_of(door, boundary, written.claims)
    met = [name.name for name in names]
    citations = await asyncio.to_thread(recap_quotes, parts, start, book.language, met, most)
    done = perf_counter()
    found = Found(
        boundary=boundary,
        book=book,
        query=Query(asked.question, {}),
        evidence=(*own.values(), *(item for part in parts for item in part)),
        candidates=(),
        unmet_names=(),
        seconds={"embed": embedded - began, "retrieve": done - embedded, "total": done - began},
    )
    if written is not None:
        return Reply(told(asked.question, boundary, written.claims, own, citations), found)
    if not citations:
        return Reply(Refusal(boundary, asked.question), found)
    claims = tuple(Claim(c.quote, (c.n,)) for c in citations)
    return Reply(Answer(boundary, asked.question, Engine.QUOTES, claims, citations), found)


def recap_quotes(
    parts: Sequence[Sequence[Evidence]], start: int, language: str | None, names: Collection[str], most: int
) -> tuple[Citation, ...]:
    """At most ``most`` sentences that begin at ``start`` (code points) or later, as many of each part, and of the last
    ones one more where they cannot be as many.

    ``names`` are names met. Nothing but the sentences of ``parts`` has a say.
    """
    evidence = [item for part in parts for item in part]
    read = told_from(evidence, start)
    cast = _cast(read, names)
    cues = _cues(language)
    chosen: list[Scored] = []
    base = 0
    for n, part in enumerate(parts):
        share = most // len(parts) + (n >= len(parts) - most % len(parts))
        own = [one for one in read if base <= one.row < base + len(part)]
        base += len(part)
        left = [_raised(one, cues, cast) for one in scored(own, language, cast)]
        for _ in range(min(share, len(left))):
            best = best_of(left, chosen, evidence)
            chosen.append(best)
            left = [one for one in left if one is not best]
    return cited_in_order(chosen, evidence)


def _cast(read: Sequence[Told], names: Collection[str]) -> frozenset[str]:
    """The words of names that stand often among these sentences, and oftener with a capital than without."""
    named = {word for name in names for word in NAME_WORD.findall(name) if word[0].isupper()}
    counted = Counter(word for one in read for word in map(bare, NAME_WORD.findall(one.sentence.text)))
    return frozenset(word for word in named if counted[word] >= max(OFTEN, 1 + counted[word.casefold()]))


def _raised(one: Scored, cues: tuple[frozenset[str], ...], cast: frozenset[str]) -> Scored:
    """The same with what reads well in a recap and what does not."""
    text = one.sentence.text
    cued = sum(weight * len(own & one.terms.keys()) for weight, own in zip(CUE, cues, strict=True))
    people = len(cast.intersection(map(bare, NAME_WORD.findall(text)))) + (_FIRST.search(text) is not None)
    more = min(CUED, cued) + CAST * min(2, people)
    more -= SPEECH if text.lstrip()[:1] in _SPEAKING else 0.0
    more -= NAMELESS if not people and _THIRD.search(text) else 0.0
    more -= LONG if len(text) > LENGTHY else 0.0
    return replace(one, score=one.score + more)


@cache
def _cues(language: str | None) -> tuple[frozenset[str], ...]:
    weak, strong = _CUES.get(language or "", ("", ""))
    return tuple(frozenset(stem(word, language) for word in words.split()) for words in (weak, strong))


def _telling(embedder: Embedder | None) -> tuple[EmbeddingModel, Vectors] | None:
    """The mean of what stories turn on, as a unit vector; it is the same for every book, and made once a model."""
    if embedder is None:
        return None
    if embedder.model not in _MADE:
        found = [question_vector(embedder, sentence) for sentence in TELLING]
        vectors = [made[1] for made in found if made is not None]
        if len(vectors) < len(TELLING):
            return None
        mean = np.mean(vectors, axis=0)
        _MADE[embedder.model] = (mean / (np.linalg.norm(mean) or 1.0)).astype(np.float32)
    return embedder.model, _MADE[embedder.model]


def _start(wanted: Recap, since: int | None, boundary: Boundary, chapter_map: ChapterMap) -> int:
    """Where a recap begins, in code points."""
    if wanted.scope is Scope.CHAPTER:
        chapter = finished_chapter(boundary.offset, chapter_map)
        return 0 if chapter is None else chapter.start
    return since or 0


def _most(wanted: Recap, start: int, boundary: Boundary, chapter_map: ChapterMap) -> int:
    """How many sentences are told: one a chapter that was read, between `FEWEST` and `MOST`."""
    if wanted.scope is Scope.CHAPTER:
        return FEWEST
    begun = sum(c.end > start and c.start < boundary.offset for c in chapter_map.chapters)
    return max(FEWEST, min(MOST, begun))


async def _parts_read(
    door: Door, boundary: Boundary, start: int, vector: Vectors | None, most: int
) -> list[tuple[Evidence, ...]]:
    """The body from ``start`` to the boundary in at most ``most`` parts, each with the passages that are read of it."""
    if boundary.offset <= start:
        return []
    admitted = await door.passages_admitted(boundary)
    straddling = await door.passage_straddling(boundary)
    nearest = await door.passages_nearest(boundary, vector) if vector is not None else None
    rows = [*np.flatnonzero(admitted.bodies & (admitted.ends > start))]
    chapters = [(int(admitted.ordinals[row]), int(admitted.chapters[row])) for row in rows]
    if straddling is not None and straddling.span.end > start:
        chapters.append((straddling.ordinal, straddling.chapter or 0))
    groups = divided(chapters, most)
    likeness = _likeness(nearest)
    chosen = [most_telling(group, likeness, -(-POOL // len(groups))) for group in groups]
    passages = {p.ordinal: p for p in await door.passages_read(boundary, [n for group in chosen for n in group])}
    return [tuple(Evidence(boundary, passages[n]) for n in group) for group in chosen]


def _likeness(nearest: Similarities | None) -> dict[int, float]:
    if nearest is None:
        return {}
    return dict(zip(nearest.ordinals.tolist(), nearest.values.tolist(), strict=True))


def divided(passages: Sequence[tuple[int, int]], most: int) -> list[list[int]]:
    """The passages (ordinal, chapter), in order, in at most ``most`` parts of about the same count of chapters, or of
    passages where there are fewer chapters than parts.
    """
    chapters = list(dict.fromkeys(chapter for _, chapter in passages))
    by_chapter = len(chapters) >= most
    rank = {chapter: n for n, chapter in enumerate(chapters)}
    total = len(chapters) if by_chapter else len(passages)
    parts = min(most, total)
    groups: list[list[int]] = [[] for _ in range(parts)]
    for n, (ordinal, chapter) in enumerate(passages):
        at = rank[chapter] if by_chapter else n
        groups[at * parts // total].append(ordinal)
    return groups


def most_telling(group: Sequence[int], likeness: dict[int, float], most: int) -> list[int]:
    """At most ``most`` passages of a part, in order: the closest to what stories turn on, else at even distances."""
    if len(group) <= most:
        return list(group)
    if any(ordinal in likeness for ordinal in group):
        ranked = sorted(group, key=lambda ordinal: (-round(likeness.get(ordinal, -1.0), 6), ordinal))
        return sorted(ranked[:most])
    return [group[n * len(group) // most] for n in range(most)]
