"""What a model remembers of the chapters that an audience has finished, told as claims with their citations.

The words of a quote are not stored: they come through the door with the passage that they stand in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.core.answer import Answer, Card, Citation, Claim, Engine
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap
from bot.core.evidence import Evidence
from bot.core.identities import folded_label
from bot.core.memory import BookMemory, Remembered
from bot.core.names import NAME_WORD, mentions
from bot.core.offsets import Span
from bot.core.ports import Door

SENTENCES: Final = 12
"""Sentences of a recap at most."""
FACTS: Final = 6
"""Sentences of a card at most."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is remembered of the whole chapters of a stretch, in story order, and where (an offset) they end."""

    claims: tuple[Remembered, ...]
    end: int


def stretch_remembered(memory: BookMemory, chapter_map: ChapterMap, start: int, boundary: Boundary) -> Stretch | None:
    """What is remembered from ``start`` on (an offset); None where a chapter is not done yet, or nothing is."""
    whole = [c for c in chapter_map.chapters if start < c.end <= boundary.offset]
    if not whole or not memory.chapters.issuperset(c.ordinal for c in whole):
        return None
    known = {c.ordinal for c in whole}
    told = [c for c in memory.claims if not c.about and c.chapter in known and c.span.start >= start]
    return Stretch(most_telling(told), max(start, whole[-1].end)) if told else None


def most_telling(claims: Sequence[Remembered]) -> tuple[Remembered, ...]:
    """At most `SENTENCES` of what happens, in story order: of each chapter the first that were noted, as many of each
    chapter, the last ones first; of more chapters than that one each, of some at even distances and the last.
    """
    chapters = [list(own) for _, own in groupby(claims, key=lambda claim: claim.chapter)]
    total = len(chapters)
    if total > SENTENCES:
        chapters = [chapters[total - 1 - n * total // SENTENCES] for n in reversed(range(SENTENCES))]
    kept: list[Remembered] = []
    turn = 0
    while len(kept) < SENTENCES and any(turn < len(own) for own in chapters):
        kept += [own[turn] for own in reversed(chapters) if turn < len(own)][: SENTENCES - len(kept)]
        turn += 1
    return tuple(sorted(kept, key=lambda claim: (claim.span, claim.text)))


async def evidence_of(door: Door, boundary: Boundary, claims: Iterable[Remembered]) -> Mapping[int, Evidence]:
    """The passages that these stand on, by ordinal, as they are admitted."""
    ordinals = sorted({claim.passage for claim in claims})
    passages = await door.passages_read(boundary, ordinals) if ordinals else ()
    return {passage.ordinal: Evidence(boundary, passage) for passage in passages}


def told(
    question: str,
    boundary: Boundary,
    remembered: Sequence[Remembered],
    evidence: Mapping[int, Evidence],
    quotes: Sequence[Citation] = (),
    card: Card | None = None,
) -> Answer:
    """An answer of what is remembered (at least one claim), and after it ``quotes`` of what is not."""
    numbers: dict[Span, int] = {}
    citations: list[Citation] = []
    claims: list[Claim] = []
    for claim in remembered:
        if claim.span not in numbers:
            numbers[claim.span] = len(citations) + 1
            citations.append(_cited(numbers[claim.span], claim, evidence[claim.passage]))
        claims.append(Claim(claim.text, (numbers[claim.span],)))
    fresh = [quote for quote in quotes if not any(quote.span.overlaps(span) for span in numbers)]
    citations += [Citation(len(citations) + n, q.span, q.quote, q.evidence) for n, q in enumerate(fresh, start=1)]
    return Answer(boundary, question, Engine.CLAUDE, tuple(claims), tuple(citations), card)


def _cited(n: int, claim: Remembered, evidence: Evidence) -> Citation:
    start = claim.span.start - evidence.passage.span.start
    return Citation(n, claim.span, evidence.passage.text[start : start + len(claim.span)], evidence)


def same_people(memory: BookMemory, known: Mapping[tuple[str, ...], str]) -> list[tuple[str, str]]:
    """The pairs of names met (``known`` maps their words to them) that the book was read to say are one person's."""
    pairs = ((_named(c.about, known), _named(c.also, known)) for c in memory.claims if c.also)
    return [(one, other) for one, other in pairs if one is not None and other is not None and one != other]


def described_as(memory: BookMemory, own: Collection[str], known: Mapping[tuple[str, ...], str]) -> dict[str, range]:
    """The words ("the stranger") that the book was read to say are whoever bears the names ``own``, as first noted, and
    the chapters in which they are: further on they may be of somebody else, as they are before, up to the last chapter
    that says so.
    """
    theirs: dict[str, range] = {}
    written: dict[str, str] = {}
    others: dict[str, int] = {}
    for claim in memory.claims:
        for one, other in ((claim.about, claim.also), (claim.also, claim.about)):
            name = _named(one, known) if claim.also else None
            if name is None or _named(other, known) is not None:
                continue
            label, chapter = folded_label(other), claim.chapter
            if name not in own:
                others[label] = chapter
                continue
            said = written.setdefault(label, other)
            first = theirs[said].start if said in theirs else min(others.get(label, 0) + 1, chapter)
            theirs[said] = range(first, chapter + 1)
    return theirs


def named_by(memory: BookMemory, said: str, known: Mapping[tuple[str, ...], str]) -> str | None:
    """The name of whom ``said`` ("the stranger") was read to be; None where it is nobody's that is known."""
    for claim in memory.claims:
        for one, other in ((claim.about, claim.also), (claim.also, claim.about)):
            if claim.also and folded_label(one) == folded_label(said) and (name := _named(other, known)) is not None:
                return name
    return None


def about(
    memory: BookMemory, own: Collection[str], described: Mapping[str, range], known: Mapping[tuple[str, ...], str]
) -> tuple[Remembered, ...]:
    """What is remembered of whoever bears the names ``own``, or is ``described`` so in some chapters: at most `FACTS`,
    in story order.

    The first and the last that was noted of them; where that is not much, what happened with them by name.
    """
    so = {folded_label(label): chapters for label, chapters in described.items()}
    told_of = [c for c in memory.claims if c.about]
    theirs = [c for c in told_of if _named(c.about, known) in own or c.chapter in so.get(folded_label(c.about), ())]
    if len(theirs) > FACTS:
        theirs = [*theirs[: FACTS // 2], *theirs[-(FACTS - FACTS // 2) :]]
    happened = [c for c in memory.claims if not c.about and any(name in own for name in _all_named(c.text, known))]
    left = FACTS - len(theirs)
    theirs += happened[-left:] if left else []
    return tuple(sorted(theirs, key=lambda claim: (claim.span, claim.text)))


def card_of(label: str, claims: Sequence[Remembered]) -> Card:
    """The card of somebody who is known by a description alone."""
    chapters = [claim.chapter for claim in claims]
    return Card((label,), min(chapters), max(chapters), (), max(claim.revealed_at for claim in claims))


def _named(label: str, known: Mapping[tuple[str, ...], str]) -> str | None:
    """The name met that a label is; None where it is none, or more than that ("Ana's brother")."""
    words = NAME_WORD.findall(label)
    found = list(mentions(words, known))
    whole = sum(size for _, size, _ in found) == len(words)
    return found[0][2] if found and whole and words == [word for name in found for word in _words(name[2])] else None


def _words(name: str) -> list[str]:
    return NAME_WORD.findall(name)


def _all_named(text: str, known: Mapping[tuple[str, ...], str]) -> list[str]:
    words = NAME_WORD.findall(text)
    return [name for _, _, name in mentions(words, known)]
