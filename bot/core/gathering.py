"""The evidence that a model is given: the whole read part where it fits, else what the question finds of it.

Everything comes through the door, under one boundary, in the order of the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.chat_model import ModelFailed, Spent
from bot.core.errors import Refused
from bot.core.evidence import Evidence
from bot.core.ports import Door
from bot.core.prompts import ASCII_A_TOKEN, MOST_PARTS, UNCERTAIN, answer_request, estimated, parts_request
from bot.core.search import Asked, Found, Searching, boundary_of, find, question_of
from bot.core.second_reading import replied
from bot.core.writing import Writing

OF_A_PART: Final = 8
"""Passages that each part of a question adds at most."""
LATEST: Final = 2
"""Passages just before the boundary that a model is always given."""
_LONGEST_PART: Final = 300
_SIDES: Final = re.compile(
    r"\?.*\?|;|\b(?:compare|compared|contrast|difference|differ|both|each|versus|vs|respectively)\b"
    r"|\b(?:and|und|et|y|e|en|и)\s+(?:who|what|when|where|why|how|which|wer|was|wann|wo|warum|wie|qui|que|quand|où|"
    r"pourquoi|comment|quién|qué|cuándo|dónde|cómo|chi|che|quando|dove|perché|come|кто|что|где|когда|почему|как)\b",
    re.I | re.S,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a model is given, in the order of the text; ``whole`` says that it is all that was read of the body."""

    evidence: tuple[Evidence, ...]
    whole: bool


def many_sided(question: str) -> bool:
    """Whether a question seems to ask more than one thing, so that it is worth splitting."""
    return _SIDES.search(question) is not None


async def gathered(searching: Searching, writing: Writing, asked: Asked, found: Found, spent: Spent) -> Gathered | None:
    """The evidence for a question under the boundary of what it ``found``; None where that moved meanwhile.

    A failure to count or to split is no failure: it is done without.
    """
    if not found.evidence:
        return Gathered((), False)
    if writing.switches.whole_part:
        part = await _whole(searching, asked, found, writing.budget)
        if part is None:
            return None
        if part and await _fits(writing, part, found):
            return Gathered(part, True)
    evidence = {e.passage.ordinal: e for e in found.evidence}
    parts: list[str] = []
    if writing.switches.splitting and many_sided(found.query.question):
        parts = await _parts(writing, found.query.question, spent)
    for part_asked in parts:
        more = await find(searching, replace(asked, question=part_asked, following=None), OF_A_PART)
        if more.boundary != found.boundary:
            return None
        for item in more.evidence:
            evidence.setdefault(item.passage.ordinal, item)
    latest = await _latest(searching, asked, found)
    if latest is None:
        return None
    for item in latest:
        evidence.setdefault(item.passage.ordinal, item)
    return Gathered(_within(evidence.values(), writing.budget), False)


def _within(evidence: Iterable[Evidence], budget: int) -> tuple[Evidence, ...]:
    """As much of ``evidence`` as fits, the closest first, in the order of the text."""
    kept: list[Evidence] = []
    tokens = 0
    for item in evidence:
        tokens += estimated(item.passage.text)
        if kept and tokens > budget:
            break
        kept.append(item)
    return tuple(sorted(kept, key=lambda item: item.passage.ordinal))


async def _whole(searching: Searching, asked: Asked, found: Found, budget: int) -> tuple[Evidence, ...] | None:
    """All that was read of the body; nothing where it is surely too much; None where the boundary moved."""
    async with searching.doors.opened() as door:
        if not await _holds(door, asked, found):
            return None
        admitted = await door.passages_admitted(found.boundary)
        bodies = admitted.bodies
        characters = int((admitted.ends[bodies] - admitted.starts[bodies]).sum())
        if characters > budget * ASCII_A_TOKEN * UNCERTAIN:
            return ()
        passages = list(await door.passages_read(found.boundary, [int(n) for n in admitted.ordinals[bodies]]))
        straddling = await door.passage_straddling(found.boundary)
    if straddling is not None and straddling.ordinal not in {passage.ordinal for passage in passages}:
        passages.append(straddling)
    return tuple(Evidence(found.boundary, passage) for passage in sorted(passages, key=lambda p: p.ordinal))


async def _latest(searching: Searching, asked: Asked, found: Found) -> tuple[Evidence, ...] | None:
    async with searching.doors.opened() as door:
        if not await _holds(door, asked, found):
            return None
        admitted = await door.passages_admitted(found.boundary)
        ordinals = [int(n) for n in admitted.ordinals[admitted.bodies][-LATEST:]]
        passages = list(await door.passages_read(found.boundary, ordinals))
        straddling = await door.passage_straddling(found.boundary)
    if straddling is not None:
        passages.append(straddling)
    return tuple(Evidence(found.boundary, passage) for passage in passages)


async def _holds(door: Door, asked: Asked, found: Found) -> bool:
    same = (await door.book(asked.book)).map_version == found.book.map_version
    return same and await boundary_of(door, asked) == found.boundary


async def _fits(writing: Writing, part: tuple[Evidence, ...], found: Found) -> bool:
    """Whether the whole read part is within the budget: counted where an estimate cannot tell."""
    tokens = sum(estimated(item.passage.text) for item in part)
    if tokens * UNCERTAIN <= writing.budget:
        return True
    if tokens > writing.budget * UNCERTAIN:
        return False
    try:
        counted = await writing.model.counted(answer_request(part, found.query.question, (), True))
    except ModelFailed as failed:
        logger.warning("tokens cannot be counted (%s)", failed.code)
        counted = None
    return counted is not None and counted <= writing.budget


async def _parts(writing: Writing, question: str, spent: Spent) -> list[str]:
    try:
        value: Any = await replied(writing.model, parts_request(question), spent)
    except ModelFailed as failed:
        logger.warning("the question cannot be split (%s)", failed.code)
        return []
    listed = value.get("parts") if isinstance(value, dict) else None
    parts = []
    for part in listed if isinstance(listed, list) else []:
        if not isinstance(part, str) or len(part) > _LONGEST_PART:
            continue
        try:
            parts.append(question_of(part))
        except Refused:
            continue
    return [part for part in dict.fromkeys(parts) if part != question][:MOST_PARTS]
