from __future__ import annotations

import pytest

from bot.ingest.headings import Strength, parse_heading

CHAPTERS = [
    ("CHAPTER I. The Lamp", "I", 1),
    ("Chapter One", "1", 1),
    ("chapter.001", "001", 1),
    ("Chapter 12 The Key", "12", 12),
    ("CHAPTER TWENTY-ONE THE LAMP", "21", 21),
    ("THE FIRST CHAPTER", "1", 1),
    ("_CHAPTER II._", "II", 2),
    ("Erstes Kapitel", "1", 1),
    ("Zweites Kapitel. Der Schlüssel", "2", 2),
    ("1. Kapitel", "1", 1),
    ("Chapitre troisième", "3", 3),
    ("CAPÍTULO IV. De la campana", "IV", 4),
    ("Capítulo Primero. De lo que pasó", "1", 1),
    ("Hoofdstuk 6", "6", 6),
    ("Rozdział 7", "7", 7),
    ("Capitolo ottavo", "8", 8),
    ("Глава двадцать первая", "21", 21),
    ("Första kapitlet", "1", 1),
    ("XII. fejezet", "XII", 12),
    ("ΚΕΦΑΛΑΙΟ 3", "3", 3),
    ("第9章", "9", 9),
    ("第两百零三章 归来", "203", 203),
    ("第壹百章 旧账", "100", 100),
    ("第一章灯塔", "1", 1),
    ("第十二回　歸來", "12", 12),
    ("第３話", "3", 3),
    ("제10장 종소리", "10", 10),
    ("LETTER I", "I", 1),
    ("Stave I: The Ghost", "I", 1),
    ("ADVENTURE III. THE BELL", "III", 3),
]


@pytest.mark.parametrize(("line", "printed", "number"), CHAPTERS)
def test_a_chapter_heading_gives_its_number_and_keeps_its_line(line: str, printed: str, number: int) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert (heading.keyword, heading.printed, heading.number, heading.title) == ("chapter", printed, number, line)
    assert not heading.bare
    assert heading.strength >= Strength.FAIR or line.startswith("chapter")


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("PART I.", 1),
        ("BOOK ONE: 1805", 1),
        ("Book the First", 1),
        ("Phase the First. The Maiden", 1),
        ("PREMIÈRE PARTIE", 1),
        ("Livre premier", 1),
        ("Zweiter Teil", 2),
        ("ЧАСТЬ ВТОРАЯ", 2),
        ("Część pierwsza", 1),
        ("VOL. I", 1),
        ("第二卷 归来", 2),
        ("卷三 归来", 3),
        ("上卷", 1),
        ("제2부", 2),
        ("Segunda parte del ingenioso caballero", 2),
    ],
)
def test_a_part_heading_gives_its_number(line: str, number: int) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert heading.is_part
    assert heading.number == number


@pytest.mark.parametrize(
    ("line", "keyword"),
    [
        ("PROLOGUE", "prologue"),
        ("PRÓLOGO AL LECTOR", "prologue"),
        ("Epilogue: Two Years Later", "epilogue"),
        ("Conclusion", "conclusion"),
        ("終章", "epilogue"),
        ("楔子", "prologue"),
        ("尾声", "epilogue"),
        ("프롤로그", "prologue"),
        ("CHAPTER THE LAST", "chapter"),
        ("CHAPTER THE LAST. In Which All Is Told", "chapter"),
        ("Letztes Kapitel", "chapter"),
        ("פרק א", "chapter"),
        ("الفصل الأول", "chapter"),
    ],
)
def test_story_headings_and_last_chapters_have_no_number(line: str, keyword: str) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert (heading.keyword, heading.number, heading.printed) == (keyword, None, None)


@pytest.mark.parametrize(
    "line",
    [
        "第一封信放在桌上。第二部分还没有写完，他想。",
        "第四本书记载着潮汐的秘密，他从不翻开。",
        "第二部分还没有写完",
        "(I) The tide was out by then, said the voice.",
        "Letter to Mrs. Saville",
        "Letter I received yesterday was short.",
        "One night, he came home",
        "Part of the plan",
        "Part 3D",
        "Prologue to the tale, she said.",
        "I  think so",
        "Once upon a time",
        "Una parte del libro",
        "* * * * *",
        "",
        "CHAPTER " + "x" * 500,
    ],
)
def test_prose_and_measure_words_are_no_headings(line: str) -> None:
    assert parse_heading(line) is None


@pytest.mark.parametrize("line", ["Chapter 12 was long, and she slept", "First part of the plan", "Part I played well"])
def test_a_line_that_could_be_prose_is_weak(line: str) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert heading.strength is Strength.WEAK


@pytest.mark.parametrize(
    ("line", "number"),
    [("I", 1), ("IV.", 4), ("1984", 1984), ("ONE", 1), ("一", 1), ("IV. THE ADVENTURE OF THE OAR", 4), ("二、钥匙", 2)],
)
def test_a_number_without_a_word_is_bare(line: str, number: int) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert (heading.bare, heading.keyword, heading.number) == (True, None, number)


def test_a_number_in_a_label_beats_the_words_in_it() -> None:
    heading = parse_heading("Chapter 2. The Index")
    assert heading is not None
    assert (heading.keyword, heading.number) == ("chapter", 2)


def test_an_extra_keeps_the_number_of_the_chapter_in_it() -> None:
    heading = parse_heading("番外 第一章 渔火")
    assert heading is not None
    assert (heading.keyword, heading.number) == ("extra", 1)


@pytest.mark.parametrize("line", ["Part One, Chapter 2: The Lamp", "BOOK ONE CHAPTER 2", "第一卷 灯塔 第二章 风起"])
def test_a_part_named_in_the_same_line_stands_above_the_chapter(line: str) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert heading.above is not None
    assert (heading.keyword, heading.number, heading.above.number) == ("chapter", 2, 1)
