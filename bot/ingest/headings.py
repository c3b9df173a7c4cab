"""The grammar of headings: whether one line is a chapter or part heading, and which number it prints.

It looks at the line alone. Whether the line stands as a heading in its book (its neighbours, the sequence of numbers,
a contents list) is for the reader of the format to judge; `Heading.strength` and `Heading.bare` say how much is needed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Final

from bot.ingest.heading_words import (
    ARTICLES,
    CARDINALS,
    LAST_WORDS,
    UNNUMBERED_SCRIPTS,
    HeadingWord,
    heading_words,
    story_words,
)
from bot.ingest.headings_cjk import parse_cjk
from bot.ingest.number_words import fold
from bot.ingest.numerals import Numeral, NumeralStyle, leading_words, parse_numeral

MAX_HEADING: Final = 420
"""The longest heading that is believed, in code points (Don Quijote's descriptive titles reach 300)."""


class Strength(IntEnum):
    """How sure the line alone makes it: WEAK could be prose, FAIR is a heading where it stands alone, STRONG is one."""

    WEAK = 1
    FAIR = 2
    STRONG = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """A line read as a heading.

    ``keyword`` is "chapter", "part", "prologue", "epilogue", "conclusion", "interlude", "extra" or None (a number).
    ``unit`` is the folded word used ("chapter", "adventure", "book", "章"), by which sequences are told apart.
    ``printed`` is the number as printed if Roman or Arabic, else in Arabic digits; None where there is none.
    ``title`` is the whole line as it stands. ``named`` says that the line has a title beside its number.
    ``bare`` headings are only a number, or a number and a title: accept them only in an increasing sequence.
    ``above`` is the part named in the same line before the chapter ("Part One, Chapter 2").
    """

    keyword: str | None
    unit: str
    printed: str | None
    number: int | None
    title: str
    strength: Strength
    named: bool = False
    bare: bool = False
    style: NumeralStyle | None = None
    above: Heading | None = None

    @property
    def is_part(self) -> bool:
        return self.keyword == "part"

    @property
    def is_story(self) -> bool:
        """Whether it begins a unit of reading that prints no number by nature (prologue, epilogue, ...)."""
        return self.keyword not in {None, "chapter", "part"}


_DECORATION = " _*#=~\t|"
_SEPARATOR = re.compile(r"\s*[.:;,)\]\u2014\u2013\u2012\u2015\u00b7\u2022/、．。：，-]+\s*")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_BEFORE_NUMBER = re.compile(
    r"[\s._:,#-]*(?:(?:no|nr|num|n|number|numero|número|nº|n°|№)[.\s]+)?(?:the\s+)?", re.IGNORECASE
)
_NUMERAL = re.compile(
    r"(?P<digits>\d{1,4})(?:st|nd|rd|th|ère|ere|er|re|ème|eme|e|è|te|tes|-?я|-?й|º|ª|°|ª|o|a)?(?![^\W_])|(?P<roman>[IVXLCDM]+|[ivxl]+|[IVXLC][ivxl]+)(?![^\W_])"
)
_LEADING_NUMERAL = re.compile(
    r"(?:\d{1,4}|[IVXLCDM]+)(?:st|nd|rd|th|[eè]re|er|re|[eè]me|e|[.ºª°]|-[йя])?(?![^\W_])\s*\.?\s*"
)
_BARE = re.compile(r"(?P<number>\d{1,4}|[IVXLCDM]+|[ivxl]+|[一二三四五六七八九十百〇零廿卅]+)(?P<rest>.*)")
_BARE_TITLE = re.compile(r"(?:\s*[.:．：、]\s*[-\u2014\u2013]*\s*|\s*[-\u2014\u2013]+\s+|\s{2,})(?P<title>\S.*)")
_OPENING_SPEECH: Final = "\"'“‘«»„「『(*<"
_SMALL_HEADING = re.compile(r"\d|^[ivxl]+\b")
_SENTENCE_END = re.compile(r"[.!?;,…]['\"”’»)]*$")


def _is_caps(text: str) -> bool:
    """Whether ``text`` has letters of which none is small."""
    return text.upper() == text and text.lower() != text


def _starts_like_title(text: str) -> bool:
    first = next((c for c in text if c.isalnum()), "")
    return bool(first) and not first.islower()


def _number_at(text: str, word: HeadingWord) -> tuple[Numeral, int] | None:
    """The number at the start of ``text`` (after dots, dashes, "No.", "the") and where it ends."""
    before = _BEFORE_NUMBER.match(text)
    start = before.end() if before else 0
    if found := _NUMERAL.match(text, start):
        numeral = parse_numeral(found["digits"] or found["roman"])
        return (numeral, found.end()) if numeral else None
    worded = leading_words(text[start:], word.families)
    return (worded[0], start + worded[1]) if worded and start else None


def _judge(line: str, keyword: str, rest: str, word: HeadingWord) -> Strength | None:
    """How sure a heading of ``keyword`` and number is, given the ``rest`` of the line after them."""
    if keyword[:1].islower() and any(c.isupper() for c in line):
        return None if word.loose else Strength.WEAK
    if not rest.strip(_DECORATION + ".:;,-\u2014\u2013)]"):
        return Strength.STRONG if not keyword.islower() else Strength.FAIR
    separated = _SEPARATOR.match(rest)
    title = rest[separated.end() :] if separated else rest.strip()
    if separated and "," not in separated[0] and _starts_like_title(title):
        return Strength.STRONG
    if word.loose and not separated:
        return None
    if not _starts_like_title(title):
        return Strength.FAIR if separated and "," not in separated[0] else Strength.WEAK
    prose = len(title) > 60 and _SENTENCE_END.search(title)
    return Strength.STRONG if _is_caps(keyword) else Strength.WEAK if prose else Strength.FAIR


def _keyword_first(line: str, text: str) -> Heading | None:
    """ "CHAPTER IV. The Oar", "Chapitre troisième", "chapter.001", "CHAPTER THE LAST"."""
    first = _FIRST_WORD.match(text)
    word = heading_words().get(fold(first[0])) if first else None
    if first is None or word is None:
        return None
    after = text[first.end() :]
    found = _number_at(after, word)
    if found is None:
        return _last(line, first[0], word, after)
    numeral, end = found
    rest = after[end:]
    if rest[:1].isalnum() or (rest[:1] in "'’" and rest[1:2].isalpha()):
        return None
    strength = _judge(text, first[0], rest, word)
    if strength is None:
        return None
    named = bool(rest.strip(_DECORATION + ".:;,-\u2014\u2013)]"))
    heading = _numbered(line, word, numeral, strength, named)
    below = parse_heading(_SEPARATOR.sub("", rest, count=1).strip()) if word.kind == "part" and named else None
    if below is not None and below.keyword == "chapter" and below.number is not None:
        return replace(below, title=line, above=replace(heading, title=text[: len(text) - len(rest)].strip()))
    return heading


def _numbered(line: str, word: HeadingWord, numeral: Numeral, strength: Strength, named: bool) -> Heading:
    return Heading(word.kind, word.word, numeral.printed, numeral.value, line, strength, named, style=numeral.style)


def _last(line: str, keyword: str, word: HeadingWord, after: str) -> Heading | None:
    words = re.findall(r"[^\W\d_]+", fold(after))
    meaning = [w for w in words[:2] if w not in ARTICLES]
    if word.loose or not keyword[0].isupper() or not meaning or meaning[0] not in LAST_WORDS or len(words) > 12:
        return None
    named = len(words) > words.index(meaning[0]) + 1
    strength = Strength.FAIR if named and not _is_caps(keyword) else Strength.STRONG
    return Heading(word.kind, word.word, None, None, line, strength, named)


def _number_first(line: str, text: str) -> Heading | None:  # noqa: PLR0911 - one return for each way of being none
    """ "Erstes Kapitel", "PREMIÈRE PARTIE", "1. Kapitel", "The Third Part", "Dernier chapitre"."""
    start, numeral, last = 0, None, False
    opening = _FIRST_WORD.match(text)
    if opening and fold(opening[0]) in ARTICLES and text[opening.end() : opening.end() + 1] == " ":
        start = opening.end() + 1
    if found := _LEADING_NUMERAL.match(text, start):
        numeral = parse_numeral(re.match(r"\d+|[IVXLCDM]+", found[0])[0])  # type: ignore[index]
        start = found.end()
    elif worded := leading_words(text[start:]):
        if fold(text[start : start + worded[1]]) in CARDINALS:
            return None
        numeral, start = worded[0], start + worded[1]
    elif (first := _FIRST_WORD.match(text, start)) and fold(first[0]) in LAST_WORDS:
        last, start = True, first.end()
    if numeral is None and not last:
        return None
    while text[start : start + 1] == " ":
        start += 1
    keyword = _FIRST_WORD.match(text, start)
    word = heading_words().get(fold(keyword[0])) if keyword else None
    if keyword is not None and word is None and (story := _story(line, text[start:])) is not None:
        return replace(story, title=line, unit=fold(text[: keyword.end()]))
    if keyword is None or word is None or not any(c.isupper() for c in text[: keyword.end()]):
        return None
    rest = text[keyword.end() :]
    strength = _judge(text, keyword[0].capitalize() if not _is_caps(keyword[0]) else keyword[0], rest, word)
    named = bool(rest.strip(_DECORATION + ".:;,-\u2014\u2013)]"))
    if strength is None or (word.loose and named and not _SEPARATOR.match(rest)):
        return None
    if numeral is None and word.loose:
        return None
    if numeral is None:
        return Heading(
            word.kind, word.word, None, None, line, min(strength, Strength.FAIR if named else strength), named
        )
    return _numbered(line, word, numeral, strength, named)


def _unread_number(line: str, text: str) -> Heading | None:
    """Hebrew, Arabic, Devanagari, Thai and Greek headings, whose number is read only when in digits."""
    first, _, rest = text.partition(" ")
    kind = UNNUMBERED_SCRIPTS.get(fold(first.strip(".:")))
    if kind is None or not rest or len(rest) > 60 or _SENTENCE_END.search(rest):
        return None
    digits = re.match(r"\d{1,4}", rest)
    numeral = parse_numeral(digits[0]) if digits else None
    title = _SEPARATOR.split(rest, maxsplit=1)
    named = any(title[1:]) or " " in title[0].strip()
    printed, value = (numeral.printed, numeral.value) if numeral else (None, None)
    return Heading(kind, fold(first), printed, value, line, Strength.FAIR if named else Strength.STRONG, named)


def _story(line: str, text: str) -> Heading | None:
    """ "PROLOGUE", "Epilogue: Two Years Later", 終章, 番外 第一章."""
    first, _, rest = text.partition(" ")
    bare_word = first.rstrip(".:,-\u2014\u2013")
    kind = story_words().get(fold(bare_word))
    if kind is None or bare_word[:1].islower() or len(text) > 120:
        return None
    separated = first != bare_word
    rest = rest.strip()
    if not rest.strip(_DECORATION + ".:-\u2014\u2013"):
        return Heading(kind, fold(bare_word), None, None, line, Strength.STRONG)
    inner = parse_heading(rest) or parse_numeral(rest.rstrip("."))
    number = inner.value if isinstance(inner, Numeral) else inner.number if inner else None
    if inner is not None and number is not None and (number < 200 or not getattr(inner, "bare", True)):
        return Heading(kind, fold(bare_word), inner.printed, number, line, Strength.STRONG, isinstance(inner, Heading))
    if not separated and (_SENTENCE_END.search(rest) or not (_is_caps(bare_word) or _starts_like_title(rest))):
        return None
    dash = bool(re.match(r"[-\u2014\u2013]", rest))
    strength = Strength.STRONG if separated or dash or _is_caps(rest) else Strength.FAIR
    return Heading(kind, fold(bare_word), None, None, line, strength, named=True)


def _bare(line: str, text: str) -> Heading | None:
    """A number alone or a number and a title, good in an increasing sequence only."""
    numeral, rest = None, ""
    if found := _BARE.fullmatch(text):
        numeral, rest = parse_numeral(found["number"]), found["rest"]
    elif (worded := leading_words(text)) and text[:1].isupper():
        numeral, rest = worded[0], text[worded[1] :]
        if rest.startswith(" ") and not rest.startswith("  ") and not re.match(r" [-\u2014\u2013:]", rest):
            return None
    if numeral is None:
        return None
    if not rest.strip(" .:-\u2014\u2013)]、．"):
        plain = not rest.strip() or rest.strip() == "."
        strength = Strength.FAIR if plain else Strength.WEAK
        return Heading(None, "", numeral.printed, numeral.value, line, strength, bare=True, style=numeral.style)
    titled = _BARE_TITLE.fullmatch(rest)
    if titled is None or not _starts_like_title(titled["title"]) or len(text) > 200:
        return None
    title = titled["title"]
    strength = Strength.FAIR if _is_caps(title) or not _SENTENCE_END.search(title) else Strength.WEAK
    return Heading(None, "", numeral.printed, numeral.value, line, strength, True, True, numeral.style)


@lru_cache(maxsize=16_384)
def parse_heading(line: str) -> Heading | None:
    """``line`` as a heading, or None. ``line`` may be several lines of one heading joined by line ends."""
    line = line.strip()
    if not line or len(line) > MAX_HEADING:
        return None
    text = unicodedata.normalize("NFKC", line).replace("\n", " ").strip(_DECORATION)
    if re.match(r"[-\u2014\u2013]\s*\S(?:.*\S)?\s*[-\u2014\u2013]$", text):
        text = text.strip(" -\u2014\u2013")
    if not text or text[0] in _OPENING_SPEECH or (text[0].islower() and not _SMALL_HEADING.search(text)):
        return None
    if (cjk := parse_cjk(text)) is not None:
        above = (
            Heading("part", cjk.above[0], str(cjk.above[1]), cjk.above[1], cjk.above[2], Strength.STRONG)
            if cjk.above
            else None
        )
        printed = None if cjk.number is None else str(cjk.number)
        return Heading(cjk.keyword, cjk.unit, printed, cjk.number, line, Strength(cjk.strength), cjk.named, above=above)
    for reading in (_keyword_first, _number_first, _unread_number, _story, _bare):
        if (heading := reading(line, text)) is not None:
            return heading
    return None
