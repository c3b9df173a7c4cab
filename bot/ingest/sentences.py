"""Cut a section into sentences, strictly from left to right.

Whether a sentence ends is decided by what stands before and at most one code point after its closing quotes and
brackets: never by the next word. So two books that are equal up to an offset have the same sentences up to there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.core.book import Section, SectionKind, Sentence
from bot.core.offsets import Span

SOFT_CAP: Final = 400
"""From this length on (code points) a sentence also ends after a comma, a semicolon, a colon or a dash."""
HARD_CAP: Final = 600
"""From this length on it ends at any white space; without white space it ends at `LONGEST`."""
LONGEST: Final = 800
LINE_CAP: Final = 200
"""From this length on a line end (verse, list rows) ends a sentence without a full stop."""
TAG_CAP: Final = 80
"""``?”`` and ``!”`` end a sentence only from this length on: before it a dialogue tag (``said Ana``) is likely."""

WIDE_TAG_CAP: Final = 20
"""The same for ``？」`` and ``！」``: Chinese and Japanese say as much in a quarter of the code points."""

_CLOSERS: Final = "\"'’”»«›‹“)\\]}」』】〉》〕）］｝｣"
_OPENERS: Final = "\"'“‘«„‹([「『"
_ENDING: Final = re.compile(
    rf"(?P<stop>[.!?…؟۔։।॥።‼⁇⁈⁉]+)(?P<closers>[{_CLOSERS}]*)(?=\s|\Z)"
    rf"|(?P<wide>[。！？｡．]+)(?P<wide_closers>[{_CLOSERS}]*)"
    r"|(?P<paragraph>[^\S\n]*\n[^\S\n]*\n)"
)
_SOFT: Final = re.compile(rf"[;:—–，；、：,][{_CLOSERS}]*(?=\s)|[，；、：][{_CLOSERS}]*|(?=\s)")
_LAST_WORD: Final = re.compile(r"(?:^|(?<=[\s(\[{\"'“‘«„—–-]))([^\s(\[{\"“‘«„—–-]+)$")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")

_ABBREVIATION: Final = re.compile(
    r"mrs?|ms|messrs|mmes?|mlles?|mm|drs?|prof|rev|hon|ste?|sr(?:a|ta|es)?|d[ñn]a|frl|herr|sigg?|dhr|mevr"
    r"|capt|col|gen|lieut|lt|maj|sergt|sgt|corp|cpl|adm|gov|supt|insp|bros|jr|esq|mt|co|ltd|inc|dept"
    r"|vs|viz|cf|vols?|chap|figs?|ibid|op|cit|approx|etc|bzw|usw|vgl|ggf|evtl|págs?|núm|jan|febr?|apr|aug|sept|oct|nov|dec"
)
_ONLY_INSIDE: Final = re.compile(r"nos?|pp?|ll?")
"""Abbreviations only inside a sentence: "No. 3", but "No." alone is an answer."""
_ORDINAL_LANGUAGES: Final = frozenset(("de", "da", "no", "nb", "nn", "fi", "cs", "sk", "pl", "hu", "sl", "hr", "et"))
"""Languages in which a number with a full stop is an ordinal ("3. Mai")."""


def split_sentences(text: str, section: Section, language: str | None = None) -> list[Sentence]:
    """The sentences of ``section`` in order; ``text`` is the whole canonical text, spans are absolute code points.

    Every visible code point of the section lies in exactly one sentence, and none starts or ends with white space. The
    heading is never joined with prose. ``language`` (ISO 639-1) only settles whether "3." may be an ordinal.
    """
    span = section.span
    heading = section.heading_end if span.start < section.heading_end < span.end else span.start
    cuts = [*_cuts(text, span.start, heading, language)]
    # known with the paragraph break, as if no heading ended there: that it does may be settled by what follows
    cuts = [(start, end, min(known + 2 * (known == heading), span.end)) for start, end, known in cuts]
    cuts += _cuts(text, heading, span.end, language)
    if section.kind is SectionKind.BODY:
        return [Sentence(Span(start, end), revealed) for start, end, revealed in cuts]
    return [Sentence(Span(start, end), section.revealed_at) for start, end, _ in cuts]


def _cuts(text: str, begin: int, limit: int, language: str | None) -> Iterator[tuple[int, int, int]]:
    """``(start, end, revealed_at)`` of each sentence in ``[begin, limit)``."""
    start = _skip_space(text, begin, limit)
    while start < limit:
        end, revealed = _next_end(text, start, min(limit, start + LONGEST), language)
        trimmed = end
        while text[trimmed - 1].isspace():
            trimmed -= 1
        yield start, trimmed, revealed
        start = _skip_space(text, end, limit)


def _next_end(text: str, start: int, limit: int, language: str | None) -> tuple[int, int]:
    """Where the sentence that begins at ``start`` ends, and the offset at which that is known."""
    at = start
    while found := _ENDING.search(text, at, limit):
        end = found.end()
        if (early := _forced_end(text, start, end if found["paragraph"] else found.start())) is not None:
            return early, early + 1
        if end >= limit:
            break
        if found["paragraph"]:
            return found.start(), end
        if _ends(text, start, found, language):
            return end, end + 1
        at = end
    early = _forced_end(text, start, limit)
    return (limit, limit) if early is None else (early, min(early + 1, limit))


def _forced_end(text: str, start: int, stop: int) -> int | None:
    """The first place before ``stop`` where a line end or sheer length ends the sentence, or None."""
    line = text.find("\n", start + LINE_CAP, stop)
    for found in _SOFT.finditer(text, start + SOFT_CAP, stop):
        if found.end() > found.start() or found.start() >= start + HARD_CAP:
            return found.end() if line < 0 else min(line, found.end())
    return None if line < 0 else line


def _ends(text: str, start: int, found: re.Match[str], language: str | None) -> bool:
    """Whether a mark before white space ends the sentence, by its left context."""
    length = found.end() - start
    if found["wide"]:
        return not _is_quoted_question(found["wide"], found["wide_closers"], length, WIDE_TAG_CAP)
    mark, closers = found["stop"], found["closers"]
    if mark in {"…", "..."}:
        return length >= LINE_CAP
    if mark == "." and not closers:
        word = _LAST_WORD.search(text[max(start, found.start() - 40) : found.start()])
        if word is None:
            return True
        before = text[start : found.start() - len(word[1])]
        return not _abbreviates(word[1], not before or before[-1] in _OPENERS, language)
    return not _is_quoted_question(mark, closers, length, TAG_CAP)


def _abbreviates(word: str, first: bool, language: str | None) -> bool:
    """Whether a full stop after ``word`` belongs to the word; ``first``: a sentence or speech begins with it."""
    if word.isdigit():
        return first or (language in _ORDINAL_LANGUAGES and len(word) <= 2)
    if len(word) == 1 and word.isalpha():
        return word.isupper() and word != "I"
    token = word.casefold()
    inside = not first and _ONLY_INSIDE.fullmatch(token) is not None
    return inside or _ABBREVIATION.fullmatch(token) is not None or _INITIALS.fullmatch(word) is not None


def _is_quoted_question(mark: str, closers: str, length: int, cap: int) -> bool:
    """A question or exclamation inside quotes, short enough that a dialogue tag is likely to follow."""
    return bool(closers) and closers[-1] not in ")]}）］" and mark[-1] in "!?！？…" and length < cap


def _skip_space(text: str, at: int, limit: int) -> int:
    while at < limit and text[at].isspace():
        at += 1
    return at
