"""Front and back matter in plain text: labels that stand alone, and headings that only divide an essay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.candidates import Candidate
from bot.ingest.labels import label_kind
from bot.ingest.paragraphs import Block

_SEALING: Final = frozenset(SectionKind) - {SectionKind.BODY, SectionKind.UNKNOWN}
_LATER: Final = frozenset({"epilogue", "conclusion", "interlude"})


def label_at(index: int, blocks: Sequence[Block]) -> SectionKind | None:
    """The sealed kind that a line standing alone gives to what follows it, or None."""
    block = blocks[index]
    if block.size > 90 or len(block.lines) > 2 or index + 1 >= len(blocks):
        return None
    if block.flat[:1].islower() or not block.blank_before:
        return None
    kind = label_kind(block.flat)
    return kind if kind in _SEALING else None


def within_the_story(chosen: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    """``chosen`` without the headings that divide an introduction or an afterword.

    Bare numbers before the first numbered part or chapter word are an essay's, whatever it is called; so are those
    between a label ("INTRODUCTION") and a new beginning at 1, on either side of the story. An essay taken for body
    would be shown to a reader who has read nothing, so doubt seals.
    """
    kept = _after_the_front(chosen, blocks)
    return _before_the_back(kept, blocks)


def _after_the_front(chosen: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    opening = next((i for i, c in enumerate(chosen) if not c.heading.bare and c.heading.number == 1), None)
    if opening is not None:
        kept = [c for c in chosen[:opening] if not c.heading.bare and c.heading.keyword not in _LATER]
        return [*kept, *chosen[opening:]]
    first = next((i for i, c in enumerate(chosen) if c.heading.bare), None)
    if first is None or not any(label_at(i, blocks) is SectionKind.ESSAY for i in range(chosen[first].block)):
        return list(chosen)
    again = next((i for i in range(first + 1, len(chosen)) if chosen[i].heading.number == 1), None)
    return list(chosen) if again is None else [*(c for c in chosen[:again] if not c.heading.bare), *chosen[again:]]


def _before_the_back(chosen: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    for i in range(1, len(chosen)):
        rest = chosen[i:]
        if chosen[i].heading.number != 1 or not all(c.heading.bare for c in rest):
            continue
        if any(label_at(block, blocks) for block in range(chosen[i - 1].after, chosen[i].block)):
            return list(chosen[:i])
    return list(chosen)
