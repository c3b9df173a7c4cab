"""Stand-ins for the model that reads again: one that tries to be honest, and some that are not.

The honest one sees a sentence and its passage, as the real one does, and is told nothing else. It is no model: it looks
for a stretch of the passage that has all of the sentence's words that tell something, in its order, with their
neighbours, and as much denial on both sides. It knows neither what the checks of the core know nor which claims are
hostile.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import LCSseq

from bot.core.chat_model import ModelRequest
from bot.core.terms import question_terms, terms

Checker = Callable[[str, str], bool]

_ITEM: Final = re.compile(
    r'<claim number="(\d+)">\n<sentence>(.*?)</sentence>\n<passage>\n(.*?)\n</passage>\n</claim>', re.S
)
_STOP: Final = re.compile(r"(?<=[.!?”’])\s+")
_DENIES: Final = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|nicht|kein\w*|nie|nichts)\b|n[’']t\b", re.I
)
_ENGLISH: Final = re.compile(r"\b(?:the|and|of|was)\b", re.I)
_GERMAN: Final = re.compile(r"\b(?:der|die|und|war)\b", re.I)
_TENSES: Final = {
    "is": "was", "are": "were", "has": "had", "does": "did",
    "ist": "war", "sind": "waren", "hat": "hatte", "haben": "hatten", "wird": "wurde", "werden": "wurden",
    "kann": "konnte", "muß": "mußte", "muss": "musste", "will": "wollte", "soll": "sollte",
}  # fmt: skip
"""Who reads knows that a book's past may be told in the present."""
_TENSED: Final = {
    "en": re.compile(r"\b(?:is|are|has|does)\b"),
    "de": re.compile(r"\b(?:ist|sind|hat|haben|wird|werden|kann|muß|muss|will|soll)\b"),
}
_TELLER: Final = terms("the narrator says", "en").keys()
"""Who tells a book, and that it is told, every reader knows."""
STRETCH: Final = 3
"""Sentences of the passage that are read as one."""
NEIGHBOURS: Final = 0.8
SIDE_BY_SIDE: Final = 0.5
"""Of all words, the share of pairs of the sentence that stand so in the stretch, or nearly."""


def honest(sentence: str, passage: str) -> bool:
    """Whether some stretch of the passage seems to say the sentence."""
    language = "de" if len(_GERMAN.findall(passage)) > len(_ENGLISH.findall(passage)) else "en"
    sentence, passage = _in_the_past(sentence, language), _in_the_past(passage, language)
    wanted = _sequence(sentence, language)
    if not wanted:
        return False
    parts = _STOP.split(" ".join(passage.split()))
    for first in range(len(parts)):
        stretch = " ".join(parts[first : first + STRETCH])
        held = _sequence(stretch, language)
        in_order = LCSseq.similarity(wanted, held) == len(wanted)
        pairs = list(pairwise(wanted))
        beside = sum(_near(a, b, held) for a, b in pairs) / len(pairs) if pairs else 1.0
        if in_order and beside >= NEIGHBOURS and _side_by_side(sentence, stretch) >= SIDE_BY_SIDE:
            return bool(_DENIES.search(sentence)) <= bool(_DENIES.search(stretch))
    return False


def _in_the_past(text: str, language: str) -> str:
    return _TENSED[language].sub(lambda found: _TENSES[found[0]], text)


def _sequence(text: str, language: str) -> list[str]:
    told = question_terms(text, language).keys() - _TELLER
    return [term for word in re.findall(r"\w+", text) for term in terms(word, language) if term in told]


def _near(one: str, other: str, held: list[str]) -> bool:
    places = [n for n, term in enumerate(held) if term == one]
    return any(other in held[max(0, n - 5) : n + 6] for n in places)


def _side_by_side(sentence: str, stretch: str) -> float:
    said, held = (re.findall(r"\w+", text.casefold()) for text in (sentence, stretch))
    places: dict[str, list[int]] = {}
    for at, word in enumerate(held):
        places.setdefault(word, []).append(at)
    pairs = list(pairwise(said))
    stand = sum(any(0 < b - a <= 3 for a in places.get(x, ()) for b in places.get(y, ())) for x, y in pairs)
    return stand / len(pairs) if pairs else 1.0


def agreeing(sentence: str, passage: str) -> bool:
    """Says yes to everything."""
    del sentence, passage
    return True


def knowing(sentence: str, passage: str) -> bool:
    """Stands for a reader that tells every test from what the hostile model sent, which it all agrees to."""
    raise AssertionError("what was sent is known where it was")


def contrary(sentence: str, passage: str) -> bool:
    """Says yes to what is not there, and no to what is."""
    return not honest(sentence, passage)


def verdicts(request: ModelRequest, checker: Checker) -> str:
    """The reply to a request for support."""
    found = [
        {"claim": int(item[1]), "supported": checker(html.unescape(item[2]), html.unescape(item[3]))}
        for item in _ITEM.finditer(request.question)
    ]
    return json.dumps({"verdicts": found})
