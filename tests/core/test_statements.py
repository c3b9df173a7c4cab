"""What members say, in the words they use."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.core.numerals import cjk, roman, with_digits
from bot.core.statements import (
    BackTo,
    ChapterSaid,
    ChaptersOn,
    NotStarted,
    NotUnderstood,
    OffsetSaid,
    PageSaid,
    PartSaid,
    PercentSaid,
    PlainNumber,
    QuoteSaid,
    Same,
    Statement,
    TitleSaid,
    Whole,
    folded_title,
    is_plain,
    parse,
)

FINISHED, IN = PlainNumber.FINISHED, PlainNumber.IN


def _ways(listed: str) -> list[str]:
    return [way.strip() for line in listed.strip().splitlines() for way in line.split("|")]


@pytest.mark.parametrize(
    "said",
    _ways("""
        12|ch 12|ch. 12|ch12|c12|Chapter 12|chapter twelve|XII|xii|chapter xii|the twelfth chapter|12th chapter
        CHAPTER 12.|12!|Chapter Twelve|chapter.012|chap 12|chapter 12 of 30|/progress 12
        /progress@dogear_bot ch 12|Kapitel 12|12. Kapitel|chapitre XII|12e chapitre|capítulo 12|capitolo 12
        глава 12|第12章|第十二章|第１２章|十二|제12장|letter 12
    """),
)
def test_a_chapter_is_understood_however_its_number_is_written(said: str) -> None:
    assert parse(said) == ChapterSaid(12)
    assert is_plain(parse(said))


@pytest.mark.parametrize(
    "said",
    _ways("""
        part 2 ch 3|Part Two, Chapter Three|book 2 chapter 3|Book II, ch. 3|2.3|II.3|2:3|vol. 2, chapter iii
        chapter 3 of part 2|the third chapter of book two|pt 2 ch 3|第二部第三章|第2卷 第3章|卷二 第三章
        Teil 2 Kapitel 3|part 2, 3
    """),
)
def test_a_part_and_a_chapter_are_understood_in_any_order(said: str) -> None:
    assert parse(said) == ChapterSaid(3, (2,))


def test_parts_may_be_nested() -> None:
    assert parse("volume 1 book 2 chapter 3") == parse("1.2.3") == ChapterSaid(3, (1, 2))


@pytest.mark.parametrize(
    "said",
    _ways("""
        finished 12|done with 12|after 12|end of 12|the end of chapter 12|just finished ch 12
        I've read to the end of chapter 12|12 done|chapter 12 is finished|I have finished reading chapter twelve
        through 12|up to and including 12|读完第12章|at the end of 12|completed 12|i read chapter 12
    """),
)
def test_a_finished_chapter_is_told_from_a_plain_one(said: str) -> None:
    assert parse(said) == ChapterSaid(12, extent=FINISHED)
    assert not is_plain(parse(said))


@pytest.mark.parametrize(
    "said",
    _ways("""
        in 12|in chapter 12|started 12|I am on chapter 12|I'm in the middle of 12|reading chapter 12
        halfway through 12|up to 12|read up to chapter 12|until 12|before 12|not finished 12|haven't finished 12
        I haven’t finished chapter 12|almost done with 12|nearly at the end of 12|about to finish 12
        finishing 12|ch 12 in progress|12, not finished yet|45% of chapter 12|beginning of 12
        before the end of 12|still in 12|just about done with 12|about finished with chapter 12|haven't read 12
        读到第12章|finished up to 12
    """),
)
def test_whatever_is_short_of_the_end_of_a_chapter_counts_from_its_start(said: str) -> None:
    assert parse(said) == ChapterSaid(12, extent=IN)


def test_the_exact_form_counts_from_the_start_of_the_book_and_is_never_asked_about() -> None:
    assert parse("#12") == ChapterSaid(12, exact=True)
    assert parse("in #12") == ChapterSaid(12, extent=IN, exact=True)
    assert not is_plain(parse("#12"))


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("p. 143", PageSaid("143")),
        ("page 143", PageSaid("143")),
        ("P143", PageSaid("143")),
        ("on page 143 of 320", PageSaid("143")),
        ("p ii", PageSaid("ii")),
        ("Page XIV", PageSaid("xiv")),
        ("第143页", PageSaid("143")),
        ("Seite 9", PageSaid("9")),
        ("45%", PercentSaid(Fraction(45))),
        ("about 45 %", PercentSaid(Fraction(45))),
        ("45 percent", PercentSaid(Fraction(45))),
        ("I'm 45% through", PercentSaid(Fraction(45))),
        ("45,5 %", PercentSaid(Fraction(91, 2))),
        ("-5%", PercentSaid(Fraction(-5))),
        ("250%", PercentSaid(Fraction(250))),
        ("loc 500 of 2000", PercentSaid(Fraction(25))),
        ("offset:12345", OffsetSaid(12345)),
        ("+1", ChaptersOn(1)),
        ("next", ChaptersOn(1)),
        ("- 3", ChaptersOn(-3)),
        ("same", Same()),
        ("0", ChapterSaid(0)),
        ("part 2", PartSaid((2,))),
        ("finished book four", PartSaid((4,), FINISHED)),
    ],
)
def test_pages_percentages_and_the_rest_are_understood(said: str, statement: Statement) -> None:
    assert parse(said) == statement


@pytest.mark.parametrize("said", ["finished", "Done!", "the end", "I've finished it", "finished the book", "读完了"])
def test_the_whole_book_may_be_finished(said: str) -> None:
    assert parse(said) == Whole()


@pytest.mark.parametrize(
    "said", ["none", "Not started", "nothing", "nothing yet", "I haven’t started yet", "start over"]
)
def test_nothing_read_is_a_statement_of_its_own(said: str) -> None:
    assert parse(said) == NotStarted()


@pytest.mark.parametrize(
    "said",
    [
        "not finished",
        "almost done",
        "nearly finished",
        "haven't finished it",
        "not done yet",
        "about done",
        "just about finished",
        "still not done",
        "12 mostly done",
        "never finished 12",
    ],
)
def test_an_unfinished_book_is_never_taken_for_a_finished_one(said: str) -> None:
    assert not isinstance(parse(said), Whole)


@pytest.mark.parametrize(
    "said", ["12-13", "12/30", "100 pages", "20 minutes in", "45% left", "3 chapters left", "loc 900"]
)
def test_what_says_no_one_place_is_no_chapter(said: str) -> None:
    assert isinstance(parse(said), NotUnderstood | TitleSaid)


@pytest.mark.parametrize("marks", ['""', "“”", "„“", "«»", "「」", "''", "‘’"])
def test_quoted_words_keep_their_letters_and_lose_their_quotation_marks(marks: str) -> None:
    words = "the Lamp went out, said Ana, and nobody moved"
    assert parse(f"{marks[0]}{words}{marks[1]}") == QuoteSaid(words)


def test_a_quotation_may_follow_a_few_words_and_may_miss_its_last_mark() -> None:
    assert parse('up to "the lamp went out and nobody moved') == QuoteSaid("the lamp went out and nobody moved")


def test_seven_plain_words_are_taken_for_a_quotation() -> None:
    assert parse("the lamp went out and nobody moved") == QuoteSaid("the lamp went out and nobody moved")


@pytest.mark.parametrize(
    ("words", "enough"),
    [
        ("the lamp went out and nobody moved", True),
        ("the lamp went out and nobody", False),
        ("don't — the — lamp's — out — again", False),
        ("灯灭了没有人动弹一下", True),
        ("灯灭了没有人动弹一", False),
        ("", False),
    ],
)
def test_a_quotation_needs_seven_words_or_ten_characters_of_a_spaceless_script(words: str, enough: bool) -> None:
    assert QuoteSaid(words).long_enough is enough


def test_going_back_to_a_plain_number_is_going_back_to_its_start() -> None:
    assert parse("back to 9") == parse("went back to chapter 9") == BackTo(ChapterSaid(9, extent=IN))
    assert parse("rereading from 9") == BackTo(ChapterSaid(9, extent=IN))
    assert parse("back to the end of 9") == BackTo(ChapterSaid(9, extent=FINISHED))
    assert parse("back to the start") == BackTo(NotStarted())
    assert parse("back to p. 30") == BackTo(PageSaid("30"))


def test_other_words_may_be_a_title_and_titles_are_folded() -> None:
    assert parse("Tamsin") == TitleSaid(("tamsin",))
    assert parse("finished Tamsin") == TitleSaid(("tamsin",), FINISHED)
    assert parse("in Tamsin") == TitleSaid(("in tamsin", "tamsin"), IN)
    assert parse("Liv") == TitleSaid(("liv",))
    assert parse("LIV") == ChapterSaid(54)
    assert folded_title("  L’Été — “Élan”, №1 ") == "l ete elan no1"


def test_no_words_are_no_place() -> None:
    assert parse("") == parse(" ?! ") == parse("/progress") == NotUnderstood()


@given(st.text(max_size=60) | st.text("0123456789#%.:,+-/ xviчглава第章卷十\"'“”pchartof", max_size=30))
@example("9" * 5000)
@example("第" * 3000)
@example("in " * 900)
@example('"' * 2000)
def test_every_string_is_read_as_one_statement_and_always_the_same(said: str) -> None:
    statement = parse(said)
    assert isinstance(statement, Statement)
    assert {statement: said}[parse(said)] == said


@given(st.integers(1, 999))
def test_numbers_are_read_back_from_chinese_and_roman(number: int) -> None:
    digits = "〇一二三四五六七八九"
    assert cjk("".join(digits[int(d)] for d in str(number))) == cjk(str(number)) == number
    ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    tens = ["", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc"]
    hundreds = ["", "c", "cc", "ccc", "cd", "d", "dc", "dcc", "dccc", "cm"]
    assert roman(hundreds[number // 100] + tens[number // 10 % 10] + ones[number % 10]) == number


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("twenty-one", "21"),
        ("one hundred and five", "105"),
        ("two three", "two three"),
        ("the thirty second", "the 32"),
        ("civil", "civil"),
        ("iiii", "4"),
        ("someone", "someone"),
    ],
)
def test_number_words_become_digits_and_other_words_stay(words: str, digits: str) -> None:
    assert with_digits(words) == digits


def test_chinese_tens_and_hundreds_are_read() -> None:
    assert [cjk(n) for n in ("十", "十二", "二十", "廿三", "二百零三", "一千零一", "两百", "甲")] == [
        10, 12, 20, 23, 203, 1001, 200, None,
    ]  # fmt: skip
