"""A model's sentence as plain text: what could hide a word, or break out of where it is shown, makes it none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Final

from bot.core.verbatim import verbatim

LONGEST: Final = 400
"""Code points of one sentence."""

_MARKS: Final = frozenset(".,;:!?…'\"‘’“”„«»‹›()-–—―¿¡、。，；：！？「」『』（）《》〈〉・—")
"""What may stand between words. Nothing of it is markup on any platform."""
_STOPS: Final = ".,;:!?…。、，；：！？"
_QUOTES: Final = "\"'«»‹›「」『』《》〈〉"
_RUN: Final = re.compile(r"[^\w\s]{2,}")
_USUAL: Final = re.compile(
    rf"[{_STOPS}]?-{{1,2}}[{_QUOTES}]{{0,2}}|[{_STOPS}]?[{_QUOTES}]{{1,2}}[{_STOPS}]?-{{0,2}}|[.!?,…。！？]?[)）][{_STOPS}]?"
    rf"|(?:\.{{3}}|…|[!?]{{2}})[{_QUOTES}]{{0,2}}[{_STOPS}]?|[{_QUOTES}(]{{2}}|\.[,;:]|--[.,;]"
)
"""Marks as they stand beside each other, quotes straight and dashes ``-``: others say something by themselves."""
_ALONE: Final = re.compile(r"-{1,2}[.,;]?|\.{3}|[…?!:;«»][.,;]?")
"""What may stand between two spaces, the same."""
_INSIDE: Final = re.compile(r"(?<!\w)-\d+|[^\W\d_]+\.[^\W\d_]{2,}")
"""A number below nothing, and what may be taken for an address: these the passage has to have."""
_MARKUP: Final = frozenset("|`\\*_~<>#@[]{}^=")
_ADDRESS: Final = re.compile(r"://|\bwww\.|\w/\w", re.I)
_WORD: Final = re.compile(r"[^\W\d_]+")
_TOGETHER: Final = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"))
"""Scripts that stand in one word of their languages."""


def plain_sentence(text: str, known: Iterable[str], asked: str = "") -> str | None:
    """``text`` in NFC with single spaces, or None where it is no plain sentence.

    ``known`` are texts whose scripts and rare characters it may use: the passage that it is about. Of the question,
    ``asked``, it may use the letters. None is given for what is too long, for markup, addresses, invisible and control
    characters, marks that are piled up or tell something by themselves, letters in disguise, a word of two scripts, and
    a script that none of these has.
    """
    sentence, known = " ".join(unicodedata.normalize("NFC", text).split()), tuple(known)
    seen = frozenset("".join(known)) | {c for c in asked if c.isalpha() and unicodedata.normalize("NFKC", c) == c}
    scripts = {script for character in seen if (script := _script(character))}
    if not sentence or len(sentence) > LONGEST or not any(map(str.isalpha, sentence)):
        return None
    if _ADDRESS.search(sentence) or not all(_plain(c, seen, scripts) for c in sentence):
        return None
    if not _marked_as_usual(verbatim(sentence), known):
        return None
    return sentence if all(_of_one_script(word) for word in _WORD.findall(sentence)) else None


def _marked_as_usual(sentence: str, known: Iterable[str]) -> bool:
    """Whether the marks of a sentence, as `verbatim` sees it, stand as they usually do or as in what is known."""
    read = f" {verbatim(' '.join(known))} "
    inside = (found[0] for found in _INSIDE.finditer(sentence))
    runs = (found[0] for found in _RUN.finditer(sentence))
    if not all(one in read for one in inside) or not all(_USUAL.fullmatch(run) or run in read for run in runs):
        return False
    before = ""
    for bare, found in groupby(sentence.split(), lambda token: not any(map(str.isalnum, token))):
        tokens = list(found)
        alone = len(tokens) == 1 and _ALONE.fullmatch(tokens[0])
        if bare and not alone and f" {' '.join([*before.split(), *tokens])} " not in read:
            return False
        before = tokens[-1]
    return True


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
    return (character.isascii() and character.isdigit()) or (category[0] == "L" and _script(character) in scripts)


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
