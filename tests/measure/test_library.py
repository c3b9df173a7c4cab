"""The generated library, tiny, in a real database: as exact as brute force, and books of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import numpy as np
import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.search import Searching
from bot.measure.bench import reader_values
from bot.measure.ingesting import sampled_children
from bot.measure.library import PASSAGE, PIECES, generated_book, generated_novel
from bot.measure.retrieval import TOP, Timed, brute_force, hits_of, time_readers, vector_recall
from bot.measure.shelving import TEMPLATES, Library, fill_library
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import CLUB

BOOKS, PASSAGES, LONG = TEMPLATES + 1, 2, 40


@dataclass
class Filled:
    """A library and what searches it."""

    shelf: PostgresShelf
    searching: Searching
    library: Library


@pytest.fixture
async def filled(databases: Databases, database: str) -> AsyncIterator[Filled]:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        embedder, shelf = HashEmbedder(), PostgresShelf(ingest)
        library = await fill_library(shelf, ingest, embedder.model, (BOOKS, PASSAGES, LONG), lambda _: None)
        yield Filled(shelf, Searching(PostgresDoors(app, CLUB), embedder), library)


async def test_a_generated_library_is_searched_as_exactly_as_by_brute_force(filled: Filled) -> None:
    found, of = await vector_recall(filled.searching.doors, filled.searching, filled.library, 12, seed=1)
    assert found == of > TOP


async def test_a_copied_book_is_a_book_of_its_own_with_every_row(filled: Filled) -> None:
    template, copy = filled.library.books[0], filled.library.books[TEMPLATES]
    assert copy.id != template.id
    one, other = [await filled.shelf.book(book.id) for book in (template, copy)]
    assert (other.status, other.characters, other.embedder) == ("ready", one.characters, one.embedder)
    texts = [await filled.shelf.book_text(book.id, 0, one.characters) for book in (template, copy)]
    assert texts[0] == texts[1]
    assert await filled.shelf.passages_unembedded(copy.id, 1) == ()
    assert filled.library.passages >= BOOKS * PASSAGES + LONG


async def test_readers_are_timed_in_mid_passage_again_and_at_a_chapters_end(filled: Filled) -> None:
    rows = reader_values(await time_readers(filled.searching, filled.library.books, 50, 3, seed=1))
    assert [(row["asked"], row["n"]) for row in rows] == [("first", 3), ("again", 3), ("chapter_end", 3)]
    assert all(0 < row["p50"] <= row["p95"] for row in rows)
    assert set(rows[0]["stages_p50"]) == set(Timed(0, {"embed": 0, "retrieve": 0}).stages)


def test_a_search_that_misses_one_of_the_best_is_found_out() -> None:
    truth = np.array([0.5, 0.9, 0.1, -np.inf])
    assert hits_of([1, 0, 2], truth) == (3, 3)
    wide = np.linspace(1, 0, TOP + 4)
    assert hits_of([*range(1, TOP), TOP + 2], wide) == (TOP - 1, TOP)


def test_brute_force_sees_nothing_past_the_boundary() -> None:
    made = generated_book(1, 12, 8)
    ends = [p.cut.revealed_at for p in made.indexed.passages]
    similarity = [np.isfinite(s) for s in brute_force_of(made, ends[4])]
    assert similarity == [True] * 5 + [False] * (len(ends) - 5)


def brute_force_of(made: object, boundary: int) -> list[float]:
    from bot.core.club import BookId
    from bot.measure.shelving import Shelved

    question = np.ones(8, dtype=np.float32) / np.sqrt(np.float32(8))
    return list(brute_force(Shelved(BookId(1), made), question, boundary))  # type: ignore[arg-type]


def test_generated_passages_have_the_sizes_of_real_ones() -> None:
    made = generated_book(3, 24, 16)
    passages = made.indexed.passages
    assert len(passages) >= 24
    assert made.vectors.shape == (len(passages), PIECES, 16)
    assert np.allclose(np.linalg.norm(made.vectors.astype(float), axis=-1), 1, atol=2e-3)
    distinct = np.mean([len(p.terms) for p in passages])
    assert 120 < distinct < 200
    assert len(made.indexed.book.text) / len(passages) == pytest.approx(PASSAGE, rel=0.1)
    assert len(made.indexed.names) > 20


def test_the_same_seed_makes_the_same_library_and_another_seed_another() -> None:
    assert generated_novel(1, 5_000) == generated_novel(1, 5_000) != generated_novel(2, 5_000)


def test_memory_is_seen_of_the_reading_child_alone() -> None:
    with sampled_children() as peak:
        pass
    assert peak == [0]
