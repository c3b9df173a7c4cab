"""Rows of sentences that were admitted, as a passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.core.evidence import Passage, ReadSentence
from bot.core.offsets import Span


def passage_of(ordinal: int, rows: Sequence[Any]) -> Passage:
    """Rebuild a passage, or the read part of one, from its admitted sentences in order.

    Rows are unpacked in the order of the function's columns: by name takes four times as long.
    """
    sentences = tuple(
        ReadSentence(Span(start, end), said, revealed_at, paragraph_start)
        for _, _, _, _, start, end, revealed_at, paragraph_start, _, said in rows
    )
    together = rows[0].text + "".join([part for row in rows[1:] for part in row[-2:]])
    return Passage(
        ordinal=ordinal,
        chapter=rows[0].chapter,
        span=Span(sentences[0].span.start, sentences[-1].span.end),
        revealed_at=max(s.revealed_at for s in sentences),
        text=together,
        sentences=sentences,
    )
