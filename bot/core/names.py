"""Names met so far, without a model: runs of capitalised words, with titles such as "Dr." before them.

Whether a word is a name is decided by what stands before it: capitalised inside a sentence, or after a title, it is one
and stays one; at a sentence's start it is one only if it has been met as one. So the names met up to an
offset are the same however the book goes on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from bot.core.terms import terms

NAME_WORD: Final = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_whole: Final = itemgetter(0)
_JOINT: Final = re.compile(r"\.? ")
"""What may stand between two words of one name: a space, after an initial or an abbreviation a full stop too."""
_OPENING: Final = re.compile(r"(?:^|[\"“”„‘«»‹›(\[:;—–…!?.¿¡•*]|[-']\s)\s*$")
"""After these a capital letter says nothing."""
TITLES: Final = frozenset(
    ("mr", "mrs", "ms", "miss", "master", "mister", "madam", "dr", "doctor", "prof", "professor", "sir", "lady", "lord",
     "capt", "captain", "major", "colonel", "col", "general", "gen", "lieutenant", "lieut", "sergeant", "inspector",
     "count", "countess", "prince", "princess", "baron", "baroness", "duke", "duchess", "king", "queen", "emperor",
     "empress", "aunt", "uncle", "father", "mother", "brother", "sister", "rev", "reverend", "st", "saint", "signor",
     "signora", "monsieur", "madame", "mademoiselle", "mme", "mlle", "herr", "frau", "fräulein", "don", "doña", "señor",
     "señora", "judge", "bishop", "abbé", "president", "earl", "squire", "dame")
)  # fmt: skip
PARTICLES: Final = frozenset(("de", "du", "la", "le", "van", "von", "di", "da", "del", "della"))
_NEVER: Final = frozenset(
    ("i", "i’m", "i'm", "i’ll", "i'll", "i’ve", "i've", "i’d", "i'd", "o", "oh", "god", "heaven", "chapter", "part",
     "book", "volume", "a", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
     "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
)  # fmt: skip
NOUN_CAPITALS: Final = frozenset(("de", "lb"))
"""Languages that capitalise every noun: there only a title, or a run of two, makes a name."""


LONGEST: Final = 100
"""Code points: what is longer is no name, whatever its capitals."""


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name as it stands in one sentence (by index), and the offset at which a reader has met it there."""

    name: str
    sentence: int
    revealed_at: int


def names_in(sentences: Iterable[tuple[str, int]], language: str | None = None) -> Iterator[NameMention]:
    """The names in ``sentences``, each a text and its ``revealed_at``, in text order."""
    met: set[str] = set()
    small: set[str] = set()
    for index, (text, revealed_at) in enumerate(sentences):
        words = list(NAME_WORD.finditer(text))
        found = dict.fromkeys(_names_of(text, words, language, met, small))
        small.update(word for word in map(_whole, words) if word[0].islower())
        for name in found:
            if len(name) <= LONGEST:
                yield NameMention(name, index, revealed_at)


def _names_of(
    text: str, words: Iterable[re.Match[str]], language: str | None, met: set[str], small: set[str]
) -> Iterator[str]:
    """The names of one sentence, of which ``words`` are the words; their words are added to ``met``."""
    run: list[re.Match[str]] = []
    for word in words:
        if run:
            joined = _JOINT.fullmatch(text, run[-1].end(), word.start()) is not None
            if joined and (word[0] in PARTICLES or _capitalised(word[0])):
                run.append(word)
                continue
            yield from _name(text, run, language, met, small)
        run = [word] if _capitalised(word[0]) else []
    if run:
        yield from _name(text, run, language, met, small)


def _name(text: str, run: list[re.Match[str]], language: str | None, met: set[str], small: set[str]) -> Iterator[str]:
    """The name in a run of capitalised words, if it is one."""
    while run and run[-1][0] in PARTICLES:
        run = run[:-1]
    if run and _doubtful(text, run, met):
        run = run[1:]
    titled = bool(run) and run[0][0].casefold() in TITLES
    own = [bare(word[0]) for word in run if word[0].casefold() not in TITLES and word[0] not in PARTICLES]
    if not any(len(word) > 1 for word in own):
        return
    if not titled and not met.issuperset(own):
        common = len(own) == 1 and own[0].casefold() in small
        if common or (language in NOUN_CAPITALS and len(own) == 1):
            return
    met.update(word for word in own if len(word) > 1)
    yield text[run[0].start() : run[-1].start() + len(bare(run[-1][0]))].replace("\n", " ")


def _doubtful(text: str, run: list[re.Match[str]], met: set[str]) -> bool:
    """Whether the first word of ``run`` may be capitalised only because a sentence or a speech begins with it."""
    word = run[0][0]
    if word.casefold() in TITLES or bare(word) in met:
        return False
    return _OPENING.search(text, max(0, run[0].start() - 4), run[0].start()) is not None


def _capitalised(word: str) -> bool:
    return word[0].isupper() and (len(word) == 1 or not word.isupper()) and word.casefold() not in _NEVER


def bare(word: str) -> str:
    """Without a possessive ending."""
    return word[:-2] if word.endswith(("’s", "'s")) else word


MOST_WORDS: Final = 4
"""Words of a name that is looked for."""


def mentions(words: Sequence[str], known: Mapping[tuple[str, ...], str]) -> Iterator[tuple[int, int, str]]:
    """The names among ``words``, the longest at each place: where, of how many words, which.

    ``known`` maps the words of a name to it.
    """
    at = 0
    while at < len(words):
        for size in range(min(MOST_WORDS, len(words) - at), 0, -1):
            run = tuple(words[at : at + size])
            own = (*run[:-1], run[-1].removesuffix("’s").removesuffix("'s"))
            if own in known:
                yield at, size, known[own]
                at += size
                break
        else:
            at += 1


_LEAST_LETTERS: Final = 4
_LEAST_SIMILARITY: Final = 0.74
"""One slip in a word of four or five letters, two in one of eight."""
_FIRST_LETTER: Final = 0.1
"""People seldom mistype the first letter."""


def names_meant(
    question: str, names_met: Sequence[str], unmet: Collection[str], language: str | None
) -> dict[str, str]:
    """The question's unmet words (without possessive endings) that come close to a word of a met name, with that word.

    ``unmet`` are the terms of ``question`` that stand nowhere in the read part. Closeness is one minus the
    Damerau-Levenshtein distance over the longer length, without case and accents, and a little less where the first
    letters differ; of equals the name met first. A word that comes close to no name is left out.
    """
    asked = {
        bare(word): folded
        for word in NAME_WORD.findall(question)
        if len(folded := name_folded(word)) >= _LEAST_LETTERS and not terms(word, language).keys().isdisjoint(unmet)
    }
    known: dict[str, str] = {}
    for word in dict.fromkeys(part for name in names_met for part in NAME_WORD.findall(name)) if asked else ():
        if len(own := bare(word)) >= _LEAST_LETTERS and own.casefold() not in TITLES:
            known.setdefault(name_folded(own), own)
    candidates = list(known)
    meant = {}
    for word, folded in asked.items():
        near = process.extract(
            folded,
            candidates,
            scorer=DamerauLevenshtein.normalized_similarity,
            score_cutoff=_LEAST_SIMILARITY,
            limit=None,
        )
        close = [(likeness - _FIRST_LETTER * (candidate[0] != folded[0]), -at) for candidate, likeness, at in near]
        best, place = max(close, default=(0.0, 0))
        if best >= _LEAST_SIMILARITY:
            meant[word] = known[candidates[-place]]
    return meant


def name_folded(word: str) -> str:
    """A word of a name without case, accents and a possessive ending."""
    apart = unicodedata.normalize("NFKD", bare(word).casefold())
    return "".join(c for c in apart if c.isalnum())


_NOW: Final = re.compile(
    r"\b(?:right now|by now|now|just (?:now|happened|read)|has just|have just|latest|lately|recently|currently|"
    r"at the moment|at this point|at present|so far|last (?:chapter|page|scene|part)|where (?:are|were) we|left off|"
    r"gerade|jetzt|zuletzt|soeben|im moment|bisher|maintenant|à l.instant|vient de|en ce moment|dernièrement|"
    r"ahora|acaba de|últimamente|hasta ahora|adesso|appena|finora|agora|acabou de|сейчас|теперь|только что)\b"
    r"|现在|現在|刚才|剛才|刚刚|剛剛|目前|最近|到目前为止|いま|今|さっき|最後の章",
    re.IGNORECASE,
)


def about_now(question: str) -> bool:
    """Whether a question asks about the place where the reader is: "what is happening now", "what just happened"."""
    return _NOW.search(question) is not None
