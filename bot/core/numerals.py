"""Numbers as people write them: digits of any script, Roman, English words, Chinese and Japanese numerals."""

from __future__ import annotations

import re
from typing import Final

_SMALL = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_CARDINALS: Final = {word: n for n, word in enumerate([*_SMALL.split(), "eighteen", "nineteen"], 1)} | {
    word: 10 * n for n, word in enumerate(_TENS.split(), 2)
}
_IRREGULAR: Final = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_WORDS: Final[dict[str, int]] = (
    _CARDINALS | {(w[:-1] + "ie" if w.endswith("y") else w) + "th": n for w, n in _CARDINALS.items()} | _IRREGULAR
)
_HUNDRED: Final = frozenset({"hundred", "hundredth"})
_ONE_WORD = "|".join(sorted([*_WORDS, *_HUNDRED], key=len, reverse=True))
_WORD_RUN: Final = re.compile(rf"(?<!\w)(?:{_ONE_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_ONE_WORD}))*(?!\w)")

# Clock faces and some printers write IIII for IV.
_ROMAN: Final = re.compile(r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_ROMAN_TOKEN: Final = re.compile(r"(?<![\w'])[mdclxvi]+(?![\w'])")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}

_CJK_DIGITS: Final = dict(
    zip("〇零一壹二贰貳两兩三叁參四肆五伍六陆陸七柒八捌九玖", map(int, "0011222223334455666778899"), strict=True)
)
_CJK_TENS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "廿": 20, "卅": 30}
CJK_NUMERALS: Final = "".join([*_CJK_DIGITS, *_CJK_TENS])


def roman(word: str) -> int | None:
    """The value of a lower-case Roman numeral, or None."""
    if not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    return sum(-n if n < max(values[i:]) else n for i, n in enumerate(values))


def cjk(word: str) -> int | None:
    """The value of a Chinese or Japanese numeral ("十二", "二百零三", "一〇三") or of digits, or None."""
    if word.isdecimal():
        return int(word)
    if not word or any(c not in _CJK_DIGITS and c not in _CJK_TENS for c in word):
        return None
    if not any(c in _CJK_TENS for c in word):
        return int("".join(str(_CJK_DIGITS[c]) for c in word))
    total, digit = 0, 0
    for c in word:
        if c in _CJK_DIGITS:
            digit = _CJK_DIGITS[c]
            continue
        unit = _CJK_TENS[c]
        total += unit if c in "廿卅" else (digit or 1) * unit
        digit = 0
    return total + digit


def number_of_word(folded: str) -> int | None:
    """The value of one word that is a number: decimal digits, or an English cardinal or ordinal below a hundred."""
    return int(folded) if folded.isdecimal() else _WORDS.get(folded)


def _english(words: list[str]) -> int | None:
    """The value of English number words under a thousand, or None where they are no one number ("two three")."""
    total, room = 0, 1000
    for word in words:
        if word in _HUNDRED:
            if total > 9:
                return None
            total, room = max(total, 1) * 100, 100
        else:
            value = _WORDS[word]
            if value >= room:
                return None
            total, room = total + value, 10 if 20 <= value < 100 else 0
    return total


def with_digits(folded: str) -> str:
    """``folded`` (case-folded, NFKC) with English number words and Roman numerals written as digits."""

    def words(match: re.Match[str]) -> str:
        value = _english([w for w in re.split(r"[\s-]+", match[0]) if w != "and"])
        return match[0] if value is None else str(value)

    def letters(match: re.Match[str]) -> str:
        value = roman(match[0])
        return match[0] if value is None else str(value)

    return _ROMAN_TOKEN.sub(letters, _WORD_RUN.sub(words, folded))
