"""Project Gutenberg's boilerplate: cut only at a marker that is found, never "until something looks like the book"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_START = re.compile(
    r"^[ \t]*(?:\*{2,}[ \t]*START[ \t]+OF[ \t]+(?:THIS|THE)[ \t]+PROJECT[ \t]+GUTENBERG.*"
    r"|\*+[ \t]*END[ \t]*\*?[ \t]*THE[ \t]+SMALL[ \t]+PRINT!?.*"
    r"|\*{2,}[ \t]*START[ \t]+OF[ \t]+(?:THIS|THE)[ \t]+E-?(?:BOOK|TEXT).*)$",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(
    r"""
    ^(?:[^\w\n*]|_)*+  # possessive: a line of nothing but stars takes linear time
    (?:
        (?:[^\w\n]|_)*+
        (?:
            End [ ] of [ ] (?:(?:the|this) [ ])? Project [ ] Gutenberg
            | (?:Fin|Ende|Fine|Einde|Slutet) [ ] (?:(?:de|du|di|dieses|des|van|av) [ ])? (?:la [ ])?
              (?:Project|Projet|Projekt) [ ] Gutenberg
            | START: [ ]? FULL [ ] LICEN[SC]E
            | THE [ ] FULL [ ] PROJECT [ ] GUTENBERG [ ] LICEN[SC]E
        )
        | \*{2,}+ [ ]? END [ ] OF [ ] (?:(?:the|this) [ ])? E-?(?:BOOK|TEXT) \b
    ).*$
    """.replace("[ ]?", r"[^\S\n]*+").replace("[ ]", r"[^\S\n]++"),
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_PRODUCED = re.compile(
    r"\s*(?:(?:E-?text |This e-?(?:text|book) was )?(?:produced|prepared|transcribed|scanned) by\b(?:.|\n)*?)"
    r"\n[ \t]*\n",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^(Title|Author|Language):[ \t]*(\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_LANGUAGES: Final = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "polish": "pl", "russian": "ru", "swedish": "sv", "danish": "da", "norwegian": "no",
    "finnish": "fi", "chinese": "zh", "japanese": "ja", "korean": "ko", "greek": "el", "hungarian": "hu",
    "czech": "cs", "latin": "la", "catalan": "ca", "esperanto": "eo", "hebrew": "he", "arabic": "ar",
}  # fmt: skip
_HEAD: Final = 60_000


@dataclass(frozen=True, slots=True)
class CutText:
    """The text between the markers, and what the header said."""

    text: str
    title: str = ""
    author: str = ""
    language: str | None = None
    warnings: tuple[str, ...] = ()


def without_boilerplate(text: str) -> CutText:
    """``text`` (``\\n`` line ends) without the header and licence that Project Gutenberg adds.

    The last start marker of the first 60,000 code points counts, with a "Produced by" paragraph after it; and the first
    end marker after 30 % of the text. A marker that would leave less than a tenth is not believed.
    """
    start = _start(text)
    floor = max(start, int(len(text) * 0.3))
    found = _END.search(text, floor)
    end = found.start() if found and found.start() - start > len(text) // 10 else len(text)
    fields = {name: " ".join(value.split()) for name, value in _FIELD.findall(text[: start or 0])}
    warnings = []
    if start == 0 and re.search("Project Gutenberg", text[:5000]):
        warnings.append("Project Gutenberg is named at the start, but no start marker was found: its header was kept.")
    return CutText(
        text[start:end],
        fields.get("Title", ""),
        fields.get("Author", ""),
        _LANGUAGES.get(fields.get("Language", "").lower()),
        tuple(warnings),
    )


def is_ending(line: str) -> bool:
    """Whether a line begins what Project Gutenberg adds behind the book, in any of the forms it has had."""
    return _END.match(line) is not None


def _start(text: str) -> int:
    start = 0
    for found in _START.finditer(text, 0, _HEAD):
        end = found.end()
        if "***" not in found[0].lstrip(" *") and found[0].lstrip().startswith("***"):
            # A long title runs the marker over the next line or two.
            closing = re.compile(r"(?:[^\n*]*\n){1,2}[^\n*]*\*{3}").match(text, end)
            end = closing.end() if closing else end
        if len(text) - end > len(text) // 10:
            start = end
    if start and (produced := _PRODUCED.match(text, start)) and produced.end() - start < 1000:
        start = produced.end()
    return start
