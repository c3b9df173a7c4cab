"""From an uploaded file to a book's text, safely: the file is read in a child process that can be thrown away."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import bot
from bot.core.book import BookText
from bot.core.errors import FileRefused
from bot.ingest.sniffing import Kind, sniff
from bot.ingest.transfer import from_json

__all__ = ["Progress", "ReadingLimits", "read_book", "read_book_in_child", "sniff"]

logger = logging.getLogger(__name__)

Progress = Callable[[str, float], None]
"""Called with the stage ("reading", "chapters") and the fraction of the whole that is done, 0..1."""

_MB: Final = 1024 * 1024
_CHILD: Final = "bot.ingest.reading_child"
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{1,40}")
_SENTENCE: Final = re.compile(r"[^\x00-\x1f\x7f]{1,400}")
_STAGE: Final = re.compile(r"[a-z ]{1,20}")
_KEPT_ENVIRONMENT: Final = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading one file may cost. Sizes are bytes of the file, ``characters`` code points of its text."""

    memory_bytes: int = 1024 * _MB
    cpu_seconds: int = 60
    wall_seconds: float = 90.0
    epub_bytes: int = 50 * _MB
    pdf_bytes: int = 100 * _MB
    text_bytes: int = 20 * _MB
    pdf_pages: int = 5_000
    characters: int = 20_000_000

    def __post_init__(self) -> None:
        if any(value <= 0 for value in asdict(self).values()):
            raise ValueError("every reading limit is more than zero")

    def bytes_of(self, kind: Kind) -> int:
        """The largest file of ``kind``."""
        return {"epub": self.epub_bytes, "pdf": self.pdf_bytes, "text": self.text_bytes}[kind]

    @property
    def answer_bytes(self) -> int:
        """The most that the child may send: the text at four bytes a character, and its map."""
        return 6 * self.characters + 16 * _MB


DEFAULT_LIMITS: Final = ReadingLimits()


def read_book(
    path: Path,
    *,
    name: str | None = None,
    limits: ReadingLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    module: str = _CHILD,
) -> BookText:
    """The text of the book file at ``path``, read in a child process under ``limits``.

    ``name`` is what the file was called by the person who gave it (default: the name of ``path``). ``module`` is the
    child's program and is for tests. Raises `FileRefused`; ``too_complex`` is whatever killed or silenced the child.
    """
    _check_size(path, limits)
    with tempfile.TemporaryDirectory(prefix="dogear-read-", ignore_cleanup_errors=True) as folder:
        child = _Child(_command(path, name or path.name, limits, module), folder, limits)
        return child.answer(progress or (lambda _stage, _fraction: None))


async def read_book_in_child(
    path: Path,
    *,
    name: str | None = None,
    limits: ReadingLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    module: str = _CHILD,
) -> BookText:
    """`read_book` for an event loop. ``progress`` is called in the loop; cancelling kills the child first."""
    loop = asyncio.get_running_loop()

    def report(stage: str, fraction: float) -> None:
        if progress is not None:
            loop.call_soon_threadsafe(progress, stage, fraction)

    _check_size(path, limits)
    with tempfile.TemporaryDirectory(prefix="dogear-read-", ignore_cleanup_errors=True) as folder:
        child = _Child(_command(path, name or path.name, limits, module), folder, limits)
        done: asyncio.Future[BookText] = asyncio.ensure_future(asyncio.to_thread(child.answer, report))
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            child.cancel()
            await asyncio.wait({done})
            if not done.cancelled():
                done.exception()  # seen: a refusal that came too late is nobody's error
            raise


def read_in_this_process(path: Path, name: str, limits: ReadingLimits, progress: Progress) -> BookText:
    """The same without a child: what the child runs. Raises `FileRefused`."""
    from bot.ingest.sections import assemble

    kind = sniff(path, name)
    if path.stat().st_size > limits.bytes_of(kind):
        raise _too_large(kind.upper() if kind != "text" else "text", limits.bytes_of(kind))
    progress("reading", 0.0)
    if kind == "epub":
        from bot.ingest.epub.reader import read_epub

        draft = read_epub(path)
    elif kind == "pdf":
        from bot.ingest.pdf.reader import read_pdf

        draft = read_pdf(
            path, max_pages=limits.pdf_pages, progress=lambda fraction: progress("reading", 0.9 * fraction)
        )
    else:
        from bot.ingest.text import read_text

        draft = read_text(path.read_bytes())
    if len(draft.text) > limits.characters:
        raise FileRefused(
            "book_too_long",
            f"This book has more than {limits.characters:,} characters. Please upload a single volume.",
        )
    progress("chapters", 0.9)
    book = assemble(draft)
    progress("chapters", 1.0)
    return book


def _check_size(path: Path, limits: ReadingLimits) -> None:
    most = max(limits.epub_bytes, limits.pdf_bytes, limits.text_bytes)
    if path.stat().st_size > most:
        raise _too_large("book", most)


def _too_large(what: str, most: int) -> FileRefused:
    return FileRefused(
        "file_too_large", f"This {what} file is larger than {max(1, most // _MB)} MB. Please upload a smaller edition."
    )


def _command(path: Path, name: str, limits: ReadingLimits, module: str) -> list[str]:
    request = {
        "path": str(path.absolute()),
        "name": name,
        "memory_bytes": limits.memory_bytes,
        "cpu_seconds": limits.cpu_seconds,
        "limits": asdict(limits),
    }
    return [sys.executable, "-B", "-P", "-s", "-X", "utf8", "-m", module, json.dumps(request)]


def _environment(folder: str) -> dict[str, str]:
    """Next to nothing: no token, key or address of the parent's reaches the child."""
    kept = {key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ}
    root = Path(bot.__file__).resolve().parent.parent
    return kept | {"PYTHONPATH": str(root), "TMPDIR": folder, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}


class _Child:
    """One child process and the one answer it may give."""

    def __init__(self, command: list[str], folder: str, limits: ReadingLimits) -> None:
        self._command, self._folder, self._limits = command, folder, limits
        self._chunks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Make `answer` kill the child and return at once, from another thread."""
        self._cancelled.set()
        self._chunks.put(None)

    def answer(self, progress: Progress) -> BookText:
        """Start the child, pass its progress on, and return the book it read. The whole process group ends."""
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env=_environment(self._folder),
            start_new_session=True,
        )
        reader = threading.Thread(target=self._pump, args=(process,), daemon=True)
        reader.start()
        try:
            last = None
            for line in self._lines():
                last = self._take(line, progress)
                if last is not None:
                    break
        finally:
            _end(process)
            reader.join(timeout=5)
        if last is None:
            raise _too_complex(f"it ended with {process.returncode}")
        return last

    def _pump(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as pipe, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), 1 << 18):
                self._chunks.put(chunk)
        self._chunks.put(None)

    def _lines(self) -> Iterator[bytes]:
        """The child's complete lines, until it ends, is cancelled, sends too much, or its time is over."""
        deadline = time.monotonic() + self._limits.wall_seconds
        pieces: list[bytes] = []
        received = 0
        while True:
            try:
                chunk = self._chunks.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise _too_complex("its time was over") from None
            if chunk is None or self._cancelled.is_set():
                return
            received += len(chunk)
            if received > self._limits.answer_bytes:
                raise _too_complex("it sent too much")
            *ended, rest = chunk.split(b"\n")
            for end in ended:
                yield b"".join([*pieces, end])
                pieces = []
            pieces.append(rest)

    def _take(self, line: bytes, progress: Progress) -> BookText | None:
        try:
            value: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise _too_complex("it sent no JSON") from None
        match value:
            case {"stage": str(stage), "fraction": int() | float() as fraction} if _STAGE.fullmatch(stage):
                progress(stage, min(1.0, max(0.0, float(fraction))))
                return None
            case {"refused": [str(code), str(sentence)]} if _CODE.fullmatch(code) and _SENTENCE.fullmatch(sentence):
                raise FileRefused(code, sentence)
            case {"died": [*places]}:
                raise _too_complex(" ".join(re.sub(r"[^\w.:]", "?", str(place))[:60] for place in places[:8]))
            case {"book": book}:
                try:
                    return from_json(book)
                except (ValueError, RecursionError):
                    raise _too_complex("it sent no book") from None
        raise _too_complex("it sent something else")


def _too_complex(reason: str) -> FileRefused:
    logger.warning("reading a file failed: %s", reason)
    return FileRefused(
        "too_complex",
        "This file could not be read within the limits of time and memory. Please upload another edition of the book.",
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, then reap its leader: until it is reaped, its id cannot pass to an innocent process."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
