"""Who is meant by a name, and which names are one person's, as far as was read. Pure: a function of the names met.

Two names are joined only where nothing that was met speaks against it: the words of one stand in the other ("Holmes",
"Mr. Sherlock Holmes"), their titles do not contradict each other ("Mr.", "Mrs."), and no second person comes into
question ("Mycroft Holmes"). Whatever the text itself says of two names (`says_the_same`) joins them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.core.identities import says_one
from bot.core.names import NAME_WORD, PARTICLES, TITLES, bare, mentions, name_folded
from bot.core.ports import NameMet
from bot.core.stopwords import STOP_WORDS

_MALE: Final = (
    "mr mister master sir lord count prince baron duke king emperor uncle father brother signor monsieur herr don "
    "señor abbé earl squire rev reverend bishop"
)
_MEN: Final = frozenset(_MALE.split())
_WIVES: Final = frozenset(("mrs", "madam", "madame", "mme", "frau", "señora", "signora", "doña", "mother", "aunt"))
_WOMEN: Final = frozenset(
    ("ms", "lady", "countess", "princess", "baroness", "duchess", "queen", "empress", "sister", "dame")
)
_MAIDS: Final = frozenset(("miss", "mademoiselle", "mlle", "fräulein"))

_STOP_WORDS: Final = frozenset(word for listed in STOP_WORDS.values() for word in listed.split())
_SAME: Final = re.compile(
    r"[\s,;:(—–-]*(?:or\s+)?(?:alias|a\.?k\.?a\.?|otherwise(?:\s+(?:called|known as))?|also\s+(?:called|known as)"
    r"|(?:better|commonly|generally|usually|formerly)\s+(?:called|known as)|nicknamed|n[ée]e"
    r"|whose\s+(?:real|true|right|own)\s+name\s+(?:is|was|had been)|(?:who\s+)?call(?:ed|ing|s)\s+(?:himself|herself)"
    r"|under\s+the\s+name\s+of|going\s+by\s+the\s+name\s+of)\s*[“\"‘']?",
    re.IGNORECASE,
)
"""What stands between two names where the text says that they are one person's."""
SAYS_THE_SAME: Final = (
    "alias", "otherwise", "nicknamed", "formerly", "known", "real", "name", "other", "recognised", "heißt", "hieß",
    "genannt",
)  # fmt: skip
"""Words of which one stands in most such sentences."""


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person (or place) by all the names met of them, the fullest first."""

    names: tuple[NameMet, ...]

    @property
    def name(self) -> str:
        """The fullest name."""
        return self.names[0].name


@dataclass(frozen=True, slots=True)
class _Form:
    """A name in its parts, folded: titles before it, and its own words."""

    met: NameMet
    titles: frozenset[str]
    words: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, int, str]:
        """Fuller names first; of equals the one met first."""
        return (-len(self.words), self.met.revealed_at, self.met.name)


def people_named(said: str, names: Sequence[NameMet], same: Iterable[tuple[str, str]] = ()) -> tuple[Somebody, ...]:
    """Whoever may be meant by ``said`` among ``names`` (all that were met), the best fit first.

    ``same`` are pairs of names that the text says are one person's.
    """
    asked = _form(NameMet(said, 0))
    forms = [form for form in map(_form, names) if form.words]
    every = _sound(forms)
    seeds = [form for form in every if _may_be(asked, form)]
    if not seeds:  # what chance has put together is nobody else, but may be asked for
        return tuple(_somebody([form]) for form in forms if asked.words and form.words == asked.words)[:1]
    exact = [form for form in seeds if (form.titles, form.words) == (asked.titles, asked.words)]
    pairs = [*same]
    linked = {name for pair in pairs for name in pair}
    words = {word for form in every if form in seeds or form.met.name in linked for word in form.words}
    groups = _joined(_grouped([form for form in every if words.intersection(form.words)]), pairs)
    wanted = [group for group in groups if any(form in group for form in seeds)]
    wanted.sort(key=lambda group: (not any(form in group for form in exact), min(form.rank for form in group)))
    return tuple(_somebody(group) for group in wanted)


def sound_names(names: Sequence[NameMet]) -> list[str]:
    """The names that capitals alone have not put together, as they are met, each once however it is written."""
    forms = [form for form in map(_form, names) if form.words]
    found = {(form.titles, form.words): form.met.name for form in reversed(_sound(forms))}
    return [*reversed(found.values())]


def is_exactly(said: str, one: Somebody) -> bool:
    """Whether ``said`` is a name of theirs as it was met, case, accents and titles' points aside."""
    asked = _form(NameMet(said, 0))
    return any((form.titles, form.words) == (asked.titles, asked.words) for form in map(_form, one.names))


def says_the_same(
    text: str, known: Mapping[tuple[str, ...], str], language: str | None = "en"
) -> list[tuple[str, str]]:
    """The pairs of names that a sentence says are one person's: "Hope, alias Ferrier".

    ``known`` maps the words of names to them.
    """
    words = list(NAME_WORD.finditer(text))
    found = [
        (words[at].start(), words[at + size - 1].end(), name)
        for at, size, name in mentions([word[0] for word in words], known)
    ]
    return [
        (one[2], other[2])
        for one, other in pairwise(found)
        if one[2] != other[2]
        and (_SAME.fullmatch(text, one[1], other[0]) or says_one(text, one[2], other[2], language, plainly=False))
    ]


def _form(met: NameMet) -> _Form:
    """A name in its parts. Initials are left out; a title that stands alone ("Father") is a name."""
    titles: list[str] = []
    words: list[str] = []
    for word in NAME_WORD.findall(met.name):
        if word.casefold() in TITLES and not words:
            titles.append(name_folded(word))
        elif word.casefold() not in PARTICLES and len(word) > 1:
            words.append(name_folded(word))
    if not words and titles:
        words, titles = titles[-1:], titles[:-1]
    return _Form(met, frozenset(titles), tuple(words))


def _sound(forms: Sequence[_Form]) -> list[_Form]:
    """Without what capitals alone have put together: words that open a sentence, somebody else's title or possessive
    inside, two names side by side that both stood alone before.
    """
    alone: dict[str, int] = {}
    for form in forms:
        if len(form.words) == 1:
            at = form.met.revealed_at
            alone[form.words[0]] = min(at, alone.get(form.words[0], at))
    return [form for form in forms if not _chance(form, alone)]


def _chance(form: _Form, alone: Mapping[str, int]) -> bool:
    words = NAME_WORD.findall(form.met.name)
    own = [word for word in words if word.casefold() not in TITLES]
    late = any(word.casefold() in TITLES and n > 0 and words[n - 1] in own for n, word in enumerate(words))
    owned = any(bare(word) != word for word in words[:-1])
    opening = words[0].casefold() in _STOP_WORDS
    both = not form.titles and len(form.words) > 1
    return (
        late
        or owned
        or opening
        or (both and all(alone.get(w, form.met.revealed_at) < form.met.revealed_at for w in form.words))
    )


def _may_be(asked: _Form, form: _Form) -> bool:
    """Whether ``asked`` may mean ``form``: its words stand in it, and where it has titles they do too."""
    return bool(asked.words) and _within(asked.words, form.words) and asked.titles <= form.titles


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether ``few`` stand in ``many``, in order."""
    left = iter(many)
    return all(word in left for word in few)


def _contradict(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether nobody can bear both titles."""
    kinds = [[bool(kind.intersection(titles)) for kind in (_MEN, _WIVES, _WOMEN, _MAIDS)] for titles in (one, other)]
    (man, wife, woman, maid), (man2, wife2, woman2, maid2) = kinds
    return (
        (man and (wife2 or woman2 or maid2))
        or (man2 and (wife or woman or maid))
        or (wife and maid2)
        or (wife2 and maid)
    )


_Group = list[_Form]


def _titles(group: _Group) -> frozenset[str]:
    return frozenset(title for form in group for title in form.titles)


def _grouped(pool: Sequence[_Form]) -> list[_Group]:
    """The names of ``pool`` by person: full names first, and single words where they fit one person alone."""
    groups: list[_Group] = []
    for form in sorted((f for f in pool if len(f.words) > 1), key=lambda f: f.rank):
        fits = [g for g in groups if any(_within(form.words, own.words) for own in g)]
        fits = [g for g in fits if not _contradict(form.titles, _titles(g))]
        if len(fits) == 1:
            fits[0].append(form)
        else:
            groups.append([form])
    singles: dict[str, _Group] = {}
    for form in sorted((f for f in pool if len(f.words) == 1), key=lambda f: f.rank):
        singles.setdefault(form.words[0], []).append(form)
    full = list(groups)
    for word, forms in singles.items():
        groups += _placed(word, forms, [g for g in full if any(word in (f.words[0], f.words[-1]) for f in g)])
    return groups


def _placed(word: str, forms: _Group, full: Sequence[_Group]) -> list[_Group]:
    """The single names ``forms`` of one word: added to whom they fit, or the groups that they make of their own.

    ``full`` are those whose full name has the word first or last.
    """
    own: list[_Group] = []
    for form in (f for f in forms if f.titles):
        fits = [g for g in own if not _contradict(form.titles, _titles(g))]
        if len(fits) == 1:
            fits[0].append(form)
        else:
            own.append([form])
    untitled = [f for f in forms if not f.titles]
    if len(full) == 1:
        (whole,) = full
        fitting = [g for g in own if not _contradict(_titles(g), _titles(whole))]
        others = [g for g in own if g not in fitting]
        given = all(word == form.words[0] for form in whole)
        if len(fitting) <= 1 and (given or not others or _titles(whole)):
            for group in fitting:
                whole.extend(group)
            own = others
            if given or not any(_man(group) for group in others):
                whole.extend(untitled)
                return own
    men = [group for group in own if _man(group)]
    if len(men) == 1 or (len(own) == 1 and not full):  # a bare surname is the man's, where there is one
        (men or own)[0].extend(untitled)
        return own
    return [*own, *([untitled] if untitled else [])]


def _man(group: _Group) -> bool:
    """Whether nothing in their titles says that this is a woman."""
    return not (_WIVES | _WOMEN | _MAIDS).intersection(_titles(group))


def _joined(groups: list[_Group], same: Iterable[tuple[str, str]]) -> list[_Group]:
    """The groups with those made one that the text says are."""
    for pair in same:
        both = [group for group in groups if any(form.met.name in pair for form in group)]
        if len(both) == 2:
            groups = [g for g in groups if g not in both] + [both[0] + both[1]]
    return groups


def _somebody(group: _Group) -> Somebody:
    return Somebody(tuple(form.met for form in sorted(group, key=lambda form: form.rank)))
