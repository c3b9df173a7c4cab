"""The card of somebody: the names met of them, where they were met, and sentences that tell of them.

Where a model is set, the sentences are what it remembers of them, with their quotes; where it remembers nothing,
and without a model, they are the book's, as follows.

Of all that was read the passages are looked at in which their names stand: where each name is first met, the first and
the last few, those closest to "who is ...?" where there are vectors (else at even distances), and those in which the
text may say that two names are one person's. All of it is a function of what was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from time import perf_counter
from typing import Final

import numpy as np

from bot.core.answer import Answer, Card, Claim, Engine, Refusal
from bot.core.ask import Reply
from bot.core.boundary import Boundary
from bot.core.card_quotes import Mention, card_quotes, mentions_of
from bot.core.evidence import Evidence, ReadSentence
from bot.core.memory import BookMemory, Remembered
from bot.core.names import NAME_WORD, names_meant
from bot.core.people import SAYS_THE_SAME, Somebody, is_exactly, people_named, says_the_same
from bot.core.ports import AdmittedPassages, BookRecord, Door, EmbeddingModel, NameMet, Vectors
from bot.core.question_vectors import question_vector
from bot.core.recalled import about, card_of, described_as, evidence_of, named_by, same_people, told
from bot.core.retrieve import Query
from bot.core.search import Asked, Found, Searching, boundary_of
from bot.core.terms import question_terms, stem, term_id
from bot.core.wanted import Who

FIRST: Final = 5
LAST: Final = 4
BETWEEN: Final = 8
"""How many of the passages in which somebody stands are read: the first, the last, and of those between."""
SAME: Final = 12
"""How many are read in which the text may say that two names are one person's."""
BATCHES: Final = 6
"""How often the last few are looked at again, further back: a name may be a common word too."""
FORMS: Final = 6
"""How many of somebody's names are looked for, the fullest first."""
ENOUGH: Final = 3
"""What is remembered of somebody stands alone where it is so many sentences; else the book's own stand under it."""
MOST_CHOICES: Final = 25


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one transaction read of somebody."""

    person: Somebody
    others: tuple[Somebody, ...]
    evidence: tuple[Evidence, ...]
    found: tuple[Mention, ...]
    said_same: tuple[ReadSentence, ...]
    remembered: tuple[Remembered, ...] = ()
    passages: Mapping[int, Evidence] = field(default_factory=dict)
    described: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """The read part of one book as one transaction sees it: its numbers, and every name met."""

    door: Door
    book: BookRecord
    boundary: Boundary
    admitted: AdmittedPassages
    straddling: int | None
    names: tuple[NameMet, ...]
    memory: BookMemory
    known: dict[tuple[str, ...], str]

    async def read(self, ordinals: Sequence[int]) -> tuple[Evidence, ...]:
        """The passages with these ordinals, as evidence in text order."""
        passages = await self.door.passages_read(self.boundary, sorted(set(ordinals)))
        return tuple(Evidence(self.boundary, passage) for passage in passages)

    async def standing(self, names: Sequence[str]) -> tuple[list[int], list[int]]:
        """The passages (ordinals) in which all the words of one of ``names`` stand, and those among them in which the
        text may say that two names are one person's, those with the rarest word of such first. The body alone is looked
        at, where they stand in it.
        """
        words = [[term_id(stem(word, self.book.language)) for word in NAME_WORD.findall(name)] for name in names]
        same = [term_id(stem(word, self.book.language)) for word in SAYS_THE_SAME]
        matching = await self.door.passages_matching(self.boundary, [*chain.from_iterable(words), *same])
        places = {counts.term: set(counts.ordinals.tolist()) for counts in matching}
        found = set().union(*(set.intersection(*(places.get(term, set()) for term in own)) for own in words if own))
        body = found & set(self.admitted.ordinals[self.admitted.bodies].tolist())
        found = body or found
        rarity = {
            n: len(places[t]) for t in sorted(same, key=lambda t: -len(places.get(t, ()))) for n in places.get(t, ())
        }
        if self.straddling is not None:
            found.add(self.straddling)
            rarity[self.straddling] = 0
        return sorted(found), sorted(found & rarity.keys(), key=lambda n: (rarity[n], n))


async def who(searching: Searching, asked: Asked, wanted: Who) -> Reply:
    """The card of whoever ``wanted`` names, under the boundary of the audience.

    A name that was not met gives the refusal, and is an unmet name, whether it comes later or never. Where several may
    be meant, their names are the choices. Everything is read in one transaction.
    """
    began = perf_counter()
    vector = await asyncio.to_thread(question_vector, searching.embedder, f"Who is {wanted.name}?")
    embedded = perf_counter()
    async with searching.doors.opened() as door:
        book = await door.book(asked.book)
        boundary = await boundary_of(door, asked)
        names = await door.names_met(boundary)
        memory = await door.memory_read(boundary) if searching.writing is not None else BookMemory()
        known = {tuple(NAME_WORD.findall(name.name)): name.name for name in names}
        called = named_by(memory, wanted.name, known) or wanted.name
        people = met_by(called, names, book.language)
        label = () if people else about(memory, (), {wanted.name: range(1, book.chapters + 1)}, known)
        seen, own = None, await evidence_of(door, boundary, label)
        if people and (len(people) == 1 or is_exactly(called, people[0])):
            straddling = await door.passage_straddling(boundary)
            ordinal = None if straddling is None else straddling.ordinal
            admitted = await door.passages_admitted(boundary)
            part = _Part(door, book, boundary, admitted, ordinal, names, memory, known)
            seen = await _seen(part, called, people, _usable(vector, book))
            people = people if seen is not None else ()
    choices = tuple(person.name for person in people[:MOST_CHOICES]) if seen is None else ()
    outcome: Answer | Refusal = Refusal(boundary, asked.question)
    if seen is not None:
        outcome = _card(seen, boundary, asked.question)
    elif label:
        outcome = told(asked.question, boundary, label, own, card=card_of(label[0].about, label))
    done = perf_counter()
    found = Found(
        boundary=boundary,
        book=book,
        query=Query(asked.question, {}),
        evidence=tuple(own.values()) if seen is None else seen.evidence,
        candidates=(),
        unmet_names=() if people or label else (wanted.name,),
        seconds={"embed": embedded - began, "retrieve": done - embedded, "total": done - began},
    )
    return Reply(outcome, found, choices=choices)


def met_by(said: str, names: Sequence[NameMet], language: str | None) -> tuple[Somebody, ...]:
    """Whoever may be meant by ``said`` among the names met, the best fit first; words close to a name are taken for it
    where nobody is called so.
    """
    people = people_named(said, names)
    if people:
        return people
    meant = names_meant(said, [name.name for name in names], question_terms(said, language), language)
    if not meant:
        return ()
    return people_named(" ".join(meant.get(word, word) for word in NAME_WORD.findall(said)), names)


def _usable(vector: tuple[EmbeddingModel, Vectors] | None, book: BookRecord) -> Vectors | None:
    """The question's vector, where it is of the model that the book's vectors are of."""
    return vector[1] if vector is not None and vector[0] == book.embedder else None


async def _seen(part: _Part, said: str, people: Sequence[Somebody], vector: Vectors | None) -> _Seen | None:
    """What the text says of the first of ``people``; None where no sentence that was read names them."""
    known = part.known
    person = people[0]
    found, same = await part.standing(_looked(person))
    pairs, sentences = _said_same(await part.read(same[:SAME]), known, part.book.language)
    if joined := [*pairs, *same_people(part.memory, known)]:
        people = people_named(said, part.names, joined) or people
        if people[0] != person:
            person = people[0]
            found, _ = await part.standing(_looked(person))
    own = frozenset(name.name for name in person.names)
    telling = tuple(s for s, pair in zip(sentences, pairs, strict=True) if own.issuperset(pair))
    met = [_passage_of(part.admitted, name.revealed_at) for name in person.names[:FORMS]]
    between = await _between(part, found[FIRST:-LAST], vector)
    kept = [*(n for n in met if n in found), *found[:FIRST], *between, *(n for n in same[:SAME] if telling)]
    evidence, mentions = await _mentioning(part, kept, found, own, known)
    if not mentions:
        return None
    described = described_as(part.memory, own, known)
    remembered = about(part.memory, own, described, known)
    passages = await evidence_of(part.door, part.boundary, remembered)
    return _Seen(person, tuple(people[1:]), evidence, tuple(mentions), telling, remembered, passages, tuple(described))


def _looked(person: Somebody) -> list[str]:
    return [name.name for name in person.names[:FORMS]]


def _said_same(
    evidence: Sequence[Evidence], known: dict[tuple[str, ...], str], language: str | None
) -> tuple[list[tuple[str, str]], list[ReadSentence]]:
    """The pairs of names that the text says are one person's, and the sentence that says each."""
    pairs, sentences = [], []
    for item in evidence:
        for sentence in item.passage.sentences:
            for pair in says_the_same(sentence.text, known, language):
                pairs.append(pair)
                sentences.append(sentence)
    return pairs, sentences


def _passage_of(admitted: AdmittedPassages, revealed_at: int) -> int:
    """The last passage of the body (its ordinal) that begins before an offset; -1 where there is none."""
    rows = np.flatnonzero(admitted.bodies & (admitted.starts < revealed_at))
    return int(admitted.ordinals[rows[-1]]) if len(rows) else -1


async def _between(part: _Part, ordinals: Sequence[int], vector: Vectors | None) -> list[int]:
    """Some of these passages: the closest to "who is ...?", else at even distances."""
    if len(ordinals) <= BETWEEN:
        return list(ordinals)
    if vector is not None:
        nearest = await part.door.passages_nearest(part.boundary, vector)
        likeness = dict(zip(nearest.ordinals.tolist(), nearest.values.tolist(), strict=True))
        if likeness:
            return sorted(ordinals, key=lambda n: (-round(likeness.get(n, -1.0), 6), n))[:BETWEEN]
    return [ordinals[n * len(ordinals) // BETWEEN] for n in range(BETWEEN)]


async def _mentioning(
    part: _Part, kept: Sequence[int], found: Sequence[int], own: frozenset[str], known: dict[tuple[str, ...], str]
) -> tuple[tuple[Evidence, ...], list[Mention]]:
    """The passages ``kept``, and the last of ``found`` that name somebody by one of their ``own`` names: as evidence,
    and the sentences in them that do.
    """
    end = len(found)
    last: tuple[Evidence, ...] = ()
    for _ in range(BATCHES):
        last = await part.read(found[max(0, end - LAST) : end])
        end -= LAST
        if end <= 0 or mentions_of(last, own, known):
            break
    others = [n for n in kept if n not in {item.passage.ordinal for item in last}]
    evidence = tuple(sorted((*await part.read(others), *last), key=lambda item: item.passage.ordinal))
    return evidence, mentions_of(evidence, own, known)


def _card(seen: _Seen, boundary: Boundary, question: str) -> Answer:
    citations = card_quotes(seen.evidence, seen.found, seen.said_same)
    chapters = [seen.evidence[mention.row].passage.chapter for mention in seen.found]
    names = [*seen.person.names, *(other.names[0] for other in seen.others)]
    card = Card(
        names=(*(name.name for name in seen.person.names), *seen.described),
        first=chapters[0],
        last=chapters[-1],
        others=tuple(other.name for other in seen.others[:MOST_CHOICES]),
        revealed_at=max(name.revealed_at for name in names),
    )
    if seen.remembered:
        quotes = citations if len(seen.remembered) < ENOUGH else ()
        return told(question, boundary, seen.remembered, seen.passages, quotes, card)
    claims = tuple(Claim(c.quote, (c.n,)) for c in citations)
    return Answer(boundary, question, Engine.QUOTES, claims, citations, card)
