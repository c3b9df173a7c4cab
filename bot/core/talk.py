"""A question to talk about, drawn from the part that has been read: from its names and its highlights. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.core.answer import Citation
from bot.core.evidence import Evidence
from bot.core.names import NAME_WORD, mentions
from bot.core.ports import NameMet
from bot.core.weekly import IsoWeek

OFTEN: Final = 3
"""How often a name must stand in the part to be asked about."""
VARIANTS: Final = 3

_SPEAKS: Final = frozenset(
    ["said", "says", "asked", "cried", "replied", "answered", "exclaimed", "remarked", "whispered", "shouted", "smiled",
     "laughed", "thought", "sagte", "fragte", "rief", "antwortete", "dit", "dijo", "disse"]
)  # fmt: skip
"""Beside one of these a name is somebody's."""


class About(StrEnum):
    """What a question to talk about is about: two people, one first met in this part, one, a highlight, the part."""

    TWO = "two"
    NEW = "new"
    ONE = "one"
    QUOTE = "quote"
    PART = "part"


@dataclass(frozen=True, slots=True)
class Talk:
    """A question to talk about: of names or of a highlight (by number); the catalogue words it.

    ``variant`` is 0, 1 or 2 and differs from week to week.
    """

    about: About
    names: tuple[str, ...] = ()
    quote: int | None = None
    variant: int = 0


def talk_about(
    evidence: Sequence[Evidence], start: int, names: Sequence[NameMet], quotes: Sequence[Citation], week: IsoWeek
) -> Talk:
    """A question about the sentences of ``evidence`` from ``start`` (code points) on; another kind in another week."""
    people = _people(evidence, start, [met.name for met in names])
    since = {met.name: met.revealed_at > start for met in names}
    new = [person for person in people if all(since.get(form, False) for form in person.forms)]
    variant = week.week % VARIANTS
    if new and start > 0 and variant == 1:
        return Talk(About.NEW, (new[0].name,), variant=variant)
    if len(people) > 1 and variant != 2:
        return Talk(About.TWO, (people[0].name, people[1].name), variant=variant)
    if quotes and variant == 2 and week.week % 2:
        return Talk(About.QUOTE, quote=quotes[week.week % len(quotes)].n, variant=variant)
    if people:
        return Talk(About.ONE, (people[week.week % min(2, len(people))].name,), variant=variant)
    if quotes:
        return Talk(About.QUOTE, quote=quotes[week.week % len(quotes)].n, variant=variant)
    return Talk(About.PART, variant=variant)


@dataclass(frozen=True, slots=True)
class _Person:
    """A name in its commonest form, and all its forms."""

    name: str
    forms: frozenset[str]


def _people(evidence: Sequence[Evidence], start: int, names: Iterable[str]) -> list[_Person]:
    """Who stands in the new part often, the most frequent first; forms that end alike ("Mr. Fogg", "Oswin Fogg") are
    counted together. One that is titled or speaks is a person; where there are such, nothing else is.
    """
    known = {tuple(NAME_WORD.findall(name)): name for name in names}
    counted: Counter[str] = Counter()
    speaking: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for item in evidence:
        for sentence in item.passage.sentences:
            if sentence.span.start >= start:
                words = NAME_WORD.findall(sentence.text)
                small.update(word.casefold() for word in words if word[0].islower())
                for at, size, name in mentions(words, known):
                    counted[name] += 1
                    speaking[name] += not _SPEAKS.isdisjoint((*words[max(0, at - 1) : at], *words[at + size :][:1]))
    families: dict[str, list[str]] = {}
    for name in sorted(counted):
        families.setdefault(NAME_WORD.findall(name)[-1], []).append(name)
    ranked = []
    for last, forms in families.items():
        total = sum(counted[form] for form in forms)
        if total < OFTEN or small[last.casefold()] >= total:
            continue
        person = any(speaking[form] or ("." in form and not form.startswith("St.")) for form in forms)
        best = max(forms, key=lambda form: (counted[form], len(form), form))
        ranked.append((person, -total, last, _Person(best, frozenset(forms))))
    people = [row for row in ranked if row[0]] or ranked
    return [person for _, _, _, person in sorted(people, key=lambda row: row[1:3])]
