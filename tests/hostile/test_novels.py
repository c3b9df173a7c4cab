"""The hostile model on real novels: `make hostile` with ``DOGEAR_SHARED``, the folder they are in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from bot.measure.questions import book_file, read_questions
from tests.hostile.checkers import Checker, agreeing, honest
from tests.hostile.test_hostile import SURVIVAL, played, told

SHARED: Final = Path(os.environ.get("DOGEAR_SHARED", ""))


@pytest.mark.parametrize("checker", [honest, agreeing], ids=["honest", "agreeing"])
async def test_no_hostile_claim_about_real_novels_is_shown(checker: Checker) -> None:
    """Of each language the true claims survive where the second reading is honest; what a reader that agrees to
    everything leaves of them is told beside it.
    """
    questions = read_questions(SHARED / "corpus" / "questions.jsonl")
    found = []
    for name in dict.fromkeys(question.book for question in questions):
        own = [question for question in questions if question.book == name]
        found.append(await played(book_file(SHARED / "corpus", name), own, checker))
        told(name, checker, found[-1])
    assert [leak for tally in found for leak in tally.leaks] == []
    for language in {tally.language for tally in found}:
        of_it = [tally for tally in found if tally.language == language]
        survived, true = sum(t.survived.total() for t in of_it), sum(t.true.total() for t in of_it)
        print(f"\n{language}, {checker.__name__}: {survived} of {true} true claims shown")
        assert checker is agreeing or survived >= SURVIVAL * true
