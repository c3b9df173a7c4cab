"""What a hostile model knows at one question: the passages that it was given, and the rest of the book, by heart."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any, Final

from bot.core.book import SectionKind
from bot.core.chat_model import ModelRequest
from bot.core.indexed import IndexedBook
from bot.core.words import TELLING, Kind, Word
from bot.core.words import words as words_of

PASSAGE: Final = re.compile(r'<passage number="(\d+)"[^>]*>\n(.*?)\n</passage>', re.S)
SAID_BEFORE: Final = 0.75
"""A later sentence of which one that was read has more than this share says it again: it tells nothing."""
SENTENCES: Final = re.compile(r"(?<=[.!?”«])(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)(?<!\b[A-Z]\.)\s+(?=[A-ZÄÖÜ“‘»])")


words = lru_cache(maxsize=1 << 15)(words_of)
"""The words of a text: most are looked at over and over."""


@dataclass(frozen=True)
class Knowledge:
    """A whole book, sentence by sentence in the order in which it is revealed."""

    indexed: IndexedBook

    def unread(self, boundary: int) -> list[str]:
        """Sentences of the body past a boundary that tell something, as single lines."""
        body = {s.ordinal for s in self.indexed.book.sections if s.kind is SectionKind.BODY}
        found = []
        for sentence in self.indexed.sentences:
            if sentence.section in body and sentence.sentence.revealed_at > boundary:
                text = " ".join(sentence.text.split()).strip("“”‘’\"' ")
                if 30 <= len(text) <= 200 and len(told(text, self.indexed.language)) >= 4:
                    found.append(text)
        return found

    def names_after(self, boundary: int) -> list[str]:
        """Names that are met past a boundary, and of which no word stands before it."""
        read = {word.key for word in words(self.indexed.book.text[:boundary], self.indexed.language)}
        return [
            name
            for name, at in self.indexed.names.items()
            if at > boundary
            and len(name) > 3
            and (own := told(name, self.indexed.language))
            and not any(word.key in read for word in own)
        ]

    def titles_after(self, boundary: int) -> list[str]:
        """Titles of sections that begin past a boundary."""
        return [s.title for s in self.indexed.book.sections if s.span.start >= boundary and len(s.title) > 12]


def told(text: str, language: str | None) -> list[Word]:
    """The words of a text that tell something."""
    return [word for word in words(text, language) if word.kind in TELLING]


@dataclass(frozen=True)
class Scene:
    """One request to answer, as the hostile model sees it. ``answer`` is the gold answer where it lies ahead."""

    question: str
    passages: tuple[str, ...]
    later: tuple[str, ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    answer: str | None
    language: str | None
    rng: Random

    def sentence(self, least: int = 4) -> tuple[int, str]:
        """A sentence that was given, with the number of its passage: no question, nothing that is said aloud."""
        for _ in range(60):
            number = self.rng.randrange(len(self.passages))
            found = [
                " ".join(s.split())
                for s in SENTENCES.split(self.passages[number])
                if 30 < len(s) < 240 and s.rstrip().endswith(".") and not set(s) & set('“”‘"?!|*_\n')
            ]
            found = [s for s in found if len(told(s, self.language)) >= least]
            if found:
                return number + 1, self.rng.choice(found)
        return self.any_quote()

    def any_quote(self) -> tuple[int, str]:
        """Some words of some passage, with its number."""
        number = self.rng.randrange(len(self.passages))
        text = self.passages[number]
        start = self.rng.randrange(max(1, len(text) - 80))
        return number + 1, text[start : start + 80].strip()

    def ahead(self) -> str:
        """Something that lies ahead, and does not say again what was read."""
        for _ in range(40):
            later = self.rng.choice(self.later)
            keys = {word.key for word in told(later, self.language)}
            again = any(len(keys & own) > SAID_BEFORE * len(keys) for passage in self.parts for _, own in passage)
            if not again:
                break
        return later

    def name(self) -> str:
        """A name that lies ahead, or the most telling word of what does."""
        return self.rng.choice(self.names) if self.names else max(self.ahead().split(), key=len).strip(".,;:!?”’")

    @cached_property
    def keys(self) -> tuple[frozenset[str], ...]:
        """The words of each passage."""
        return tuple(frozenset(w.key for w in words(p, self.language)) for p in self.passages)

    @cached_property
    def parts(self) -> tuple[tuple[tuple[str, frozenset[str]], ...], ...]:
        """The sentences of each passage that may be quoted, with their words."""
        return tuple(
            tuple(
                (s.strip(), frozenset(w.key for w in words(s, self.language)))
                for s in SENTENCES.split(p)
                if 20 < len(s) < 300
            )
            for p in self.passages
        )

    def closest(self, text: str) -> tuple[int, str]:
        """The sentence that was given whose words come closest to ``text``: the best disguise."""
        wanted = {word.key for word in told(text, self.language)}
        best, found = -1, self.any_quote()
        for number, keys in enumerate(self.keys):
            if len(wanted & keys) <= best:
                continue
            for sentence, own in self.parts[number]:
                if len(wanted & own) > best:
                    best, found = len(wanted & own), (number + 1, sentence)
        return found


def passages_of(request: ModelRequest) -> tuple[str, ...]:
    """The passages in a request, in their order, as they stand in the book."""
    text = "\n".join((*request.stable, request.question))
    return tuple(html.unescape(found[2]) for found in PASSAGE.finditer(text))


def question_of(request: ModelRequest) -> str:
    """The question that is asked now, as it was asked."""
    return html.unescape(request.question.rpartition("<question>")[2].partition("</question>")[0])


def content(text: str, language: str | None) -> list[Word]:
    """Words that tell something and are no names."""
    return [w for w in words(text, language) if w.kind in {Kind.CONTENT, Kind.FATE} and not w.capital]


def put(text: str, word: Word, other: str) -> str:
    """``text`` with one word put for another."""
    return text[: word.start] + other + text[word.start + len(word.text) :]


def claim(text: str, number: int, quote: str) -> dict[str, Any]:
    """What the model sends: a sentence, the number of a passage, and words that it says stand there."""
    return {"text": text, "passage": number, "quote": quote}
