"""Statements become offsets, rounded down, from numbers alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.book import Part, Section, SectionKind
from bot.core.offsets import Span
from bot.core.reading import (
    Chapter,
    ChapterMap,
    Found,
    Located,
    NotLocated,
    PageLookup,
    PlainNumber,
    QuoteLookup,
    Standing,
    TitleLookup,
    Unclear,
    candidate_label,
    chapter_at,
    chapter_map_of,
    chapter_name,
    finished_chapter,
    host_standing,
    locate,
    lookup_for,
    parse,
    place_name,
    standing,
)
from bot.core.statements import (
    BackTo,
    ChapterSaid,
    ChaptersOn,
    Forward,
    PercentSaid,
    QuoteSaid,
    Same,
    Statement,
    TitleSaid,
)
from tests.strategies import chapter_maps, extents, forward_statements, statements

FINISHED, IN = PlainNumber.FINISHED, PlainNumber.IN
QUOTED = '"the seven last words that I read"'
NOTHING = Found()


def book(*chapters: int | None, parts: tuple[int, ...] = (), front: int = 100, pages: bool = False) -> ChapterMap:
    """Chapters of 1000 characters with these printed numbers, after ``front`` characters, before 500 of back matter."""
    made = tuple(
        Chapter(i, number, parts[i - 1 : i], front + 1000 * (i - 1), front + 1000 * i)
        for i, number in enumerate(chapters, 1)
    )
    end = front + 1000 * len(chapters)
    return ChapterMap(end + 500, front, end, made, pages)


RESTARTING = book(1, 2, 3, 4, 1, 2, 3, parts=(1, 1, 1, 1, 2, 2, 2))
UNNUMBERED = book(None, None, None, None, None)
LETTERS_FIRST = book(1, 2, 3, 4, *range(1, 25))


def place(said: str, chapter_map: ChapterMap, who: Standing | None = None, found: Found = NOTHING) -> Any:
    return locate(parse(said), chapter_map, found, who or host_standing(chapter_map))


def cautious(said: str, chapter_map: ChapterMap) -> Any:
    return place(said, chapter_map, standing(IN, None, chapter_map))


def ordinals(result: Located | Unclear) -> list[int | None]:
    return [c.chapter for c in result.candidates]


def test_a_number_that_restarts_gives_every_candidate_and_the_smallest_offset() -> None:
    result = cautious("2", RESTARTING)
    assert isinstance(result, Unclear)
    assert ordinals(result) == [2, 6]
    assert result.offset == RESTARTING.chapters[1].start
    assert [candidate_label(c, RESTARTING) for c in result.candidates] == [
        "Part 1, chapter 2 (14 % of the book)",
        "Part 2, chapter 2 (71 % of the book)",
    ]
    assert [(c.part, c.printed) for c in result.candidates] == [(1, 2), (2, 2)]


def test_a_part_and_a_printed_number_are_one_place() -> None:
    result = cautious("part 2 chapter 2", RESTARTING)
    assert isinstance(result, Located)
    assert (result.offset, result.chapter, result.certain) == (5100, 6, True)
    assert place("finished part 2 ch 2", RESTARTING).offset == 6100


def test_a_number_the_book_does_not_print_counts_from_the_start_and_is_not_certain() -> None:
    result = cautious("6", RESTARTING)
    assert isinstance(result, Located)
    assert (result.offset, result.certain) == (5100, False)
    assert result.understood == "in part 2, chapter 2 (at its start), 71%, counted from the start"


def test_a_printed_number_that_stands_once_is_that_chapter_wherever_it_stands() -> None:
    assert ordinals(place("chapter 4", RESTARTING)) == [4]
    assert ordinals(place("16", LETTERS_FIRST)) == [20]
    assert ordinals(place("ch 2", LETTERS_FIRST)) == [2, 6]


def test_a_book_without_numbers_is_counted() -> None:
    result = place("4", UNNUMBERED)
    assert (result.offset, result.certain, result.understood) == (4100, True, "finished chapter 4, 80%")


@pytest.mark.parametrize(
    ("said", "offset"),
    [("12", 12100), ("ch 12", 12100), ("finished 12", 12100), ("in 12", 11100), ("#12", 12100), ("in #12", 11100)],
)
def test_at_the_command_line_a_plain_number_is_finished(said: str, offset: int) -> None:
    assert place(said, book(*range(1, 20))).offset == offset


def test_a_plain_number_means_what_the_member_means_by_it() -> None:
    chapters = book(*range(1, 20))
    assert place("12", chapters, standing(FINISHED, None, chapters)).understood == "finished chapter 12, 63%"
    assert place("12", chapters, standing(IN, None, chapters)).understood == "in chapter 12 (at its start), 57%"


def test_the_exact_form_counts_every_chapter() -> None:
    assert ordinals(place("#6", LETTERS_FIRST)) == [6]
    assert place("#6", LETTERS_FIRST).offset == 6100


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("99", "past_end"),
        ("finished 99", "past_end"),
        ("#99", "past_end"),
        ("offset:999999", "past_end"),
        ("0", "no_such_chapter"),
        ("#0", "no_such_chapter"),
        ("part 2 ch 9", "no_such_chapter"),
        ("part 3 ch 1", "no_such_part"),
        ("part 2", "part_alone"),
        ("p. 12", "no_pages"),
        ("101%", "no_such_percent"),
        ("-1%", "no_such_percent"),
        ('"too few words"', "quote_too_short"),
        ("+1", "no_place_yet"),
        ("same", "no_place_yet"),
        ("purple", "not_understood"),
        ("", "not_understood"),
    ],
)
def test_what_names_no_place_is_told_in_one_sentence(said: str, code: str) -> None:
    result = place(said, RESTARTING)
    assert isinstance(result, NotLocated)
    assert result.code == code
    assert result.message.endswith(".")


def test_past_the_end_names_the_last_chapter_by_number() -> None:
    assert "part 2, chapter 3" in place("99", RESTARTING).message


def test_zero_is_a_chapter_only_where_it_is_printed() -> None:
    assert ordinals(place("0", book(0, 1, 2))) == [1]


def test_none_is_a_place_of_its_own() -> None:
    result = place("none", RESTARTING)
    assert (result.offset, result.kind, result.understood) == (0, "none", "nothing yet, 0%")


def test_finished_is_the_end_of_the_body_and_a_hundred_percent_is_confirmed() -> None:
    whole, hundred = place("finished", RESTARTING), place("100%", RESTARTING)
    assert whole.offset == hundred.offset == RESTARTING.body_end
    assert (whole.certain, hundred.certain) == (True, False)
    assert whole.understood == "finished part 2, chapter 3, the end of the book, 100%"


def test_a_number_in_a_gap_stands_in_the_chapter_before_the_gap() -> None:
    one_missing = book(1, 2, 3, 5, 6)
    result = place("finished 4", one_missing)
    assert isinstance(result, Unclear)
    assert result.offset == one_missing.chapters[2].end
    many_missing = book(1, 2, 203, 100, 1)
    assert place("finished 50", many_missing).offset == many_missing.chapters[1].start
    filled_by_unnumbered = book(1, None, 3)
    assert ordinals(place("2", filled_by_unnumbered)) == [2]


def test_the_end_of_a_chapter_before_a_gap_is_not_taken_for_granted() -> None:
    heading_missed = book(1, 2, 3, 5, 6)
    result = place("finished 3", heading_missed)
    assert isinstance(result, Unclear)
    assert [c.offset for c in result.candidates] == [heading_missed.chapters[2].start, heading_missed.chapters[2].end]
    assert place("#3", heading_missed).offset == heading_missed.chapters[2].end
    assert place("finished 5", heading_missed).offset == heading_missed.chapters[3].end
    assert place("finished 1", book(1, None, 3)).offset == book(1, None, 3).chapters[0].end


def test_numbers_say_nothing_where_no_chapters_were_found() -> None:
    alone = book(None)
    for said in ("1", "finished 1", "in 1", "part 1", "end of part one"):
        assert place(said, alone).code == "no_chapters"
    assert place("finished", alone).offset == place("#1", alone).offset == alone.body_end
    assert place("45%", alone).offset < alone.body_end // 2


@pytest.mark.parametrize("said", ["finished part of 12", "finished some of chapter 12", "done with a bit of 12"])
def test_part_of_a_chapter_is_not_all_of_it(said: str) -> None:
    chapters = book(*range(1, 21))
    assert place(said, chapters).offset <= chapters.chapters[11].start


def test_a_location_out_of_nothing_is_nonsense() -> None:
    assert place("loc 1/0", book(1, 2)).code == "no_such_percent"


def test_parts_are_found_at_any_level() -> None:
    paths = [(1, 1), (1, 2), (2, 1), (2, 2)]
    chapters = tuple(Chapter(i, 1, path, 100 * i, 100 * i + 100) for i, path in enumerate(paths, 1))
    nested = ChapterMap(600, 100, 500, chapters)
    assert ordinals(place("book 2 chapter 1", nested)) == [2, 3, 4]
    assert ordinals(place("2.1.1", nested)) == [3]
    assert place("2.1.1", nested).candidates[0].part == "2.1"
    assert chapter_name(chapters[2], nested) == "part 2.1, chapter 1"


def test_a_chapter_of_a_part_may_be_counted_where_numbers_run_on() -> None:
    running_on = book(1, 2, 3, 4, parts=(1, 1, 2, 2))
    result = place("part 2 ch 1", running_on)
    assert (ordinals(result), result.certain) == ([3], False)


def test_a_division_that_prints_the_number_wins_over_one_that_would_have_to_be_counted() -> None:
    rows = [((1, 2), 7), ((1, 2), 8), ((2, 1), 1), ((2, 1), 2)]
    chapters = tuple(Chapter(i, n, path, 100 * i, 100 * i + 100) for i, (path, n) in enumerate(rows, 1))
    assert ordinals(place("part 2 ch 2", ChapterMap(600, 100, 500, chapters))) == [4]


def test_the_step_from_one_part_to_the_next_is_no_gap_in_the_numbers() -> None:
    assert ordinals(place("3", book(1, 2, 9, parts=(1, 1, 2)))) == [3]


def test_a_percentage_that_falls_on_a_divider_is_the_end_of_the_chapter_before() -> None:
    chapters = ChapterMap(1000, 0, 1000, (Chapter(1, 1, (1,), 0, 400), Chapter(2, 1, (2,), 600, 1000)))
    assert place("53%", chapters).offset == 400


def test_a_book_whose_chapters_are_called_books_has_no_parts() -> None:
    assert ordinals(place("book 3", book(1, 2, 3, 4))) == [3]
    assert place("part 1 ch 2", book(1, 2)).code == "no_such_part"


@pytest.mark.parametrize(
    ("said", "lookup"),
    [
        (QUOTED, QuoteLookup("the seven last words that I read", 3850)),
        ('"too few words"', None),
        ("p. II", PageLookup("ii")),
        ("finished Tamsin", TitleLookup(("tamsin",), 2100)),
        ("45%", None),
        ("12", None),
        ("101%", None),
        ("100%", None),
    ],
)
def test_each_statement_names_its_look_up(said: str, lookup: object) -> None:
    chapters = book(1, 2, 3, 4, 5, 6, 7, pages=True)
    assert lookup_for(parse(said), chapters, standing(IN, 2100, chapters)) == lookup


def test_a_percentage_is_given_a_margin_and_floors_to_the_start_of_a_short_chapter() -> None:
    chapters = book(*range(1, 21))
    result = place("45%", chapters)
    assert result.offset == chapters.chapters[8].start  # 45 - 3 = 42 % of 20600 characters is 8652
    assert result.understood == "finished chapter 8, 40%, rounded down from 45% so that nothing unread is shown"
    assert lookup_for(parse("45%"), chapters, host_standing(chapters)) is None


def test_a_percentage_inside_a_long_chapter_counts_as_it_is_less_the_margin() -> None:
    chapters = ChapterMap(2000, 0, 2000, (Chapter(1, 1, (), 0, 1000), Chapter(2, 2, (), 1000, 2000)))
    assert place("83%", chapters).offset == 1600


def test_a_page_that_repeats_is_offered_and_a_page_after_the_story_is_not_certain() -> None:
    chapters = book(1, 2, 3, pages=True)
    assert place("p. 7", chapters, found=Found((1500,))).understood == "chapter 2, in progress, 46%"
    assert [c.offset for c in place("p. 7", chapters, found=Found((2500, 1500))).candidates] == [1500, 2500]
    after = place("p. 7", chapters, found=Found((3400,)))
    assert (after.offset, after.certain) == (chapters.body_end, False)
    assert place("p. 7", chapters).code == "no_such_page"


def test_a_quotation_far_ahead_reads_the_same_as_one_that_is_not_in_the_book() -> None:
    chapters = book(*range(1, 11))
    who = standing(IN, 2100, chapters)
    miss = place(QUOTED, chapters, who)
    assert miss.code == "quote_not_found"
    assert place(QUOTED, chapters, who, Found((4601,))) == miss
    assert place(QUOTED, chapters, who, Found((4600,))).offset == 4600
    assert place(QUOTED, chapters, who, Found((2500, 9000))) == place(QUOTED, chapters, who, Found((2500,)))
    assert place(QUOTED, chapters, who, Found((2500,), exact=False)).certain is False


def test_a_quotation_found_twice_is_offered_twice() -> None:
    assert isinstance(place(QUOTED, UNNUMBERED, found=Found((1500, 700))), Unclear)


def test_who_never_gave_a_place_counts_as_at_the_start_for_quoted_words() -> None:
    assert standing(IN, None, UNNUMBERED).horizon == 100 + 1250


def test_a_title_matches_in_reached_chapters_only_and_gives_their_starts() -> None:
    found = Found(chapters=(1, 3, 5))
    anywhere = place("Tamsin", UNNUMBERED, found=found)
    assert (ordinals(anywhere), anywhere.offset) == ([1, 3, 5], 100)
    member = standing(FINISHED, 2100, UNNUMBERED)
    reached = place("Tamsin", UNNUMBERED, member, found)
    assert ordinals(reached) == [1]
    assert place("finished Tamsin", UNNUMBERED, member, found).offset == 1100
    assert place("Tamsin", UNNUMBERED, member, Found(chapters=(3,))) == place("Tamsin", UNNUMBERED, member)


def test_relative_statements_start_from_the_present_place() -> None:
    who = standing(IN, 2500, RESTARTING)
    assert place("+1", RESTARTING, who).offset == 3100
    assert place("next", RESTARTING, who).offset == 3100
    assert place("-1", RESTARTING, who).offset == 1100
    assert place("-9", RESTARTING, who).offset == 0
    assert place("+9", RESTARTING, who).code == "past_end"
    assert place("same", RESTARTING, who).offset == 2500


def test_going_back_lowers_and_never_raises() -> None:
    who = standing(FINISHED, 5500, RESTARTING)
    assert place("back to 3", RESTARTING, who).offset == 2100
    assert isinstance(place("back to 3", RESTARTING, who), Located), "the later chapter 3 does not lie behind"
    assert place("back to part 2 ch 3", RESTARTING, who).code == "not_behind"


def test_places_are_named_by_number() -> None:
    assert [place_name(o, RESTARTING) for o in (0, 100, 101, 1100, 1101, 7099, 7100, 7600)] == [
        "nothing yet",
        "nothing yet",
        "part 1, chapter 1, in progress",
        "the end of part 1, chapter 1",
        "part 1, chapter 2, in progress",
        "part 2, chapter 3, in progress",
        "the end of the book",
        "the end of the book",
    ]


def test_chapters_without_a_number_of_their_own_never_share_a_name_with_one_that_has() -> None:
    mixed = book(None, 1, 2, None)
    assert [chapter_name(c, mixed) for c in mixed.chapters] == ["chapter #1", "chapter 1", "chapter 2", "chapter #4"]
    assert chapter_name(LETTERS_FIRST.chapters[1], LETTERS_FIRST) == "chapter 2 (#2)"


def test_the_chapter_map_takes_numbers_from_sections_and_nothing_else() -> None:
    sections = (
        Section(1, SectionKind.FRONT, Span(0, 100), "Preface", 10, 400),
        Section(2, SectionKind.BODY, Span(100, 120), "Part One", 110, 120),
        Section(3, SectionKind.BODY, Span(120, 400), "I: The Bell", 130, 400, 1, "I", 1, (Part("Part One", 1),)),
        Section(4, SectionKind.BACK, Span(400, 450), "Notes", 405, 400),
    )
    assert chapter_map_of(sections, 450, True) == ChapterMap(450, 100, 400, (Chapter(1, 1, (1,), 120, 400),), True)


@pytest.mark.parametrize(
    "broken",
    [
        lambda: ChapterMap(10, 5, 4, ()),
        lambda: ChapterMap(10, 0, 11, ()),
        lambda: ChapterMap(10, 0, 10, (Chapter(2, 1, (), 0, 5),)),
        lambda: ChapterMap(10, 0, 10, (Chapter(1, 1, (), 0, 6), Chapter(2, 2, (), 5, 10))),
        lambda: ChapterMap(10, 0, 8, (Chapter(1, 1, (), 0, 9),)),
    ],
)
def test_a_chapter_map_checks_itself(broken: Callable[[], ChapterMap]) -> None:
    with pytest.raises(ValueError, match=r"body|chapters"):
        broken()


FOUND = st.builds(
    Found,
    st.lists(st.integers(0, 7000), max_size=3).map(tuple),
    st.lists(st.integers(0, 16), max_size=3).map(tuple),
    st.booleans(),
)


@st.composite
def standings(draw: st.DrawFn, chapter_map: ChapterMap) -> Standing:
    current = draw(st.none() | st.integers(0, chapter_map.characters))
    return draw(st.sampled_from([standing(draw(st.sampled_from(PlainNumber)), current, chapter_map)]))


@given(chapter_maps(), statements(), FOUND, st.data())
def test_every_statement_gives_a_place_inside_the_text_or_a_sentence(
    chapter_map: ChapterMap, statement: Statement, found: Found, data: st.DataObject
) -> None:
    who = data.draw(standings(chapter_map))
    lookup_for(statement, chapter_map, who)
    result = locate(statement, chapter_map, found, who)
    if isinstance(result, NotLocated):
        assert result.message.endswith(".")
        return
    assert 0 <= result.offset <= max(chapter_map.characters, who.current or 0)
    offsets = [c.offset for c in result.candidates]
    assert offsets == sorted(set(offsets))
    assert result.offset == offsets[0]
    assert (len(offsets) > 1) is isinstance(result, Unclear)
    assert all(c.percent == chapter_map.percent(c.offset) for c in result.candidates)
    assert all(candidate_label(c, chapter_map) for c in result.candidates)


@given(chapter_maps(), st.integers(0, 18), extents(), st.sampled_from(PlainNumber))
def test_no_candidate_for_a_chapter_lies_past_what_was_said(
    chapter_map: ChapterMap, number: int, extent: PlainNumber | None, plain: PlainNumber
) -> None:
    result = locate(ChapterSaid(number, (), extent), chapter_map, NOTHING, standing(plain, None, chapter_map))
    assume(not isinstance(result, NotLocated))
    assert not isinstance(result, NotLocated)
    finished = (extent or plain) is FINISHED
    printing = [c for c in chapter_map.chapters if c.printed_number == number]
    for candidate in result.candidates:
        assert candidate.chapter is not None
        chapter = chapter_map.chapters[candidate.chapter - 1]
        assert candidate.offset in ({chapter.start, chapter.end} if finished else {chapter.start})
        assert chapter in printing or not printing
    if printing:
        assert result.offset <= min(c.end if finished else c.start for c in printing)
        assert {c.chapter for c in result.candidates} == {c.ordinal for c in printing}
    elif 1 <= number <= len(chapter_map.chapters):
        counted = chapter_map.chapters[number - 1]
        assert result.offset <= (counted.end if finished else counted.start)


@given(chapter_maps(), st.integers(0, 99), FOUND)
def test_a_percentage_never_reaches_past_itself(chapter_map: ChapterMap, percent: int, found: Found) -> None:
    result = locate(PercentSaid(Fraction(percent)), chapter_map, found, host_standing(chapter_map))
    assert not isinstance(result, NotLocated)
    assert result.offset * 100 <= max(0, percent - 3) * chapter_map.characters
    read = max(0, result.offset - chapter_map.body_start)
    assert read * 100 <= max(0, percent - 3) * chapter_map.body_length


@given(chapter_maps(), forward_statements(), FOUND, st.data())
def test_going_back_never_raises_a_position(
    chapter_map: ChapterMap, statement: Forward, found: Found, data: st.DataObject
) -> None:
    current = data.draw(st.integers(0, chapter_map.characters))
    result = locate(BackTo(statement), chapter_map, found, standing(FINISHED, current, chapter_map))
    assert isinstance(result, NotLocated) or max(c.offset for c in result.candidates) <= current


@given(chapter_maps(), FOUND, extents(), st.text(min_size=1), st.text(min_size=1))
def test_the_words_of_a_title_or_a_quotation_change_nothing(
    chapter_map: ChapterMap, found: Found, extent: PlainNumber | None, one: str, other: str
) -> None:
    who = standing(IN, chapter_map.characters // 2, chapter_map)
    titles = [locate(TitleSaid((title,), extent), chapter_map, found, who) for title in (one, other)]
    assert titles[0] == titles[1]
    quotes = [
        locate(QuoteSaid("one two three four five six " + w + " z"), chapter_map, found, who) for w in (one, other)
    ]
    assert quotes[0] == quotes[1]


@given(chapter_maps(), st.data())
def test_where_one_is_and_what_one_finished_agree(chapter_map: ChapterMap, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, chapter_map.characters))
    at, done = chapter_at(offset, chapter_map), finished_chapter(offset, chapter_map)
    assert (at.ordinal if at else 0) - (done.ordinal if done else 0) in {0, 1}
    assert at is None or at.start < offset
    assert done is None or done.end <= offset
    names = [chapter_name(c, chapter_map) for c in chapter_map.chapters]
    assert len(set(names)) == len(names)
    who = standing(FINISHED, offset, chapter_map)
    same, further = (locate(said, chapter_map, NOTHING, who) for said in (Same(), ChaptersOn(1)))
    assert not isinstance(same, NotLocated)
    assert same.offset == offset
    if not isinstance(further, NotLocated):
        reached = finished_chapter(further.offset, chapter_map)
        assert reached is not None
        assert reached.ordinal == (done.ordinal if done else 0) + 1
