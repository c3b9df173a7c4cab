"""The shared cases and novels, where the folder that holds them exists."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.errors import FileRefused
from tests.ingest.epub_files import read

_NEAR = Path(__file__).resolve().parents[2].parent / "shared"
SHARED = Path(os.environ.get("DOGEAR_SHARED", _NEAR))
EXPECTED = SHARED / "cases" / "expected.json"
CASES: dict[str, dict[str, Any]] = (
    {name: case for name, case in json.loads(EXPECTED.read_text())["cases"].items() if name.endswith(".epub")}
    if EXPECTED.exists()
    else {}
)
NOVELS = {
    "built_sense-and-sensibility_dobson-intro": (50, SectionKind.ESSAY, "minor problems"),
    "dracula": (28, SectionKind.FRONT, "Bram Stoker"),
    "frankenstein": (28, SectionKind.ESSAY, "Standard Novels"),
    "great-expectations": (59, SectionKind.BACK, "Uncopyright"),
    "hound-of-the-baskervilles": (15, SectionKind.BACK, "Uncopyright"),
    "jane-eyre": (38, SectionKind.ESSAY, "second edition"),
    "jekyll-and-hyde": (10, SectionKind.BACK, "Uncopyright"),
    "memoirs-of-sherlock-holmes": (12, SectionKind.BACK, "Uncopyright"),
    "monte-cristo": (117, SectionKind.NOTES, "Endnotes"),
    "moonstone": (54, SectionKind.NOTES, "Endnotes"),
    "pg28885_alice_gutenberg": (12, SectionKind.BACK, "Project Gutenberg"),
    "pg768_wuthering-heights_gutenberg": (34, SectionKind.BACK, "Project Gutenberg"),
    "pride-and-prejudice": (61, SectionKind.BACK, "Uncopyright"),
    "sign-of-the-four": (12, SectionKind.BACK, "Uncopyright"),
    "study-in-scarlet": (14, SectionKind.NOTES, "Endnotes"),
    "war-and-peace": (364, SectionKind.ESSAY, "The Bezúkhovs"),
}


def squeezed(text: str) -> str:
    """Letters and digits only."""
    return re.sub(r"[\W_]+", "", text)


def outside(book: BookText, *, before: bool) -> str:
    """All text that is not body, before the first body section or behind it."""
    first = next(s.span.start for s in book.sections if s.kind is SectionKind.BODY)
    return "\n".join(
        s.span.of(book.text)
        for s in book.sections
        if s.kind is not SectionKind.BODY and (s.span.start < first) is before
    )


def body_of(book: BookText) -> str:
    return "\n".join(s.span.of(book.text) for s in book.sections if s.kind is SectionKind.BODY)


def check_chapters(book: BookText, case: dict[str, Any]) -> None:
    chapters = list(book.chapters)
    if case.get("partial"):
        chapters = [c for c in chapters if c.title in {w["title"] for w in case["chapters"]}]
    found = [(c.title, c.printed_number, c.parts[-1].title if c.parts else None) for c in chapters]
    assert found == [(w["title"], w["number"], w["part"]) for w in case["chapters"]]
    for chapter, wanted in zip(chapters, case["chapters"], strict=True):
        start = chapter.heading_end if chapter.heading_end < chapter.span.end else chapter.span.start
        prose = squeezed(book.text[start : chapter.span.end])
        assert prose.startswith(squeezed(wanted["first"]))
        assert prose.endswith(squeezed(wanted["last"]))


if CASES:

    @pytest.mark.parametrize("name", CASES)
    def test_a_shared_case_reads_as_expected(name: str) -> None:
        case = CASES[name]
        accepted = {case["error"], *case.get("error_ok", [])} - {None}
        try:
            book = read(SHARED / "cases" / name)
        except FileRefused as refused:
            assert refused.code in accepted
            return
        assert case["error"] is None
        check_chapters(book, case)
        for text in case.get("front_text", []):
            assert text in outside(book, before=True)
        for text in case.get("back_text", []):
            assert text in outside(book, before=False)
        for text in case.get("in_text", []):
            assert text in book.text
        assert not [text for text in case.get("not_in_text", []) if text in book.text]
        assert not [text for text in case.get("not_in_body", []) if text in body_of(book)]
        notes = "\n".join(s.span.of(book.text) for s in book.sections if s.kind is SectionKind.FOOTNOTES)
        assert all(text in notes for text in case.get("footnotes", []))
        pages = {page.label: page.start for page in book.pages}
        for label, text in case.get("page_probe", {}).items():
            assert book.text.startswith(text, pages[label])
        assert len(book.text) <= case.get("max_chars", len(book.text))


if (SHARED / "corpus").is_dir():

    @pytest.mark.parametrize("name", NOVELS)
    def test_a_novel_has_its_chapters_and_its_other_matter_is_sealed(name: str) -> None:
        chapters, kind, words = NOVELS[name]
        book = read(SHARED / "corpus" / f"{name}.epub")
        assert len(book.chapters) == chapters
        assert any(words in s.span.of(book.text) for s in book.sections if s.kind is kind)
        assert "Uncopyright" not in body_of(book)
        assert "PROJECT GUTENBERG" not in body_of(book).upper()
        assert book.language == "en"
        assert book.author
        assert book.title
        numbers = [c.printed_number for c in book.chapters if c.printed_number is not None and not c.parts]
        assert numbers == sorted(numbers) or name == "frankenstein"

    def test_war_and_peace_keeps_its_books_and_parts() -> None:
        book = read(SHARED / "corpus" / "war-and-peace.epub")
        assert len({chapter.parts for chapter in book.chapters}) == 17
        assert [part.title for part in book.chapters[0].parts] == ["Book I", "Part I: 1805"]
        assert book.chapters[-1].parts[0].title == "Epilogue"
