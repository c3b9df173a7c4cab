"""The shared plain text cases and novels, where the folder that holds them exists."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.errors import FileRefused
from bot.ingest.sections import assemble
from bot.ingest.text import read_text

SHARED = Path(os.environ.get("DOGEAR_SHARED", Path(__file__).resolve().parents[3] / "shared"))
EXPECTED = SHARED / "cases" / "expected.json"


def read(path: Path) -> BookText:
    return assemble(read_text(path.read_bytes()))


def letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def parted(book: BookText) -> list[tuple[str, int | None, str, str]]:
    """(title, printed number, prose letters, part) of every chapter."""
    return [
        (
            letters(section.title),
            section.printed_number,
            letters(book.text[section.heading_end : section.span.end]),
            " / ".join(part.title for part in section.parts),
        )
        for section in book.chapters
    ]


def disagreements(book: BookText, case: dict[str, Any]) -> list[str]:
    found = parted(book)
    wrong = [] if len(found) == len(case["chapters"]) else [f"{len(found)} chapters"]
    for (title, number, prose, part), chapter in zip(found, case["chapters"], strict=False):
        if title != letters(chapter["title"]) or number != chapter["number"]:
            wrong.append(f"{title}: title or number {number}")
        if not prose.startswith(letters(chapter["first"])) or not prose.endswith(letters(chapter["last"])):
            wrong.append(f"{title}: prose {prose[:20]} ... {prose[-20:]}")
        if chapter["part"] and letters(chapter["part"]) not in letters(part):
            wrong.append(f"{title}: part {part}")
    if "encoding" in case and book.encoding != case["encoding"]:
        wrong.append(f"encoding {book.encoding}")
    body = "".join(s.span.of(book.text) for s in book.sections if s.kind is SectionKind.BODY)
    return wrong + [f"in the body: {words}" for words in case.get("not_in_body", ()) if words in body]


if EXPECTED.is_file():
    CASES = {
        name: case
        for name, case in json.loads(EXPECTED.read_text("utf-8"))["cases"].items()
        if name.endswith(".txt") and (SHARED / "cases" / name).is_file()
    }

    @pytest.mark.parametrize("name", CASES)
    def test_a_shared_case_reads_as_expected(name: str) -> None:
        case = CASES[name]
        path = SHARED / "cases" / name
        if case["error"]:
            with pytest.raises(FileRefused) as refused:
                read(path)
            assert refused.value.code == case["error"]
        else:
            assert disagreements(read(path), case) == []


if (SHARED / "corpus").is_dir():

    def test_a_study_in_scarlet_has_two_parts_of_seven_chapters() -> None:
        book = read(SHARED / "corpus" / "study-in-scarlet_244-0.txt")
        assert [(s.parts[0].number, s.printed_number) for s in book.chapters] == [
            (part, number) for part in (1, 2) for number in range(1, 8)
        ]
        assert book.sections[-1].kind is SectionKind.BACK
        assert "Gutenberg-tm" not in book.text

    def test_don_quijote_has_a_hundred_and_twenty_six_chapters_and_its_prologues() -> None:
        book = read(SHARED / "corpus" / "don-quijote_2000-8.latin1.txt")
        numbers = [section.printed_number for section in book.chapters]
        assert numbers == [None, *range(1, 53), None, *range(1, 75)]
        assert book.warnings == ()
        assert (book.encoding, book.language) == ("cp1252", "es")

    def test_die_verwandlung_has_three_bare_chapters() -> None:
        book = read(SHARED / "corpus" / "die-verwandlung_22367-8.latin1.txt")
        assert [section.printed for section in book.chapters] == ["I", "II", "III"]
        assert letters(book.text[book.chapters[0].heading_end :]).startswith("AlsGregorSamsa")
