"""What is not story in an EPUB: front and back matter, essays, contents pages, notes, previews. All of it is sealed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.ingest.canonical import clean
from bot.ingest.epub import read_epub
from bot.ingest.sections import assemble
from tests.ingest.epub_files import after_heading, chapter, kinds, nav, page, prose, read, text_of, titles, write_epub

WORDS = ["One", "Two", "Three", "Four", "Five", "Six"]
NAV_ITEM = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'


def chapters(*numbers: int) -> dict[str, str]:
    return {f"c{n}.xhtml": chapter(n, f"Chapter {WORDS[n - 1]}") for n in numbers}


def toc(*numbers: int) -> list[tuple[str, str]]:
    return [(f"Chapter {WORDS[n - 1]}", f"c{n}.xhtml") for n in numbers]


def body(book: BookText) -> str:
    return text_of(book, SectionKind.BODY)


def noted(number: int, marker: str, note: str) -> str:
    """A chapter with one marker and a note at its end."""
    return page(f"<h2>Chapter {WORDS[number - 1]}</h2><p>He saw a heron{marker}, again.</p>{prose(number)}{note}")


def test_labelled_matter_around_the_story_is_sealed(tmp_path: Path) -> None:
    files = {
        "t.xhtml": page("<h1>The Miller of Low Barrow</h1>"),
        "i.xhtml": chapter(10, "Introduction"),
        "d.xhtml": chapter(11, "Dramatis Personae"),
        "p.xhtml": chapter(12, "List of Plates"),
        **chapters(1, 2),
        "a.xhtml": chapter(13, "Afterword"),
        "n.xhtml": chapter(14, "Author’s Note"),
        "k.xhtml": chapter(15, "Acknowledgements"),
        "g.xhtml": chapter(16, "Book Club Questions"),
    }
    names = {"t": "Title Page", "i": "Introduction", "d": "Dramatis Personae", "p": "List of Plates"}
    names |= {"a": "Afterword", "n": "Author’s Note", "k": "Acknowledgements", "g": "Book Club Questions"}
    before = [(names[key], f"{key}.xhtml") for key in "tidp"]
    after = [(names[key], f"{key}.xhtml") for key in "ankg"]
    for table in ([*before, *toc(1, 2), *after], None):
        book = read(write_epub(tmp_path / "b.epub", files, toc=table))
        assert titles(book) == ["Chapter One", "Chapter Two"]
        assert not [n for n in range(10, 17) if f"On walk {n}.0" in body(book)]
        essays = text_of(book, SectionKind.ESSAY)
        assert all(f"On walk {n}.0" in essays for n in (10, 11, 13, 14, 16))
        assert "On walk 15.0" in text_of(book, SectionKind.BACK)


def test_types_say_what_labels_do_not(tmp_path: Path) -> None:
    files = {
        "q.xhtml": page('<section epub:type="epigraph"><p>Grey birds, grey water.</p></section>'),
        "f.xhtml": page(f'<section epub:type="foreword"><h2>How It Was</h2>{prose(10)}</section>'),
        "p.xhtml": page(f'<section epub:type="prologue"><h2>Before</h2>{prose(11)}</section>'),
        "c.xhtml": page(f'<section epub:type="chapter"><h2>The Weir</h2>{prose(1)}</section>'),
        "e.xhtml": page(f'<section role="doc-epilogue"><h2>Note</h2>{prose(12)}</section>'),
        "a.xhtml": page(f'<section role="doc-afterword"><h2>How It Ended</h2>{prose(13)}</section>'),
    }
    book = read(write_epub(tmp_path / "b.epub", files))
    assert titles(book) == ["Before", "The Weir", "Note"]
    assert [kind for kind, _ in kinds(book)] == ["front", "essay", "body", "body", "body", "essay"]


def test_an_essay_before_the_first_chapter_is_sealed_whatever_the_guide_says(tmp_path: Path) -> None:
    files = {"a.xhtml": page("<h2>The Art of Ada Thorn</h2>" + prose(9, 30)), **chapters(1, 2)}
    guide = '<guide><reference type="text" href="a.xhtml"/></guide>'
    book = read(
        write_epub(tmp_path / "b.epub", files, toc=[("The Art of Ada Thorn", "a.xhtml"), *toc(1, 2)], guide=guide)
    )
    assert titles(book) == ["Chapter One", "Chapter Two"]
    assert "On walk 9.0" in text_of(book, SectionKind.UNKNOWN)


def test_a_label_at_either_end_beats_the_type_chapter_that_programs_give_to_everything(tmp_path: Path) -> None:
    def typed(number: int, heading: str) -> str:
        return page(f'<section epub:type="chapter"><h2>{heading}</h2>{prose(number)}</section>')

    names = ["Introduction", "Chapter One", "Notes", "Chapter Two", "About the Author"]
    files = {f"c{n}.xhtml": typed(n, name) for n, name in enumerate(names)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[(name, f"c{n}.xhtml") for n, name in enumerate(names)]))
    assert [kind for kind, _ in kinds(book)] == ["essay", "body", "body", "body", "back"]


def test_numbered_sections_of_an_introduction_are_no_chapters(tmp_path: Path) -> None:
    essay = page("<h1>Introduction</h1>" + "".join(f"<h2>{r}</h2>" + prose(20 + n) for n, r in enumerate(["I", "II"])))
    files = {"i.xhtml": essay, **{f"c{n}.xhtml": chapter(n, roman) for n, roman in enumerate(["I", "II", "III"])}}
    table = [("Introduction", "i.xhtml"), *[(r, f"c{n}.xhtml") for n, r in enumerate(["I", "II", "III"])]]
    for entries in (table, None):
        book = read(write_epub(tmp_path / "b.epub", files, toc=entries))
        assert titles(book) == ["I", "II", "III"]
        assert "On walk 21.0" in text_of(book, SectionKind.ESSAY)


def test_everything_from_a_preview_on_belongs_to_the_preview(tmp_path: Path) -> None:
    files = {
        **chapters(1, 2),
        "x.xhtml": page("<h1>An excerpt from The Baker</h1><h2>Chapter One</h2>" + prose(8)),
        "y.xhtml": chapter(9, "Chapter Two"),
    }
    table = [*toc(1, 2), ("An excerpt from The Baker", "x.xhtml"), ("Chapter Two", "y.xhtml")]
    for entries in (table, table[:3], None):
        book = read(write_epub(tmp_path / "b.epub", files, toc=entries))
        assert titles(book) == ["Chapter One", "Chapter Two"]
        preview = text_of(book, SectionKind.PREVIEW)
        assert "On walk 8.0" in preview
        assert "On walk 9.0" in preview
        assert all(s.revealed_at > len(book.text) for s in book.sections if s.kind is SectionKind.PREVIEW)


def test_a_page_of_links_is_a_contents_page_whatever_it_is_called(tmp_path: Path) -> None:
    links = "".join(
        f'<p><a href="c{n}.xhtml">Chapter {WORDS[n - 1]}: In Which a Miller Drowns</a></p>' for n in (1, 2, 3)
    )
    book = read(write_epub(tmp_path / "b.epub", {"x.xhtml": page("<h1>The Weir</h1>" + links), **chapters(1, 2, 3)}))
    assert "Drowns" in text_of(book, SectionKind.CONTENTS)
    assert titles(book) == ["Chapter One", "Chapter Two", "Chapter Three"]


def test_a_printed_contents_list_makes_no_chapters(tmp_path: Path) -> None:
    listed = page("<p>Contents</p>" + "".join(f"<p>Chapter {WORDS[n - 1]}</p>" for n in (1, 2, 3)))
    book = read(write_epub(tmp_path / "b.epub", {"x.xhtml": listed, **chapters(1, 2, 3)}))
    assert titles(book) == ["Chapter One", "Chapter Two", "Chapter Three"]
    assert after_heading(book, 1).startswith("On walk 1.0")


def test_a_navigation_document_in_the_spine_is_contents(tmp_path: Path) -> None:
    files = {"nav.xhtml": nav(toc(1, 2)), **chapters(1, 2)}
    book = read(write_epub(tmp_path / "b.epub", files, manifest=NAV_ITEM))
    assert kinds(book)[0][0] == "contents"
    assert titles(book) == ["Chapter One", "Chapter Two"]


def test_documents_outside_the_reading_order_come_last_and_are_sealed(tmp_path: Path) -> None:
    files = {"c1.xhtml": chapter(1, "Chapter One"), "x.xhtml": chapter(9, "The Miller Drowns"), **chapters(2)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=toc(1, 2), aside=["x.xhtml"]))
    assert titles(book) == ["Chapter One", "Chapter Two"]
    assert book.sections[-1].kind is SectionKind.BACK
    assert "On walk 9.0" not in body(book)


def test_a_copyright_page_needs_no_label(tmp_path: Path) -> None:
    notice = page("<p>Copyright 2031 Ada Thorn. All rights reserved.</p>")
    files = {"r.xhtml": notice, **chapters(1, 2), "z.xhtml": notice}
    book = read(write_epub(tmp_path / "b.epub", files, toc=[("Rights", "r.xhtml"), *toc(1, 2), ("Rights", "z.xhtml")]))
    assert [kind for kind, _ in kinds(book)] == ["front", "body", "body", "back"]


def test_what_follows_the_end_is_back_matter(tmp_path: Path) -> None:
    last = page("<h2>Chapter Two</h2>" + prose(2) + "<p>THE END</p><p>Printed by Barrow and Sons.</p>")
    book = read(write_epub(tmp_path / "b.epub", {**chapters(1), "c2.xhtml": last}, toc=toc(1, 2)))
    assert "Printed by" in text_of(book, SectionKind.BACK)
    assert body(book).rstrip().endswith("THE END")


@pytest.mark.parametrize(
    "end",
    [
        "*** END OF THE PROJECT GUTENBERG EBOOK THE MILLER ***",
        "Ende dieses Projekt Gutenberg Etextes",
        "*** END OF THE EBOOK ***",
    ],
)
def test_a_licence_glued_to_the_last_chapter_is_cut_off(tmp_path: Path, end: str) -> None:
    licence = f"<pre>{end}\nUpdated editions will replace it.</pre>"
    files = {
        **chapters(1),
        "c2.xhtml": page("<h2>Chapter Two</h2>" + prose(2) + licence + "<h3>Section 1</h3>" + prose(8)),
    }
    book = read(write_epub(tmp_path / "b.epub", files, toc=[*toc(1, 2), ("Section 1", "c2.xhtml")]))
    assert titles(book) == ["Chapter One", "Chapter Two"]
    assert "Updated editions" in text_of(book, SectionKind.BACK)
    assert "On walk 8.0" not in body(book)


@pytest.mark.parametrize(
    ("marker", "note"),
    [
        (
            '<a epub:type="noteref" href="#f">1</a>',
            '<aside epub:type="footnote" id="f"><p>The weir is old.</p><p>Very old.</p></aside>',
        ),
        (
            '<sup><a id="r" href="#f">*</a></sup>',
            '<div role="doc-footnote" id="f"><p>* The weir is old.</p><p>Very old.</p></div>',
        ),
        (
            '<a class="fnref" id="r" href="#f"><sup>[1]</sup></a>',
            '<p id="f"><a href="#r">[1]</a> The weir is old. Very old.</p>',
        ),
        (
            '<a id="r" href="#f">[1]</a>',
            '<div class="footnote"><p><a id="f" href="#r">[1]</a> The weir is old.</p><p>Very old.</p></div>',
        ),
    ],
)
def test_a_footnote_in_the_file_of_its_marker_opens_with_its_chapter(tmp_path: Path, marker: str, note: str) -> None:
    files = {"c1.xhtml": noted(1, marker, note), **chapters(2)}
    book = read(write_epub(tmp_path / "b.epub", files, toc=toc(1, 2)))
    assert "He saw a heron, again." in body(book)
    assert "weir is old" not in body(book)
    assert "Very old" not in body(book)
    footnotes = next(s for s in book.sections if s.kind is SectionKind.FOOTNOTES)
    assert "The weir is old." in footnotes.span.of(book.text)
    assert footnotes.revealed_at == book.chapters[0].span.end


def test_a_footnote_in_mid_chapter_does_not_cut_the_chapter(tmp_path: Path) -> None:
    note = '<aside epub:type="footnote" id="f"><p>The weir is old.</p></aside>'
    inside = page(f'<h2>Chapter One</h2><p>A heron<a epub:type="noteref" href="#f">1</a>.</p>{note}{prose(1)}')
    book = read(write_epub(tmp_path / "b.epub", {"c1.xhtml": inside, **chapters(2)}))
    assert [kind for kind, _ in kinds(book)] == ["body", "footnotes", "body"]
    assert after_heading(book, 1).startswith("A heron.\n\nOn walk 1.0")


def test_notes_at_the_end_of_a_file_of_many_chapters_go_with_their_chapters(tmp_path: Path) -> None:
    text = "".join(
        f'<h2>Chapter {WORDS[n - 1]}</h2><p>He saw a heron<sup><a id="r{n}" href="#f{n}">{n}</a></sup>.</p>' + prose(n)
        for n in (1, 2)
    )
    notes = "".join(f'<p id="f{n}"><a href="#r{n}">{n}</a> Note of chapter {n}.</p>' for n in (1, 2))
    book = read(write_epub(tmp_path / "b.epub", {"b.xhtml": page(f"{text}<h3>Notes</h3>{notes}")}))
    footnotes = [s for s in book.sections if s.kind is SectionKind.FOOTNOTES]
    assert [s.span.of(book.text).strip() for s in footnotes] == ["1 Note of chapter 1.", "2 Note of chapter 2."]
    assert [s.revealed_at for s in footnotes] == [c.span.end for c in book.chapters]


def test_notes_in_a_file_of_their_own_are_sealed_to_the_end(tmp_path: Path) -> None:
    files = {f"c{n}.xhtml": noted(n, f'<sup><a id="r{n}" href="n.xhtml#n{n}">{n}</a></sup>', "") for n in (1, 2, 3)}
    plain = "".join(
        f'<h3>Chapter {WORDS[n - 1]}</h3><p id="n{n}"><a href="c{n}.xhtml#r{n}">{n}</a> The miller drowns.</p>'
        for n in (1, 2, 3)
    )
    typed = f'<section epub:type="endnotes"><h2>Remarks</h2>{plain}</section>'
    for notes in (f"<h2>Remarks</h2>{plain}", typed, f"<h2>Notes</h2>{plain}"):
        book = read(write_epub(tmp_path / "b.epub", {**files, "n.xhtml": page(notes)}))
        assert len(book.chapters) == 3
        sealed = [s for s in book.sections if s.kind is SectionKind.NOTES]
        assert len(sealed) == 1
        assert sealed[0].revealed_at == book.body_end
        assert "drowns" not in body(book)


def test_a_note_without_a_proven_marker_is_sealed(tmp_path: Path) -> None:
    for note in (
        '<aside epub:type="footnote"><p>* The miller drowns.</p></aside>',
        '<p class="footnote">* The miller drowns.</p>',
        '<aside epub:type="endnote" id="f"><p>The miller drowns.</p></aside>',
    ):
        files = {"c1.xhtml": noted(1, '<a epub:type="noteref" href="#f">1</a>', note), **chapters(2)}
        book = read(write_epub(tmp_path / "b.epub", files, toc=toc(1, 2)))
        assert "drowns" in text_of(book, SectionKind.NOTES)
        assert "drowns" not in body(book)


def test_an_epigraph_inside_a_chapter_is_part_of_it(tmp_path: Path) -> None:
    quoted = '<blockquote epub:type="epigraph"><p>Grey birds.</p></blockquote>'
    files = {f"c{n}.xhtml": page(f"<h2>Chapter {n}</h2>{quoted}{prose(n)}") for n in (1, 2)}
    book = read(write_epub(tmp_path / "b.epub", files))
    assert [kind for kind, _ in kinds(book)] == ["body", "body"]
    assert after_heading(book, 2).startswith("Grey birds.")


def test_title_author_and_language_come_from_the_package(tmp_path: Path) -> None:
    for tag, language in (("en-GB", "en"), ("fre", "fr"), ("zh-Hant-TW", "zh"), ("x-barrow", None)):
        book = read(write_epub(tmp_path / "b.epub", chapters(1), language=tag))
        assert (book.title, book.author, book.language) == ("The Miller of Low Barrow", "Ada Thorn", language)


def _mixed(front: int, sizes: list[int], noted_at: set[int], back: int) -> tuple[dict[str, str], list[tuple[str, str]]]:
    labels = ["Introduction", "Cast of Characters", "Foreword"][:front]
    files = {f"f{n}.xhtml": page(f"<h1>{label}</h1><p>Sealed {label}.</p>") for n, label in enumerate(labels)}
    table = [(label, f"f{n}.xhtml") for n, label in enumerate(labels)]
    for n, size in enumerate(sizes, 1):
        marker = f'<a epub:type="noteref" href="#n{n}">{n}</a>' if n in noted_at else ""
        note = f'<aside epub:type="footnote" id="n{n}"><p>Sealed note {n}.</p></aside>' if n in noted_at else ""
        files[f"c{n}.xhtml"] = page(f"<h2>Chapter {n}</h2><p>Own {n}{marker} words.</p>{note}{prose(n, size)}")
        table.append((f"Chapter {n}", f"c{n}.xhtml"))
    for n, label in enumerate(["Afterword", "About the Author"][:back]):
        files[f"b{n}.xhtml"] = page(f"<h1>{label}</h1><p>Sealed {label}.</p>")
        table.append((label, f"b{n}.xhtml"))
    return files, table


@given(
    front=st.integers(0, 3),
    sizes=st.lists(st.integers(0, 3), min_size=1, max_size=5),
    noted_at=st.sets(st.integers(1, 5)),
    back=st.integers(0, 2),
    listed=st.booleans(),
)
def test_sections_partition_every_book_and_reading_again_gives_the_same(
    tmp_path: Path, front: int, sizes: list[int], noted_at: set[int], back: int, listed: bool
) -> None:
    files, table = _mixed(front, sizes, noted_at, back)
    path = write_epub(tmp_path / "b.epub", files, toc=table if listed else None)
    book = read(path)
    assert book == assemble(read_epub(path))
    assert clean(book.text) == book.text == book.text.strip()
    assert "".join(s.span.of(book.text) for s in book.sections) == book.text
    assert all(not book.text[s.span.start].isspace() for s in book.sections)
    assert [c.printed_number for c in book.chapters] == list(range(1, len(sizes) + 1))
    assert "Sealed" not in body(book)
    assert all(f"Own {n} words." in c.span.of(book.text) for n, c in enumerate(book.chapters, 1))
    assert "Own" not in "".join(s.span.of(book.text) for s in book.sections if s.kind is not SectionKind.BODY)
    assert book.text.count("Sealed") == front + back + len([n for n in noted_at if n <= len(sizes)])
