"""The same questions with a switch on and off, graded without knowing which is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from bot.app import App
from bot.core.chat_model import Failed, ModelFailed
from bot.core.errors import Refused
from bot.core.prices import PriceList
from bot.core.search import Searching
from bot.core.verbatim import Searchable
from bot.core.writing import Switches
from bot.measure.evaluate import Asking, Progress, asking_of, reader_at, subject_of
from bot.measure.grading import Better, Grade, Graded
from bot.measure.model_figures import model_figures
from bot.measure.questions import Located, Question, book_file, located
from bot.measure.sign_test import Signs, verdict

SWITCHES: Final = tuple(field.name for field in fields(Switches))
"""What can be switched."""
NOT_OF_THE_WHOLE: Final = frozenset({"splitting", "reranking"})
"""What does nothing where a model is given the whole read part: then nothing is searched for it."""
_UNCOUNTED: Final = frozenset({Failed.OVER_BUDGET, Failed.NOT_ALLOWED, Failed.UNREACHABLE, Failed.OUT_OF_TIME,
                               Failed.OVERLOADED, Failed.RATE_LIMITED})  # fmt: skip
"""Failures of the service, not of the answer: such a pair says nothing of the switch."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One question, asked with the switch on and off; ``better`` is None where the pair does not count."""

    question: Question
    on: Asking
    off: Asking
    better: bool | None
    same: bool = False


def switched(searching: Searching, switch: str, on: bool) -> Searching:
    """The same with ``switch`` on or off. Raises `Refused` where there is nothing to switch: without a model, and for
    the reranking without a reranker.
    """
    if searching.writing is None:
        raise Refused("no_model", "Switches are of the model: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL.")
    if switch == "reranking" and searching.reranker is None:
        raise Refused("no_reranker", "There is no reranker to switch off: set DOGEAR_RERANKER.")
    switches = replace(searching.writing.switches, **{switch: on})
    return replace(searching, writing=replace(searching.writing, switches=switches))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ways to answer, with the switch on and off, and what grades their answers."""

    app: App
    on: Searching
    off: Searching
    grade: Grade

    async def of_book(self, questions: Sequence[Question], corpus: Path, progress: Progress) -> tuple[Pair, ...]:
        """Every question about one book that has evidence, asked both ways at the end of the evidence's chapter."""
        subject = await subject_of(self.app, book_file(corpus, questions[0].book), False, progress)
        text = Searchable(subject.text)
        places = [p for question in questions if (p := located(question, text, subject.chapter_map)) is not None]
        pairs = []
        for number, place in enumerate(places, start=1):
            if place.evidence is not None and place.met is not None:
                asked = reader_at(subject.id, place.question.text, place.met)
                sides = (await asking_of(self.on, asked), await asking_of(self.off, asked))
                words = subject.text[place.evidence.start : place.evidence.end]
                pairs.append(await _graded(self.grade, place, words, sides))
            progress("ask", number / len(places))
        return tuple(pairs)


async def _graded(grade: Grade, place: Located, words: str, sides: tuple[Asking, Asking]) -> Pair:
    """Which is better. Which of the two is shown first is drawn by the question's name."""
    assert place.evidence is not None
    on, off = sides
    if {on.failed, off.failed} & _UNCOUNTED:
        return Pair(place.question, on, off, None)
    turned = blake2b(place.question.id.encode("utf-8", "replace"), digest_size=1).digest()[0] % 2 == 1
    first, second = (off, on) if turned else (on, off)
    graded = Graded(place.question.text, place.evidence, words, first.outcome, second.outcome)
    try:
        better = await grade.better(graded)
    except ModelFailed:
        return Pair(place.question, on, off, None)
    if better is Better.SAME:
        return Pair(place.question, on, off, None, same=True)
    return Pair(place.question, on, off, (better is Better.FIRST) is not turned)


def comparison_value(switch: str, graded_by: str, pairs: Sequence[Pair], prices: PriceList) -> dict[str, Any]:
    """Everything that `dogear eval --compare` says."""
    decided = [pair.better for pair in pairs if pair.better is not None]
    signs = Signs(sum(decided), len(decided) - sum(decided), sum(pair.same for pair in pairs))
    return {
        "switch": switch,
        "graded_by": graded_by,
        "questions": len(pairs),
        "not_graded": sum(pair.better is None and not pair.same for pair in pairs),
        "better": signs.better,
        "worse": signs.worse,
        "same": signs.same,
        "p": signs.p,
        "verdict": verdict(switch, signs),
        "on": model_figures([pair.on for pair in pairs], prices),
        "off": model_figures([pair.off for pair in pairs], prices),
        "pairs": [{"id": pair.question.id, "book": pair.question.book, "better": _told(pair)} for pair in pairs],
    }


def _told(pair: Pair) -> str | None:
    """Which side was better: "on", "off", "same", or None where the pair was not graded."""
    if pair.better is None:
        return "same" if pair.same else None
    return "on" if pair.better else "off"
