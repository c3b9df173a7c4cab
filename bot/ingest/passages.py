"""Cut a book into passages: runs of whole sentences of one section, closed by their own length alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.core.book import PassageCut, Section, Sentence
from bot.core.offsets import Span

TARGET: Final = 1700
"""The length, in code points of an alphabetic script, at which a passage closes: about 400 WordPiece tokens
(docs/retrieval.md)."""
WIDE_WEIGHT: Final = 4
"""A Chinese, Japanese or Korean code point counts as this many: it is one token where four Latin letters are one."""

PIECE: Final = 850
"""The weight at which a piece of a passage closes: two a passage, each within what a small embedder reads whole."""

_WIDE: Final = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def weight(text: str) -> int:
    """The length of ``text`` in code points of an alphabetic script."""
    if text.isascii():
        return len(text)
    return len(text) + (WIDE_WEIGHT - 1) * len(_WIDE.findall(text))


def cut_passages(
    text: str,
    sections: Sequence[Section],
    sentences: Sequence[Sequence[Sentence]],
    target: int = TARGET,
) -> list[PassageCut]:
    """The passages of a book in text order; ``sentences[i]`` are the sentences of ``sections[i]``.

    A passage never crosses a section, and closes as soon as its sentences weigh ``target`` or more: what follows has no
    say, so equal texts have equal passages however they go on. It is revealed with its last sentence or, where only the
    section's end closed it, with the section. Sealed sections have passages too, with the section's ``revealed_at``.
    ``first`` and ``last`` index the section's sentences. Raises ``ValueError`` where the lists do not pair.
    """
    cuts: list[PassageCut] = []
    for section, own in zip(sections, sentences, strict=True):
        first, total = 0, 0
        for index, sentence in enumerate(own):
            total += weight(sentence.span.of(text))
            full = total >= target
            if full or index == len(own) - 1:
                span = Span(own[first].span.start, sentence.span.end)
                revealed_at = sentence.revealed_at if full else section.revealed_at
                cuts.append(PassageCut(len(cuts), section.ordinal, span, revealed_at, first, index))
                first, total = index + 1, 0
    return cuts


def cut_pieces(sentences: Sequence[str], piece: int = PIECE) -> list[tuple[int, int]]:
    """The pieces ``[first, last]`` (by index, both in) of a passage's sentences, each of which gets vectors of its own.

    A piece closes as soon as its sentences weigh ``piece`` or more: what follows has no say. So in a passage that is
    only partly read the pieces that are wholly read are the same, and their vectors have seen no other word.
    """
    pieces: list[tuple[int, int]] = []
    first, total = 0, 0
    for index, sentence in enumerate(sentences):
        total += weight(sentence)
        if total >= piece or index == len(sentences) - 1:
            pieces.append((first, index))
            first, total = index + 1, 0
    return pieces
