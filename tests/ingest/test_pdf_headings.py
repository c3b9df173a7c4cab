"""Chapters of a PDF: outlines that lie, headings without outlines, parts, front and back matter."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from bot.core.book import BookText, SectionKind
from bot.ingest.pdf.reader import read_pdf
from bot.ingest.sections import assemble
from tests.ingest.pdf_books import LEFT, PdfBook, prose

TITLES = ("The Lamp", "The Key", "The Bell", "The Oar", "The Net", "The Rope")


def read(book: PdfBook, folder: Path) -> BookText:
    return assemble(read_pdf(book.save(folder / "book.pdf")))


def chapters(book: BookText) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [(c.title, c.printed_number, tuple(part.title for part in c.parts)) for c in book.chapters]


def prose_of(book: BookText, number: int) -> str:
    chapter = book.chapters[number - 1]
    return book.text[chapter.heading_end : chapter.span.end].strip()


def assert_chapters_hold_their_days(book: BookText, seeds: list[int], paragraphs: int = 3) -> None:
    assert len(book.chapters) == len(seeds)
    for number, seed in enumerate(seeds, 1):
        words = prose_of(book, number)
        assert words.startswith(f"So began the morning numbered {seed * 10} at the harbour.")
        assert words.endswith(f"Thus ended day {seed * 10 + paragraphs - 1} for all.")


def in_two_parts() -> tuple[PdfBook, list[tuple[int, str, int]]]:
    book = PdfBook(running_head=lambda n: "THE HARBOUR BOOK" if n % 2 == 0 else "", folio=str)
    outline: list[tuple[int, str, int]] = []
    for part, first in (("Part One", 1), ("Part Two", 4)):
        outline.append((1, part, book.chapter(part, 0, 0)))
        for chapter in range(3):
            seed = first + chapter
            page = book.chapter([f"Chapter {chapter + 1}", TITLES[seed - 1]], seed)
            outline.append((2, TITLES[seed - 1], page))
    return book, outline


def test_an_outline_whose_second_part_points_into_the_first_still_gives_every_chapter_its_place(tmp_path: Path) -> None:
    book, outline = in_two_parts()
    lying = outline[:4] + [(level, title, outline[i][2]) for i, (level, title, _) in enumerate(outline[4:])]
    book.document.set_toc([list(entry) for entry in lying])
    text = read(book, tmp_path)
    assert chapters(text) == [
        (title, number, (part,))
        for title, number, part in zip(TITLES, [1, 2, 3] * 2, ["Part One"] * 3 + ["Part Two"] * 3, strict=True)
    ]
    assert_chapters_hold_their_days(text, [1, 2, 3, 4, 5, 6])


def test_repeated_bookmark_titles_that_all_point_at_part_one_take_their_headings_in_order(tmp_path: Path) -> None:
    book = PdfBook()
    outline: list[list[object]] = []
    seed = 0
    for part in ("Book I", "Book II"):
        page = book.chapter(part, 0, 0)
        outline.append([1, part, 1])
        for number in ("I", "II", "III"):
            seed += 1
            page = book.chapter(f"Chapter {number}", seed)
            outline.append([2, f"Chapter {number}", page if part == "Book I" else 2])
    book.document.set_toc(outline)
    text = read(book, tmp_path)
    assert [c.parts[0].number for c in text.chapters] == [1, 1, 1, 2, 2, 2]
    assert [c.printed for c in text.chapters] == ["I", "II", "III"] * 2
    assert_chapters_hold_their_days(text, [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("miss", [-1, 1])
def test_a_bookmark_beside_its_page_does_not_move_the_chapter(tmp_path: Path, miss: int) -> None:
    book = PdfBook()
    pages = [book.chapter(title, seed) for seed, title in enumerate(TITLES[:4], 1)]
    last = book.document.page_count
    book.document.set_toc([[1, t, min(last, max(1, p + miss))] for t, p in zip(TITLES[:4], pages, strict=True)])
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == list(TITLES[:4])
    assert_chapters_hold_their_days(text, [1, 2, 3, 4])


def test_a_heading_in_body_type_is_found_by_its_bookmark_in_the_middle_of_a_page(tmp_path: Path) -> None:
    book = PdfBook()
    outline = []
    for seed, title in enumerate(TITLES[:3], 1):
        book.line(title)
        outline.append([1, title, book.document.page_count])
        for i in range(3):
            book.paragraph(prose(seed * 10 + i))
    book.document.set_toc(outline)
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == list(TITLES[:3])
    assert_chapters_hold_their_days(text, [1, 2, 3])


def test_a_chapter_whose_heading_is_a_picture_begins_at_the_page_of_its_bookmark(tmp_path: Path) -> None:
    book = PdfBook()
    outline = []
    for seed in (1, 2, 3):
        page = book.chapter([] if seed == 2 else f"Chapter {seed}", seed)
        outline.append([1, f"Chapter {seed}", page])
    book.document.set_toc(outline)
    text = read(book, tmp_path)
    second = text.chapters[1]
    assert second.title == "Chapter 2"
    assert second.heading_end == second.span.end, "its title is not in the text, so it opens with its end"
    assert text.text[second.span.start :].startswith("So began the morning numbered 20")


def test_sections_below_the_chapters_of_an_outline_are_no_chapters(tmp_path: Path) -> None:
    book = PdfBook()
    outline: list[list[object]] = []
    for seed in (1, 2, 3):
        outline.append([1, f"Chapter {seed}", book.chapter(f"Chapter {seed}", seed)])
        book.heading("Later that day", size=13)
        outline.append([2, "Later that day", book.document.page_count])
        book.paragraph(prose(90 + seed))
    book.document.set_toc(outline)
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert "Later that day" in prose_of(text, 2)


def test_titles_alone_make_chapters_where_nothing_is_numbered_and_there_is_no_outline(tmp_path: Path) -> None:
    book = PdfBook(folio=str)
    book.new_page()
    book.heading("The Harbour Book", size=26)
    for seed, title in enumerate(TITLES[:4], 1):
        book.chapter(title, seed)
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == list(TITLES[:4])
    assert text.title == "The Harbour Book"
    assert_chapters_hold_their_days(text, [1, 2, 3, 4])


def test_bare_roman_numerals_in_order_are_chapters_and_a_number_in_the_prose_is_none(tmp_path: Path) -> None:
    book = PdfBook()
    for seed, number in enumerate(("I", "II", "III", "IV"), 1):
        book.chapter(number, seed, 2)
        book.paragraph("So began the list. " + prose(7))
    text = read(book, tmp_path)
    assert [c.printed for c in text.chapters] == ["I", "II", "III", "IV"]


@pytest.mark.parametrize("outlined", [False, True])
@pytest.mark.parametrize("dot", ["", "."])
def test_numbered_titles_between_a_prologue_and_an_epilogue_are_chapters(
    tmp_path: Path, outlined: bool, dot: str
) -> None:
    book = PdfBook(folio=str)
    book.new_page()
    book.heading("The Harbour Book", size=28)
    headings = ["Prologue", f"1{dot} The Lamp", f"2{dot} The Key", f"3{dot} The Bell", "Epilogue", "Acknowledgements"]
    outline = [[1, heading, book.chapter(heading, seed)] for seed, heading in enumerate(headings, 1)]
    if outlined:
        book.document.set_toc([[1, "The Harbour Book", 1], *([2, title, page] for _, title, page in outline)])
    text = read(book, tmp_path)
    assert [(c.title, c.printed_number) for c in text.chapters] == [
        (heading, int(heading[0]) if heading[0].isdigit() else None) for heading in headings[:5]
    ]
    assert text.title == "The Harbour Book"
    assert_chapters_hold_their_days(text, [1, 2, 3, 4, 5])


def test_numbers_under_the_titles_of_stories_are_sections_of_the_stories(tmp_path: Path) -> None:
    book = PdfBook(folio=str)
    for story, title in enumerate(("The Red Buoy", "The Blue Lamp", "The Last Ferry"), 1):
        book.new_page()
        book.heading(title, size=20)
        for part in (1, 2, 3):
            book.heading("I" * part, size=13)
            book.paragraph(prose(story * 10 + part))
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == ["The Red Buoy", "The Blue Lamp", "The Last Ferry"]


def test_parts_that_have_only_a_name_are_parts_where_the_outline_says_so(tmp_path: Path) -> None:
    book = PdfBook(folio=str)
    outline: list[list[object]] = []
    for part, first in (("The Tide", 1), ("The Storm", 3)):
        outline.append([1, part, book.chapter(part, 0, 0)])
        outline += [[2, f"Chapter {n}", book.chapter(f"Chapter {n}", first + n - 1)] for n in (1, 2)]
    book.document.set_toc(outline)
    text = read(book, tmp_path)
    assert chapters(text) == [
        ("Chapter 1", 1, ("The Tide",)),
        ("Chapter 2", 2, ("The Tide",)),
        ("Chapter 1", 1, ("The Storm",)),
        ("Chapter 2", 2, ("The Storm",)),
    ]
    assert text.title == ""


def test_letter_spaced_headings_are_read_as_words(tmp_path: Path) -> None:
    book = PdfBook()
    for seed, heading in enumerate(("C H A P T E R   O N E", "C H A P T E R   T W O"), 1):
        book.chapter([heading, "T H E   L A M P" if seed == 1 else "T H E   K E Y"], seed)
    text = read(book, tmp_path)
    assert chapters(text) == [("THE LAMP", 1, ()), ("THE KEY", 2, ())]
    assert_chapters_hold_their_days(text, [1, 2])


def with_front_matter() -> PdfBook:
    book = PdfBook(folio=lambda n: ("i", "ii", "iii", "iv")[n - 1] if n < 5 else str(n - 4))
    book.new_page()
    book.heading("The Harbour Book", size=26)
    book.new_page()
    book.heading("Contents")
    for i, title in enumerate(TITLES[:3], 1):
        book.line(f"{i} {title} . . . . . . . . . {2 * i - 1}")
    book.line("Afterword . . . . . . . . . 9")
    book.new_page()
    book.heading("Introduction")
    book.paragraph("The editor tells that the ferryman did it. " + prose(80))
    book.new_page()
    book.heading("Preface")
    book.paragraph("The author hints at the drowned clerk. " + prose(81))
    for seed, title in enumerate(TITLES[:3], 1):
        book.chapter([f"Chapter {seed}", title], seed)
    book.new_page()
    book.heading("Afterword")
    book.paragraph("All this happened to the bellman's aunt. " + prose(82))
    book.new_page()
    book.heading("A preview of The Second Harbour Book")
    book.chapter(["Chapter 1", "The Storm"], 9)
    return book


def test_front_and_back_matter_are_sealed_and_a_preview_never_opens(tmp_path: Path) -> None:
    text = read(with_front_matter(), tmp_path)
    assert [c.title for c in text.chapters] == list(TITLES[:3])
    kinds = [s.kind for s in text.sections]
    assert kinds[:4] == [SectionKind.FRONT, SectionKind.CONTENTS, SectionKind.ESSAY, SectionKind.ESSAY]
    assert kinds[7:] == [SectionKind.ESSAY, SectionKind.PREVIEW, SectionKind.PREVIEW]
    body = "".join(s.span.of(text.text) for s in text.sections if s.kind is SectionKind.BODY)
    for secret in ("the ferryman did it", "drowned clerk", "bellman's aunt", "numbered 90 at"):
        assert secret in text.text
        assert secret not in body
    for section in text.sections:
        if section.kind is SectionKind.PREVIEW:
            assert section.revealed_at > len(text.text)


@pytest.mark.parametrize(
    "end",
    [
        "*** END OF THE PROJECT GUTENBERG EBOOK THE HARBOUR ***",
        "Ende dieses Projekt Gutenberg Etextes",
        "*** START: FULL LICENSE ***",
        "THE FULL PROJECT GUTENBERG LICENSE",
    ],
)
def test_what_gutenberg_adds_behind_the_last_chapter_is_back_matter(tmp_path: Path, end: str) -> None:
    book = PdfBook()
    for number, title in enumerate(TITLES[:3], 1):
        book.chapter([f"Chapter {number}", title], number)
    book.line(end)
    book.paragraph(prose(90))
    text = read(book, tmp_path)
    assert_chapters_hold_their_days(text, [1, 2, 3])
    assert text.sections[-1].kind is SectionKind.BACK
    assert "numbered 90 at" in text.sections[-1].span.of(text.text)


def test_a_title_page_above_the_first_volume_is_front_matter(tmp_path: Path) -> None:
    book = PdfBook()
    book.new_page()
    for words, size in (("THE HARBOUR BOOK", 24.0), ("by", 14.0), ("N. O. Body", 18.0)):
        book.heading(words, size=size)
    book.y += 40
    book.heading("VOLUME I", size=18)
    book.heading("CHAPTER I", size=14)
    book.paragraph(prose(10))
    for number in ("II", "III"):
        book.heading(f"CHAPTER {number}", size=14)
        book.paragraph(prose(20))
    book.new_page()
    book.heading("VOLUME II", size=18)
    book.heading("CHAPTER I", size=14)
    book.paragraph(prose(30))
    text = read(book, tmp_path)
    assert chapters(text) == [
        ("CHAPTER I", 1, ("VOLUME I",)),
        ("CHAPTER II", 2, ("VOLUME I",)),
        ("CHAPTER III", 3, ("VOLUME I",)),
        ("CHAPTER I", 1, ("VOLUME II",)),
    ]
    assert text.sections[0].kind is SectionKind.FRONT
    assert text.title == "THE HARBOUR BOOK"


def test_a_book_without_headings_is_one_chapter(tmp_path: Path) -> None:
    book = PdfBook()
    for i in range(6):
        book.paragraph(prose(i))
    text = read(book, tmp_path)
    assert [(c.title, c.span.start, c.span.end) for c in text.chapters] == [("", 0, len(text.text))]


def test_chinese_chapters_keep_their_lines_without_spaces(tmp_path: Path) -> None:
    document = pymupdf.open()  # type: ignore[no-untyped-call]
    sentence = "那天夜里，灯塔上的老人听见海面传来一阵钟声，他放下手里的书，慢慢走到窗前。"
    for heading in ("第一章 灯塔", "第二章 钟声"):
        page = document.new_page(width=300, height=420)
        page.insert_text((40, 60), heading, fontsize=18, fontname="china-s")
        story = sentence * 4
        for i in range(0, len(story), 20):
            page.insert_text((40, 94 + 17 * (i // 20)), story[i : i + 20], fontsize=11, fontname="china-s")
    path = tmp_path / "book.pdf"
    document.save(path)  # type: ignore[no-untyped-call]
    text = assemble(read_pdf(path))
    assert [(c.title, c.printed_number) for c in text.chapters] == [("第一章 灯塔", 1), ("第二章 钟声", 2)]
    assert prose_of(text, 1) == sentence * 4


def test_lines_of_prose_that_begin_like_headings_stay_prose(tmp_path: Path) -> None:
    book = PdfBook()
    for seed in (1, 2):
        book.chapter(f"Chapter {seed}", seed, 1)
        book.paragraph("Nobody could say which chapter of the harbour's history had been worse, the one they called")
        book.line("Chapter 7 of the old almanac, or the one that the clerk", x=LEFT)
        book.line("Book 2 of the accounts, page forty, with its torn leaf.", x=LEFT)
        book.paragraph(prose(seed * 10 + 5))
    text = read(book, tmp_path)
    assert [c.title for c in text.chapters] == ["Chapter 1", "Chapter 2"]
