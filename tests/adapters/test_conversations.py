"""Every reason why there is no answer has a sentence, and waits are told in round figures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.wording.conversations import not_answered, report
from bot.core.club import BookId, QuestionId
from bot.core.ledger import Cited, Report
from bot.core.limits import DAY, HOUR, Limit, Limited
from bot.core.offsets import Span
from bot.core.outcomes import NotAnswered, Why

NOW = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)


@pytest.mark.parametrize("why", [why for why in Why if why not in {Why.MUTED, Why.LIMITED}])
def test_every_reason_is_told_in_one_sentence(why: Why) -> None:
    names = ("Ana", "Bo") if why is Why.SEVERAL_NAMES else ()
    said = not_answered(NotAnswered(why, names=names), NOW)
    assert said[0].isupper()
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(1, "1 minute"), (61, "2 minutes"), (7140, "119 minutes"), (7200, "2 hours"), (7201, "3 hours")],
)
def test_a_limit_says_when_the_next_question_is_free(seconds: int, told: str) -> None:
    said = {
        not_answered(NotAnswered(Why.LIMITED, limited=Limited(Limit(of, window, 7), timedelta(seconds=seconds))), NOW)
        for of in (True, False)
        for window in (HOUR, DAY)
    }
    assert len(said) == 4
    assert all(f"is free in {told}." in sentence and " 7 in a" in sentence for sentence in said)


def test_a_muted_room_says_for_how_long_and_a_limit_of_none_says_so() -> None:
    muted = not_answered(NotAnswered(Why.MUTED, until=NOW + timedelta(minutes=5)), NOW)
    assert muted == "Nothing is answered in this room for another 5 minutes: ask privately."
    none = not_answered(NotAnswered(Why.LIMITED, limited=Limited(Limit(True, HOUR, 0), None)), NOW)
    assert none == "No questions are answered in this club: its admins have set that."


def test_a_report_is_told_by_numbers() -> None:
    cited = (Cited(1, 12, Span(100, 140), 3), Cited(2, 4, Span(20, 40), None), Cited(3, 12, Span(150, 160), 3))
    made = Report(QuestionId(9), BookId(2), "lounge", 700, cited, 2, NOW, seen=False)
    expected = "question 9: book 2, chapter #3, passages 4 (20-40), 12 (100-140, 150-160), "
    expected += "reported by 2 members, 2031-03-01 18:00"
    assert report(made) == expected
