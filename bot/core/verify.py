"""Checking what a model wrote, claim by claim, before anything of it is shown. Nothing here asks a model.

A claim that passes is a sentence with a citation. One that fails is cut, for a reason that is counted and never shown.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final

from bot.core.aloud import misattributes
from bot.core.backing import backed
from bot.core.changing import changes
from bot.core.equating import equates
from bot.core.evidence import Evidence
from bot.core.extracts import extracted
from bot.core.hearsay import told_by_others
from bot.core.offsets import Span
from bot.core.omitting import omits
from bot.core.persons import of_another
from bot.core.plain import plain_sentence
from bot.core.streamed_claims import Draft
from bot.core.terms import TOKEN
from bot.core.told import Told, told_by, unmet_names
from bot.core.verbatim import Searchable, verbatim
from bot.core.weighing import only_asked, turned
from bot.core.words import Kind, Word, spoken, words

LONGEST_QUOTE: Final = 300
"""Code points: of a longer quote so much is shown, and counts. The bot is no way to hand out the text."""
SHORTEST_QUOTE: Final = 8
"""Letters and digits, or half as many characters of a language without spaces: a shorter one stands anywhere."""

_LONG_WORD: Final = 50
"""Code points: longer words are not looked at as a whole."""
_CLOSING: Final = "\"')»« "
"""What may stand behind a sentence, quotes straight."""


class Cut(StrEnum):
    """Why a claim is not shown."""

    NO_CLAIM = "no_claim"
    NO_PASSAGE = "no_passage"
    QUOTE_SHORT = "quote_short"
    QUOTE_NOT_THERE = "quote_not_there"
    NOT_PLAIN = "not_plain"
    LANGUAGE = "language"
    NAME = "name"
    IDENTITY = "identity"
    TURNED = "turned"
    UNBACKED = "unbacked"
    UNSUPPORTED = "unsupported"
    AGAIN = "again"
    NOT_OF_THEM = "not_of_them"


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim whose quote stands where it says: ``span`` (code points of the book) and ``quote`` are the book's own.

    ``strict`` says that the sentence is an extract of what is quoted; else it takes a second reading that can be
    trusted. ``about`` and ``also`` are the writer's, and are not checked here.
    """

    text: str
    evidence: Evidence
    span: Span
    quote: str
    strict: bool
    about: str = ""
    also: str = ""


@dataclass(frozen=True)
class Verifier:
    """What claims are checked against: the evidence as the model was given it (numbered from 1), and the question.

    ``language`` (ISO 639-1) is the book's; ``names`` is false where names are not to be checked.
    """

    evidence: Sequence[Evidence]
    question: str
    language: str | None
    names: bool = True
    _told: dict[int, Told] = field(default_factory=dict, repr=False)
    _searchable: dict[int, Searchable] = field(default_factory=dict, repr=False)

    def checked(self, draft: Draft | None) -> Checked | Cut:
        """The claim with its citation, or why it is cut."""
        if draft is None:
            return Cut.NO_CLAIM
        if not 1 <= draft.passage <= len(self.evidence):
            return Cut.NO_PASSAGE
        at = draft.passage - 1
        span = self._quoted(at, draft.quote)
        if isinstance(span, Cut):
            return span
        passage = self.evidence[at].passage
        text = plain_sentence(draft.text, (passage.text,), self.question)
        if text is None:
            return Cut.NOT_PLAIN
        start = span.start - passage.span.start
        quote = _short(passage.text[start : start + len(span)])
        shown = Span(span.start, span.start + len(quote))
        strict = self._borne(text, at, shown)
        return strict if isinstance(strict, Cut) else Checked(text, self.evidence[at], shown, quote, strict, *draft.of)

    def _borne(self, text: str, at: int, span: Span) -> bool | Cut:
        """Whether it is an extract of what is quoted; False where the passage's words bear it out and a second reading
        has to; or why it is cut.
        """
        told, sentence = self.told(at), words(text, self.language)
        if _doubts(text, told.passage.text) or told_by_others(sentence, told, span):
            return Cut.TURNED
        if extracted(sentence, told, span):
            return True
        said = spoken(text)
        if said is not None and self.language is not None and said != self.language:
            return Cut.LANGUAGE
        if (wrong := self._wrong(sentence, at, span)) is not None:
            return wrong
        if not told.lists.whole or not self._fluent(sentence):
            return Cut.UNBACKED
        borne = backed(sentence, told, span) or backed(sentence, told, span, freely=True)
        return False if borne else Cut.UNBACKED

    def _fluent(self, sentence: Sequence[Word]) -> bool:
        """Whether small words, and names, stand side by side as they do somewhere in what was given: else something was
        left out between them.
        """
        return set(_pairs(sentence)) <= self._pairs_given

    def _wrong(self, sentence: Sequence[Word], at: int, span: Span) -> Cut | None:
        """What no second reading could mend: a name that was not met, one name for another, a denial turned."""
        told = self.told(at)
        if self.names and unmet_names(sentence, self._names_given, self.language):
            return Cut.NAME
        if equates(sentence, told, span):
            return Cut.IDENTITY
        checks = (only_asked, turned, changes, misattributes, omits, of_another)
        return Cut.TURNED if any(check(sentence, told, span) for check in checks) else None

    def _quoted(self, at: int, quote: str) -> Span | Cut:
        letters = sum(map(str.isalnum, quote))
        wide = any(word.kind is Kind.WIDE for word in words(quote, None))
        if letters < (SHORTEST_QUOTE // 2 if wide else SHORTEST_QUOTE):
            return Cut.QUOTE_SHORT
        passage = self.evidence[at].passage
        start = passage.span.start
        for written in dict.fromkeys((quote, html.unescape(quote))):
            places = self._places(at).places(written)
            place = next((place for place in places if _of_whole_words(passage.text, place)), None)
            if place is not None:
                return Span(start + place.start, start + place.end)
        return Cut.QUOTE_NOT_THERE

    def _places(self, at: int) -> Searchable:
        if at not in self._searchable:
            self._searchable[at] = Searchable(self.evidence[at].passage.text)
        return self._searchable[at]

    def told(self, at: int) -> Told:
        """A passage of the evidence as words, by its number from 0."""
        if at not in self._told:
            ordinal = self.evidence[at].passage.ordinal
            beside = tuple(e.passage.text for e in self.evidence if abs(e.passage.ordinal - ordinal) == 1)
            self._told[at] = told_by(self.evidence[at].passage, self.language, beside)
        return self._told[at]

    @cached_property
    def _pairs_given(self) -> frozenset[tuple[str, str]]:
        read = (sentence for n in range(len(self.evidence)) for sentence in self.told(n).sentences)
        return frozenset((one.key, other.key) for sentence in read for one, other in pairwise(sentence))

    @cached_property
    def _names_given(self) -> frozenset[str]:
        return frozenset().union(*(self.told(n).names for n in range(len(self.evidence))))


def _of_whole_words(text: str, place: Span) -> bool:
    """Whether a stretch of a passage neither begins nor ends within a word."""
    around = Span(max(0, place.start - _LONG_WORD), min(len(text), place.end + _LONG_WORD))
    found = [found for found in TOKEN.finditer(text, around.start, around.end) if not found["wide"]]
    return not any(word.start() < edge < word.end() for word in found for edge in (place.start, place.end))


def _doubts(text: str, passage: str) -> bool:
    """Whether a sentence ends as a question with a word that none in the passage ends with."""
    last = verbatim(text).rstrip(_CLOSING).split()[-1:]
    return any(word.endswith(("?", "？")) and word.lstrip(_CLOSING) not in verbatim(passage) for word in last)


def _pairs(sentence: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Two small words side by side, or two with capitals, or what ends with a small one, each by its key."""
    for one, other in pairwise(sentence):
        small = one.kind is other.kind is Kind.GRAMMAR
        named = one.capital and other.capital and not one.opens
        ends = other is sentence[-1] and other.kind is Kind.GRAMMAR
        if (small or named or ends) and not other.parted:
            yield one.key, other.key


def _short(quote: str) -> str:
    """At most `LONGEST_QUOTE` of a quote, to the last space that fits."""
    if len(quote) <= LONGEST_QUOTE:
        return quote
    space = quote.rfind(" ", 0, LONGEST_QUOTE)
    return quote[: space if space > 0 else LONGEST_QUOTE].rstrip()
