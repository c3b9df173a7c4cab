"""Terms for the text search: what is counted in every passage and asked for in every question.

Stemmed words in languages that have spaces; single characters and pairs of neighbours in Chinese, Japanese and Korean,
whatever the book's language. A term depends on its own word alone, so nothing later in a book can change it.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import Stemmer

from bot.core.stopwords import STOP_WORDS

TERM_IDS: Final = 1_000_000_000
"""Term ids lie in ``1..TERM_IDS``: the most dimensions that pgvector's ``sparsevec`` allows."""

_WIDE: Final = (
    "々〆〇\u1100-\u11ff\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_MARKS: Final = "\u200c\u200d" + "".join(
    chr(code) for code in range(0x0300, 0x1D00) if unicodedata.category(chr(code)) in {"Mn", "Mc"}
)
"""Vowel signs and accents, which Python's ``\\w`` leaves out, and the joiners inside Persian and Indic words."""
_LETTERS: Final = rf"[^\W_{_WIDE}]+(?:[{_MARKS}]+[^\W_{_WIDE}]*)*"
TOKEN: Final = re.compile(rf"(?P<wide>[{_WIDE}]+)|{_LETTERS}(?:['’ʼ]{_LETTERS})*")
_APOSTROPHES: Final = re.compile("['’ʼ]")
_ELIDING: Final = frozenset(("fr", "it", "ca", "oc"))
_STEMMERS: Final = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_local: Final = threading.local()


def terms(text: str, language: str | None) -> Counter[str]:
    """How often each term stands in ``text``. ``language`` (ISO 639-1, or None: no stemming) is the book's."""
    return Counter(_terms(text, language))


def length(counts: Counter[str]) -> int:
    """The length of a text in terms, as BM25 counts it."""
    return counts.total()


def question_terms(question: str, language: str | None) -> Counter[str]:
    """The terms of a question without its stop words; all of them where nothing else would be left."""
    counted = terms(question, language)
    told = Counter({term: count for term, count in counted.items() if term not in _stop_terms(language)})
    return told or counted


@lru_cache(maxsize=1 << 16)
def term_id(term: str) -> int:
    """A stable number for ``term`` in ``1..TERM_IDS``, the same in every process."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "big") % TERM_IDS + 1


def _terms(text: str, language: str | None) -> Iterator[str]:
    for word in TOKEN.finditer(text):
        token = word[0]
        if word["wide"]:
            yield from token
            yield from map("".join, pairwise(token))
        elif language in _ELIDING:
            for piece in _APOSTROPHES.split(token):
                yield stem(piece, language)
        else:
            yield stem(token, language)


@lru_cache(maxsize=1 << 17)
def stem(word: str, language: str | None) -> str:
    """One word as a term: case folded, stemmed in ``language``, accents and apostrophes removed."""
    folded = _APOSTROPHES.sub("'", word.casefold())
    name = _STEMMERS.get(language or "")
    if name is not None:
        folded = _stemmer(name).stemWord(folded)
    return _without_accents(folded).replace("'", "") or folded


def _stemmer(name: str) -> Stemmer.Stemmer:
    """This thread's stemmer: a PyStemmer object may not be shared between threads."""
    own = _local.__dict__.setdefault("stemmers", {})
    if name not in own:
        own[name] = Stemmer.Stemmer(name)
    return own[name]


def _without_accents(word: str) -> str:
    """Without the accents of Latin, Greek and Cyrillic and the points of Hebrew and Arabic, which people leave out."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not (unicodedata.combining(c) and ord(c) < 0x700)))


@lru_cache(maxsize=64)
def _stop_terms(language: str | None) -> frozenset[str]:
    listed = (STOP_WORDS.get(language or "en", ""), STOP_WORDS["zh"], STOP_WORDS["ja"])
    return frozenset(term for text in listed for term in _terms(text, language))
