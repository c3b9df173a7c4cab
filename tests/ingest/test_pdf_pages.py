"""What a PDF page is made of: running heads, folios, footnotes, drop caps, columns, hyphens, page labels."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from bot.core.book import BookText, SectionKind
from bot.core.errors import FileRefused
from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.pages import roman_numeral
from bot.ingest.pdf.reader import read_pdf
from bot.ingest.sections import assemble
from tests.ingest.pdf_books import BODY, HEIGHT, LEADING, LEFT, WIDTH, PdfBook, prose


def read(book: PdfBook, folder: Path) -> BookText:
    return assemble(read_pdf(book.save(folder / "book.pdf")))


def body_of(text: BookText) -> str:
    return "\n\n".join(s.span.of(text.text) for s in text.sections if s.kind is SectionKind.BODY)


def three_chapters(**heads: object) -> PdfBook:
    book = PdfBook(**heads)  # type: ignore[arg-type]
    for seed in (1, 2, 3):
        book.chapter(f"Chapter {seed}", seed)
    return book


def expected_paragraphs() -> list[str]:
    return [text for seed in (1, 2, 3) for text in (f"Chapter {seed}", *(prose(seed * 10 + i) for i in range(3)))]


def test_running_heads_and_folios_are_not_in_the_text(tmp_path: Path) -> None:
    book = three_chapters(running_head=lambda n: "HARBOUR TALES" if n % 2 else f"{n}   Chapter of the sea", folio=str)
    assert read(book, tmp_path).text.split("\n\n") == expected_paragraphs()


def test_a_head_with_the_chapter_of_a_short_chapter_goes_with_the_others_of_its_place(tmp_path: Path) -> None:
    book = three_chapters(running_head=lambda n: f"CHAPTER {(n + 1) // 2}. THE TIDE" if n % 2 == 0 else "HARBOUR TALES")
    assert "THE TIDE" not in read(book, tmp_path).text


def test_chapter_headings_at_the_top_of_their_pages_stay_though_they_look_alike(tmp_path: Path) -> None:
    book = PdfBook(folio=str)
    for seed in (1, 2, 3, 4, 5):
        book.new_page()
        book.line(f"CHAPTER {seed}", x=140)
        book.y += LEADING
        book.paragraph(prose(seed))
    assert [c.printed_number for c in read(book, tmp_path).chapters] == [1, 2, 3, 4, 5]


def test_a_paragraph_runs_on_over_the_page(tmp_path: Path) -> None:
    book = PdfBook(folio=str)
    book.chapter("Chapter 1", 1, 1)
    long = " ".join(prose(i) for i in range(4))
    book.paragraph(long)
    book.chapter("Chapter 2", 2, 1)
    assert long in read(book, tmp_path).text


def test_paragraphs_parted_by_space_and_not_by_indent_are_found(tmp_path: Path) -> None:
    book = PdfBook()
    said = [prose(i, 3) for i in range(6)]
    for text in said:
        words = text.split()
        for i in range(0, len(words), 9):
            book.line(" ".join(words[i : i + 9]))
        book.y += LEADING * 0.8
    assert read(book, tmp_path).text.split("\n\n") == said


def with_footnotes() -> PdfBook:
    book = PdfBook(folio=str)
    for seed in (1, 2):
        book.chapter(f"Chapter {seed}", seed, 1)
        page = book.page
        assert page is not None
        book.line("The bell was cast in the year of the flood.", x=LEFT)
        end = LEFT + pymupdf.get_text_length("The bell was cast in the year of the flood.", "tiro", BODY)
        page.insert_text((end, book.y - LEADING - 3.5), "1", fontsize=6, fontname="tiro")
        book.paragraph(prose(seed * 10 + 1, 4))
        page.insert_text((LEFT, HEIGHT - 54), "1", fontsize=5, fontname="tiro")
        page.insert_text((LEFT + 4, HEIGHT - 52), f"The clerk of year {seed} melted it down, as the", fontsize=8)
        page.insert_text((LEFT, HEIGHT - 43), f"last page of {seed} tells.", fontsize=8)
    return book


def test_a_footnote_is_kept_out_of_the_prose_and_opens_at_the_end_of_its_chapter(tmp_path: Path) -> None:
    text = read(with_footnotes(), tmp_path)
    assert "melted it down" not in body_of(text)
    notes = [s for s in text.sections if s.kind is SectionKind.FOOTNOTES]
    assert [s.span.of(text.text).strip() for s in notes] == [
        f"1 The clerk of year {seed} melted it down, as the last page of {seed} tells." for seed in (1, 2)
    ]
    assert [s.revealed_at for s in notes] == [c.span.end for c in text.chapters]


def test_the_marker_of_a_footnote_is_not_in_the_prose(tmp_path: Path) -> None:
    text = read(with_footnotes(), tmp_path)
    draft = read_pdf(tmp_path / "book.pdf")
    assert "in the year of the flood.\n\n" in text.text
    markers = [s.marker for s in draft.sections if s.kind is SectionKind.FOOTNOTES]
    assert [draft.text[: at or 0].endswith("in the year of the flood.") for at in markers] == [True, True]


def test_a_footnote_without_a_marker_stays_sealed_to_the_end(tmp_path: Path) -> None:
    book = three_chapters()
    book.document[0].insert_text((LEFT, HEIGHT - 48), "* The editor knows who did it.", fontsize=7)
    text = read(book, tmp_path)
    note = next(s for s in text.sections if "knows who did it" in s.span.of(text.text))
    assert note.kind is SectionKind.NOTES
    assert note.revealed_at == text.body_end


@pytest.mark.parametrize("order", ["before the heading", "after the text"])
@pytest.mark.parametrize(
    ("letter", "rest", "joined"),
    [
        ("O", "n the morning of the flood the bell rang twice", "On the morning of the flood"),
        ("A", " continuation of the story was asked for by all", "A continuation of the story"),
        ("A", "ll the boats were in and all the gulls were out", "All the boats were in and all"),
        ("I", " had never seen the harbour so still as I had", "I had never seen the harbour"),
        ('"T', 'he lamp is out," said the keeper, "and the wind', '"The lamp is out," said'),
    ],
)
def test_a_drop_cap_drawn_out_of_order_begins_its_line(
    tmp_path: Path, order: str, letter: str, rest: str, joined: str
) -> None:
    book = PdfBook()
    for seed in (1, 2):
        page = book.new_page()
        cap = (LEFT, TOP_OF_TEXT + 13)
        if order == "before the heading":
            page.insert_text(cap, letter, fontsize=30, fontname="tiro")
        book.heading(f"Chapter {seed}")
        book.y = TOP_OF_TEXT
        indent = 6 + pymupdf.get_text_length(letter, "tiro", 30)
        book.line(rest.strip(), x=LEFT + indent)
        book.line("and twice more, all the morning, as I had a story of", x=LEFT + indent)
        book.line("the continuation of that morning to tell to all of them.")
        book.paragraph(prose(seed))
        if order == "after the text":
            page.insert_text(cap, letter, fontsize=30, fontname="tiro")
    text = read(book, tmp_path)
    for chapter in text.chapters:
        story = text.text[chapter.heading_end : chapter.span.end].strip()
        assert story.startswith(joined)
        assert story.split("\n\n")[0].endswith("to tell to all of them.")


TOP_OF_TEXT = 110.0


@pytest.mark.parametrize("interleaved", [False, True])
def test_two_columns_are_read_one_after_the_other(tmp_path: Path, interleaved: bool) -> None:
    document = pymupdf.open()  # type: ignore[no-untyped-call]
    told = []
    for seed in (1, 2):
        page = document.new_page(width=500, height=400)
        page.insert_text((40, 50), f"Chapter {seed}", fontsize=18, fontname="tibo")
        lines = [f"Line {seed}{i:02} tells of the quay and of the old" for i in range(40)]
        told.append(" ".join(lines))
        places = [((40 if i < 20 else 262), 90 + 13 * (i % 20)) for i in range(40)]
        rows = sorted(range(40), key=lambda i: (i % 20, i)) if interleaved else range(40)
        for i in rows:
            page.insert_text(places[i], lines[i], fontsize=10, fontname="tiro")
    path = tmp_path / "book.pdf"
    document.save(path)  # type: ignore[no-untyped-call]
    text = assemble(read_pdf(path))
    assert [text.text[c.heading_end : c.span.end].strip() for c in text.chapters] == told


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("the differ-", "ence was small", "the difference was small"),
        ("a well-", "known face", "a well-known face"),
        ("his mother-in-", "law came", "his mother-in-law came"),
        ("an Anglo-", "Saxon word", "an Anglo-Saxon word"),
        ("the CHAP-", "TER ended", "the CHAPTER ended"),
        ("in 1914-", "18 there was", "in 1914-18 there was"),
        ("the sea-", "wall held", "the sea-wall held"),
        ("the sea\u00ad", "weed dried", "the seaweed dried"),
        ("he waited—", "and went", "he waited—and went"),
        ("灯塔上的老", "人", "灯塔上的老人"),
        ("twenty-", "four", "twenty-four"),
        ("the sup-", "per-hour", "the supper-hour"),
    ],
)
def test_lines_join_as_the_book_spells_its_words(before: str, after: str, joined: str) -> None:
    joiner = LineJoiner(["there was a sea-wall", "seaweed, and a law", "his mother came in", "the supper was cold"])
    drop, between = joiner.seam(before, after)
    assert before[: len(before) - drop] + between + after == joined


def test_the_hyphens_of_the_typesetter_go_and_those_of_the_author_stay_where_the_file_tells_them_apart() -> None:
    joiner = LineJoiner(["the har\u2010", "bour and the light\u2010", "house and the pen\u2010", "cil in a box"])
    assert joiner.seam("dun-", "coloured") == (0, "")
    assert joiner.seam("har\u2010", "bour") == (1, "")


def test_page_labels_of_the_file_name_the_pages(tmp_path: Path) -> None:
    book = PdfBook()
    for words in ("The Harbour Book", "Preface"):
        book.new_page()
        book.heading(words)
        book.paragraph(prose(50))
    for seed in (1, 2):
        book.chapter(f"Chapter {seed}", seed)
    book.document.set_page_labels(  # type: ignore[no-untyped-call]
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "style": "D", "firstpagenum": 1}]
    )
    text = read(book, tmp_path)
    assert [page.label for page in text.pages][:4] == ["i", "ii", "1", "2"]
    assert text.pages[2].start == text.chapters[0].span.start


def test_printed_folios_name_the_pages_where_the_file_has_no_labels(tmp_path: Path) -> None:
    book = PdfBook(folio=lambda n: ("", "ii", "iii", "")[n - 1] if n < 5 else "" if n == 5 else str(n - 4))
    for i in range(4):
        book.new_page()
        book.paragraph(prose(60 + i))
    for seed in (1, 2):
        book.chapter(f"Chapter {seed}", seed)
    labels = [page.label for page in read(book, tmp_path).pages]
    assert labels[:3] == ["i", "ii", "iii"]
    assert labels[4:7] == ["1", "2", "3"]


def test_small_roman_numerals_are_written_as_printed() -> None:
    assert [roman_numeral(n) for n in (1, 4, 9, 14, 40, 90, 400, 1999)] == [
        "i", "iv", "ix", "xiv", "xl", "xc", "cd", "mcmxcix",
    ]  # fmt: skip


def picture(document: pymupdf.Document) -> None:
    page = document.new_page(width=WIDTH, height=HEIGHT)
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 40), False)  # type: ignore[no-untyped-call]
    pixels.clear_with(200)  # type: ignore[no-untyped-call]
    page.insert_image(page.rect, pixmap=pixels)  # type: ignore[no-untyped-call]


def refusal_of(path: Path, **options: int) -> str:
    with pytest.raises(FileRefused) as refused:
        read_pdf(path, **options)  # type: ignore[arg-type]
    assert refused.value.message.endswith(".")
    assert "\n" not in refused.value.message
    return refused.value.code


def test_pictures_of_pages_are_refused(tmp_path: Path) -> None:
    book = PdfBook()
    for _ in range(4):
        picture(book.document)
    assert refusal_of(book.save(tmp_path / "a.pdf")) == "pdf_scanned"


def test_a_few_pictures_among_pages_of_text_are_a_warning_that_lists_them(tmp_path: Path) -> None:
    book = three_chapters()
    picture(book.document)
    text = read(book, tmp_path)
    assert text.warnings == (f"1 pages are pictures without text and are missing: {book.document.page_count}",)


def test_a_pdf_without_letters_is_refused(tmp_path: Path) -> None:
    book = PdfBook()
    book.document.new_page()
    assert refusal_of(book.save(tmp_path / "a.pdf")) == "pdf_no_text"


def test_a_password_is_refused_and_an_owners_password_alone_is_not(tmp_path: Path) -> None:
    book = three_chapters()
    locked = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}  # type: ignore[attr-defined]
    assert refusal_of(book.save(tmp_path / "a.pdf", user_pw="user", **locked)) == "pdf_password"
    assert read_pdf(book.save(tmp_path / "b.pdf", **locked)).text.startswith("Chapter 1")


@pytest.mark.parametrize("kept", [20, 400])
def test_a_truncated_pdf_is_refused(tmp_path: Path, kept: int) -> None:
    path = three_chapters().save(tmp_path / "a.pdf")
    path.write_bytes(path.read_bytes()[:kept])
    assert refusal_of(path) == "pdf_unreadable"


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    assert refusal_of(three_chapters().save(tmp_path / "a.pdf"), max_pages=2) == "too_many_pages"
