"""A file becomes a book, and its vectors fill in behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from bot.core.club import BookId
from bot.core.errors import FileRefused, Refused
from bot.core.ports import Vectors
from bot.ingest.passages import cut_pieces
from bot.ingest.worker import BATCH, UNTITLED, Upload, add_file, fill_vectors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import in_memory
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter

STORY = "\n\n".join(
    f"CHAPTER {n}\n\n" + " ".join(f"The ferry came on day {day} and Ana Wren waited on the quay." for day in range(30))
    for n in range(1, 5)
)
LONG = book_of(
    *(chapter(n, " ".join(f"On day {n}.{d} the ferry came to the quay." for d in range(700))) for n in (1, 2, 3))
)


def written(path: Path) -> Path:
    path.write_text(STORY, "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "the-ferry.txt")


async def uploaded(shelf: FakeShelf, file: Path, club: str = "club", **more: str) -> Upload:
    return Upload(file, await shelf.club_named(club), **more)


async def test_a_file_becomes_a_book_that_can_be_searched_at_once(file: Path) -> None:
    shelf = FakeShelf()
    told: list[tuple[str, float]] = []
    added = await add_file(shelf, await uploaded(shelf, file), lambda stage, done: told.append((stage, done)))
    assert added.new
    assert (added.book.status, added.book.chapters, added.book.embedder) == ("searchable", 4, None)
    assert added.seconds.keys() == {"read", "index", "total"}
    assert await shelf.passage_count(added.book.id) >= 4
    for stage in ("read", "index"):
        done = [fraction for its, fraction in told if its == stage]
        assert done == sorted(done)
        assert 0 <= done[0] <= done[-1] == 1.0
    assert [stage for stage, _ in told] == sorted((stage for stage, _ in told), reverse=True)


async def test_the_same_file_twice_is_one_book_in_a_club_and_two_in_two_clubs(file: Path, tmp_path: Path) -> None:
    shelf = FakeShelf()
    copy = written(tmp_path / "another name.txt")
    first = await add_file(shelf, await uploaded(shelf, file))
    again = await add_file(shelf, await uploaded(shelf, copy, title="Another title"))
    other = await add_file(shelf, await uploaded(shelf, file, club="another club"))
    assert (again.new, again.book, again.file_sha256) == (False, first.book, first.file_sha256)
    assert again.warnings[:-1] == first.warnings
    assert again.warnings[-1].startswith("The club has this file already and the book keeps its earlier title: remove")
    assert other.new
    assert other.book.id != first.book.id
    assert other.seconds.keys() == first.seconds.keys()


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({"language": "de"}, "its earlier language:"),
        ({"title": "Another", "language": "fr"}, "its earlier title and language:"),
    ],
)
async def test_a_book_that_is_there_keeps_its_title_and_language_and_says_so(
    file: Path, more: dict[str, str], kept: str
) -> None:
    shelf = FakeShelf()
    first = await add_file(shelf, await uploaded(shelf, file))
    again = await add_file(shelf, await uploaded(shelf, file, **more))
    assert again.book == first.book
    assert kept in again.warnings[-1]
    assert not any(given in again.warnings[-1] for given in more.values() if len(given) > 2)


async def test_a_book_that_is_added_again_with_its_own_title_and_language_has_nothing_to_say(file: Path) -> None:
    shelf = FakeShelf()
    first = await add_file(shelf, await uploaded(shelf, file, title="The Ferry", language="en"))
    again = await add_file(shelf, await uploaded(shelf, file, title=" The Ferry ", language="en-GB"))
    assert again.warnings == first.warnings


async def test_a_file_added_twice_at_once_is_one_book(file: Path) -> None:
    shelf = FakeShelf()
    upload = await uploaded(shelf, file)
    one, other = await asyncio.gather(add_file(shelf, upload), add_file(shelf, upload))
    assert one.book == other.book
    assert {one.new, other.new} == {True, False}
    assert await shelf.books() == (one.book,)


async def test_a_title_and_a_language_of_the_uploader_overrule_the_files(file: Path) -> None:
    shelf = FakeShelf()
    added = await add_file(shelf, await uploaded(shelf, file, title="  The Ferry ", language="de-AT"))
    assert (added.book.title, added.book.language) == ("The Ferry", "de")


async def test_a_book_is_never_without_a_title(file: Path) -> None:
    shelf = FakeShelf()
    added = await add_file(shelf, await uploaded(shelf, file, title="   "))
    assert added.book.title in {UNTITLED, added.book.title.strip()}
    assert added.book.title


async def test_a_refusal_passes_through_and_leaves_nothing_behind(tmp_path: Path) -> None:
    shelf = FakeShelf()
    path = tmp_path / "book.epub"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(FileRefused) as raised:
        await add_file(shelf, await uploaded(shelf, path))
    assert raised.value.code
    assert raised.value.message.endswith(".")
    assert await shelf.books() == ()


async def test_a_language_that_is_no_code_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    shelf = FakeShelf()
    with pytest.raises(Refused) as raised:
        await add_file(shelf, await uploaded(shelf, tmp_path / "not there.txt", language="klingon"))
    assert raised.value.code == "bad_language"


async def filled(embedder: HashEmbedder) -> tuple[FakeShelf, BookId]:
    library = in_memory()
    return library.shelf, await library.add(LONG, embedder)


async def test_vectors_fill_in_from_the_first_passage_on() -> None:
    library = in_memory()
    book = await library.add(LONG)
    told: list[tuple[str, float]] = []
    await fill_vectors(library.shelf, HashEmbedder(32), book, lambda stage, done: told.append((stage, done)))
    kept = library.shelf.of(book)
    assert list(kept.vectors) == [p.cut.ordinal for p in kept.indexed.passages]
    assert len(kept.vectors) > BATCH
    assert kept.record.status == "ready"
    assert {stage for stage, _ in told} == {"embed"}
    assert all(before < after for (_, before), (_, after) in pairwise(told))
    assert told[-1][1] == 1.0


class Recording(HashEmbedder):
    """Remembers every text it embedded."""

    def __init__(self) -> None:
        super().__init__(32, window_words=50)
        self.texts: list[str] = []

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        self.texts += windows
        return super().embed_passages(windows)


async def test_a_long_passage_is_embedded_piece_by_piece_and_a_long_piece_window_by_window() -> None:
    embedder = HashEmbedder(32, window_words=50)
    shelf, book = await filled(embedder)
    kept = shelf.of(book)
    for passage in kept.indexed.passages:
        sentences = [s for s in kept.indexed.sentences if s.passage == passage.cut.ordinal]
        windows, revealed = [], []
        for first, last in cut_pieces([s.text for s in sentences]):
            start, end = sentences[first].sentence.span.start, sentences[last].sentence.span.end
            piece = LONG.text[start:end]
            windows += [w.of(piece) for w in embedder.windows(piece)]
            whole = last == len(sentences) - 1
            own = passage.cut.revealed_at if whole else sentences[last].sentence.revealed_at
            revealed += [own] * len(embedder.windows(piece))
        pieces = kept.vectors[passage.cut.ordinal]
        assert [p.piece for p in pieces] == list(range(len(windows)))
        assert [p.revealed_at for p in pieces] == revealed
        assert all((p.vector == v).all() for p, v in zip(pieces, embedder.embed_passages(windows), strict=True))


class Interrupted(HashEmbedder):
    """Embeds until its ``n``-th batch, and then no more."""

    def __init__(self, n: int) -> None:
        super().__init__(32)
        self._left = n

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        self._left -= 1
        if not self._left:
            raise KeyError("interrupted")
        return super().embed_passages(windows)


async def test_filling_goes_on_where_it_stopped() -> None:
    library = in_memory()
    book = await library.add(LONG)
    with pytest.raises(KeyError):
        await fill_vectors(library.shelf, Interrupted(2), book)
    assert list(library.shelf.of(book).vectors) == list(range(BATCH))
    assert library.shelf.of(book).record.status == "searchable"
    rest = HashEmbedder(32)
    await fill_vectors(library.shelf, rest, book)
    whole, same = await filled(HashEmbedder(32))
    assert rest.embedded < sum(map(len, whole.of(same).vectors.values()))
    for ordinal, pieces in whole.of(same).vectors.items():
        found = library.shelf.of(book).vectors[ordinal]
        assert [(p.piece, p.revealed_at, p.vector.tolist()) for p in found] == [
            (p.piece, p.revealed_at, p.vector.tolist()) for p in pieces
        ]
    assert library.shelf.of(book).record.status == "ready"


class Slow(HashEmbedder):
    """Waits in its second batch until it is let go."""

    def __init__(self) -> None:
        super().__init__(32)
        self.batches = 0
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        self.batches += 1
        if self.batches == 2:
            self.begun.set()
            self.go_on.wait(10)
        return super().embed_passages(windows)


async def test_a_cancelled_filling_keeps_whole_batches_and_can_go_on() -> None:
    library = in_memory()
    book = await library.add(LONG)
    embedder = Slow()
    task = asyncio.create_task(fill_vectors(library.shelf, embedder, book))
    await asyncio.to_thread(embedder.begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    embedder.go_on.set()
    assert list(library.shelf.of(book).vectors) == list(range(BATCH))
    assert library.shelf.of(book).record.status == "searchable"
    await fill_vectors(library.shelf, embedder, book)
    assert len(library.shelf.of(book).vectors) == await library.shelf.passage_count(book)
    assert all(len({p.piece for p in pieces}) == len(pieces) for pieces in library.shelf.of(book).vectors.values())


async def test_a_book_that_is_filled_is_not_filled_again_by_the_same_model() -> None:
    embedder = HashEmbedder(32)
    shelf, book = await filled(embedder)
    before = embedder.embedded
    await fill_vectors(shelf, embedder, book)
    assert embedder.embedded == before
    assert shelf.of(book).record.status == "ready"


async def test_another_model_fills_the_book_anew() -> None:
    shelf, book = await filled(HashEmbedder(32))
    await fill_vectors(shelf, HashEmbedder(64), book)
    assert {p.vector.shape for pieces in shelf.of(book).vectors.values() for p in pieces} == {(64,)}
    assert shelf.of(book).record.embedder == HashEmbedder(64).model
