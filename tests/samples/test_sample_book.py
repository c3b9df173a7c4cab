"""The sample book: built the same every time, and as hard for a spoiler-safe bot as it is meant to be."""

from __future__ import annotations

import importlib
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lxml import etree

from bot.core.book import SectionKind
from bot.ingest.files import read_book

SAMPLES = Path(__file__).parents[2] / "samples"
SLUG = "a-turn-owing"
XHTML = "{http://www.w3.org/1999/xhtml}"
EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
QUESTIONS = [json.loads(line) for line in (SAMPLES / f"{SLUG}.questions.jsonl").read_text("utf-8").splitlines()]
ANSWERED = [row for row in QUESTIONS if not row.get("unanswerable")]
COMMANDS = {"/join", "/as", "/progress", "/ask", "/dm", "/where"}


@pytest.fixture(scope="module")
def builder() -> Iterator[ModuleType]:
    sys.path.insert(0, str(SAMPLES))
    try:
        yield importlib.import_module("build_sample")
    finally:
        sys.path.remove(str(SAMPLES))


@pytest.fixture(scope="module")
def book(builder: ModuleType) -> Any:
    return builder.make(SAMPLES / SLUG)


@pytest.fixture(scope="module")
def chapters(book: Any) -> list[str]:
    """The text of each chapter in reading order, titles and notes left out."""
    return ["\n\n".join(source.paragraphs()) for source in book.sources if source.is_chapter]


def parsed(name: str) -> Any:
    with zipfile.ZipFile(SAMPLES / f"{SLUG}.epub") as archive:
        return etree.fromstring(archive.read(f"EPUB/{name}"))


def sealed(book: Any, kind: str) -> str:
    return "\n".join(p for source in book.sources if source.type == kind for p in source.paragraphs())


def first_chapter_with(chapters: list[str], words: str) -> int:
    return next(at for at, text in enumerate(chapters, 1) if words in text)


def whole_words(term: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(term)}(?!\w)")


def test_the_committed_file_is_what_the_sources_build(builder: ModuleType, tmp_path: Path) -> None:
    builder.build(SAMPLES / SLUG, tmp_path / "again.epub")
    assert (tmp_path / "again.epub").read_bytes() == (SAMPLES / f"{SLUG}.epub").read_bytes()


def test_the_story_is_a_novella_of_sixteen_chapters(chapters: list[str]) -> None:
    lengths = [len(text.split()) for text in chapters]
    assert len(chapters) == 16
    assert 14_000 <= sum(lengths) <= 18_000
    assert all(800 <= length <= 1_300 for length in lengths)


def test_chapter_numbers_restart_in_part_two(book: Any) -> None:
    numbered = [(source.part, source.number) for source in book.sources if source.is_chapter]
    words = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
    assert numbered == [("One", word) for word in words] + [("Two", word) for word in words[:7]]


def test_only_the_title_of_the_thirteenth_chapter_spoils(book: Any) -> None:
    titles = [source.title for source in book.sources if source.is_chapter]
    assert [at for at, title in enumerate(titles, 1) if "Alive" in title or "Larkham" in title] == [13]


def test_the_culprit_confesses_in_the_fourteenth_chapter(chapters: list[str]) -> None:
    assert first_chapter_with(chapters, "and then I pushed her") == 14
    assert first_chapter_with(chapters, "Edmund Larkham") == 14
    assert first_chapter_with(chapters, "Mr. Larkham") == 2


def test_the_two_names_of_one_person_are_joined_in_the_twelfth_chapter(chapters: list[str]) -> None:
    assert first_chapter_with(chapters, "Perpetua Sprot") == 1
    assert first_chapter_with(chapters, "Bartle Fenn") <= 3
    assert first_chapter_with(chapters, "I’m Bartle Fenn, Miss Tebbit") == 12


def test_the_drowned_woman_is_mourned_long_before_she_is_found(chapters: list[str]) -> None:
    assert first_chapter_with(chapters, "There being no body to bury") == 6
    assert first_chapter_with(chapters, "“Eight days,” said Ishbel Carrow.") == 13


def test_the_clues_stand_before_what_they_prove(chapters: list[str]) -> None:
    clues = {
        "What goes in the Gannel at the slack comes out": 3,
        "L. A. to her boy": 4,
        "a grit left under the nail": 5,
        "Come up to the Gannell tonight": 7,
        "with a lamp in one hand": 8,
        "There’s an L too many": 9,
        "Dover. Messina. Bonifacio. Gannell.": 10,
    }
    assert {clue: first_chapter_with(chapters, clue) for clue in clues} == clues


def test_front_and_back_matter_spoil(book: Any) -> None:
    assert "Edmund Larkham, the amiable schoolmaster" in sealed(book, "introduction")
    assert "thought to be drowned, and is not" in sealed(book, "z3998:dramatis-personae")
    assert "The figure is Perpetua Sprot in Bartle Fenn’s oilskin" in sealed(book, "endnotes")
    assert "the woman he drowned" in sealed(book, "afterword")
    assert "Ishbel Carrow died in her own bed" in sealed(book, "preview")


def test_the_file_has_contents_landmarks_and_a_page_list() -> None:
    navs = {nav.get(EPUB_TYPE): nav for nav in parsed("nav.xhtml").iter(f"{XHTML}nav")}
    assert set(navs) == {"toc", "landmarks", "page-list"}
    contents = ["".join(link.itertext()) for link in navs["toc"].iter(f"{XHTML}a")]
    assert contents[-4:] == ["Notes", "Afterword", "The Winter Packet", "About the Authors"]
    assert "Chapter Four: Ishbel Carrow Is Found Alive" in contents


def test_every_page_of_the_page_list_is_marked_once_and_in_order() -> None:
    navs = {nav.get(EPUB_TYPE): nav for nav in parsed("nav.xhtml").iter(f"{XHTML}nav")}
    listed = [(link.text, link.get("href")) for link in navs["page-list"].iter(f"{XHTML}a")]
    files = list(dict.fromkeys(href.split("#")[0] for _, href in listed))
    marked = [
        (mark.get("aria-label"), f"{name}#{mark.get('id')}")
        for name in files
        for mark in parsed(name).iter(f"{XHTML}span")
        if mark.get(EPUB_TYPE) == "pagebreak"
    ]
    assert listed == marked
    assert 110 <= len(listed) <= 130
    assert [label for label, _ in listed][:3] == ["i", "ii", "iii"]


def test_pages_begin_in_the_middle_of_paragraphs_too() -> None:
    marks = [m for m in parsed("10-one-01.xhtml").iter(f"{XHTML}span") if m.get(EPUB_TYPE) == "pagebreak"]
    assert len([m for m in marks if m.getparent().tag == f"{XHTML}p" and m.getparent().text and m.tail]) >= 3


def test_the_reader_of_books_finds_the_chapters_and_seals_the_rest() -> None:
    read = read_book(SAMPLES / f"{SLUG}.epub")
    assert [chapter.printed_number for chapter in read.chapters] == [*range(1, 10), *range(1, 8)]
    assert [chapter.parts[0].number for chapter in read.chapters] == [1] * 9 + [2] * 7
    kinds = {section.kind: section for section in read.sections if section.kind is not SectionKind.BODY}
    for kind in (SectionKind.FRONT, SectionKind.ESSAY, SectionKind.CONTENTS, SectionKind.NOTES, SectionKind.BACK):
        assert kinds[kind].revealed_at == read.body_end
    assert kinds[SectionKind.PREVIEW].revealed_at > len(read.text)
    assert [page.label for page in read.pages][:2] == ["i", "ii"]


def test_a_chapter_has_the_furniture_that_readers_stumble_on() -> None:
    first, third, seventh = (parsed(f"10-one-0{number}.xhtml") for number in (1, 3, 7))
    types = {element.get(EPUB_TYPE) for element in first.iter() if element.get(EPUB_TYPE)}
    assert {"footnote", "noteref", "pagebreak"} <= types
    assert "".join(first.find(f".//{XHTML}span[@class='dropcap']").itertext()) == "I"
    assert "\u00ad" in "".join(first.itertext())
    assert len(third.findall(f".//{XHTML}blockquote[@class='verse']//{XHTML}br")) == 5
    assert seventh.find(f".//{XHTML}blockquote[@class='letter']") is not None
    assert parsed("10-one-02.xhtml").find(f".//{XHTML}i[@lang='la']").text == "Redde quod debes"


def test_every_note_has_its_marker_and_every_marker_its_note(book: Any) -> None:
    for name, _, text in book.files:
        for target in re.findall(r'(?:noteref|backlink)" href="([^"]+)"', text):
            file, anchor = target.split("#")
            there = {other: page for other, _, page in book.files}[file or name]
            assert f'id="{anchor}"' in there


def test_there_are_questions_for_every_chapter() -> None:
    assert len(ANSWERED) >= 45
    assert {row["evidence_chapter"] for row in ANSWERED} == set(range(1, 17))
    assert len({row["id"] for row in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("row", ANSWERED, ids=lambda row: row["id"])
def test_the_evidence_stands_where_the_question_says(row: dict[str, Any], chapters: list[str]) -> None:
    assert row["evidence"] in chapters[row["evidence_chapter"] - 1]
    assert row["answerable_from_chapter"] <= row["evidence_chapter"]
    assert row["evidence_occurrences_in_book"] == sum(text.count(row["evidence"]) for text in chapters)


@pytest.mark.parametrize("row", [r for r in ANSWERED if r["spoiler_terms"]], ids=lambda row: row["id"])
def test_what_would_spoil_is_not_yet_said(row: dict[str, Any], chapters: list[str]) -> None:
    read, unread = chapters[: row["test_before_chapter"]], chapters[row["test_before_chapter"] :]
    for term in row["spoiler_terms"]:
        assert not any(whole_words(term).search(text) for text in read)
        assert any(whole_words(term).search(text) for text in unread)


def test_the_tour_is_made_of_commands_and_tells_its_story() -> None:
    lines = (SAMPLES / f"{SLUG}.tour.txt").read_text("utf-8").splitlines()
    commands = [line for line in lines if not line.startswith("#")]
    assert {line.split()[0] for line in commands} == COMMANDS
    assert [line for line in commands if line.startswith("/as ")] == ["/as ben", "/as ana", "/as ben", "/as you"]
    assert commands.count("/join") == 3
    asked = [line.split(" ", 1)[1] for line in commands if line.startswith("/ask ")]
    assert {line.split(" ", 1)[1] for line in commands if line.startswith("/dm ")} < set(asked)
    assert len(asked) > len(set(asked))  # a room question is asked again, when more has been read
    assert lines[0].startswith("#")
