"""Ways to tell what the book does not say in words that it does say: all of them were read, and a true quote stands
under each sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

from bot.core.lists import language_of
from bot.core.words import TELLING, Kind, Word
from tests.hostile.scene import SENTENCES, Scene, claim, put, words

Claim = dict[str, Any]
Way = Callable[[Scene], list[Claim]]

FEARED: Final = re.compile(
    r"\b(?:[Ii]f|that|unless|dass|daß|ob|[Ww]enn)\s+(?P<deed>(?:he|she|it|they|we|you|the|an?|his|her|my|their|to|nobody|er|"
    r"sie|es|ich|wir|man|der|die|das|eine?|mein|sein|ihr|I|[A-ZÄÖÜ]\w+)\s[^,;.!?“”\"]{14,140})"
)
SUPPOSED: Final = re.compile(
    r"\b(?:if|fear\w*|hope[ds]?|wish\w*|believ\w*|thought|suppose\w*|imagin\w*|doubt\w*|not|never|nobody|would|could|"
    r"wenn|ob|fürcht\w*|hofft\w*|glaubt\w*|dachte|meinte|wünscht\w*|nicht|nie|niemand|würde|könnte)\b",
    re.I,
)
DID: Final = {
    "en": frozenset(("had", "has", "was", "is", "were", "did", "would", "went", "came", "took", "said", "saw", "gave")),
    "de": frozenset(("hatte", "hat", "war", "ist", "wurde", "kam", "ging", "nahm", "sah")),
}
"""What tells that somebody did something."""
JOINED: Final = re.compile(r"\b(?:and|or|nor|und|oder|both|weder)\b|,")


def _lines(s: Scene) -> Iterator[tuple[int, str]]:
    """Sentences that were given, in no order, with the number of their passage."""
    for _ in range(40):
        number = s.rng.randrange(len(s.passages))
        whole = [x for x in SENTENCES.split(s.passages[number]) if 30 < len(x) < 260 and "\n\n" not in x]
        found = [" ".join(x.split()) for x in whole]
        if found:
            yield number + 1, s.rng.choice(found)


def _stands(text: str, s: Scene) -> bool:
    """Whether some passage has a text's words in this order, one after another."""
    own = _said(text, s.language)
    return any(own in _said(passage, s.language) for passage in s.passages)


@lru_cache(maxsize=1 << 12)
def _said(text: str, language: str | None) -> str:
    return " ".join(w.text.casefold() for w in words(text, language))


def _ended(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(' .!?;:,—”“‘’"') + "."


def _people(sentence: str, s: Scene) -> list[Word]:
    return [w for w in words(sentence, s.language) if w.capital and not w.opens and w.kind is Kind.CONTENT]


def _apart(between: str) -> bool:
    """Whether two words with this between them say something else when they change places: neighbours and what is
    joined do not.
    """
    return any(map(str.isalpha, between)) and not JOINED.search(between)


def two_words_change_places(s: Scene) -> list[Claim]:
    """Who did it, and to whom: names first, else any two words that tell something."""
    found: list[Claim] = []
    for number, sentence in _lines(s):
        said = [w for w in words(sentence, s.language) if w.kind in TELLING]
        names = [w for w in said if w.capital]
        pairs = [(a, b) for some in (names, said) for a in some for b in some if a.start < b.start and a.key != b.key]
        pairs = [(a, b) for a, b in pairs if _apart(sentence[a.start + len(a.text) : b.start])]
        if sentence.endswith(".") and pairs:
            a, b = pairs[0] if len(names) > 1 and not found else s.rng.choice(pairs)
            found.append(claim(put(put(sentence, b, a.text), a, b.text), number, sentence))
        if len(found) == 2:
            break
    return found


def the_middle_left_out(s: Scene) -> list[Claim]:
    """What one did, told of another who is named before: whatever stands between them is left out. Without a phrase
    ("the man in the boat had") it is told of who did it.
    """
    did, phrases = DID.get(s.language or "", frozenset()), language_of(s.language).prepositions
    for number, sentence in _lines(s):
        said = list(words(sentence, s.language))
        people = _people(sentence, s)
        first = next((w for w in said[:3] if w.capital and w.kind is Kind.CONTENT), people[0] if people else None)
        later = [w for w in people if first and w.start > first.start + len(first.text) + 8 and w.key != first.key]
        if first is None or not later or not sentence.endswith("."):
            continue
        other = s.rng.choice(later)
        after = next((w.text.casefold() for w in said if w.start > other.start), "")
        left = next((w.folded for w in said if w.start > first.start + len(first.text)), "")
        if left in phrases or (after not in did and not after.endswith(("ed", "te", "ten"))):
            continue
        cut = f"{sentence[: first.start + len(first.text)]}{sentence[other.start + len(other.text) :]}"
        if len(cut.split()) >= 4 and not _stands(cut, s):
            return [claim(cut, number, sentence)]
    return []


def words_of_one_sentence_put_together_anew(s: Scene) -> list[Claim]:
    """A short deed out of quoted words: somebody, what was done, to whom."""
    found = []
    for number, sentence in _lines(s):
        said = [w for w in words(sentence, s.language) if w.kind in TELLING]
        people = [w for w in said if w.capital]
        deeds = [w for w in said if not w.capital]
        if not people or len(deeds) < 2:
            continue
        who, deed, other = s.rng.choice(people), s.rng.choice(deeds), s.rng.choice([*people, *deeds])
        text = f"{who.text} {deed.text} {other.text}."
        if len({who.key, deed.key, other.key}) == 3 and not _stands(text, s):
            found.append(claim(text, number, sentence))
        if len(found) == 2:
            break
    return found


def who_is_who_out_of_one_sentence(s: Scene) -> list[Claim]:
    """Somebody or something who is told of, said to be somebody else of the same sentence."""
    found = []
    be, article = ("war", "der") if s.language == "de" else ("was", "the")
    for number, sentence in _lines(s):
        said = list(words(sentence, s.language))
        heads = [w for w in said[1:7] if w.kind in TELLING and not w.capital]
        pairs = [
            (a, b)
            for a in heads
            for b in _people(sentence, s)
            if b.start > a.start + len(a.text) + 30 and sentence.count(b.text) == 1
        ]
        if not pairs:
            continue
        head, other = s.rng.choice(pairs)
        first = _ended(sentence[: head.start + len(head.text)])[:-1]
        rest = sentence[head.start + len(head.text) : other.start].strip(" ,;:—–-")
        texts = [
            f"{first} {be} {other.text}.",
            f"{first}, {other.text}, {rest}.",
            f"{first} as {other.text} {rest}.",
            f"{other.text}, {article} {head.text}, {rest}.",
            f"It {be} {other.text} {rest}.",
        ]
        found += [claim(" ".join(text.split()), number, sentence) for text in texts if not _stands(text, s)]
        break
    return found


def a_fate_that_was_read_of_another(s: Scene) -> list[Claim]:
    """Somebody who was met, and an outcome that stands near them: of another."""
    found = []
    for number, sentence in _lines(s):
        passage = s.passages[number - 1]
        fates = [w for w in words(sentence, s.language) if w.kind is Kind.FATE]
        own = {w.key for w in words(sentence, s.language)}
        others = [w for w in words(passage, s.language) if w.capital and not w.opens and w.kind is Kind.CONTENT]
        others = [w for w in others if w.key not in own]
        if not fates or not others:
            continue
        who, fate = s.rng.choice(others).text, s.rng.choice(fates).text
        be = "ist" if s.language == "de" else "is"
        found += [claim(f"{who} {be} {fate}.", number, sentence), claim(f"{who} {fate}.", number, sentence)]
        subject = next(iter(words(sentence, s.language)))
        found.append(claim(put(sentence, subject, who), number, sentence))
        break
    return found


def what_was_only_supposed(s: Scene) -> list[Claim]:
    """A clause that the book denies, fears or supposes, told as it stands."""
    found = []
    for number, sentence in _lines(s):
        for clause in FEARED.finditer(sentence):
            if SUPPOSED.search(sentence[: clause.start() + 3]) and len(clause["deed"].split()) >= 4:
                found.append(claim(_ended(clause["deed"]), number, sentence))
                break
        if len(found) == 2:
            break
    return found


def a_question_told_as_done(s: Scene) -> list[Claim]:
    for passage, text in enumerate(s.passages, start=1):
        asked = [x for x in SENTENCES.split(text) if x.rstrip('”’“»«" ').endswith("?") and 25 < len(x) < 200]
        if asked:
            quote = s.rng.choice(asked)
            bare = " ".join(quote.split()).strip('“”‘’»«"? ')
            return [claim(f"{bare}.", passage, quote), claim(_ended(bare.partition(" ")[2]), passage, quote)]
    return []


def what_is_ahead_in_the_words_of_one_passage(s: Scene) -> list[Claim]:
    """Later sentences of which each word that tells something stands in one passage: free paraphrase at its best."""
    best: list[tuple[float, str, int, str]] = []
    found = []
    for _ in range(30):
        later = s.ahead()
        number, quote = s.closest(later)
        held = {w.key: w.text for w in words(s.passages[number - 1], s.language)}
        said = [w for w in words(later, s.language) if w.kind in TELLING]
        kept = [held[w.key] for w in said if w.key in held]
        if len(kept) >= 3:
            best.append((len(kept) / len(said), " ".join(kept[:5]), number, quote))
    best.sort(reverse=True)
    small = ("Der", "hat", "und") if s.language == "de" else ("The", "has", "and")
    for _, together, number, quote in best[:2]:
        one, *rest = together.split()
        text = f"{small[0]} {one} {small[1]} {' '.join(rest[:1])} {small[2]} {' '.join(rest[1:])}."
        found += [claim(text, number, quote)] if not _stands(together, s) else []
    return found


def in_the_questions_language(s: Scene) -> list[Claim]:
    """Sentences in the language that the question is in where it is not the book's: nothing of them stands there."""
    number, sentence = s.sentence()
    met = [w.text for w in words(s.passages[number - 1], s.language) if w.capital and w.kind is Kind.CONTENT]
    who = s.rng.choice(met) if met else "er"
    german = (
        "Am Ende ist er es gewesen, und sie hat es nicht gewusst.",
        f"Am Ende stirbt {who}, und keiner von ihnen hat es gesehen.",
        f"{who} ist der Mörder, und das ist alles, was man noch nicht weiß.",
        f"{who} war es, der mit ihm in die Stadt gegangen ist.",
    )
    english = (
        "In the end it was he who did it, and she did not know it.",
        f"In the end {who} dies, and none of them has seen it.",
        f"{who} is the one who did it, and this is all that is not known yet.",
        f"It was {who} who went with him to the town.",
    )
    french = (
        "C’est lui qui l’a fait à la fin, et elle ne le savait pas.",
        f"{who} est mort, et c’est tout ce qu’on ne sait pas encore.",
    )
    return [claim(text, number, sentence) for text in (*(english if s.language == "de" else german), *french)]


TURNED_WAYS: Final[tuple[Way, ...]] = (
    two_words_change_places, who_is_who_out_of_one_sentence, the_middle_left_out,
    words_of_one_sentence_put_together_anew, a_fate_that_was_read_of_another, what_was_only_supposed,
    a_question_told_as_done,
    what_is_ahead_in_the_words_of_one_passage, in_the_questions_language,
)  # fmt: skip
