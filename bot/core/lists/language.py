"""What is known of the words of one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Language:
    """Words of one language, folded, with ``’`` for an apostrophe.

    ``grammar`` are articles, pronouns, prepositions, conjunctions, auxiliaries and the like; ``negations`` deny. Where
    ``whole``, the others are known too: ``discourse`` is what a sentence about a book is made with besides (telling,
    thinking, being called: no deeds, no places); ``light`` verbs tell little by themselves; ``common`` ones are those
    that people tell a thing with in their own words, where the book has another; after ``hedges`` a deed is not told as
    done; ``fates`` tell an outcome; ``regular`` gives the base of a form that no stemmer brings to it.

    ``articles``, the forms of "be" and "be called" (``being``) and the pronouns that do (``subjects``) tell who is who;
    what stands after one of ``likening`` is said to be so too. ``relatives`` are those pronouns that a clause about
    what stands before it begins with, ``prepositions`` begin a phrase in which nobody acts, and what stands before a
    comma weighs on a clause that begins with one of ``linking``. ``conditions`` open a clause without which another is
    not true, ``joining`` words may be left out before a clause. ``tenses`` gives one form for another time of it,
    ``speaker`` what stands for the narrator's own "I", ``narrator`` for who tells. What follows a ``linking`` word is
    only supposed after one of ``supposing``, which weighs on nothing else ("it struck her that"). ``things`` are those
    of the ``subjects`` that no name of a person stands for, ``either`` leaves open which of two it is. ``contracted``
    gives the two words that are written as one.

    ``rivals`` gives what says something else in a word's place ("before" of "after"). ``future`` tells of what is to
    come, ``titles`` stand before a name, ``genders`` are the pronouns of a man and of a woman, ``owning`` say whose
    something is, after ``purpose`` a deed is no more than meant ("to"), ``degrees`` stand before what somebody is,
    and what follows one of ``provided`` is what the rest depends on.

    ``excess`` is "too" before "to", ``until`` begins a clause of what comes later, after ``comparing`` stands what is
    less so, ``spreading`` denies all that follows, what is ``unreal`` was not done, ``narrowing`` leaves less of what
    stands beside it, ``sole`` says that there is one alone, of what a clause with one of ``restricting`` says,
    ``universal`` are all or always, ``barring`` makes an exception, and ``saving`` does where nobody is told of.
    What follows ``lacking`` was not done, ``similes`` liken what follows, and a phrase, never a clause, begins with one
    of ``phrasing``. ``objects`` are pronouns of whom something is done to. What follows ``verging``, or two words of
    ``almost``, was not done yet, or not quite; ``framing`` follows "the narrator says".
    """

    grammar: frozenset[str] = _NONE
    negations: frozenset[str] = _NONE
    discourse: frozenset[str] = _NONE
    light: frozenset[str] = _NONE
    common: frozenset[str] = _NONE
    hedges: frozenset[str] = _NONE
    fates: frozenset[str] = _NONE
    regular: Mapping[str, str] = field(default_factory=dict)
    articles: frozenset[str] = _NONE
    being: frozenset[str] = _NONE
    subjects: frozenset[str] = _NONE
    conditions: frozenset[str] = _NONE
    joining: frozenset[str] = _NONE
    relatives: frozenset[str] = _NONE
    prepositions: frozenset[str] = _NONE
    likening: frozenset[str] = _NONE
    linking: frozenset[str] = _NONE
    supposing: frozenset[str] = _NONE
    tenses: Mapping[str, str] = field(default_factory=dict)
    speaker: Mapping[str, frozenset[str]] = field(default_factory=dict)
    narrator: frozenset[str] = _NONE
    things: frozenset[str] = _NONE
    either: frozenset[str] = _NONE
    contracted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rivals: Mapping[str, frozenset[str]] = field(default_factory=dict)
    future: frozenset[str] = _NONE
    titles: frozenset[str] = _NONE
    genders: tuple[frozenset[str], ...] = ()
    owning: frozenset[str] = _NONE
    purpose: frozenset[str] = _NONE
    degrees: frozenset[str] = _NONE
    provided: frozenset[str] = _NONE
    excess: frozenset[str] = _NONE
    until: frozenset[str] = _NONE
    comparing: frozenset[str] = _NONE
    spreading: frozenset[str] = _NONE
    unreal: frozenset[str] = _NONE
    narrowing: frozenset[str] = _NONE
    sole: frozenset[str] = _NONE
    restricting: frozenset[str] = _NONE
    universal: frozenset[str] = _NONE
    barring: frozenset[str] = _NONE
    saving: frozenset[str] = _NONE
    lacking: frozenset[str] = _NONE
    similes: frozenset[str] = _NONE
    phrasing: frozenset[str] = _NONE
    objects: frozenset[str] = _NONE
    verging: frozenset[str] = _NONE
    almost: frozenset[tuple[str, str]] = frozenset()
    framing: frozenset[str] = _NONE

    @property
    def whole(self) -> bool:
        return bool(self.fates)


def listed(text: str) -> frozenset[str]:
    """The words of ``text``, folded."""
    return frozenset(text.casefold().split())


def regular(text: str) -> dict[str, str]:
    """Forms to bases, out of "base form form; base form ..."."""
    found: dict[str, str] = {}
    for line in text.casefold().split(";"):
        base, *forms = line.split()
        for form in forms:
            found.setdefault(form, base)
    return found


def contracted(text: str) -> dict[str, tuple[str, str]]:
    """What is written as one word to its two, out of "it’s it is; don’t do not"."""
    found = {}
    for line in text.casefold().split(";"):
        form, one, other = line.split()
        found[form] = (one, other)
    return found


def tenses(text: str) -> dict[str, str]:
    """Forms to the first of their line, out of "is was; are were"."""
    return {form: line.split()[0] for line in text.casefold().split(";") for form in line.split()}


def speaker(text: str) -> dict[str, frozenset[str]]:
    """What may stand for each word, out of "i he she; my his her"."""
    return {line.split()[0]: frozenset(line.split()[1:]) for line in text.casefold().split(";")}


def rivals(text: str) -> dict[str, frozenset[str]]:
    """The others of its lines for each word, out of "before after; all some none"."""
    found: dict[str, frozenset[str]] = {}
    for line in text.casefold().split(";"):
        group = frozenset(line.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group - {word}
    return found
