"""Pages of a member's own edition: said as a value, and a place that is never too far on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.chapter_maps import Calibration
from bot.core.chapters import Chapter, ChapterMap
from bot.core.pages import (
    PAGE_FAR,
    STORY_PAGE,
    CalibrationSaid,
    calibration_said,
    page_place,
    page_said,
    with_calibration,
)
from bot.core.places import Kind, Located, Standing
from bot.core.statements import PlainNumber, parse

MAP = ChapterMap(
    420_000,
    5_000,
    405_000,
    tuple(Chapter(n, n, (), 5_000 + 10_000 * (n - 1), 5_000 + 10_000 * n) for n in range(1, 41)),
)
ANYWHERE = Standing(PlainNumber.IN, 200_000, 200_000, 420_000)


@pytest.mark.parametrize(
    ("said", "page", "words"),
    [
        ('p. 143 = "The ferry came late to Saltmouth"', 143, "The ferry came late to Saltmouth"),
        ("p143 = The ferry came late", 143, "The ferry came late"),
        ("my page 143 begins: “The ferry came late”", 143, "The ferry came late"),
        ("My page 12 starts with the ferry came late", 12, "the ferry came late"),
        ("Seite 7 beginnt mit: „Die Fähre kam“", 7, "Die Fähre kam"),
        ("page 9 =\nthe ferry\ncame", 9, "the ferry\ncame"),
    ],
)
def test_a_page_and_its_first_words_are_a_calibration(said: str, page: int, words: str) -> None:
    assert calibration_said(said) == CalibrationSaid(page, words)


@pytest.mark.parametrize(
    "said", ["p. 143", "143", "p. 0 = the ferry", "the page begins: x", '"p. 143 = x"', "", "chapter 3 = x", "p. 12 ="]
)
def test_anything_else_is_no_calibration(said: str) -> None:
    assert calibration_said(said) is None


def test_only_pages_that_can_be_counted_with_are_counted_with() -> None:
    assert [page_said(parse(said)) for said in ("p. 143", "page 9", "back to p. 7", "p. xii", "12", "p. 0")] == [
        143, 9, 7, None, None, None,
    ]  # fmt: skip


def test_a_calibration_that_does_not_agree_is_of_another_edition() -> None:
    known = (Calibration(50, 60_000), Calibration(100, 120_000))
    assert with_calibration(known, Calibration(150, 180_000)) == (*known, Calibration(150, 180_000))
    assert with_calibration(known, Calibration(150, 90_000)) == (known[0], Calibration(150, 90_000))
    assert with_calibration(known, Calibration(100, 110_000)) == (known[0], Calibration(100, 110_000))


def place(page: int, *known: Calibration, who: Standing = ANYWHERE) -> Located:
    located = page_place(page, known, MAP, who)
    assert isinstance(located, Located)
    return located


def test_a_calibrated_page_is_where_it_was_said_to_be() -> None:
    there = place(143, Calibration(143, 161_234))
    assert (there.offset, there.kind, there.certain) == (161_234, Kind.PAGE, True)
    assert there.understood.endswith("from page 143 of your edition")


def test_a_page_between_two_is_in_proportion_less_a_margin_from_its_chapters_start() -> None:
    known = Calibration(100, 105_000), Calibration(200, 205_000)
    assert place(150, *known).offset == 135_000  # 155,000 less three points of 400,000 is in chapter 14
    assert not place(150, *known).certain
    assert place(101, *known).offset == 105_000
    assert place(199, *known).offset == 195_000


def test_before_the_first_the_story_may_begin_late() -> None:
    known = Calibration(221, 205_000)
    assert place(STORY_PAGE, known).offset == place(1, known).offset == 5_000
    assert place(121, known).offset == 85_000


def test_after_the_last_the_thinnest_page_counts_and_nobody_finishes() -> None:
    known = Calibration(100, 105_000), Calibration(200, 255_000)
    assert place(210, *known).offset == 255_000
    assert place(240, *known).offset == 295_000 - 10_000
    assert place(9999, *known).offset < MAP.body_end


def test_a_page_past_the_horizon_is_none() -> None:
    near = Standing(PlainNumber.IN, 100_000, 100_000, 200_000)
    assert page_place(300, [Calibration(143, 161_234)], MAP, near) == PAGE_FAR
    assert place(143, Calibration(143, 161_234), who=near).offset == 161_234


@given(
    first=st.integers(1, STORY_PAGE),
    pages=st.integers(120, 900),
    shares=st.lists(st.floats(0.05, 0.95), min_size=1, max_size=3, unique=True),
    page=st.integers(1, 900),
)
def test_a_page_of_an_even_edition_is_never_too_far_on_and_never_far_behind(
    first: int, pages: int, shares: list[float], page: int
) -> None:
    """``first`` is where the story of an edition of evenly filled pages begins, ``pages`` where it ends."""

    def true(number: int) -> int:
        return MAP.body_start + MAP.body_length * max(0, number - first) // (pages - first)

    known = sorted({first + int((pages - first) * share) for share in shares})
    calibrations = [Calibration(number, true(number)) for number in known if number > first]
    if not calibrations:
        return
    page = min(page, pages)
    there = place(page, *calibrations)
    assert there.offset <= max(true(page), MAP.body_start)
    if page <= calibrations[-1].page:
        assert true(page) - there.offset <= MAP.body_length * 22 // 100


@given(st.integers(1, 900), st.integers(1, 900))
def test_a_later_page_is_no_earlier_place(one: int, other: int) -> None:
    known = [Calibration(100, 90_000), Calibration(220, 205_000)]
    low, high = sorted((one, other))
    assert place(low, *known).offset <= place(high, *known).offset
