"""Uploaded files: told apart by content, read in a child that may loop, swell, crash or lie."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
import zipfile
from pathlib import Path

import psutil
import pymupdf
import pytest

from bot.core.book import BookText, PageMark, Part, Section, SectionKind
from bot.core.errors import FileRefused
from bot.core.offsets import Span
from bot.ingest.files import ReadingLimits, read_book, read_book_in_child, read_in_this_process, sniff
from bot.ingest.transfer import from_json, to_json
from tests.ingest.pdf_books import PdfBook

MISBEHAVING = "tests.ingest.misbehaving_child"
STORY = "CHAPTER I\n\nThe lamp was lit. The keeper slept.\n\nCHAPTER II\n\nThe lamp went out. Nobody saw it.\n"


def written(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def pdf(path: Path) -> Path:
    book = PdfBook()
    for seed in (1, 2):
        book.chapter(f"Chapter {seed}", seed)
    return book.save(path)


def code_of(path: Path, name: str | None = None) -> str:
    with pytest.raises(FileRefused) as refused:
        sniff(path, name)
    assert refused.value.message.endswith((".", ")."))
    return refused.value.code


def test_a_kind_is_told_by_content_and_not_by_name(tmp_path: Path) -> None:
    assert sniff(zipped(tmp_path / "a.txt", mimetype="application/epub+zip")) == "epub"
    assert sniff(zipped(tmp_path / "b.zip", **{"META-INF__container.xml": "<container/>"})) == "epub"
    assert sniff(pdf(tmp_path / "c.epub")) == "pdf"
    assert sniff(written(tmp_path / "d", b"\n\n%PDF-1.7 and so on")) == "pdf"
    assert sniff(written(tmp_path / "e.doc", STORY)) == "text"
    assert sniff(written(tmp_path / "f.txt", STORY.encode("utf-16"))) == "text"


@pytest.mark.parametrize(
    ("head", "code", "word"),
    [
        (b"", "empty", "empty"),
        (b"\xef\xbb\xbf", "empty", "empty"),
        (b" \r\n\t", "empty", "empty"),
        (b"\xff\xfe\n\x00", "empty", "empty"),
        (b"{\\rtf1 and text", "unsupported_format", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 a document", "unsupported_format", "Word"),
        (b"A title".ljust(60, b"\0") + b"BOOKMOBI" + b"\0" * 20, "unsupported_format", "Kindle"),
        (b"\xeaDRMION\xee and more", "unsupported_format", "Kindle"),
        (b"<!DOCTYPE html><p>Once", "unsupported_format", "HTML"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x --><html>', "unsupported_format", "HTML"),
        (b'<?xml version="1.0"?><FictionBook>', "unsupported_format", "FB2"),
        (b"\x89PNG\r\n", "unsupported_format", "picture"),
        (b"Rar!\x1a\x07\x01", "unsupported_format", "archive"),
    ],
)
def test_what_cannot_be_a_book_is_refused_with_what_to_upload_instead(
    tmp_path: Path, head: bytes, code: str, word: str
) -> None:
    path = written(tmp_path / "a.bin", head)
    with pytest.raises(FileRefused) as refused:
        sniff(path)
    assert refused.value.code == code
    assert word in refused.value.message


def test_a_text_file_renamed_to_epub_or_pdf_is_named_for_what_it_is_not(tmp_path: Path) -> None:
    path = written(tmp_path / "upload", STORY)
    assert code_of(path, "Story.EPUB") == "not_a_zip"
    assert code_of(path, "Story.pdf") == "pdf_unreadable"


def test_an_archive_that_is_no_epub_is_refused_by_what_is_in_it(tmp_path: Path) -> None:
    for members, word in (
        ({"word__document.xml": "<w/>"}, "Word"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "OpenDocument"),
        ({"books__one.epub": "x"}, "Unpack"),
        ({"page1.jpg": "x"}, "not an EPUB"),
    ):
        with pytest.raises(FileRefused, match=word) as refused:
            sniff(zipped(tmp_path / "a.epub", **members))
        assert refused.value.code == "not_an_epub"


def test_a_refusal_never_repeats_a_name_from_inside_an_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.epub", **{"the-butler-did-it.epub": "x", "word__the-butler.xml": "x"})
    with pytest.raises(FileRefused) as refused:
        sniff(path)
    assert "butler" not in refused.value.message


def test_a_file_over_the_limit_of_its_kind_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", STORY)
    small = ReadingLimits(text_bytes=20, epub_bytes=10_000, pdf_bytes=10_000)
    with pytest.raises(FileRefused) as refused:
        read_in_this_process(path, path.name, small, lambda _stage, _fraction: None)
    assert refused.value.code == "file_too_large"
    with pytest.raises(FileRefused) as refused:
        read_book(path, limits=ReadingLimits(text_bytes=20, epub_bytes=20, pdf_bytes=20))
    assert refused.value.code == "file_too_large"


def test_limits_of_nothing_are_no_limits() -> None:
    with pytest.raises(ValueError, match="more than zero"):
        ReadingLimits(wall_seconds=0)


def a_book() -> BookText:
    sections = (
        Section(0, SectionKind.ESSAY, Span(0, 5), "Vorwort", 5, 12),
        Section(1, SectionKind.BODY, Span(5, 12), "海", 8, 12, 1, "I", 1, (Part("Book One", 1),)),
        Section(2, SectionKind.PREVIEW, Span(12, 15), "", 15, 16),
    )
    return BookText(
        text="abcd\n海 😀 fgh\nxyz"[:15],
        sections=sections,
        title="Tïtle",
        author="A",
        language="de",
        pages=(PageMark("iv", 3),),
        encoding="utf-8",
        warnings=("w",),
    )


def test_a_book_comes_back_from_json_as_it_went() -> None:
    book = a_book()
    assert from_json(json.loads(json.dumps(to_json(book), ensure_ascii=False))) == book


@pytest.mark.parametrize(
    "spoil",
    [
        {"text": "short"},
        {"text": None},
        {"sections": []},
        {"sections": [[0, "body", 0, 14, "", 0, 0, None, None, None, [], 0]]},
        {"sections": [[0, "nonsense", 0, 15, "", 0, 0, None, None, None, [], 0]]},
        {"sections": [[0, "body", 0, 15, "", 0, 99, None, None, None, [], 0]]},
        {"sections": [[0, "body", 0, 15, "", 0, 0, 7, None, None, [], 0]]},
        {"sections": [[0, "body", 0, True, "", 0, 0, None, None, None, [], 0]]},
        {"pages": [["1", 99]]},
        {"pages": [[1, 2]]},
        {"warnings": [None]},
        {"title": 3},
    ],
)
def test_what_is_no_book_does_not_come_back(spoil: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no book|partition|SectionKind|no offset|numbered"):
        from_json(to_json(a_book()) | spoil)


def test_a_text_is_read_in_a_child_with_progress(tmp_path: Path) -> None:
    seen: list[tuple[str, float]] = []
    path = written(tmp_path / "a.txt", STORY)
    book = read_book(path, progress=lambda stage, fraction: seen.append((stage, fraction)))
    assert [chapter.printed for chapter in book.chapters] == ["I", "II"]
    assert seen[0] == ("reading", 0.0)
    assert seen[-1] == ("chapters", 1.0)


async def test_a_pdf_is_read_in_a_child_of_an_event_loop(tmp_path: Path) -> None:
    seen: list[float] = []
    path = pdf(tmp_path / "a.pdf")
    book = await read_book_in_child(path, progress=lambda _stage, fraction: seen.append(fraction))
    await asyncio.sleep(0)
    assert len(book.chapters) == 2
    assert book == read_in_this_process(path, "a.pdf", ReadingLimits(), lambda _stage, _fraction: None)
    assert seen


def test_a_path_with_spaces_and_letters_of_any_script_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "my books – 本 'q'"
    folder.mkdir()
    assert len(read_book(pdf(folder / "-- Ünïcode 海.pdf")).chapters) == 2


def test_a_refusal_passes_through_with_its_code_and_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    document = pymupdf.open()  # type: ignore[no-untyped-call]
    document.new_page()
    document.save(path)  # type: ignore[no-untyped-call]
    with pytest.raises(FileRefused) as refused:
        read_book(path)
    assert refused.value.code == "pdf_no_text"
    assert "no text" in refused.value.message


def test_a_text_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", STORY)
    with pytest.raises(FileRefused) as refused:
        read_book(path, limits=ReadingLimits(characters=30))
    assert refused.value.code == "book_too_long"


def test_a_pdf_of_too_many_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as refused:
        read_book(pdf(tmp_path / "a.pdf"), limits=ReadingLimits(pdf_pages=1))
    assert refused.value.code == "too_many_pages"


def misbehave(folder: Path, order: str, **limits: float) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        read_book(
            written(folder / "order", order),
            limits=ReadingLimits(**limits),  # type: ignore[arg-type]
            module=MISBEHAVING,
        )
    return refused.value


@pytest.mark.parametrize(
    ("order", "limits"),
    [
        ("spin", {"cpu_seconds": 1, "wall_seconds": 20.0}),
        ("sleep", {"wall_seconds": 1.0}),
        ("leave a grandchild", {"wall_seconds": 1.5}),
        ("allocate", {"memory_bytes": 300 * 1024 * 1024, "wall_seconds": 20.0}),
        ("crash", {}),
        ("abort", {}),
        ("kill", {}),
        ("write a file", {}),
        ("say nothing", {}),
        ("flood", {"characters": 1000, "wall_seconds": 20.0}),
        ("not json", {}),
        ("[]", {}),
        ("null", {}),
        ('{"book": {}}', {}),
        ('{"book": null}', {}),
        ('{"refused": ["", "no code"]}', {}),
        ('{"refused": ["code", "a\\nsecond line"]}', {}),
        ('{"stage": "x", "fraction": "y"}', {}),
        ("[" * 100_000, {}),
        ('{"died": ["ValueError", "reader.py:7"]}', {}),
    ],
)
def test_a_child_that_misbehaves_is_a_file_too_complex_to_read(
    tmp_path: Path, order: str, limits: dict[str, float]
) -> None:
    start, others = time.monotonic(), set(psutil.Process().children(recursive=True))
    refusal = misbehave(tmp_path, order, **limits)
    assert refusal.code == "too_complex"
    assert refusal.message.startswith("This file could not be read within the limits")
    assert time.monotonic() - start < 25
    assert set(psutil.Process().children(recursive=True)) <= others


def test_what_a_child_died_of_is_logged_without_any_text_of_the_book(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    misbehave(tmp_path, '{"died": ["ValueError", "reader.py:7", "the butler did it\\n"]}')
    assert "ValueError reader.py:7" in caplog.text
    assert "butler did" not in caplog.text


def test_the_child_has_none_of_the_parents_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    told = misbehave(tmp_path, "tell the environment")
    assert told.code == "environment"
    assert not {"DISCORD_TOKEN", "DATABASE_URL", "HOME"} & set(told.message.rstrip(".").split(","))


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    misbehave(tmp_path, "write a file")
    misbehave(tmp_path, "kill")
    read_book(written(tmp_path / "a.txt", STORY))
    assert list(temporary.iterdir()) == []


async def test_cancelling_kills_the_child_and_its_children(tmp_path: Path) -> None:
    started, others = asyncio.Event(), set(psutil.Process().children(recursive=True))
    grandchild: list[int] = []

    def progress(_stage: str, fraction: float) -> None:
        grandchild.append(round(fraction * 10_000_000))
        started.set()

    path = written(tmp_path / "order", "leave a grandchild")
    task = asyncio.create_task(read_book_in_child(path, progress=progress, module=MISBEHAVING))
    await asyncio.wait_for(started.wait(), 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(psutil.Process().children(recursive=True)) <= others
    for _ in range(100):
        if not psutil.pid_exists(grandchild[0]) or psutil.Process(grandchild[0]).status() == psutil.STATUS_ZOMBIE:
            break
        await asyncio.sleep(0.05)
    else:
        os.kill(grandchild[0], 9)
        pytest.fail("the grandchild outlived its family")


async def test_a_refusal_in_a_child_of_an_event_loop_is_raised_in_it(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as refused:
        await read_book_in_child(written(tmp_path / "a.txt", "\n"))
    assert refused.value.code == "empty"
