"""How figures grow is divided and drawn as it is; sizes that are none are refused."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bot.core.errors import Refused
from bot.measure.growth import NAMES, growth_plot, scale_table
from bot.measure.scale import ScaleSize, growth

SMALL = {"clubs": 100, "tick_ms": 4.0, "search_p50_ms": 10.0, "triggers_megabytes": 0.0}
LARGE = {"clubs": 1000, "tick_ms": 6.0, "search_p50_ms": 11.0, "triggers_megabytes": 3.0}


def test_each_figure_is_divided_by_that_of_the_smaller_size() -> None:
    assert growth([SMALL, LARGE]) == {"clubs": 10.0, "tick_ms": 1.5, "search_p50_ms": 1.1}


def test_what_grows_is_drawn_with_how_many_times() -> None:
    rows = [dict.fromkeys(NAMES, 2.0) | SMALL, dict.fromkeys(NAMES, 4.0) | LARGE]
    value = {"sizes": rows, "growth": growth(rows)}
    drawn = ElementTree.fromstring(growth_plot(value))
    texts = [one.text for one in drawn.iter() if one.tag.endswith("text")]
    assert {NAMES["tick_ms"], "1.5", NAMES["boundary_p50_ms"], "2", "1.1"} <= set(texts)
    assert scale_table(value).row_count == len(NAMES)


def test_a_size_that_is_none_is_refused_and_the_smaller_is_a_tenth() -> None:
    assert (ScaleSize().tenth.clubs, ScaleSize().tenth.books) == (1_000, 100)
    for clubs, books in ((0, 1), (10, 20)):
        with pytest.raises(Refused):
            ScaleSize(clubs=clubs, books=books)
