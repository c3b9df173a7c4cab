"""Numbers as headings print them: Roman, Arabic, Chinese and Japanese, and words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ingest.number_words import EVERY_FAMILY, LONGEST_PHRASE, Family, fold, number_words


class NumeralStyle(StrEnum):
    """How a number is written. Sequences of bare numbers keep to one style."""

    ARABIC = "arabic"
    ROMAN = "roman"
    CJK = "cjk"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number read from a heading.

    ``printed`` is the numeral itself when Roman or Arabic, else the value in Arabic digits.
    """

    value: int
    printed: str
    style: NumeralStyle

    def __post_init__(self) -> None:
        if self.value < 0 or not self.printed:
            raise ValueError(f"no numeral: {self.value}")


_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
# Old books print IIII, VIIII and XXXX as well.
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})")
_SMALL_ROMAN = re.compile(r"[ivxl]+|[IVXLC][ivxl]+")
_ARABIC = re.compile(r"\d{1,4}")
_CJK_DIGITS: Final = {
    **dict(zip("零一二三四五六七八九", range(10), strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)),
    **dict(zip("○壱貳參泗伍陸漆捌玖", range(10), strict=True)),
    **{"两": 2, "兩": 2, "弐": 2, "参": 3, "叄": 3, "幺": 1, "元": 1},
}
_CJK_UNITS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_CJK_TENS: Final = {"廿": 20, "卅": 30, "卌": 40}
_CJK_MYRIADS: Final = {"万", "萬"}
CJK_NUMERAL: Final = f"[{''.join((*_CJK_DIGITS, *_CJK_UNITS, *_CJK_TENS, *_CJK_MYRIADS))}]{{1,12}}"
"""A pattern for one Chinese or Japanese number; `cjk_value` says whether it is one."""

_KOREAN: Final = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
_KOREAN_UNITS: Final = {"십": 10, "백": 100}


def roman_value(text: str) -> int | None:
    """The value of a Roman numeral (upper case, or small with none but i, v, x and l), else None."""
    if not text or (not text.isupper() and not _SMALL_ROMAN.fullmatch(text)):
        return None
    upper = text.upper()
    if not _ROMAN.fullmatch(upper):
        return None
    values = [_ROMAN_VALUES[letter] for letter in upper]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


def cjk_value(text: str) -> int | None:
    """The value of a Chinese or Japanese number (一百零三, 二〇三, 廿四, 壹拾), else None."""
    if not text:
        return None
    if all(c in _CJK_DIGITS for c in text):
        return int("".join(str(_CJK_DIGITS[c]) for c in text))
    total = section = digit = 0
    for c in text:
        if c in _CJK_DIGITS:
            digit = _CJK_DIGITS[c]
        elif c in _CJK_TENS:
            section, digit = section + _CJK_TENS[c], 0
        elif c in _CJK_UNITS:
            section, digit = section + (digit or 1) * _CJK_UNITS[c], 0
        elif c in _CJK_MYRIADS:
            total, section, digit = total + (section + digit or 1) * 10_000, 0, 0
        else:
            return None
    return total + section + digit


def korean_value(text: str) -> int | None:
    """The value of a Sino-Korean number below 1000 (이십삼), else None."""
    total = digit = 0
    for c in unicodedata.normalize("NFC", text):
        if c in _KOREAN:
            digit = _KOREAN[c]
        elif c in _KOREAN_UNITS:
            total, digit = total + (digit or 1) * _KOREAN_UNITS[c], 0
        else:
            return None
    return total + digit or None


def parse_numeral(text: str, families: frozenset[Family] = EVERY_FAMILY) -> Numeral | None:
    """The number that ``text`` is, whole; None where it is none. Full-width forms count as plain ones.

    Number words are looked up in the languages of ``families``.
    """
    text = unicodedata.normalize("NFKC", text).strip()
    if _ARABIC.fullmatch(text):
        digits = "".join(str(unicodedata.digit(c)) for c in text)
        return Numeral(int(digits), digits, NumeralStyle.ARABIC)
    if (value := roman_value(text)) is not None:
        return Numeral(value, text, NumeralStyle.ROMAN)
    if (value := cjk_value(text)) is not None:
        return Numeral(value, str(value), NumeralStyle.CJK)
    if (value := number_words(families).get(fold(text))) is not None:
        return Numeral(value, str(value), NumeralStyle.WORD)
    return None


_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")


def leading_words(text: str, families: frozenset[Family] = EVERY_FAMILY) -> tuple[Numeral, int] | None:
    """The longest number in words at the start of ``text``, and its length in code points."""
    words = number_words(families)
    end, best, phrase = 0, None, ""
    for _ in range(LONGEST_PHRASE):
        found = _WORD.match(text, end)
        if found is None:
            break
        phrase = f"{phrase} {fold(found[0])}".strip()
        if phrase in words:
            value = words[phrase]
            best = Numeral(value, str(value), NumeralStyle.WORD), found.end()
        end = found.end()
        if text[end : end + 1] != " ":
            break
        end += 1
    return best
