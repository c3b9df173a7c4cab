"""Which candidates are the chapters and parts of a book: by keyword, by sequence, by a contents list's titles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from bot.ingest.candidates import Candidate, is_caps, is_prose, is_title_line, leads_to_prose, words_of
from bot.ingest.contents import ContentsList
from bot.ingest.heading_words import heading_words
from bot.ingest.headings import Heading, Strength, parse_heading
from bot.ingest.labels import label_kind
from bot.ingest.matter import within_the_story
from bot.ingest.paragraphs import Block

_LARGEST_GAP: Final = 5
"""A bare number may jump this far when the sequence goes on behind it."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings that are believed, in order, and what is doubtful about them (numbers only, never text)."""

    headings: tuple[Candidate, ...]
    warnings: tuple[str, ...]


def outline_of(blocks: Sequence[Block], candidates: Sequence[Candidate], lists: Sequence[ContentsList]) -> Outline:
    """The chapters and parts among ``candidates``, contents lists left out."""
    real = [c for c in candidates if not any(c.block in listed for listed in lists)]
    keyed = _without_sublevels(_without_running_heads([c for c in real if not c.heading.bare]))
    bare = [c for c in real if c.heading.bare]
    chosen = list(keyed)
    for region in _regions(keyed, len(blocks)):
        inside = [c for c in bare if region.first <= c.block < region.end]
        if region.chapters:
            chosen += _continued(region, inside)
        else:
            chosen += _chain(inside, blocks)
    titled = _promised(blocks, chosen, lists)
    if not any(not c.heading.is_part for c in chosen) and len(titled) < 2:
        titled = _set_apart(blocks, chosen, lists)
    chosen = within_the_story(_story_parts(sorted([*chosen, *titled], key=lambda c: c.block), blocks), blocks)
    return Outline(tuple(chosen), tuple(_doubts(chosen)))


def _story_parts(chosen: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    """A prologue or epilogue right above a chapter 1 is the part that holds it ("FIRST EPILOGUE", "CHAPTER I")."""
    kept: list[Candidate] = []
    after: Candidate | None = None
    for candidate in reversed(chosen):
        heading = candidate.heading
        holds = heading.is_story and heading.number is None and after is not None
        if holds and after is not None and (after.heading.number == 1 or after.heading.is_part):
            between = blocks[candidate.after : after.block]
            if not any(map(is_prose, between)):
                candidate = replace(candidate, heading=replace(heading, keyword="part"))  # noqa: PLW2901
        kept.append(candidate)
        after = candidate
    return kept[::-1]


def _without_running_heads(keyed: Sequence[Candidate]) -> list[Candidate]:
    """Three and more of the same heading in a row are a running head: the first is the heading."""
    kept: list[Candidate] = []
    for index, candidate in enumerate(keyed):
        around = keyed[max(0, index - 2) : index + 3]
        repeats = sum(c.key == candidate.key and c.heading.number is not None for c in around)
        if repeats >= 3 and kept and kept[-1].key == candidate.key:
            continue
        kept.append(candidate)
    return kept


def _without_sublevels(keyed: Sequence[Candidate]) -> list[Candidate]:
    """Drop loose words ("section", "letter", "night") that only divide the chapters of a firmer word."""
    units: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in keyed:
        if candidate.heading.keyword == "chapter":
            units[candidate.heading.unit].append(candidate)
    loose = {unit for unit in units if (word := heading_words().get(unit)) is not None and word.loose}
    firm = [c for unit, found in units.items() if unit not in loose for c in found]
    dropped = set()
    for unit in loose:
        numbers = [c.heading.number for c in units[unit]]
        restarts = sum(number == 1 for number in numbers)
        if (firm and restarts > 1) or len(numbers) < 2 or (numbers[0] or 9) > 3:
            dropped.add(unit)
    return [c for c in keyed if c.heading.keyword != "chapter" or c.heading.unit not in dropped]


@dataclass(frozen=True, slots=True)
class _Region:
    """The blocks ``[first, end)`` below one part, or before the first, and the keyword chapters in it."""

    first: int
    end: int
    chapters: tuple[Candidate, ...]


def _regions(keyed: Sequence[Candidate], end: int) -> list[_Region]:
    bounds = [0, *(c.block for c in keyed if c.heading.is_part), end]
    return [
        _Region(
            first,
            last,
            tuple(c for c in keyed if first <= c.block < last and c.heading.keyword == "chapter" and c.heading.number),
        )
        for first, last in pairwise(bounds)
    ]


def _continued(region: _Region, bare: Sequence[Candidate]) -> list[Candidate]:
    """Bare numbers that fill a gap in, or go on after, the keyword chapters of a region (the form changed mid-book)."""
    promoted: list[Candidate] = []
    named = sum(c.heading.named for c in region.chapters) * 2 > len(region.chapters)
    for chapter, after in zip(region.chapters, [*region.chapters[1:], None], strict=True):
        number = chapter.heading.number or 0
        last = (after.heading.number or 0) if after else 10_000
        end = after.block if after else region.end
        inside = [c for c in bare if chapter.block < c.block < end and c.heading.named >= named]
        if any(c.heading.number == 1 for c in inside):
            continue
        for candidate in inside:
            if candidate.heading.number == number + 1 < last:
                promoted.append(candidate)
                number += 1
    return promoted


def _chain(bare: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    """The longest increasing sequence of bare numbers in one style; it may begin anew at 1."""
    groups: dict[tuple[object, bool | None], list[Candidate]] = defaultdict(list)
    for candidate in bare:
        groups[candidate.heading.style, candidate.heading.named].append(candidate)
        groups[candidate.heading.style, None].append(candidate)
    best: list[Candidate] = []
    # Titled numbers first: where they run through the book, the bare ones inside them are its inner divisions.
    for (_, named), group in sorted(groups.items(), key=lambda item: (item[0][1] is None, not item[0][1])):
        chain = _increasing(group)
        capitals = all(is_caps(c.title) for c in chain)
        if len(chain) < (3 if named and not capitals else 2) or _is_numbered_list(chain, blocks):
            continue
        if named and _stretch(chain) == len(chain) and _runs_through(chain, bare):
            return chain
        if _stretch(chain) > _stretch(best):
            best = chain
    return best


def _stretch(chain: Sequence[Candidate]) -> int:
    """The length of the longest stretch without a new beginning."""
    longest = current = 0
    before = 0
    for candidate in chain:
        number = candidate.heading.number or 0
        current = current + 1 if number > before else 1
        longest, before = max(longest, current), number
    return longest


def _runs_through(chain: Sequence[Candidate], bare: Sequence[Candidate]) -> bool:
    return (chain[-1].block - chain[0].block) * 2 > bare[-1].block - bare[0].block


def _increasing(bare: Sequence[Candidate]) -> list[Candidate]:
    chain: list[Candidate] = []
    index = 0
    while index < len(bare):
        found = _next(bare, index, chain)
        if found is None:
            break
        chain.append(bare[found])
        index = found + 1
    return chain


def _next(bare: Sequence[Candidate], start: int, chain: Sequence[Candidate]) -> int | None:
    """The index in ``bare`` of what continues ``chain``: the next number, a new 1 with a 2 behind it, a small gap."""
    numbers = [c.heading.number or 0 for c in bare]
    expected = (chain[-1].heading.number or 0) + 1 if chain else 1
    anew = next((i for i in range(start, len(bare)) if numbers[i] == 1 and 2 in numbers[i + 1 : i + 6]), None)
    limit = len(bare) if anew is None else anew
    following = next((i for i in range(start, limit) if numbers[i] == expected + 1), limit)
    exact = [i for i in range(start, limit) if numbers[i] == expected and i <= following]
    if exact:
        return max(exact, key=lambda i: (_like(bare[i].heading, chain), -i))
    for i in range(start, limit):
        near = expected < numbers[i] <= expected + _LARGEST_GAP
        if (near or not chain) and numbers[i] + 1 in numbers[i + 1 : i + 8] and numbers[i] < 400:
            return i
    return anew


def _like(heading: Heading, chain: Sequence[Candidate]) -> bool:
    """Whether ``heading`` has the form of the chain so far (with a title, or a number alone)."""
    return not chain or heading.named == chain[-1].heading.named


def _is_numbered_list(chain: Sequence[Candidate], blocks: Sequence[Block]) -> bool:
    """Whether most members follow one another without prose between them."""
    dense = sum(not any(map(is_prose, blocks[a.after : b.block])) for a, b in pairwise(chain))
    return dense * 2 > len(chain) - 1


def _promised(blocks: Sequence[Block], chosen: Sequence[Candidate], lists: Sequence[ContentsList]) -> list[Candidate]:
    """Unnumbered titles that a contents list names and that stand alone as a line later on."""
    taken = {index for c in chosen for index in range(c.block, c.after)}
    numbered = [c for c in chosen if c.heading.number is not None and not c.heading.is_part]
    titles = {words_of(c.title) for c in chosen} | {words_of(blocks[i].flat) for i in taken}
    found = []
    for listed in lists:
        if any(words and words in entry for entry in listed.entries for words in titles if len(words) > 3) and numbered:
            continue
        wanted = Counter(entry for entry in listed.entries if len(entry) > 2 and entry not in titles)
        for index in range(listed.end, len(blocks)):
            block = blocks[index]
            if index in taken or block.size > 160 or not block.blank_before or len(block.lines) > 3:
                continue
            words = words_of(block.flat)
            if wanted[words] and label_kind(block.flat) is None:
                wanted[words] -= 1
                found.append(_titled(index, block))
    if len(found) * 2 < sum(len(listed.entries) for listed in lists) and not numbered:
        return []
    return found


def _titled(index: int, block: Block) -> Candidate:
    heading = parse_heading(block.flat)
    number, printed = (heading.number, heading.printed) if heading else (None, None)
    title = Heading("chapter", "title", printed, number, block.flat, Strength.FAIR, named=True)
    return Candidate(index, 1, title, block.flat)


def _set_apart(blocks: Sequence[Block], chosen: Sequence[Candidate], lists: Sequence[ContentsList]) -> list[Candidate]:
    """Titles set apart by empty lines, where nothing else divides the book: capitals, else short lines above prose."""
    apart = []
    for index, (block, below) in enumerate(pairwise(blocks)):
        if any(index in listed for listed in lists) or any(c.block <= index < c.after for c in chosen):
            continue
        alone = block.blank_before >= 2 and below.blank_before >= 1 and len(block.lines) <= 2 and block.size <= 80
        if alone and len(words_of(block.flat)) > 2 and leads_to_prose(blocks, index) and label_kind(block.flat) is None:
            apart.append(_titled(index, block))
    for found in ([c for c in apart if is_caps(c.title)], [c for c in apart if is_title_line(c.title)]):
        spans = [b.block - a.after for a, b in pairwise(found)]
        if len(found) >= 3 and sum(span >= 2 for span in spans) * 2 >= len(spans):
            return found
    return []


def _doubts(chosen: Sequence[Candidate]) -> Iterator[str]:
    """Gaps and repeats in the printed numbers, part by part."""
    last: dict[str, int] = {}
    gaps, repeats = [], []
    for candidate in chosen:
        heading = candidate.heading
        if heading.is_part:
            last.clear()
        elif heading.number is not None and heading.keyword in {None, "chapter"}:
            unit = "chapter"
            before = last.get(unit)
            if before is not None and heading.number == before:
                repeats.append(str(heading.number))
            elif before is not None and heading.number not in {before + 1, 1}:
                gaps.append(f"{before} to {heading.number}")
            last[unit] = heading.number
    if gaps:
        yield f"Chapter numbers jump ({', '.join(gaps[:10])}): a chapter may be missing, or its heading not recognised."
    if repeats:
        yield f"Chapter numbers stand twice in a row ({', '.join(repeats[:10])})."
