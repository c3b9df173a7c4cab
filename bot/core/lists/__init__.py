"""Lists of words, a module a language. Where a language has none, or not all, what is said of a book in it is held to
the book's own words, one after another: fewer true sentences are shown then, and no more false ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.core.lists.english import ENGLISH
from bot.core.lists.german import GERMAN
from bot.core.lists.language import Language
from bot.core.lists.others import OTHERS

LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType({"en": ENGLISH, "de": GERMAN, **OTHERS})
"""By ISO 639-1 code."""

__all__ = ["LANGUAGES", "Language", "language_of"]

_UNKNOWN: Final = Language(negations=frozenset().union(*(language.negations for language in LANGUAGES.values())))


def language_of(code: str | None) -> Language:
    """What is known of a language, by its ISO 639-1 code; of one that is not listed only what denies in any other."""
    return LANGUAGES.get(code or "", _UNKNOWN)
