"""Ask every question of a set, in one warm process, as the readers whom its places describe."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Final

from bot.adapters.answers import answer_lines
from bot.app import App
from bot.core.answer import Answer, Refusal
from bot.core.chapters import ChapterMap
from bot.core.chat_model import Failed, Usage
from bot.core.club import BookId, MemberId, private_to
from bot.core.offsets import Span
from bot.core.ports import Door
from bot.core.replying import ask
from bot.core.retrieve import Fusion
from bot.core.search import Asked, Searching, find
from bot.core.shelf import SectionRow, Shelf
from bot.core.verbatim import Searchable, verbatim
from bot.core.verify import Cut
from bot.ingest.worker import Upload, add_file, fill_vectors
from bot.measure.baselines import Recipe, one_search_alone, recipe_for
from bot.measure.leaks import Leaks, could_leak, halves, leaks, tell_tales
from bot.measure.questions import Located, Question, book_file, held, located

CLUB: Final = "eval"
"""The club that owns the measured books: never one of people."""
DEPTHS: Final = (8, 16, 20)
MET, END = "chapter_end", "book_end"
"""The reader has just finished the chapter of the evidence; the reader has finished the book."""
TEXT, VECTOR, OTHER, RECIPE, TRIGRAM = "text", "vector", "other_fusion", "recipe", "recipe_trigram"

_READER: Final = private_to(MemberId(-1))

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Where the evidence stands among what one way of searching found: spans, the closest first."""

    evidence: Span
    spans: tuple[Span, ...]

    def hit(self, k: int) -> bool:
        """Whether at least half of the evidence lies in one of the first ``k``."""
        return held(self.evidence, self.spans[:k])

    def characters(self, k: int) -> int:
        """Code points in the first ``k``."""
        return sum(len(span) for span in self.spans[:k])


@dataclass(frozen=True, slots=True)
class Asking:
    """One whole `ask`: what came of it, how long it took, in seconds, and what a model did: why it ``failed``, what of
    its claims was cut, and what it ``spent``.
    """

    outcome: Answer | Refusal
    seconds: float
    stages: Mapping[str, float]
    failed: Failed | None = None
    cuts: Mapping[Cut, int] = field(default_factory=dict)
    spent: tuple[Usage, ...] = ()

    @property
    def written(self) -> bool:
        """Whether a model had the last word: it wrote the answer, or nothing that survived."""
        return self.failed is None and bool(self.spent)

    def cites(self, evidence: Span) -> bool:
        """Whether a citation overlaps ``evidence``."""
        return isinstance(self.outcome, Answer) and any(evidence.overlaps(c.span) for c in self.outcome.citations)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question. ``ranked`` is by reader and by baseline; ``tales`` says that a leak could be seen."""

    question: Question
    ranked: Mapping[str, Ranked]
    asked: tuple[Asking, ...]
    leaks: Leaks
    tales: bool
    citations: int
    inexact: int
    overlaps: bool | None
    refused: bool


@dataclass(frozen=True, slots=True)
class BookOutcome:
    """What came of all questions about one book; ``lost`` are the ids of those whose evidence is not in it."""

    name: str
    outcomes: tuple[Outcome, ...]
    lost: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A book under measurement, as the host sees it."""

    id: BookId
    language: str
    text: str
    sections: tuple[SectionRow, ...]
    chapter_map: ChapterMap
    recipe: Recipe | None = field(repr=False, default=None)


def reader_at(book: BookId, question: str, offset: int) -> Asked:
    """The question of one reader, who is at ``offset``."""

    async def positions(_: Door) -> Mapping[MemberId, int]:
        return dict.fromkeys(_READER.members, offset)

    return Asked(book, question, _READER, positions)


async def evaluate_book(
    app: App, searching: Searching, corpus: Path, questions: Sequence[Question], *, baselines: bool, progress: Progress
) -> BookOutcome:
    """Ask all ``questions``, which are about one book. The book is added first, to a club of its own, if need be."""
    name = questions[0].book
    subject = await subject_of(app, book_file(corpus, name), baselines, progress)
    text = Searchable(subject.text)
    places = [(question, located(question, text, subject.chapter_map)) for question in questions]
    found = [place for _, place in places if place is not None]
    if found:  # so that the first is timed like the others
        await ask(replace(searching, writing=None), reader_at(subject.id, found[0].question.text, found[0].end))
    outcomes = []
    for number, place in enumerate(found, start=1):
        outcomes.append(await _outcome(app.shelf, searching, subject, place))
        progress("ask", number / len(found))
    chapters = {q.chapters for q in questions} - {None, len(subject.chapter_map.chapters)}
    notes = [
        f"{name}: the questions count {n} chapters, the book has {len(subject.chapter_map.chapters)}" for n in chapters
    ]
    return BookOutcome(name, tuple(outcomes), tuple(q.id for q, place in places if place is None), tuple(notes))


async def subject_of(app: App, file: Path, baselines: bool, progress: Progress) -> Subject:
    """The book of a file, in the club of measured books, with its vectors."""
    added = await add_file(app.shelf, Upload(file, await app.shelf.club_named(CLUB)), progress)
    if app.embedder is not None and added.book.status != "ready":
        await fill_vectors(app.shelf, app.embedder, added.book.id, progress)
    book = await app.shelf.book(added.book.id)
    text = await app.shelf.book_text(book.id, 0, book.characters)
    async with app.doors(book.club).opened() as door:
        chapter_map = await door.chapter_map(book.id)
    recipe = None
    if baselines:
        progress("baseline", 0.0)
        embedder = app.embedder if book.embedder is not None else None
        recipe = recipe_for(text, Span(book.body_start, book.body_end), book.language, embedder)
    return Subject(book.id, book.language, text, await app.shelf.book_sections(book.id), chapter_map, recipe)


async def _outcome(shelf: Shelf, searching: Searching, subject: Subject, place: Located) -> Outcome:
    question = place.question
    ranked: dict[str, Ranked] = {}
    asked: list[Asking] = []
    if place.evidence is not None and place.met is not None:
        for name, offset in ((MET, place.met), (END, place.end)):
            ranked[name] = Ranked(place.evidence, await _found(searching, subject, question, offset))
        if subject.recipe is not None:
            ranked |= await _baselines(searching, subject, place, place.evidence, place.met)
        asked.append(await asking_of(searching, reader_at(subject.id, question.text, place.met)))
    asked.append(await asking_of(searching, reader_at(subject.id, question.text, place.before)))
    parts = halves(subject.text, subject.sections, place.before)
    tales = tell_tales(question, parts)
    last = asked[-1].outcome
    shown = answer_lines(last, subject.chapter_map, _READER)
    citations = [c for a in asked if isinstance(a.outcome, Answer) for c in a.outcome.citations]
    exact = [
        verbatim(await shelf.book_text(subject.id, c.span.start, c.span.end)) == verbatim(c.quote) for c in citations
    ]
    first = asked[0].outcome
    return Outcome(
        question=question,
        ranked=ranked,
        asked=tuple(asked),
        leaks=leaks(last, shown, place.before, subject.sections, tales),
        tales=could_leak(tales, parts),
        citations=len(citations),
        inexact=exact.count(False),
        overlaps=None if place.evidence is None else asked[0].cites(place.evidence),
        refused=isinstance(first, Refusal),
    )


async def asking_of(searching: Searching, asked: Asked) -> Asking:
    """Ask, and see what comes of it."""
    began, spent = perf_counter(), list[Usage]()
    reply = await ask(searching, asked, spent.append)
    seconds = perf_counter() - began
    stages = {stage: spent for stage, spent in reply.found.seconds.items() if stage != "total"}
    stages |= {"answer": max(0.0, seconds - sum(stages.values()))}
    return Asking(reply.outcome, seconds, stages, reply.failed, dict(reply.cuts), tuple(spent))


async def _found(searching: Searching, subject: Subject, question: Question, offset: int) -> tuple[Span, ...]:
    found = await find(searching, reader_at(subject.id, question.text, offset), max(DEPTHS))
    return tuple(evidence.passage.span for evidence in found.evidence)


async def _baselines(
    searching: Searching, subject: Subject, place: Located, evidence: Span, met: int
) -> dict[str, Ranked]:
    assert subject.recipe is not None
    question = place.question
    ranking = searching.ranking
    other = Fusion.RRF if ranking.fusion is Fusion.ZSCORE else Fusion.ZSCORE
    turned = replace(searching, ranking=replace(ranking, fusion=other))
    spans = dict(await one_search_alone(searching, reader_at(subject.id, question.text, met), max(DEPTHS)))
    spans |= {
        OTHER: await _found(turned, subject, question, met),
        RECIPE: subject.recipe.top(question.text, met),
        TRIGRAM: subject.recipe.top(question.text, met, trigram=True),
    }
    return {name: Ranked(evidence, found) for name, found in spans.items()}


Evaluating = Callable[[Sequence[Question]], Awaitable[BookOutcome]]


async def evaluate(questions: Sequence[Question], one_book: Evaluating) -> tuple[BookOutcome, ...]:
    """All questions, book by book, in the order in which the books are first named."""
    return tuple([await one_book(own) for own in by_book(questions)])


def by_book(questions: Sequence[Question]) -> list[list[Question]]:
    """The questions of each book, in the order in which the books are first named."""
    books: dict[str, list[Question]] = {}
    for question in questions:
        books.setdefault(question.book, []).append(question)
    return list(books.values())
