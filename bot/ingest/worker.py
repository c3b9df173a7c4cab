"""A file becomes a book: read in a child, indexed, stored; then its vectors are filled in, from the first one on."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bot.core.book import BookText
from bot.core.club import BookId, ClubId
from bot.core.indexed import IndexedBook
from bot.core.ports import BookRecord, Embedder
from bot.core.shelf import PieceVector, Shelf, Unembedded
from bot.ingest.canonical import collapse
from bot.ingest.files import read_book_in_child
from bot.ingest.language import language_code
from bot.ingest.passages import cut_pieces
from bot.ingest.pipeline import index_book

Progress = Callable[[str, float], None]
"""Called with a stage ("read", "index", "embed") and how much of it is done, 0 to 1."""

BATCH = 16
"""Passages that are embedded and stored together: what a kill loses at most."""

UNTITLED = "Untitled"


@dataclass(frozen=True, slots=True)
class Added:
    """A book that stands on the shelf. ``new`` is false where the club had this file already; ``seconds`` by stage."""

    book: BookRecord
    file_sha256: str
    warnings: tuple[str, ...]
    new: bool
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file for a club. ``title`` and ``language`` (ISO 639-1) overrule what the file says of itself."""

    path: Path
    club: ClubId
    title: str | None = None
    language: str | None = None
    name: str | None = None


def _silent(_stage: str, _done: float) -> None:
    """Tell nobody."""


async def add_file(shelf: Shelf, upload: Upload, progress: Progress = _silent) -> Added:
    """Make the book searchable. The same file in the same club gives the book that is already there, as it is: where
    it was to have another title or language, a warning says that it keeps its own.

    Raises `FileRefused` with a code and one sentence when the file cannot become a book, `Refused` for a language that
    is no code.
    """
    began = perf_counter()
    if upload.language is not None:
        language_code(upload.language)  # refused before anything is read
    sha = await asyncio.to_thread(_sha256, upload.path)
    if (there := await shelf.book_of_file(upload.club, sha)) is not None:
        return await _there(shelf, upload, there, sha, began)
    book = await read_book_in_child(upload.path, name=upload.name, progress=lambda _stage, done: progress("read", done))
    read = perf_counter()
    indexed = await indexed_book(book, upload.language, progress)
    stored, new = await shelf.store_book(upload.club, indexed, sha, title_of(book, upload.title))
    if not new:  # somebody else was quicker
        return await _there(shelf, upload, await shelf.book(stored), sha, began)
    progress("index", 1.0)
    done = perf_counter()
    seconds = {"read": read - began, "index": done - read, "total": done - began}
    return Added(await shelf.book(stored), sha, book.warnings, True, seconds)


async def indexed_book(book: BookText, language: str | None, progress: Progress) -> IndexedBook:
    """`index_book` beside the event loop; the last part of its stage is the storing."""
    return await asyncio.to_thread(index_book, book, language, lambda done: progress("index", 0.7 * done))


def title_of(book: BookText, given: str | None = None) -> str:
    """What a book is called: as it is given, else as the file has it; never nothing."""
    return collapse(given or book.title) or UNTITLED


async def _there(shelf: Shelf, upload: Upload, book: BookRecord, sha: str, began: float) -> Added:
    warnings = (*await shelf.warnings(book.id), *_kept(upload, book))
    return Added(book, sha, warnings, False, {"total": perf_counter() - began})


def _kept(upload: Upload, book: BookRecord) -> tuple[str, ...]:
    """What a book that is there already keeps although the upload names another, in one sentence; or nothing."""
    kept = []
    if upload.title and collapse(upload.title) not in {"", book.title}:
        kept.append("title")
    if upload.language is not None and language_code(upload.language) != book.language:
        kept.append("language")
    if not kept:
        return ()
    return (
        f"The club has this file already and the book keeps its earlier {' and '.join(kept)}: "
        "remove the book and add it again to change that.",
    )


async def fill_vectors(shelf: Shelf, embedder: Embedder, book: BookId, progress: Progress = _silent) -> float:
    """Embed what is not embedded yet, in text order, and mark the book ready. Returns the seconds it took.

    It may be stopped or cancelled at any moment and goes on where it stopped: a batch is stored whole or not at all. A
    long passage is embedded piece by piece.
    """
    began = perf_counter()
    total = await shelf.passage_count(book)
    model = await asyncio.to_thread(lambda: embedder.model)  # it may be loaded here
    await shelf.begin_embedding(book, model)
    while passages := await shelf.passages_unembedded(book, BATCH):
        await shelf.store_vectors(book, model, await asyncio.to_thread(_pieces, embedder, passages))
        progress("embed", (passages[-1].ordinal + 1) / max(1, total))
    await shelf.book_ready(book, model)
    return perf_counter() - began


def _pieces(embedder: Embedder, passages: Sequence[Unembedded]) -> list[PieceVector]:
    """The vectors of each piece of each passage; a piece longer than the model reads is embedded window by window."""
    texts: list[str] = []
    places: list[tuple[int, int, int]] = []
    for passage in passages:
        windows = []
        for first, last in cut_pieces([text for _, text, _ in passage.sentences]):
            piece = passage.text(first, last)
            closes = last == len(passage.sentences) - 1
            revealed_at = passage.revealed_at if closes else passage.sentences[last][2]
            windows += [(window.of(piece), revealed_at) for window in embedder.windows(piece)]
        texts += [text for text, _ in windows]
        places += [(passage.ordinal, number, revealed_at) for number, (_, revealed_at) in enumerate(windows)]
    vectors = embedder.embed_passages(texts)
    return [PieceVector(*place, vector) for place, vector in zip(places, vectors, strict=True)]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
