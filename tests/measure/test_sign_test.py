"""The exact sign test, and its words."""

from __future__ import annotations

import pytest

from bot.measure.sign_test import Signs, verdict


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (0, 6, 0.03125), (8, 2, 112 / 1024), (9, 1, 22 / 1024),
     (5, 5, 1.0), (15, 5, 43_400 / 2**20)],
)  # fmt: skip
def test_p_is_that_of_a_fair_coin_both_ways(better: int, worse: int, p: float) -> None:
    assert Signs(better, worse, 3).p == pytest.approx(p)


def test_ties_count_for_neither() -> None:
    assert Signs(6, 0, 1_000).p == Signs(6, 0).p


def test_what_is_needed_is_the_least_that_is_significant() -> None:
    assert (Signs(3, 2).needed, Signs(3, 3).needed, Signs(5, 5).needed, Signs(10, 10).needed) == (None, 6, 9, 15)


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        (Signs(9, 1), "Answers are better with names on (9 better, 1 worse, 0 the same; exact sign test, p = 0.021)."),
        (Signs(0, 6), "Answers are worse with names on (0 better, 6 worse, 0 the same; exact sign test, p = 0.031)."),
        (Signs(0, 0, 0), "Nothing can be said of names: no answers could be graded."),
        (Signs(0, 0, 7), "names made no difference: all 7 answers were graded the same."),
        (Signs(3, 0, 4), "Whether names makes answers better is not shown (3 better, 0 worse, 4 the same; p = 0.25): "
                         "too few answers differ for any result."),
        (Signs(6, 4), "Whether names makes answers better is not shown (6 better, 4 worse, 0 the same; p = 0.75): "
                      "of 10 answers that differ, 9 would have to point one way."),
    ],
)  # fmt: skip
def test_the_verdict_is_in_words(signs: Signs, said: str) -> None:
    assert verdict("names", signs) == said


def test_a_count_is_not_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        Signs(-1, 0)
