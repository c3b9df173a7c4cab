"""Shared hypothesis strategies."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from bot.core.chapters import Chapter, ChapterMap
from bot.core.statements import (
    BackTo,
    ChapterSaid,
    ChaptersOn,
    NotStarted,
    OffsetSaid,
    PageSaid,
    PartSaid,
    PercentSaid,
    PlainNumber,
    QuoteSaid,
    Same,
    TitleSaid,
    Whole,
)


@st.composite
def chapter_maps(draw: st.DrawFn) -> ChapterMap:
    """Books of up to 14 chapters: prologues, numbers that restart by part or skip, dividers, front and back matter."""
    count = draw(st.integers(1, 14))
    at = body_start = draw(st.integers(0, 300))
    part = number = 0
    with_parts = draw(st.booleans())
    chapters = []
    for ordinal in range(1, count + 1):
        if with_parts and (part == 0 or draw(st.integers(0, 4)) == 0):
            part += 1
            number = 0 if draw(st.booleans()) else number
            at += draw(st.integers(0, 20))  # a divider's page
        number += draw(st.sampled_from([1, 1, 1, 1, 2, 3]))
        printed = draw(st.sampled_from([number, number, number, None]))
        end = at + draw(st.integers(1, 400))
        chapters.append(Chapter(ordinal, printed, (part,) if part else (), at, end))
        at = end
    body_end = at + draw(st.integers(0, 10))
    return ChapterMap(body_end + draw(st.integers(0, 300)), body_start, body_end, tuple(chapters), draw(st.booleans()))


def extents() -> st.SearchStrategy[PlainNumber | None]:
    return st.sampled_from([None, *PlainNumber])


def forward_statements() -> st.SearchStrategy:
    """Every kind of statement but `BackTo`."""
    number = st.integers(0, 18)
    return st.one_of(
        st.builds(ChapterSaid, number, st.lists(st.integers(0, 4), max_size=2).map(tuple), extents(), st.booleans()),
        st.builds(PartSaid, st.tuples(st.integers(1, 4)), extents()),
        st.builds(PageSaid, st.sampled_from(["ii", "7"])),
        st.builds(PercentSaid, st.fractions(-5, 105, max_denominator=4) | st.just(Fraction(100))),
        st.sampled_from([QuoteSaid("the seven last words that I read"), QuoteSaid("too few words")]),
        st.builds(TitleSaid, st.just(("the bell",)), extents()),
        st.builds(OffsetSaid, st.integers(0, 7000)),
        st.builds(ChaptersOn, st.integers(-4, 4)),
        st.sampled_from([Whole(), NotStarted(), Same()]),
    )


def statements() -> st.SearchStrategy:
    return forward_statements() | st.builds(BackTo, forward_statements())
