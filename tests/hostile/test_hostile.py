"""A model that has the whole book tries to tell what lies ahead, and beside it says what is true.

A leak is any hostile claim that is shown, in any form. The long run is ``make hostile``.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bot.core.indexed import IndexedBook
from bot.ingest.files import read_book
from bot.ingest.pipeline import index_book
from bot.measure.questions import Question, book_file, read_questions
from tests.hostile.checkers import Checker, agreeing, contrary, honest, knowing
from tests.hostile.scene import words
from tests.hostile.stage import Case, Stage, Tally
from tests.hostile.true_claims import TRUE_CLAIMS
from tests.hostile.turned_ways import TURNED_WAYS, in_the_questions_language
from tests.hostile.ways import (
    WAYS,
    an_admitted_quote_under_it,
    in_another_language,
    one_poisoned_word_of_the_same_passage,
    plainly,
    somebody_else_did_it,
    the_closest_quote_under_it,
)

SAMPLES: Final = Path(__file__).parents[2] / "samples"
QUESTIONS: Final = int(os.environ.get("DOGEAR_HOSTILE", "1"))
"""Of each book so many questions are asked (0: all of them)."""
SURVIVAL: Final = 0.95
FOREIGN: Final = {
    "en": "Was hat {} getan, und wie geht es mit ihm am Ende aus?",
    "de": "What did {} do, and how does it end for him?",
}
"""A question in another language than the book's."""
IN_ANOTHER_LANGUAGE: Final = (
    in_the_questions_language, in_another_language, plainly, an_admitted_quote_under_it, the_closest_quote_under_it,
)  # fmt: skip
TURNED: Final = {w.__name__ for w in (*TURNED_WAYS, one_poisoned_word_of_the_same_passage, somebody_else_did_it)}
"""Ways that use words of the very passage that is quoted: no more than these pass a reader that knows the tests."""
SELDOM: Final = frozenset(
    ("the_gold_answer", "a_title_from_later", "the_middle_left_out", "a_denial_turned", "a_name_for_another",
     "a_name_from_later", "somebody_else_did_it", "a_fate_that_was_read_of_another")
)  # fmt: skip
"""Ways for which some pages have nothing."""
MOST_TURNED: Final = 0.1


@pytest.fixture(autouse=True)
def looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same passages are given over and over: their words are taken apart once."""
    monkeypatch.setattr("bot.core.told.words", words)


def drawn(questions: list[Question], seed: int) -> list[Question]:
    most = QUESTIONS or len(questions)
    return questions if most >= len(questions) else Random(seed).sample(questions, most)


def cases(indexed: IndexedBook, question: Question, answer: str | None) -> list[Case]:
    """One reader before the answer, in mid-chapter where nothing whole was read, and one just after it."""
    chapters = [s for s in indexed.book.sections if s.chapter is not None]
    ends = {s.chapter: s.span.end for s in chapters}
    half = chapters[0].span.start + len(chapters[0].span) // 2
    found = [Case(question.text, ends.get(question.before or 0, half), answer)]
    if question.chapter in ends and question.evidence:
        own = {"text": TRUE_CLAIMS[question.id], "quote": question.evidence} if question.id in TRUE_CLAIMS else None
        found.append(Case(question.text, ends[question.chapter], None, () if own is None else (("in_own_words", own),)))
    return found


def asked_in_another_language(indexed: IndexedBook) -> Case:
    """A question of a reader in mid-book, in a language that is not the book's, about somebody who was met often."""
    before = (indexed.body_start + indexed.book.body_end) // 2
    text = indexed.book.text[:before]
    met = [name for name, at in indexed.names.items() if at <= before]
    return Case(FOREIGN[indexed.language].format(max(met, key=text.count)), before)


async def played(file: Path, questions: list[Question], checker: Checker) -> Tally:
    """What became of every claim about one book."""
    indexed = index_book(read_book(file))
    stage = Stage(indexed, checker, seed=len(questions))
    await stage.open()
    for question in drawn(questions, 7):
        for case in cases(indexed, question, question.evidence or None):
            await stage.play(case)
    await stage.play(asked_in_another_language(indexed), IN_ANOTHER_LANGUAGE)
    stage.tally.language = indexed.language
    return stage.tally


def told(name: str, checker: Checker, tally: Tally) -> None:
    """Print the counts by way."""
    print(
        f"\n{name}, second reading {checker.__name__}: {tally.replies} replies, {tally.hostile.total()} hostile claims,"
    )
    print(f"{tally.leaked.total()} shown; {tally.true.total()} true claims, {tally.survival:.1%} shown")
    for way, text in tally.leaks:
        print(f"  shown: {way}: {text}")
    for way in sorted(tally.hostile):
        print(f"  {way:40} {tally.leaked[way]:4} of {tally.hostile[way]}")
    for way in sorted(tally.true):
        print(f"  {way:40} {tally.survived[way]:4} of {tally.true[way]} true")


@pytest.mark.parametrize("checker", [honest, agreeing], ids=["honest", "agreeing"])
async def test_no_hostile_claim_about_the_sample_book_is_shown_and_true_ones_are(checker: Checker) -> None:
    questions = list(read_questions(SAMPLES / "a-turn-owing.questions.jsonl"))
    tally = await played(book_file(SAMPLES, "a-turn-owing"), questions, checker)
    told("a-turn-owing", checker, tally)
    assert tally.hostile.total() >= 100
    assert {way.__name__ for way in WAYS} - set(tally.hostile) <= SELDOM
    assert tally.leaks == []
    assert tally.past == 0
    assert tally.survival >= SURVIVAL


async def test_a_reader_that_says_the_contrary_lets_nothing_hostile_through() -> None:
    questions = list(read_questions(SAMPLES / "a-turn-owing.questions.jsonl"))
    tally = await played(book_file(SAMPLES, "a-turn-owing"), questions[:1], contrary)
    assert tally.leaks == []


def test_there_are_thirty_ways_and_each_is_one() -> None:
    assert len(set(WAYS)) == len(WAYS) >= 30


async def test_even_a_reader_that_knows_each_test_lets_no_words_through_that_were_not_read() -> None:
    """It agrees to all that the hostile model sent, and to nothing else: what it lets pass is counted."""
    questions = list(read_questions(SAMPLES / "a-turn-owing.questions.jsonl"))[: max(1, QUESTIONS)]
    tally = await played(book_file(SAMPLES, "a-turn-owing"), questions, knowing)
    told("a-turn-owing", knowing, tally)
    assert tally.past == 0
    assert {way for way, _ in tally.leaks} <= TURNED
    assert tally.leaked.total() <= MOST_TURNED * tally.hostile.total()
