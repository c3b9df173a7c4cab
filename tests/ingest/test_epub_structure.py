"""Chapters of EPUB books: which they are, where they begin, what they are called, what stands above them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from ebooklib import epub

from bot.core.book import BookText, SectionKind
from tests.ingest.epub_files import after_heading, chapter, nav, ncx, page, prose, read, text_of, titles, write_epub

WORDS = ["One", "Two", "Three", "Four", "Five", "Six"]
NAV_ITEM = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'


def chapters(*numbers: int) -> dict[str, str]:
    return {f"c{n}.xhtml": chapter(n, f"Chapter {WORDS[n - 1]}") for n in numbers}


def toc(*numbers: int) -> list[tuple[str, str]]:
    return [(f"Chapter {WORDS[n - 1]}", f"c{n}.xhtml") for n in numbers]


def named(*numbers: int) -> list[str]:
    return [f"Chapter {WORDS[n - 1]}" for n in numbers]


def begins_with_walk(book: BookText, number: int, walk: int) -> bool:
    return after_heading(book, number).startswith(f"On walk {walk}.0")


def parts(book: BookText) -> list[list[tuple[str, int]]]:
    return [[(part.title, part.number) for part in c.parts] for c in book.chapters]


def test_a_book_with_an_ncx_alone_has_its_chapters(tmp_path: Path) -> None:
    book = read(write_epub(tmp_path / "b.epub", chapters(1, 2, 3), toc_ncx=toc(1, 2, 3)))
    assert titles(book) == named(1, 2, 3)
    assert [c.printed_number for c in book.chapters] == [1, 2, 3]
    assert all(begins_with_walk(book, n, n) for n in (1, 2, 3))


def test_a_navigation_document_without_a_table_leaves_it_to_the_ncx(tmp_path: Path) -> None:
    landmarks = '<nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="c1.xhtml">Go</a></li></ol></nav>'
    files = {**{f"c{n}.xhtml": page(prose(n)) for n in (1, 2)}, "nav.xhtml": page(landmarks)}
    path = write_epub(tmp_path / "b.epub", files, ["c1.xhtml", "c2.xhtml"], toc_ncx=toc(1, 2), manifest=NAV_ITEM)
    assert titles(read(path)) == named(1, 2)


def test_the_table_that_names_more_numbered_chapters_wins(tmp_path: Path) -> None:
    files = {f"c{n}.xhtml": page(prose(n)) for n in range(1, 6)}
    path = write_epub(
        tmp_path / "b.epub", files, toc=[("Cover", "c1.xhtml"), ("Start", "c1.xhtml")], toc_ncx=toc(1, 2, 3, 4, 5)
    )
    assert titles(read(path)) == named(1, 2, 3, 4, 5)


def test_numbered_headings_fill_a_table_that_names_two_of_fourteen_files(tmp_path: Path) -> None:
    files = {f"c{n}.xhtml": chapter(n, f"Chapter {n}") for n in range(1, 15)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[("Chapter 1", "c1.xhtml"), ("Chapter 2", "c2.xhtml")]))
    assert [c.printed_number for c in book.chapters] == list(range(1, 15))


def test_without_table_and_headings_every_file_is_a_chapter(tmp_path: Path) -> None:
    files = {f"c{n}.xhtml": page(prose(n)) for n in range(1, 6)}
    path = write_epub(tmp_path / "b.epub", files, toc=[("Cover", "c1.xhtml"), ("Begin Reading", "c2.xhtml")])
    book = read(path)
    assert len(book.chapters) == 4
    assert book.sections[0].kind is SectionKind.FRONT


def test_a_chapter_split_over_files_that_repeat_its_id_begins_in_the_first(tmp_path: Path) -> None:
    files, table = {}, []
    for n in (1, 2, 3):
        for piece in range(3):
            heading = f'<h2 id="ch{n}">Chapter {WORDS[n - 1]}</h2>' if piece == 0 else f'<p id="ch{n}"></p>'
            files[f"book_split_{n * 3 + piece:03}.html"] = page(heading + prose(n * 10 + piece))
        table.append((f"Chapter {WORDS[n - 1]}", f"book_split_{n * 3 + 2:03}.html#ch{n}"))
    book = read(write_epub(tmp_path / "b.epub", files, toc_ncx=table))
    assert titles(book) == named(1, 2, 3)
    assert all(begins_with_walk(book, n, n * 10) for n in (1, 2, 3))
    assert all(f"On walk {n * 10 + 2}.3" in after_heading(book, n) for n in (1, 2, 3))


def test_split_files_that_each_have_an_entry_stay_apart_though_they_share_an_id(tmp_path: Path) -> None:
    files = {f"book_split_{n:03}.html": page(f'<h2 id="h">Chapter {WORDS[n - 1]}</h2>' + prose(n)) for n in (1, 2, 3)}
    table = [(f"Chapter {WORDS[n - 1]}", f"book_split_{n:03}.html#h") for n in (1, 2, 3)]
    book = read(write_epub(tmp_path / "b.epub", files, toc_ncx=table))
    assert [begins_with_walk(book, n, n) for n in (1, 2, 3)] == [True] * 3


def test_paragraphs_that_read_as_headings_are_headings(tmp_path: Path) -> None:
    body = "".join(f'<p class="calibre5">CHAPTER {WORDS[n - 1].upper()}</p>' + prose(n) for n in (1, 2, 3))
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(body)}, toc=[("Start", "b.xhtml")]))
    assert titles(book) == ["CHAPTER ONE", "CHAPTER TWO", "CHAPTER THREE"]
    assert all(begins_with_walk(book, n, n) for n in (1, 2, 3))


def test_chapters_parted_by_anchors_alone_take_their_titles_from_the_table(tmp_path: Path) -> None:
    body = "".join(f'<a id="x{n}"></a><p><b>The Heron {n}</b></p>' + prose(n) for n in (1, 2, 3))
    table = [(f"The Heron {n}", f"b.xhtml#x{n}") for n in (1, 2, 3)]
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(body)}, toc_ncx=table))
    assert titles(book) == ["The Heron 1", "The Heron 2", "The Heron 3"]
    assert all(begins_with_walk(book, n, n) for n in (1, 2, 3))


def test_an_anchor_behind_the_heading_still_begins_at_the_heading(tmp_path: Path) -> None:
    body = "".join(f'<h2>Chapter {WORDS[n - 1]}</h2><p id="p{n}">Start {n}.</p>' + prose(n) for n in (1, 2))
    table = [(f"Chapter {WORDS[n - 1]}", f"b.xhtml#p{n}") for n in (1, 2)]
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(body)}, toc=table))
    assert [c.span.of(book.text).split("\n")[0] for c in book.chapters] == named(1, 2)


def test_names_are_matched_percent_decoded_composed_and_without_case(tmp_path: Path) -> None:
    files = {
        unicodedata.normalize("NFD", "mühle é.xhtml"): chapter(1, "Chapter One"),
        "b c.xhtml": chapter(2, "Chapter Two"),
    }
    table = [("Chapter One", "m%C3%BChle%20%C3%A9.xhtml"), ("Chapter Two", "B%20C.xhtml")]
    assert titles(read(write_epub(tmp_path / "b.epub", files, toc=table))) == named(1, 2)


def test_labels_may_be_nested_and_parts_need_no_link(tmp_path: Path) -> None:
    table = page(
        '<nav epub:type="frontmatter toc"><ol><li><span>Part <b>One</b></span><ol>'
        '<li><a href="c1.xhtml"><span>Chapter</span> <i>One</i></a></li>'
        '<li><a href="c2.xhtml">Chapter Two</a></li></ol>'
        '</li><li><span>Part Two</span><ol><li><a href="c3.xhtml">Chapter Three</a></li></ol></li></ol></nav>'
    )
    files = {**chapters(1, 2, 3), "nav.xhtml": table}
    book = read(write_epub(tmp_path / "b.epub", files, list(chapters(1, 2, 3)), manifest=NAV_ITEM))
    assert titles(book) == named(1, 2, 3)
    assert parts(book) == [[("Part One", 1)], [("Part One", 1)], [("Part Two", 2)]]


def test_the_spine_wins_over_the_order_of_the_table(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "b.epub", chapters(1, 2, 3, 4), toc=toc(3, 1, 4, 2))
    assert titles(read(path)) == named(1, 2, 3, 4)


def test_a_number_in_the_title_beats_the_words_beside_it(tmp_path: Path) -> None:
    names = ["Chapter 1. The Preface", "Chapter 2. The Index", "Chapter 3. Notes"]
    files = {f"c{n}.xhtml": chapter(n, name) for n, name in enumerate(names)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[(name, f"c{n}.xhtml") for n, name in enumerate(names)]))
    assert titles(book) == names


def test_letters_prologue_chapter_nought_interlude_and_epilogue_are_chapters(tmp_path: Path) -> None:
    names = [
        "Letter I",
        "Prologue",
        "Chapter 0",
        "Chapter 1",
        "Interlude",
        "A Letter from Ada",
        "Chapter 2",
        "Epilogue",
    ]
    files = {f"c{n}.xhtml": chapter(n, name) for n, name in enumerate(names)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[(name, f"c{n}.xhtml") for n, name in enumerate(names)]))
    assert titles(book) == names
    assert [c.printed_number for c in book.chapters] == [1, None, 0, 1, None, None, 2, None]
    assert [c.chapter for c in book.chapters] == list(range(1, 9))


def test_a_title_after_the_last_number_is_still_story(tmp_path: Path) -> None:
    files = {**chapters(1, 2), "z.xhtml": chapter(9, "The Day of the Flood")}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[*toc(1, 2), ("The Day of the Flood", "z.xhtml")]))
    assert titles(book)[-1] == "The Day of the Flood"


def test_repeated_titles_without_numbers_are_chapters_each(tmp_path: Path) -> None:
    names = ["Tom", "Ada", "Tom", "Eve"]
    files = {f"c{n}.xhtml": chapter(n, name) for n, name in enumerate(names)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[(name, f"c{n}.xhtml") for n, name in enumerate(names)]))
    assert titles(book) == names
    assert {c.printed_number for c in book.chapters} == {None}


def test_a_page_of_its_own_for_a_part_is_no_chapter(tmp_path: Path) -> None:
    files = {
        "p1.xhtml": page("<h1>Part One</h1>"),
        **chapters(1, 2),
        "p2.xhtml": page("<h1>Part Two</h1><p>For the herons.</p>"),
        "d1.xhtml": chapter(3, "Chapter One"),
    }
    book = read(write_epub(tmp_path / "b.epub", files))
    assert titles(book) == [*named(1, 2), "Chapter One"]
    assert parts(book) == [[("Part One", 1)], [("Part One", 1)], [("Part Two", 2)]]
    pages = [s for s in book.sections if s.chapter is None]
    assert [(s.kind, s.title) for s in pages] == [(SectionKind.BODY, "Part One"), (SectionKind.BODY, "Part Two")]
    assert "For the herons." in pages[1].span.of(book.text)


def test_a_part_may_begin_in_the_file_of_its_first_chapter(tmp_path: Path) -> None:
    files = {
        "a.xhtml": page("<h1>PART ONE</h1><h1>The Weir</h1><h2>Chapter 1</h2>" + prose(1)),
        "b.xhtml": chapter(2, "Chapter 2"),
        "c.xhtml": page("<h1>PART TWO</h1><h2>Chapter 3</h2>" + prose(3)),
    }
    nested = [
        ("Part One: The Weir", "a.xhtml", [("Chapter 1", "a.xhtml"), ("Chapter 2", "b.xhtml")]),
        ("Part Two", "c.xhtml", [("Chapter 3", "c.xhtml")]),
    ]
    flat = [("Chapter 1", "a.xhtml"), ("Chapter 2", "b.xhtml"), ("Chapter 3", "c.xhtml")]
    for table in (nested, flat):
        book = read(write_epub(tmp_path / "b.epub", files, toc=table))
        assert titles(book) == ["Chapter 1", "Chapter 2", "Chapter 3"]
        assert [c.parts[-1].number for c in book.chapters] == [1, 1, 2]
        assert all(begins_with_walk(book, n, n) for n in (1, 2, 3))


def test_headings_drawn_as_pictures_are_read_from_their_descriptions(tmp_path: Path) -> None:
    files = {
        f"c{n}.xhtml": page(f'<h2><img src="h.png" alt="Chapter {WORDS[n - 1]}"/></h2>' + prose(n)) for n in (1, 2)
    }
    book = read(write_epub(tmp_path / "b.epub", files))
    assert titles(book) == named(1, 2)
    assert all(c.heading_end == c.span.end for c in book.chapters)  # the title does not stand in the text


def test_a_part_whose_page_is_a_picture_stands_above_its_chapters(tmp_path: Path) -> None:
    files = {
        "p1.xhtml": page('<img src="a.png" alt="Part One"/>'),
        **chapters(1),
        "p2.xhtml": page('<img src="b.png" alt="Part Two"/>'),
        **chapters(2),
    }
    table = [("Part One", "p1.xhtml", toc(1)), ("Part Two", "p2.xhtml", toc(2))]
    book = read(write_epub(tmp_path / "b.epub", files, toc=table))
    assert titles(book) == named(1, 2)
    assert parts(book) == [[("Part One", 1)], [("Part Two", 2)]]


def test_chapters_may_stand_below_books_and_parts(tmp_path: Path) -> None:
    files = {
        "b1.xhtml": page("<h1>Book One</h1>"),
        "p1.xhtml": page("<h2>Part One</h2>"),
        "c1.xhtml": chapter(1, "Chapter 1", "h3"),
        "p2.xhtml": page("<h2>Part Two</h2>"),
        "c2.xhtml": chapter(2, "Chapter 1", "h3"),
        "b2.xhtml": page("<h1>Book Two</h1>"),
        "p3.xhtml": page("<h2>Part One</h2>"),
        "c3.xhtml": chapter(3, "Chapter 1", "h3"),
    }
    nested = [
        ("Book One", "b1.xhtml", [
            ("Part One", "p1.xhtml", [("Chapter 1", "c1.xhtml")]),
            ("Part Two", "p2.xhtml", [("Chapter 1", "c2.xhtml")]),
        ]),
        ("Book Two", "b2.xhtml", [("Part One", "p3.xhtml", [("Chapter 1", "c3.xhtml")])]),
    ]  # fmt: skip
    for table in (nested, None):
        book = read(write_epub(tmp_path / "b.epub", files, toc=table))
        assert parts(book) == [
            [("Book One", 1), ("Part One", 1)],
            [("Book One", 1), ("Part Two", 2)],
            [("Book Two", 2), ("Part One", 1)],
        ]


def test_an_omnibus_has_its_novels_as_parts(tmp_path: Path) -> None:
    files = {
        "o1.xhtml": page("<h1>The Weir</h1>"),
        **chapters(1, 2),
        "n1.xhtml": chapter(11, "Author’s Note"),
        "o2.xhtml": page("<h1>The Mill</h1>"),
        "d1.xhtml": chapter(4, "Chapter One"),
    }
    second = ("Chapter One", "d1.xhtml")
    nested = [("The Weir", "o1.xhtml", [*toc(1, 2), ("Author’s Note", "n1.xhtml")]), ("The Mill", "o2.xhtml", [second])]
    flat = [("The Weir", "o1.xhtml"), *toc(1, 2), ("Author’s Note", "n1.xhtml"), ("The Mill", "o2.xhtml"), second]
    for table in (nested, flat):
        book = read(write_epub(tmp_path / "b.epub", files, toc=table))
        assert titles(book) == [*named(1, 2), "Chapter One"]
        assert parts(book) == [[("The Weir", 1)], [("The Weir", 1)], [("The Mill", 2)]]
        assert "On walk 11.0" in text_of(book, SectionKind.ESSAY)


def test_sub_sections_do_not_make_chapters(tmp_path: Path) -> None:
    files, table = {}, []
    for n in (1, 2):
        walks = "".join(f'<h3 id="s{j}">Walk {j}</h3>' + prose(10 * n + j) for j in (1, 2, 3))
        files[f"c{n}.xhtml"] = page(f"<h2>Chapter {n}</h2>" + walks)
        table.append((f"Chapter {n}", f"c{n}.xhtml", [(f"Walk {j}", f"c{n}.xhtml#s{j}") for j in (1, 2, 3)]))
    assert titles(read(write_epub(tmp_path / "b.epub", files, toc=table))) == ["Chapter 1", "Chapter 2"]


def test_numbers_that_begin_again_inside_every_story_do_not_make_chapters(tmp_path: Path) -> None:
    names = ["The Weir", "The Mill", "The Heron"]
    files = {}
    for n, name in enumerate(names):
        numbered = "".join(f"<h3>{j}</h3>" + prose(10 * n + j) for j in (1, 2))
        files[f"c{n}.xhtml"] = page(f"<h2>{name}</h2><p>A tale.</p>{numbered}")
    book = read(write_epub(tmp_path / "b.epub", files, toc=[(name, f"c{n}.xhtml") for n, name in enumerate(names)]))
    assert titles(book) == names


def test_a_file_that_no_table_names_continues_the_chapter_before(tmp_path: Path) -> None:
    files = {"c1.xhtml": chapter(1, "Chapter One"), "c1b.xhtml": page(prose(8)), "c2.xhtml": chapter(2, "Chapter Two")}
    book = read(write_epub(tmp_path / "b.epub", files, toc=toc(1, 2)))
    assert "On walk 8.0" in after_heading(book, 1)


def test_lines_in_prose_that_read_as_headings_do_not_begin_chapters(tmp_path: Path) -> None:
    odd = page("<h2>Chapter One</h2>" + prose(1) + "<p>7</p><p>CHAPTER NINE</p><p>said the seed list.</p>" + prose(3))
    book = read(write_epub(tmp_path / "b.epub", {"c1.xhtml": odd, **chapters(2)}, toc=toc(1, 2)))
    assert titles(book) == named(1, 2)


def test_bare_numbers_that_count_up_are_chapters(tmp_path: Path) -> None:
    body = "".join(f"<h3>{roman}</h3>" + prose(n) for n, roman in enumerate(["I", "II", "III", "IV"]))
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(body)}))
    assert [(c.printed, c.printed_number) for c in book.chapters] == [("I", 1), ("II", 2), ("III", 3), ("IV", 4)]


def test_all_lines_of_a_heading_belong_to_it(tmp_path: Path) -> None:
    files = {
        "c1.xhtml": page("<h2>Chapter One<br/>The Weir</h2>" + prose(1)),
        "c2.xhtml": page("<hgroup><h2>Chapter Two</h2><p>The Mill</p></hgroup>" + prose(2)),
        "c3.xhtml": page('<h1>3</h1><p class="sub">The Heron</p>' + prose(3)),
    }
    table = [("Chapter One: The Weir", "c1.xhtml"), ("Chapter Two: The Mill", "c2.xhtml"), ("3. The Heron", "c3.xhtml")]
    for entries in (table, table[2:]):
        book = read(write_epub(tmp_path / "b.epub", files, toc=entries))
        assert titles(book) == [title for title, _ in table]
        assert all(begins_with_walk(book, n, n) for n in (1, 2, 3))


def test_the_books_own_title_is_no_part(tmp_path: Path) -> None:
    files = {"t.xhtml": page("<h1>The Miller of Low Barrow</h1>"), **chapters(1, 2)}
    path = write_epub(tmp_path / "b.epub", files, toc=[("The Miller of Low Barrow", "t.xhtml", toc(1, 2))])
    book = read(path)
    assert parts(book) == [[], []]
    assert book.sections[0].kind is SectionKind.FRONT


def test_an_ncx_named_in_no_spine_is_found_by_its_type(tmp_path: Path) -> None:
    files = {f"c{n}.xhtml": page(prose(n)) for n in (1, 2)}
    item = '<item id="toc" href="t.ncx" media-type="application/x-dtbncx+xml"/>'
    path = write_epub(tmp_path / "b.epub", files, raw={"OEBPS/t.ncx": ncx(toc(1, 2))}, manifest=item)
    assert titles(read(path)) == named(1, 2)


def test_landmarks_say_where_a_book_without_numbers_begins(tmp_path: Path) -> None:
    names = ["A Word on Herons", "Tom", "Ada"]
    files = {f"c{n}.xhtml": chapter(n, name) for n, name in enumerate(names)}
    landmarks = '<nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="c1.xhtml">Go</a></li></ol></nav>'
    table = nav([(name, f"c{n}.xhtml") for n, name in enumerate(names)], landmarks)
    book = read(write_epub(tmp_path / "b.epub", {**files, "nav.xhtml": table}, list(files), manifest=NAV_ITEM))
    assert titles(book) == ["Tom", "Ada"]
    assert book.sections[0].kind is SectionKind.UNKNOWN


def test_a_book_title_repeated_above_every_heading_belongs_to_the_chapter_below(tmp_path: Path) -> None:
    files = {
        f"c{n}.xhtml": page(f"<h1>The Miller of Low Barrow</h1><h2>Chapter {WORDS[n - 1]}</h2>" + prose(n))
        for n in (1, 2)
    }
    for table in (toc(1, 2), None):
        book = read(write_epub(tmp_path / "b.epub", files, toc=table))
        assert titles(book) == named(1, 2)
        assert all(begins_with_walk(book, n, n) for n in (1, 2))
        assert after_heading(book, 1).endswith("an old seed list.")


def test_a_table_that_calls_a_chapter_contents_is_not_believed(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "b.epub", chapters(1, 2), toc=[("Table of Contents", "c1.xhtml"), *toc(2)])
    assert titles(read(path)) == named(1, 2)


def test_the_guide_says_where_an_older_book_without_numbers_begins(tmp_path: Path) -> None:
    names = ["A Word on Herons", "Tom", "Ada"]
    files = {f"c{n}.xhtml": chapter(n, name) for n, name in enumerate(names)}
    guide = '<guide><reference type="cover" href="c0.xhtml"/><reference type="text" href="c1.xhtml"/></guide>'
    table = [(name, f"c{n}.xhtml") for n, name in enumerate(names)]
    assert titles(read(write_epub(tmp_path / "b.epub", files, toc_ncx=table, guide=guide))) == ["Tom", "Ada"]


def test_a_book_written_by_another_library_reads_the_same(tmp_path: Path) -> None:
    made = epub.EpubBook()
    made.set_title("The Miller of Low Barrow")
    made.set_language("en")
    made.add_author("Ada Thorn")
    documents = []
    for n in (1, 2, 3):
        document = epub.EpubHtml(title=f"Chapter {WORDS[n - 1]}", file_name=f"c{n}.xhtml")
        document.content = f"<h2>Chapter {WORDS[n - 1]}</h2>{prose(n)}"
        made.add_item(document)
        documents.append(document)
    made.toc = [(epub.Section("Part One"), documents[:2]), (epub.Section("Part Two"), documents[2:])]
    made.spine = ["nav", *documents]
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    epub.write_epub(str(tmp_path / "b.epub"), made)
    book = read(tmp_path / "b.epub")
    assert titles(book) == named(1, 2, 3)
    assert parts(book) == [[("Part One", 1)], [("Part One", 1)], [("Part Two", 2)]]
    assert (book.title, book.author) == ("The Miller of Low Barrow", "Ada Thorn")
