"""The shared PDF cases and novels, where the folder that holds them exists."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.errors import FileRefused
from bot.ingest.files import read_book
from bot.ingest.pdf.reader import read_pdf
from bot.ingest.sections import assemble

SHARED = Path(os.environ.get("DOGEAR_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
EXPECTED = SHARED / "cases" / "expected.json"
ALL_CASES: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_text())["cases"] if EXPECTED.exists() else {}
CASES = {name: case for name, case in ALL_CASES.items() if name.endswith(".pdf")}
NOT_BOOKS = {name: case["error"] for name, case in ALL_CASES.items() if name[:3] in {"e36", "t19", "t20"}}
NOVELS = SHARED / "corpus"


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def body_of(book: BookText) -> str:
    return "\n".join(s.span.of(book.text) for s in book.sections if s.kind is SectionKind.BODY)


if CASES:

    @pytest.mark.parametrize("name", CASES)
    def test_a_shared_pdf_case_reads_as_expected(name: str) -> None:
        case = CASES[name]
        try:
            book = read_book(SHARED / "cases" / name)
        except FileRefused as refused:
            assert refused.code == case["error"]
            return
        assert case["error"] is None
        found = [(c.title, c.printed_number, c.parts[-1].title if c.parts else None) for c in book.chapters]
        assert found == [(w["title"], w["number"], w["part"]) for w in case["chapters"]]
        for chapter, wanted in zip(book.chapters, case["chapters"], strict=True):
            prose = squeezed(book.text[chapter.heading_end : chapter.span.end])
            assert prose.startswith(squeezed(wanted["first"]))
            assert prose.endswith(squeezed(wanted["last"]))
        for text in case.get("not_in_body", []):
            assert text not in body_of(book)
        for text in case.get("in_text", []):
            assert text in book.text
        if case.get("pages_kind") == "labels":
            assert book.pages[0].label == "i"

    @pytest.mark.parametrize("name", NOT_BOOKS)
    def test_a_shared_file_that_is_no_book_is_refused_with_its_code(name: str) -> None:
        with pytest.raises(FileRefused) as refused:
            read_book(SHARED / "cases" / name)
        assert refused.value.code == NOT_BOOKS[name]


if (NOVELS / "emma_158-pdf.pdf").exists():

    @pytest.mark.parametrize("name", ["emma_158-pdf.pdf", "emma_emma11p.pdf"])
    def test_emma_has_its_chapters_in_three_volumes(name: str) -> None:
        book = assemble(read_pdf(NOVELS / name))
        assert [c.parts[0].number for c in book.chapters] == [1] * 18 + [2] * 18 + [3] * 19
        assert [c.printed_number for c in book.chapters] == [*range(1, 19), *range(1, 19), *range(1, 20)]
        assert "Project Gutenberg" not in body_of(book)

    def test_the_sign_of_the_four_reads_word_for_word_as_its_epub() -> None:
        def words(book: BookText) -> list[str]:
            return re.findall(r"\w+", " ".join(c.span.of(book.text) for c in book.chapters).casefold())

        pdf = assemble(read_pdf(NOVELS / "made_sign-of-the-four_runninghead_hyphen_outline.pdf"))
        epub = read_book(NOVELS / "sign-of-the-four.epub")
        assert len(pdf.chapters) == 12
        ours, theirs = words(pdf), words(epub)
        heads = [re.findall(r"\w+", c.title.casefold()) for c in epub.chapters]
        assert len(ours) == pytest.approx(len(theirs), abs=sum(map(len, heads)))
        prose = [w for c in pdf.chapters for w in re.findall(r"\w+", pdf.text[c.heading_end : c.span.end].casefold())]
        told = [w for c in epub.chapters for w in re.findall(r"\w+", epub.text[c.heading_end : c.span.end].casefold())]
        assert prose == told
