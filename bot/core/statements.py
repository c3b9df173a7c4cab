"""What a member says about how far they have read, as a value.

`parse` reads the words alone: it knows no book, finds no place and never fails. `bot.core.reading.locate` gives
the place.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeGuard

from bot.core import phrases
from bot.core.numerals import cjk, with_digits

LEAST_QUOTED_WORDS: Final = 7
"""Fewer words are rarely unique in a book, and could be used to ask what stands ahead."""
LEAST_QUOTED_CHARACTERS: Final = 10
"""The same for Chinese and Japanese, which set no spaces: a word of running text is about one and a half characters."""
_LONGEST: Final = 2000  # characters of a statement that are looked at; the last ones, for a quotation ends there


class PlainNumber(StrEnum):
    """What a chapter's number says: all of the chapter has been read, or only what stands before it."""

    FINISHED = "finished"
    IN = "in"


@dataclass(frozen=True, slots=True)
class ChapterSaid:
    """A chapter by number, under the part numbers said with it, outermost first ("2.3" is part 2, chapter 3).

    ``extent`` is None for a plain number; ``exact`` is true for ``#12``, which counts from the start of the book.
    """

    number: int
    parts: tuple[int, ...] = ()
    extent: PlainNumber | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class PartSaid:
    """A part without a chapter ("book four")."""

    parts: tuple[int, ...]
    extent: PlainNumber | None = None


@dataclass(frozen=True, slots=True)
class PageSaid:
    """A printed page by its label, case-folded ("143", "ii")."""

    label: str


@dataclass(frozen=True, slots=True)
class PercentSaid:
    """A share of the book in percent; it may be nonsense (below 0, over 100)."""

    percent: Fraction


@dataclass(frozen=True, slots=True)
class QuoteSaid:
    """The last words read, as typed and without the quotation marks around them."""

    words: str

    @property
    def long_enough(self) -> bool:
        """Whether these are seven words or more (ten characters of Chinese or Japanese)."""
        spaceless = len(phrases.SPACELESS.findall(self.words))
        spaced = len(re.findall(r"\w[\w'’]*", phrases.SPACELESS.sub(" ", self.words)))
        return spaced + spaceless * LEAST_QUOTED_WORDS // LEAST_QUOTED_CHARACTERS >= LEAST_QUOTED_WORDS


@dataclass(frozen=True, slots=True)
class TitleSaid:
    """Anything else that may be the title of a chapter; the readings are folded, the likeliest first."""

    titles: tuple[str, ...]
    extent: PlainNumber | None = None


@dataclass(frozen=True, slots=True)
class OffsetSaid:
    """An exact offset in code points, for scripts."""

    offset: int


@dataclass(frozen=True, slots=True)
class ChaptersOn:
    """So many chapters further than now ("+1"), or back (negative)."""

    chapters: int


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole book has been read."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Nothing has been read, which is not the same as never having said."""


@dataclass(frozen=True, slots=True)
class Same:
    """No change."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Words that say no place."""


Forward = (
    ChapterSaid | PartSaid | PageSaid | PercentSaid | QuoteSaid | TitleSaid | OffsetSaid | ChaptersOn
    | Whole | NotStarted | Same | NotUnderstood
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BackTo:
    """A place that is meant to lie behind the present one."""

    place: Forward


Statement = Forward | BackTo


def is_plain(statement: Statement) -> TypeGuard[ChapterSaid]:
    """Whether it must be asked: finished it, or still in it?"""
    return isinstance(statement, ChapterSaid) and statement.extent is None and not statement.exact


def folded_title(title: str) -> str:
    """Letters and digits of ``title``, case-folded, without accents, words set apart by one space."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", title.casefold()) if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", bare.casefold()))


def parse(said: str) -> Statement:
    """Read a statement (see `Statement`); total: whatever is not a place is `TitleSaid` or `NotUnderstood`."""
    said = re.sub(r"^\s*/progress(?:@\w+)?(?=\s|$)\s*:?", "", said[-_LONGEST:]).strip()
    plain = _plainly(said)
    if (back := phrases.BACK.fullmatch(_unfilled(plain))) and not _is_quoted(said):
        return _back(back["place"] or back["again"])
    return _forward(said, plain)


def _back(place: str) -> BackTo:
    inner = _forward(place, place)
    if isinstance(inner, ChapterSaid) and inner.extent is None and not inner.exact:
        inner = ChapterSaid(inner.number, inner.parts, PlainNumber.IN)
    return BackTo(inner)


def _plainly(said: str) -> str:
    """``said`` for comparison: NFKC, case-folded, straight apostrophes, single spaces, no punctuation at its end."""
    plain = unicodedata.normalize("NFKC", said).casefold().replace("’", "'").replace("‘", "'")
    return " ".join(plain.split()).rstrip(" .!?;,。！？")


def _unfilled(plain: str) -> str:
    while (filler := phrases.FILLER.match(plain)) and filler.end() < len(plain):
        plain = plain[filler.end() :]
    return plain


def _is_quoted(said: str) -> bool:
    return said[:1] in {"'", "‘"} or said[:1] in phrases.QUOTES


def _forward(said: str, plain: str) -> Forward:
    for words in (plain, _unfilled(plain)):
        if fixed := _fixed(words):
            return fixed
    if quoted := _quoted(said):
        return quoted
    bare = _unfilled(plain)
    if (number := _number(bare)) is not None:
        return number
    rest, extent = _extent(bare)
    if (number := _number(rest)) is not None and not isinstance(number, ChaptersOn):
        return number
    if said not in phrases.NAMES and (place := _place(rest, extent)):
        return place
    return _loose(said, plain, rest, extent)


def _fixed(words: str) -> Forward | None:
    if words in phrases.WHOLE:
        return Whole()
    if words in phrases.NONE:
        return NotStarted()
    if words in phrases.SAME:
        return Same()
    return ChaptersOn(1) if phrases.NEXT.fullmatch(words) else None


def _quoted(said: str) -> QuoteSaid | None:
    if said and _is_quoted(said):
        return QuoteSaid(said.strip(phrases.QUOTES + "'‘’ \n"))
    if phrases.QUOTED.fullmatch(said):
        start = min(said.index(mark) for mark in phrases.QUOTES if mark in said)
        return QuoteSaid(said[start:].rstrip(" .").strip(phrases.QUOTES + " \n"))
    return None


def _number(words: str) -> Forward | None:
    """Statements that are a number with a unit of their own."""
    if match := re.fullmatch(r"offset:\s*(\d+)", words):
        return OffsetSaid(int(match[1]))
    if match := re.fullmatch(r"([+-]) ?(\d{1,4})(?: chapters?)?", words):
        return ChaptersOn(int(match[1] + match[2]))
    if match := phrases.PERCENT.fullmatch(words):
        return PercentSaid(Fraction(match[1].replace(",", ".")))
    if match := phrases.LOCATION.fullmatch(words):
        return PercentSaid(Fraction(100 * int(match[1]), int(match[2])) if int(match[2]) else Fraction(-1))
    if match := phrases.PAGE.fullmatch(words):
        return PageSaid((match["label"] or match["cjk"]).lstrip("0") or "0")
    return None


def _extent(words: str) -> tuple[str, PlainNumber | None]:
    """What is left of ``words`` without "finished", "in" and the like, and what these said; the last one counts."""
    extent, short = None, False
    while True:
        if match := phrases.FILLER.match(words):
            pass
        elif match := phrases.SHORT_OF.match(words):
            short = True
        elif match := phrases.FINISHED.match(words):
            extent = PlainNumber.FINISHED
        elif match := phrases.IN.match(words):
            extent = PlainNumber.IN
        if not match or match.end() == len(words):
            break
        words = words[match.end() :]
    for ending, said in ((phrases.LAST_IN, PlainNumber.IN), (phrases.LAST_FINISHED, PlainNumber.FINISHED)):
        if (match := ending.search(words)) and match.start() > 0:
            words = words[: match.start()]
            extent = PlainNumber.IN if extent is PlainNumber.IN else said
    return words, PlainNumber.IN if short else extent


def _place(words: str, extent: PlainNumber | None) -> Forward | None:
    if match := re.fullmatch(r"#\s*(\d{1,6})", words):
        return ChapterSaid(int(match[1]), (), extent, exact=True)
    skeleton = _skeleton(words)
    if phrases.PATH.fullmatch(skeleton):
        *parts, number = (int(n) for n in re.split("[.:]", skeleton))
        return ChapterSaid(number, tuple(parts), extent)
    match = phrases.PLACE.fullmatch(" ".join(re.sub(r"[.,;:()-]", " ", skeleton).split()))
    if not match:
        return None
    parts = [int(n) for n in re.findall(r"\d+", match["outer"] or match["after"] or match["alone"] or "")]
    if match["alone"]:
        return PartSaid(tuple(parts), extent)
    return ChapterSaid(int(match["a"] or match["b"] or match["c"]), tuple(parts), extent)


def _skeleton(words: str) -> str:
    """``words`` with every unit word as ``ch`` or ``pt`` and every number in digits: "pt 2 ch 3"."""

    def unit(match: re.Match[str]) -> str:
        value = cjk(match[1])
        return match[0] if value is None else f" {'ch' if match['chapter'] else 'pt'} {value} "

    def word(match: re.Match[str]) -> str:
        if match[0] in {"the", "of", "in"}:
            return " "
        return " ch " if match[0] in phrases.CHAPTER_WORDS else " pt " if match[0] in phrases.PART_WORDS else match[0]

    words = phrases.CJK_UNIT.sub(unit, phrases.CJK_VOLUME.sub(r"第\1卷", words))
    words = re.sub(r"^(.*\d) (?:of|out of) \d+$", r"\1", words)  # "12 of 30"
    words = re.sub(r"\b(\d+)(?:st|nd|rd|th|er|re|e|eme|ème|o|a)\b", r"\1", words)
    words = re.sub(r"^c\.?\s*(?=\d+$)", "ch ", words)
    words = re.sub(r"[^\W\d_]+", word, with_digits(words))
    if (value := cjk(words.strip())) is not None:
        return str(value)
    return " ".join(words.split())


def _loose(said: str, plain: str, rest: str, extent: PlainNumber | None) -> Forward:
    if QuoteSaid(said).long_enough:
        return QuoteSaid(said)
    # "In Chancery" may be a title itself, so the whole is a reading too; either says no more than the chapter's start.
    readings = (rest,) if extent is PlainNumber.FINISHED else (plain, rest)
    titles = tuple(dict.fromkeys(t for t in map(folded_title, readings) if re.search(r"[^\W\d_]", t)))
    return TitleSaid(titles, extent) if titles else NotUnderstood()
