"""Shares, differences and percentiles against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from bot.measure.intervals import Share, paired_difference, percentile, share


def test_a_share_has_wilsons_interval() -> None:
    # 8 of 10: centre (0.8 + 3.8416/20) / (1 + 0.38416), half 1.96 / 1.38416 * sqrt(0.016 + 3.8416/400)
    interval = Share(8, 10).interval
    assert (round(interval.low, 3), round(interval.high, 3)) == (0.490, 0.943)


def test_nothing_of_a_hundred_may_still_be_one_in_27() -> None:
    interval = Share(0, 100).interval
    assert interval.low == pytest.approx(0, abs=1e-12)
    assert interval.high == pytest.approx(3.8415 / 103.8415, abs=1e-5)


def test_a_share_of_nothing_has_no_value_and_could_be_anything() -> None:
    assert math.isnan(Share(0, 0).value)
    assert (Share(0, 0).interval.low, Share(0, 0).interval.high) == (0.0, 1.0)


def test_more_hits_than_questions_are_no_share() -> None:
    with pytest.raises(ValueError, match="no share"):
        Share(3, 2)


def test_flags_are_counted() -> None:
    assert share([True, False, True]) == Share(2, 3)


def test_a_paired_difference_is_the_mean_of_differences() -> None:
    difference = paired_difference([1, 1, 0, 1], [0, 1, 0, 0])
    assert difference.value == 0.5
    assert (difference.interval.low, difference.interval.high, difference.n) == (0.0, 1.0, 4)


def test_the_interval_of_a_paired_difference_is_near_the_normal_one_and_the_same_every_time() -> None:
    ours, theirs = [1.0] * 60 + [0.0] * 40, [1.0] * 40 + [0.0] * 60
    first = paired_difference(ours, theirs)
    # 20 of 100 differ: deviation sqrt(0.2 * 0.8 / 100) = 0.04
    assert first.interval.low == pytest.approx(0.2 - 1.96 * 0.04, abs=0.012)
    assert first.interval.high == pytest.approx(0.2 + 1.96 * 0.04, abs=0.012)
    assert first == paired_difference(ours, theirs)


def test_equal_outcomes_differ_by_nothing_for_sure() -> None:
    difference = paired_difference([1, 0, 1], [1, 0, 1])
    assert (difference.value, difference.interval.low, difference.interval.high) == (0, 0, 0)


def test_what_does_not_pair_has_no_paired_difference() -> None:
    with pytest.raises(ValueError, match="both figures"):
        paired_difference([1], [1, 0])


def test_percentiles_lie_between_values() -> None:
    assert percentile([4, 1, 3, 2], 50) == 2.5
    assert percentile(list(range(101)), 95) == 95
    assert math.isnan(percentile([], 50))
