"""The weekly post as lines and as a picture: numbers alone in clear, the same bytes for the same numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from bot.adapters.bulletins import weekly_lines
from bot.adapters.chart import MOST_BARS, WIDTH, alt_of, chart_of, drawn_name
from bot.core.boundary import boundary_for
from bot.core.chapters import Chapter, ChapterMap
from bot.core.club import Audience, BookId, ClubId, MemberId
from bot.core.ports import BookRecord
from bot.core.schedule import Milestone, due_on
from bot.core.talk import About, Talk
from bot.core.weekly import IsoWeek, week_of
from bot.core.weekly_post import Bar, WeeklyPost, WeekPoint

SUNDAY = date(2026, 12, 6)
MAP = ChapterMap(1400, 0, 1400, tuple(Chapter(n, n, (), 100 * n - 100, 100 * n) for n in range(1, 15)))
MILESTONES = [Milestone(2 * n, SUNDAY + timedelta(days=7 * (n - 4))) for n in range(1, 8)]
BOOK = BookRecord(BookId(1), ClubId(1), "The Lantern", "en", "ready", 1400, 0, 1400, 14, None)


def post(*bars: Bar, scheduled: bool = True, club: int = 6) -> WeeklyPost:
    reader = MemberId(1)
    boundary = boundary_for(BOOK.id, Audience(frozenset({reader}), "room"), {reader: 100 * club})
    weeks = [week_of(SUNDAY + timedelta(days=7 * n)) for n in range(-3, 4)]
    points = tuple(
        WeekPoint(week, (0, 2, 5, club)[n] if n < 4 else None, 2 * n + 2 if scheduled else None)
        for n, week in enumerate(weeks)
    )
    return WeeklyPost(
        week=IsoWeek(2026, 49),
        day=SUNDAY,
        book=BOOK,
        boundary=boundary,
        chapter_map=MAP,
        bars=bars,
        places={},
        due=due_on(MILESTONES, SUNDAY),
        scheduled=scheduled,
        points=points,
        highlights=(),
        talk=None,
        waiting=2,
        reached=boundary.offset,
        moved=True,
    )


FIRST_BAR = 886
"""The row of pixels through the middle of the first bar."""
FULL = post(Bar("ana", 7, before=5), Bar("ben", 6), Bar("chiara", 3, before=4))


def image(of: WeeklyPost) -> Image.Image:
    return Image.open(BytesIO(chart_of(of))).convert("RGB")


def test_the_same_numbers_are_the_same_bytes_and_other_numbers_are_others() -> None:
    assert chart_of(FULL) == chart_of(replace(FULL))
    assert chart_of(FULL) != chart_of(post(Bar("ana", 8, before=5), Bar("ben", 6), Bar("chiara", 3, before=4)))
    assert chart_of(FULL) != chart_of(replace(FULL, scheduled=False))


def test_a_chart_is_light_and_carries_nothing_but_its_pixels() -> None:
    picture = Image.open(BytesIO(chart_of(FULL)))
    assert picture.width == 2 * WIDTH and picture.info.keys() <= {"transparency"}
    assert np.mean(np.asarray(image(FULL)).min(axis=2) > 200) > 0.8
    assert len(chart_of(FULL)) < 100_000


def test_a_chart_reads_without_colours() -> None:
    """What a member has read since the last time is hatched: light and dark beside each other in shades of grey."""
    since, before = (
        np.asarray(image(post(Bar("ana", 14, before=start))).convert("L"))[FIRST_BAR, 400:1200] for start in (0, 14)
    )
    assert np.count_nonzero(np.diff(since > 128)) > 40
    assert np.count_nonzero(np.diff(before > 128)) == 0


def test_bars_are_as_many_as_are_drawn_and_the_rest_are_counted() -> None:
    many = post(*(Bar(f"m{n}", n % 14) for n in range(MOST_BARS + 5)))
    full = post(*(Bar(f"m{n}", n % 14) for n in range(MOST_BARS)))
    assert image(many).height - image(full).height < 60
    assert any("and 5 more" in line.text for line in weekly_lines(many))


def test_a_name_that_the_font_cannot_draw_stands_as_its_number() -> None:
    assert drawn_name(1, "ana") == "1  ana"
    assert drawn_name(2, "老人") == "2"
    assert drawn_name(3, "a name that is far too long") == "3  a name that is…"
    assert chart_of(post(Bar("老人", 3))) == chart_of(post(Bar("старик", 3)))


@pytest.mark.parametrize("title", ["", "老人与海", "The " * 60, "A: B: C " * 20])
def test_any_title_fits(title: str) -> None:
    assert chart_of(replace(FULL, book=replace(BOOK, title=title)))


def test_a_club_without_bars_schedule_or_earlier_weeks_has_a_chart() -> None:
    bare = replace(post(scheduled=False), points=(WeekPoint(IsoWeek(2026, 49), 6, None),))
    assert image(bare).height < image(FULL).height
    assert alt_of(bare) == "The club's weeks. Chapters finished by everyone: 6 in week 49."


def test_the_words_beside_a_chart_say_its_numbers() -> None:
    assert alt_of(FULL) == (
        "The club's weeks. Chapters finished by everyone: 0 in week 46, 2 in week 47, 5 in week 48, "
        "6 in week 49. The schedule asks for: 2 in week 46, 4 in week 47, 6 in week 48, 8 in week 49, 10 in week 50, "
        "12 in week 51, 14 in week 52."
    )


def test_the_lines_of_a_post_say_places_and_what_is_due_by_number() -> None:
    assert [line.text for line in weekly_lines(FULL)] == [
        "The club's week in “The Lantern” (week 49 of 2026)",
        "The club is at the end of chapter 6.",
        "2 members have not said where they are.",
        "  1  ana     ██████████░░░░░░░░░░  7 of 14, 2 more than last time",
        "  2  ben     ████████░░░░░░░░░░░░  6 of 14",
        "  3  chiara  ████░░░░░░░░░░░░░░░░  3 of 14, 1 fewer than last time",
        "By now everyone should have finished chapter 8.",
        "Due in the next seven days: chapter 10, by Sunday 13 December.",
    ]


def test_a_question_to_talk_about_is_covered_under_how_far_it_goes() -> None:
    asking = replace(FULL, talk=Talk(About.TWO, ("Ana Wren", "Mr. Fogg"), variant=1))
    label, question = weekly_lines(asking)[-2:]
    assert (label.text, label.covered) == ("To talk about, for everyone who has read to the end of chapter 6:", False)
    assert question.covered and "Ana Wren" in question.text


def test_where_nobody_moved_one_kind_line_says_so() -> None:
    assert weekly_lines(replace(FULL, moved=False))[-1].text.startswith("Nobody has moved on")
    assert weekly_lines(replace(post(club=0), moved=False))[-1].text.startswith("Nobody has begun yet")
