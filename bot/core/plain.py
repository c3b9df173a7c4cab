"""A model's sentence as plain text: what could hide a word, or break out of where it is shown, makes it none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

LONGEST: Final = 400
"""Code points of one sentence."""

_MARKS: Final = frozenset(".,;:!?…'\"‘’“”„«»‹›()-–—―¿¡&%£$€§°/、。，；：！？「」『』（）《》〈〉·・～—")
"""What may stand between words. Nothing of it is markup on any platform."""
_MARKUP: Final = frozenset("|`\\*_~<>#@[]{}^=")
_ADDRESS: Final = re.compile(r"://|\bwww\.|\w/\w", re.I)
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOGETHER: Final = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"))
"""Scripts that stand in one word of their languages."""


def plain_sentence(text: str, known: Iterable[str]) -> str | None:
    """``text`` in NFC with single spaces, or None where it is no plain sentence.

    ``known`` are texts whose scripts and rare characters it may use: the passage that it is about, and the question.
    None is given for what is too long, for markup, addresses, invisible and control characters, marks that are piled
    up, letters in disguise, a word of two scripts, and a script that ``known`` does not have.
    """
    sentence = " ".join(unicodedata.normalize("NFC", text).split())
    seen = frozenset("".join(known))
    scripts = {script for character in seen if (script := _script(character))}
    if not sentence or len(sentence) > LONGEST or not any(map(str.isalpha, sentence)):
        return None
    if _ADDRESS.search(sentence) or not all(_plain(c, seen, scripts) for c in sentence):
        return None
    return sentence if all(_of_one_script(word) for word in _WORD.findall(sentence)) else None


def _plain(character: str, seen: frozenset[str], scripts: set[str]) -> bool:
    if character in " " or character in _MARKS:
        return True
    if character in _MARKUP:
        return False
    category = unicodedata.category(character)
    if category in {"Cc", "Cs", "Co", "Cn"} or (category == "Cf" and not _joins(character, seen)):
        return False
    if character in seen:
        return True
    if unicodedata.normalize("NFKC", character) != character:  # a letter in disguise: bold, full width, a ligature
        return False
    return category[0] in "LN" and _script(character) in scripts | {None}


def _joins(character: str, seen: frozenset[str]) -> bool:
    """Whether it is a joiner as Persian and Indic words have them, and the passage has it too."""
    return character in "\u200c\u200d" and character in seen


@lru_cache(maxsize=1 << 14)
def _script(character: str) -> str | None:
    """The script of a letter, by the first word of its name; None for what is no letter."""
    if not character.isalpha():
        return None
    return unicodedata.name(character, "UNKNOWN").split(" ", 1)[0].split("-", 1)[0]


def _of_one_script(word: str) -> bool:
    scripts = {script for character in word if (script := _script(character))}
    return len(scripts) <= 1 or scripts <= _TOGETHER
