"""Contents lists in plain text: headings that are only listed, and the titles they promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.candidates import Candidate, is_prose, leads_to_prose, words_of
from bot.ingest.labels import label_kind
from bot.ingest.paragraphs import Block

_SUMMARY: Final = 600
"""The longest summary of a chapter in a contents list, in code points."""

_LISTED_RUN: Final = 3
"""Fewer headings in a row without prose between them are no list."""


@dataclass(frozen=True, slots=True)
class ContentsList:
    """The blocks ``[first, end)`` of one list; ``entries`` are its lines for comparing (`words_of`)."""

    first: int
    end: int
    entries: tuple[str, ...]

    def __contains__(self, block: int) -> bool:
        return self.first <= block < self.end


def contents_lists(blocks: Sequence[Block], candidates: Sequence[Candidate]) -> list[ContentsList]:
    """Every contents list: those that say so, and runs of headings without prose that stand again elsewhere."""
    runs = [part for run in _runs(blocks, candidates) if (part := _listed_part(run, blocks, candidates))]
    lists: list[ContentsList] = []
    for index, block in enumerate(blocks):
        if any(index in known for known in lists) or block.size > 60:
            continue
        if label_kind(block.first) is SectionKind.CONTENTS:
            end = _labelled_end(index, blocks, candidates)
            for part in runs:
                if index < part[0].block and _are_near(index, part[0].block, blocks):
                    end = part[-1].after
                    break
            if end > index + 1:
                lists.append(_listed(index, end, blocks, skip=1))
    for part in runs:
        if not any(part[0].block in known for known in lists):
            lists.append(_listed(part[0].block, part[-1].after, blocks, skip=0))
    return sorted(lists, key=lambda known: known.first)


def _are_near(label: int, first: int, blocks: Sequence[Block]) -> bool:
    """Whether a run of listed headings begins right below a label (after a preface that is listed, say)."""
    return first - label <= 6 and sum(block.size for block in blocks[label + 1 : first]) <= _SUMMARY


def _listed(first: int, end: int, blocks: Sequence[Block], skip: int) -> ContentsList:
    lines = [line for block in blocks[first : first + 1] for line in block.lines[skip:]]
    lines += [line for block in blocks[first + 1 : end] for line in block.lines]
    return ContentsList(first, end, tuple(words for line in lines if (words := words_of(line))))


def _labelled_end(label: int, blocks: Sequence[Block], candidates: Sequence[Candidate]) -> int:
    """Where the list under ``label`` ends: where its first key comes round again, or prose begins."""
    prose = next((i for i in range(label + 1, len(blocks)) if _is_long_prose(blocks[i])), len(blocks))
    within = [c for c in candidates if label < c.block < prose]
    first = _first_entry(label, blocks)
    rounds = [
        index
        for index in range(label + 2, prose)
        if first and words_of(blocks[index].first) == first and leads_to_prose(blocks, index)
    ]
    if rounds:
        return _settle(rounds[-1], prose, blocks, within)
    if (again := _round_again(within)) is not None:
        return _settle(again.block, prose, blocks, within)
    # The headings right above the prose are real if the list names them, or if a multi-line list stands before them.
    tail = prose
    while tail - 1 > label + 1 and any(c.block <= tail - 1 < c.after for c in candidates):
        tail -= 1
    listed = {words_of(line) for block in blocks[label + 1 : tail] for line in block.lines}
    real = [c for c in within if c.block >= tail]
    if (
        real
        and prose < len(blocks)
        and (tail > label + 1)
        and (not any(c.block < tail for c in within) or words_of(real[0].title) in listed)
    ):
        return real[0].block
    return prose if not real else _last_real(real, prose, followed=prose < len(blocks))


def _last_real(real: Sequence[Candidate], prose: int, followed: bool) -> int:
    """A run of headings that ends at prose: its last heading has the prose and is real, with the part above it."""
    last = len(real) - 1
    if real[last].after != prose or not followed:
        return prose
    while last > 0 and real[last - 1].heading.is_part and real[last - 1].after == real[last].block:
        last -= 1
    return real[last].block


def _settle(again: int, prose: int, blocks: Sequence[Block], within: Sequence[Candidate]) -> int:
    """``again``, or a later round if what follows there is a list still."""
    rest = [c for c in within if c.block >= again]
    if len(rest) > _LISTED_RUN and (later := _round_again(rest)) is not None and later.block > again:
        return _settle(later.block, prose, blocks, within)
    return again


def _round_again(run: Sequence[Candidate]) -> Candidate | None:
    """The first heading of ``run`` whose key is that of its first one."""
    return next((c for c in run[1:] if c.key == run[0].key), None) if run else None


def _first_entry(label: int, blocks: Sequence[Block]) -> str:
    lines = [*blocks[label].lines[1:], *(blocks[label + 1].lines if label + 1 < len(blocks) else ())]
    return next((words for line in lines if len(words := words_of(line)) > 2 and words != "page"), "")


def _is_long_prose(block: Block) -> bool:
    """Running text that cannot be the summary of a chapter in a contents list."""
    return is_prose(block) and (len(block.lines) < 2 or len(block.flat) > 60) and not _is_list(block)


def _is_list(block: Block) -> bool:
    lines = [line.rstrip() for line in block.lines]
    numbered = sum(line[-1].isdigit() for line in lines)
    return len(lines) > 2 and (numbered * 2 > len(lines) or sum(len(line) < 50 for line in lines) * 3 > len(lines) * 2)


def _runs(blocks: Sequence[Block], candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Stretches of headings with little between one and the next: lists, or very short chapters."""
    runs: list[list[Candidate]] = [[candidates[0]]] if candidates else []
    for before, after in pairwise(candidates):
        if _between(blocks, before, after) > _SUMMARY:
            runs.append([after])
        else:
            runs[-1].append(after)
    return [run for run in runs if len(run) >= _LISTED_RUN]


def _between(blocks: Sequence[Block], before: Candidate, after: Candidate | None) -> int:
    """Code points between two headings, or to the end."""
    return sum(block.size for block in blocks[before.after : after.block if after else len(blocks)])


def _listed_part(
    run: Sequence[Candidate], blocks: Sequence[Block], candidates: Sequence[Candidate]
) -> Sequence[Candidate]:
    """The part of ``run`` that is a list: its headings stand again, and it ends where its first key comes round."""
    keys = [candidate.key for candidate in run]
    if Counter(unit for unit, _ in keys).most_common(1)[0][1] < _LISTED_RUN - 1:
        return ()
    part = run[: _end_of_list(run, candidates)]
    if len(part) < _LISTED_RUN - 1:
        return ()
    bare = not any(is_prose(block) for a, b in pairwise(part) for block in blocks[a.after : b.block])
    return part if bare or _are_summaries(part, blocks, candidates) else ()


def _end_of_list(run: Sequence[Candidate], candidates: Sequence[Candidate]) -> int:
    keys = [candidate.key for candidate in run]
    for start in range(2, len(run)):
        if keys[start:] == keys[: len(run) - start]:
            return start
    inside = {candidate.block for candidate in run}
    elsewhere = {c.key for c in candidates if c.block not in inside}
    if sum(key in elsewhere for key in keys) * 3 < len(run) * 2:
        return 0
    end = len(run)
    while end > 0 and keys[end - 1] not in elsewhere:
        end -= 1
    return end


def _are_summaries(part: Sequence[Candidate], blocks: Sequence[Block], candidates: Sequence[Candidate]) -> bool:
    """Whether what stands between the headings of ``part`` is far shorter than where the same headings stand again."""
    inside = {candidate.block for candidate in part}
    keys = {candidate.key for candidate in part}
    here = [_between(blocks, a, b) for a, b in pairwise(part)]
    there = [
        _between(blocks, c, after)
        for c, after in zip(candidates, [*candidates[1:], None], strict=True)
        if c.block not in inside and c.key in keys
    ]
    return bool(here and there) and median(here) * 4 < median(there)
