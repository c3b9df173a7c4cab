"""A chapter's memory, made by a model of that chapter and of what is remembered of earlier ones, and of nothing else.

All of it comes through the door under a boundary at the chapter's end: nothing later can be in a request. What the
model writes passes every check that an answer does, and one more: what is told of somebody names them, and two are one
only where the book itself says so in the sentence that is quoted.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import numpy as np

from bot.core.boundary import Boundary, boundary_for
from bot.core.chapters import Chapter, ChapterMap
from bot.core.chat_model import ChatModel, ModelRequest, Purpose, Spent
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import Refused
from bot.core.evidence import Evidence
from bot.core.identities import names_somebody, says_one, stands
from bot.core.memory import BookMemory, ChapterMemory, Remembered
from bot.core.ports import Door, Doors
from bot.core.prompts import ASCII_A_TOKEN, REMEMBERING, SUPPORTING, TOKENS_OF_OTHERS, estimated, memory_request
from bot.core.second_reading import BATCH
from bot.core.survivors import Writer
from bot.core.verify import Checked, Cut, Verifier
from bot.core.writing import Writing

STRETCH: Final = 12_000
"""Tokens of one request: a longer chapter is read in several, one after another."""
EARLIER: Final = 1_500
"""Tokens of what is remembered of earlier chapters, the latest."""
NOTES: Final = 20
"""Claims of one request at most."""
_WRITTEN: Final = 1_800
"""Tokens that one request is taken to write, and `_PASSAGE` those of a passage that is read again with a claim."""
_PASSAGE: Final = 420
_TESTS: Final = 3

_WORKER: Final = MemberId(0)
"""Nobody: who reads a book chapter by chapter."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _OfTheJob:
    """A model, of which readings again are booked as the job's."""

    model: ChatModel

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        checks = request.purpose is Purpose.SUPPORT
        made = replace(request, purpose=Purpose.MEMORY_CHECK) if checks else request
        async with aclosing(self.model.written(made, spent)) as pieces:
            async for piece in pieces:
                yield piece

    async def counted(self, request: ModelRequest) -> int | None:
        return await self.model.counted(request)


@dataclass(frozen=True, slots=True)
class _Read:
    """What one transaction read of a chapter."""

    language: str
    version: int
    chapter: Chapter
    evidence: tuple[Evidence, ...]
    earlier: tuple[str, ...]


async def chapter_remembered(doors: Doors, writing: Writing, book: BookId, ordinal: int, spent: Spent) -> ChapterMemory:
    """The memory of chapter ``#ordinal``. Raises `ModelFailed`; `Refused` where there is no such book or chapter.

    What is cut is neither counted nor logged: nobody may have read so far.
    """
    async with doors.opened() as door:
        read = await _read(door, book, ordinal)
    claims: list[Remembered] = []
    for evidence in stretches(read.evidence, STRETCH):
        verifier = Verifier(evidence, "", read.language, writing.switches.names)
        request = memory_request(evidence, [*read.earlier, *(claim.text for claim in claims if not claim.about)])
        unseen = replace(writing, model=_OfTheJob(writing.model), claim_cut=lambda _: None)
        writer = Writer(unseen, request, verifier, spent, NOTES)
        async with aclosing(writer.survivors()) as survivors:
            async for claim in survivors:
                if of_them(claim, read.language):
                    claims.append(_remembered(claim, read.chapter))
                else:
                    writer.cut(Cut.NOT_OF_THEM)
    return ChapterMemory(ordinal, read.version, read.chapter.end, tuple(claims))


async def chapter_left(doors: Doors, book: BookId, ordinal: int) -> ChapterMemory:
    """A chapter of which nothing is remembered."""
    async with doors.opened() as door:
        chapter_map = await door.chapter_map(book)
    return ChapterMemory(ordinal, chapter_map.version, _chapter(chapter_map, ordinal).end, ())


def _chapter(chapter_map: ChapterMap, ordinal: int) -> Chapter:
    chapter = chapter_map.chapter(ordinal)
    if chapter is None:
        raise Refused("no_such_chapter", "The book has no such chapter.")
    return chapter


async def _read(door: Door, book: BookId, ordinal: int) -> _Read:
    record, chapter_map = await door.book(book), await door.chapter_map(book)
    chapter = _chapter(chapter_map, ordinal)
    boundary = boundary_for(book, private_to(_WORKER), {_WORKER: chapter.end})
    evidence = await _evidence(door, boundary, chapter)
    memory = await door.memory_read(boundary)
    before = replace(memory, claims=tuple(claim for claim in memory.claims if claim.chapter < ordinal))
    return _Read(record.language, chapter_map.version, chapter, evidence, _latest(before))


async def _evidence(door: Door, boundary: Boundary, chapter: Chapter) -> tuple[Evidence, ...]:
    admitted = await door.passages_admitted(boundary)
    own = admitted.bodies & (admitted.starts >= chapter.start) & (admitted.ends <= chapter.end)
    passages = await door.passages_read(boundary, [int(n) for n in admitted.ordinals[np.flatnonzero(own)]])
    return tuple(Evidence(boundary, passage) for passage in passages)


def _latest(memory: BookMemory) -> tuple[str, ...]:
    """The latest of what is remembered that fits, in its order."""
    kept: list[str] = []
    tokens = 0
    for claim in reversed(memory.claims):
        tokens += estimated(claim.text)
        if tokens > EARLIER:
            break
        kept.append(claim.text)
    return tuple(reversed(kept))


def stretches(evidence: Sequence[Evidence], most: int) -> Iterator[tuple[Evidence, ...]]:
    """Passages in order, in stretches of at most ``most`` tokens or one passage. A function of what stands before."""
    part: list[Evidence] = []
    tokens = 0
    for item in evidence:
        own = estimated(item.passage.text)
        if part and tokens + own > most:
            yield tuple(part)
            part, tokens = [], 0
        part.append(item)
        tokens += own
    if part:
        yield tuple(part)


def of_them(claim: Checked, language: str) -> bool:
    """Whether a claim that survived may stand on the card of whom it is about: the passage and the sentence have them
    in these words; and where it says that two are one, so does the quoted sentence.
    """
    passage = claim.evidence.passage
    labels = [label for label in (claim.about, claim.also) if label]
    texts = (claim.text, " ".join(passage.text.split()))
    if not all(names_somebody(label, language) for label in labels):
        return False
    if not all(stands(label, text, language) for label in labels for text in texts):
        return False
    if not claim.also:
        return True
    quoted = [s.text for s in passage.sentences if s.span.overlaps(claim.span)]
    return all(
        any(says_one(text, claim.about, claim.also, language) for text in said) for said in ([claim.text], quoted)
    )


def _remembered(claim: Checked, chapter: Chapter) -> Remembered:
    passage = claim.evidence.passage.ordinal
    return Remembered(chapter.ordinal, claim.text, passage, claim.span, chapter.end, claim.about, claim.also)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What it would cost to remember a book: requests, tokens read and written, and US dollars, where that is known.

    It is made of the chapter map alone: of no word of the text.
    """

    requests: int
    read: int
    written: int
    cost: Decimal | None


def memory_estimate(chapter_map: ChapterMap, language: str, writing: Writing) -> Estimate:
    """About what all chapters would cost, rather too much than too little."""
    wide = language in {"zh", "ja", "ko"}
    parts = read = 0
    for chapter in chapter_map.chapters:
        tokens = math.ceil((chapter.end - chapter.start) * (TOKENS_OF_OTHERS if wide else 1 / ASCII_A_TOKEN))
        parts += max(1, math.ceil(tokens / STRETCH))
        read += tokens
    read += parts * (estimated(REMEMBERING) + EARLIER)
    batches = math.ceil(NOTES / BATCH)
    again = parts * (batches * (estimated(SUPPORTING) + _TESTS * _PASSAGE) + NOTES * _PASSAGE)
    verdicts = parts * (NOTES + batches * _TESTS) * 15
    of = ((Purpose.MEMORY, read, parts * _WRITTEN), (Purpose.MEMORY_CHECK, again, verdicts))
    costs = [writing.cost(*each) for each in of]
    known = [cost for cost in costs if cost is not None]
    total = sum(known, Decimal(0)) if len(known) == len(costs) else None
    return Estimate(parts * (1 + batches), read + again, parts * _WRITTEN + verdicts, total)
