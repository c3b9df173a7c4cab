"""A generated library: prose out of a vocabulary by Zipf's law, and unit vectors in clusters as real ones lie.

None of it means anything. What it has of real novels is its sizes: sentences, passages, distinct terms, names, pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.core.book import BookText, Section, SectionKind
from bot.core.indexed import IndexedBook
from bot.core.offsets import Span
from bot.ingest.pipeline import index_book

PASSAGE: Final = 1665
"""Code points of prose that make one passage on average."""
CHAPTER_PASSAGES: Final = 12
PIECES: Final = 3
"""Windows a passage, as in real novels (about 400 tokens in windows of at most 200)."""
NAMES: Final = 60
WORDS: Final = 15_000

_NAME_EVERY: Final = 20
_ZIPF: Final = 1.2
_COMMON, _TOPIC, _OWN = 0.45, 0.35, 0.82
"""Parts of a vector: of the book, of the chapter, of the passage. Two passages of a book have a cosine of about 0.2."""


@lru_cache(maxsize=1)
def vocabulary() -> tuple[str, ...]:
    """English words, the most frequent first: those of the default embedder's vocabulary."""
    listed = (files("bot.adapters.models") / "data" / "bert-base-uncased-vocab.txt").read_text("utf-8").split("\n")
    words = [word for word in listed if word.isascii() and word.isalpha() and (len(word) > 1 or word in "ai")]
    return tuple(words[:WORDS])


@lru_cache(maxsize=1)
def _shares() -> NDArray[np.float64]:
    """The cumulated probability of each word, after Zipf."""
    weights = 1.0 / np.arange(3, len(vocabulary()) + 3) ** _ZIPF
    return np.asarray(np.cumsum(weights / weights.sum()), dtype=np.float64)


def drawn(rng: np.random.Generator, count: int) -> list[str]:
    """So many words of running prose."""
    words = vocabulary()
    return [words[i] for i in np.minimum(np.searchsorted(_shares(), rng.random(count)), len(words) - 1)]


def cast(rng: np.random.Generator) -> tuple[str, ...]:
    """The names of one book: rare words, with a capital."""
    words = vocabulary()
    rare = rng.choice(np.arange(len(words) // 2, len(words)), size=NAMES, replace=False)
    return tuple(words[int(i)].capitalize() for i in rare)


def paragraphs(rng: np.random.Generator, names: Sequence[str], characters: int) -> Iterator[str]:
    """Paragraphs of generated prose, together about ``characters`` code points long."""
    written = 0
    while written < characters:
        sentences = []
        for size in rng.integers(6, 31, size=int(rng.integers(2, 8))):
            words = drawn(rng, int(size))
            if rng.random() < size / _NAME_EVERY:
                words[int(rng.integers(1, len(words)))] = names[int(len(names) * rng.random() ** 2)]
            sentences.append(" ".join(words)[:1].upper() + " ".join(words)[1:] + ".")
        paragraph = " ".join(sentences)
        written += len(paragraph) + 2
        yield paragraph


@dataclass(frozen=True, slots=True)
class GeneratedBook:
    """A book as it is stored. ``vectors`` is ``(passages, PIECES, dimension)``, unit vectors in half precision."""

    indexed: IndexedBook
    names: tuple[str, ...]
    vectors: NDArray[np.float16]


def generated_book(seed: int, passages: int, dimension: int) -> GeneratedBook:
    """A book of at least ``passages`` passages, cut and counted by the real pipeline."""
    rng = np.random.default_rng(seed)
    names = cast(rng)
    text: list[str] = []
    sections: list[Section] = []
    at = 0
    chapters = max(1, -(-passages // CHAPTER_PASSAGES))
    for number in range(1, chapters + 1):
        heading = f"Chapter {number}"
        body = "\n\n".join([heading, *paragraphs(rng, names, CHAPTER_PASSAGES * PASSAGE)]) + "\n\n"
        end = at + len(body)
        sections.append(
            Section(
                ordinal=number - 1,
                kind=SectionKind.BODY,
                span=Span(at, end),
                title=heading,
                heading_end=at + len(heading),
                revealed_at=end,
                chapter=number,
                printed=str(number),
                printed_number=number,
            )
        )
        text.append(body)
        at = end
    book = BookText("".join(text), tuple(sections), f"Generated {seed}", language="en")
    indexed = index_book(book)
    return GeneratedBook(indexed, names, generated_vectors(rng, len(indexed.passages), dimension))


def generated_vectors(rng: np.random.Generator, passages: int, dimension: int) -> NDArray[np.float16]:
    """Unit vectors, shape ``(passages, PIECES, dimension)``: near those of their chapter and less near the others."""
    chapters = -(-passages // CHAPTER_PASSAGES)
    common = _unit(rng.standard_normal((1, 1, dimension)))
    topics = _unit(rng.standard_normal((chapters, 1, dimension))).repeat(CHAPTER_PASSAGES, axis=0)[:passages]
    own = _unit(rng.standard_normal((passages, PIECES, dimension)))
    return _unit(_COMMON * common + _TOPIC * topics + _OWN * own).astype(np.float16)


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), dtype=np.float64)


def generated_question(rng: np.random.Generator, names: Sequence[str]) -> str:
    """A question of a real one's length: a name of the book and three words that are neither rare nor common."""
    one, two, three = (vocabulary()[int(i)] for i in rng.integers(200, 3000, size=3))
    return f"What did {names[int(len(names) * rng.random() ** 2)]} {one} about the {two} and the {three}?"


def generated_novel(seed: int, characters: int, chapter_characters: int = 9_000) -> str:
    """A plain text file of a novel: a title, and chapters with numbered headings."""
    rng = np.random.default_rng(seed)
    names = cast(rng)
    parts = ["A Generated Novel\n"]
    written = 0
    number = 0
    while written < characters:
        number += 1
        chapter = f"CHAPTER {number}\n\n" + "\n\n".join(paragraphs(rng, names, chapter_characters))
        written += len(chapter) + 4
        parts.append(chapter)
    return "\n\n\n".join(parts) + "\n"
