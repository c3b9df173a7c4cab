"""Files that were damaged at random: each is read or refused in a sentence, in bounded time, and nothing else happens.

A few in an ordinary run; `make fuzz` reads thousands. ``FUZZ_FILES`` and ``FUZZ_MINUTES`` bound it, ``FUZZ_SEED``
begins it elsewhere.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import time
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.book import BookText
from bot.core.errors import FileRefused
from bot.ingest.files import ReadingLimits, read_book_in_child
from tests.ingest.epub_files import chapter, write_epub
from tests.ingest.pdf_books import PdfBook

FILES = int(os.environ.get("FUZZ_FILES", "9"))
MINUTES = float(os.environ.get("FUZZ_MINUTES", "5"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
AT_ONCE = os.cpu_count() or 1

LIMITS = replace(ReadingLimits(), wall_seconds=60.0)
CANARY = "what only the host may read"


def pdf() -> bytes:
    """A short book of our own."""
    book = PdfBook()
    for number in range(1, 4):
        book.heading(f"Chapter {number}")
        for line in range(20):
            book.line(f"On day {line} of year {number} the ferry came to the quay.")
    made: bytes = book.document.tobytes()  # type: ignore[no-untyped-call]
    return made


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A whole file of each kind."""
    path = tmp_path_factory.mktemp("whole") / "a.epub"
    write_epub(path, {f"c{n}.xhtml": chapter(n) for n in range(1, 4)})
    text = "\n\n".join(f"CHAPTER {n}\n\n" + f"The ferry of day {n} came to the quay. " * 40 for n in range(1, 6))
    return {"epub": path.read_bytes(), "pdf": pdf(), "txt": text.encode()}


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The bytes with up to eight things done to them."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        at, size = chance.randrange(len(found) + 1), chance.choice((1, 1, 2, 8, 64, 512))
        match chance.randrange(6):
            case 0:
                found[at : at + size] = chance.randbytes(size)
            case 1:
                del found[at : at + size]
            case 2:
                found[at:at] = found[at : at + size] * chance.choice((1, 2, 50))
            case 3:
                found[at : at + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f"))
            case 4:
                found[at:at] = chance.choice((b"<!ENTITY x SYSTEM 'file:///etc/passwd'>", b"&x;", b"<p>" * 3000, b"\0"))
            case _:
                del found[max(1, at) :]
    return bytes(found)


def damaged_inside(content: bytes, chance: random.Random) -> bytes:
    """An archive with damaged members, some under names that lead elsewhere."""
    made = io.BytesIO()
    warnings.simplefilter("ignore", UserWarning)  # of two members with one name; pytest puts the filters back
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            body = old.read(name)
            if chance.random() < 0.4:
                body = damaged(body or b" ", chance)
            elsewhere = chance.choice(("../../escaped", "/escaped", "a\\..\\escaped", name.upper()))
            new.writestr(elsewhere if chance.random() < 0.05 else name, body)
    return made.getvalue()


def mutation(originals: dict[str, bytes], number: int) -> tuple[str, bytes]:
    """File ``number`` of this seed: its kind, and what is in it."""
    chance = random.Random(SEED * 1_000_003 + number)
    kind = ("epub", "pdf", "txt")[number % 3]
    if kind == "epub" and chance.random() < 0.8:
        return kind, damaged_inside(originals[kind], chance)
    return kind, damaged(originals[kind], chance)


async def outcome(path: Path) -> str:
    """``read``, or the code of the refusal; what else may be raised is a fault."""
    try:
        book = await read_book_in_child(path, name=path.name, limits=LIMITS)
    except FileRefused as refused:
        assert refused.message.count("\n") == 0
        assert CANARY not in refused.message
        return refused.code
    assert isinstance(book, BookText)
    assert CANARY not in book.text
    assert "root:x:" not in book.text
    return "read"


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*")}


async def test_a_mutated_file_is_read_or_refused(originals: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "uploads"
    folder.mkdir()
    (tmp_path / "canary").write_text(CANARY)
    began, slowest, codes = time.monotonic(), 0.0, dict[str, int]()
    numbers = iter(range(FILES))

    async def lane(name: int) -> None:
        nonlocal slowest
        for number in numbers:
            if time.monotonic() - began > MINUTES * 60:
                return
            kind, content = mutation(originals, number)
            path = folder / f"{name}.{kind}"
            path.write_bytes(content)
            started = time.monotonic()
            try:
                code = await outcome(path)
            except BaseException:
                (tmp_path / f"failed-{SEED}-{number}.{kind}").write_bytes(content)
                raise
            slowest = max(slowest, time.monotonic() - started)
            codes[code] = codes.get(code, 0) + 1
            assert path.read_bytes() == content

    async with asyncio.TaskGroup() as lanes:
        for name in range(AT_ONCE):
            lanes.create_task(lane(name))
    done = sum(codes.values())
    print(f"{done} of {FILES} files in {time.monotonic() - began:.0f} s, the slowest {slowest:.1f} s: {codes}")
    assert 0 < done <= FILES
    assert slowest < LIMITS.wall_seconds + 30
    left = names_in(tmp_path) - {"uploads", "canary"}
    assert left <= {f"{name}.{kind}" for name in range(AT_ONCE) for kind in originals}
