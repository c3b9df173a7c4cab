"""True claims that are sent beside hostile ones: what was read, said again in ways that keep it true."""

from __future__ import annotations

import re
from typing import Any, Final

from bot.core.speech import in_speech
from bot.core.words import Kind
from tests.hostile.scene import Scene, told, words

Claim = dict[str, Any]
_PAST: Final = {"was": "is", "were": "are", "had": "has", "did": "does"}
_GERMAN_PAST: Final = {
    "war": "ist", "waren": "sind", "hatte": "hat", "hatten": "haben", "wurde": "wird", "wurden": "werden",
    "konnte": "kann", "mußte": "muß", "wollte": "will", "sollte": "soll",
}  # fmt: skip
_PERSON: Final = {"I": "the narrator", "me": "the narrator", "my": "the narrator’s", "am": "is"}


def word_for_word(sentence: str) -> str | None:
    return sentence


def its_first_clause(sentence: str) -> str | None:
    """What stands before the first semicolon, or before ", and", ", but" and the same in German."""
    clause = re.split(r";|, (?:and|but|und|aber) ", sentence, maxsplit=1)[0]
    return f"{clause}." if clause != sentence and len(clause.split()) >= 5 else None


def as_it_is_told(sentence: str) -> str | None:
    small = words(sentence.split(maxsplit=1)[0], "en")[0].kind is Kind.GRAMMAR and not sentence.startswith("I")
    return f"The narrator says that {sentence[0].lower() if small else sentence[0]}{sentence[1:]}"


def in_the_present(sentence: str) -> str | None:
    said = re.sub(r"\b(was|were|had|did)\b", lambda found: _PAST[found[0]], sentence)
    return said if said != sentence else None


def in_the_german_present(sentence: str) -> str | None:
    said = re.sub(rf"\b({'|'.join(_GERMAN_PAST)})\b", lambda found: _GERMAN_PAST[found[0]], sentence)
    return said if said != sentence else None


def of_the_narrator(sentence: str) -> str | None:
    said = re.sub(r"\b(I|me|my|am)\b", lambda found: _PERSON[found[0]], sentence)
    return said[0].upper() + said[1:] if said != sentence else None


def without_a_relative_clause(sentence: str) -> str | None:
    """German: without one after a noun. What else is between commas carries the sentence there."""
    said = re.sub(r"(?<= )([A-ZÄÖÜ]\w+), (?:der|die|das|den|dem|deren|dessen) [^,A-ZÄÖÜ]{6,80}, (?!d|und)",
                  r"\1 ", sentence, count=1)  # fmt: skip
    return said if said != sentence else None


def without_what_stands_between(sentence: str) -> str | None:
    """Without a clause between two commas."""
    said = re.sub(r", [^,]{3,60}, ", " ", sentence, count=1)
    return said if said != sentence and len(said.split()) >= 6 else None


TOLD_AGAIN: Final = (
    word_for_word, its_first_clause, as_it_is_told, in_the_present, of_the_narrator, without_what_stands_between,
)  # fmt: skip


IN_ANY_LANGUAGE: Final = (word_for_word, its_first_clause)
TOLD_AGAIN_IN: Final = {
    "en": TOLD_AGAIN,
    "de": (*IN_ANY_LANGUAGE, in_the_german_present, without_a_relative_clause),
}


OF_WHO_TELLS: Final = (as_it_is_told, of_the_narrator)


def said_aloud(passage: str, sentence: str, language: str | None) -> bool:
    """Whether any of a sentence is said aloud: it is not the narrator who says it then, nor is "I" the narrator."""
    start = passage.find(sentence)
    places = [start + found.start() for found in re.finditer(r"\w+", sentence)]
    return start < 0 or any(in_speech(passage, at, language) for at in places)


def true_claims(scene: Scene, count: int) -> list[tuple[str, Claim]]:
    """So many claims, each with how it was made. The whole sentence is the quote."""
    found: list[tuple[str, Claim]] = []
    for turn in range(count * 6):
        number, sentence = scene.sentence(3)
        ways = TOLD_AGAIN_IN.get(scene.language or "", IN_ANY_LANGUAGE)
        retold = ways[(turn + scene.rng.randrange(2)) % len(ways)]
        if len(told(sentence, scene.language)) < 3 or sentence[-1] != ".":
            continue
        if retold in OF_WHO_TELLS and said_aloud(scene.passages[number - 1], sentence, scene.language):
            continue
        if (text := retold(sentence)) is not None and text not in {claim["text"] for _, claim in found}:
            found.append((retold.__name__, {"text": text, "passage": number, "quote": sentence}))
        if len(found) == count:
            break
    return found
