"""A small book through the whole measurement, with a real database and the real pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.shelf import PostgresShelf
from bot.app import App
from bot.core.club import BookId
from bot.core.offsets import Span
from bot.measure.evaluate import END, MET, RECIPE, TEXT, BookOutcome, Ranked, evaluate, evaluate_book
from bot.measure.figures import evaluation_value, figures
from bot.measure.leaks import Leaks
from bot.measure.questions import Question
from bot.measure.tables import evaluation_tables
from bot.settings import Settings
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder

PADDING = "The tide went out over the sand, and the gulls walked after it looking for what it had left behind. " * 12
FACTS = (
    "Agnes kept the ferry and slept with the oar beside her bed.",
    "The harbourmaster, Piers Lowell, hid the brass key inside the church clock.",
    "It was Agnes who cut the rope, and the ferry sank before anyone woke.",
)
BOOK = "The Ferry\n\n\n" + "\n\n\n".join(
    f"CHAPTER {n}\n\n{PADDING}\n\n{fact}\n\n{PADDING}" for n, fact in enumerate(FACTS, start=1)
)
QUESTIONS = (
    Question("q1", "ferry", "Who kept the ferry?", "who", FACTS[0], 1, 0, 3, ("oar",)),
    Question("q2", "ferry", "Where did the harbourmaster hide the brass key?", "where", FACTS[1], 2, 1, 3, ("Lowell",)),
    Question("q3", "ferry", "Who cut the rope of the ferry?", "who", FACTS[2], 3, 2, 3, ("Agnes who cut",)),
    Question("q4", "ferry", "What was the name of the priest?", "fact", secrets=("Agnes",)),
    Question("q5", "ferry", "Who kept the inn?", "who", "Nobody kept the inn.", 1, 0, 3),
)


@pytest.fixture
async def app(databases: Databases, database: str, tmp_path: Path) -> AsyncIterator[App]:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        made = App(Settings(), tmp_path, app, ingest)
        made.__dict__["embedder"] = HashEmbedder()
        yield made


async def measured(app: App, folder: Path) -> BookOutcome:
    (folder / "ferry.txt").write_text(BOOK, "utf-8")
    searching = app.searching(await app.shelf.club_named("eval"))
    return await evaluate_book(app, searching, folder, QUESTIONS, baselines=True, progress=lambda _stage, _done: None)


async def test_a_small_book_is_measured_whole(app: App, tmp_path: Path) -> None:
    outcome = await measured(app, tmp_path)
    assert outcome.lost == ("q5",)
    assert [o.question.id for o in outcome.outcomes] == ["q1", "q2", "q3", "q4"]
    found = figures(outcome.outcomes)
    assert found["recall"][MET]["8"]["value"] == 1
    assert found["recall"][END]["8"]["n"] == 3
    assert found["quotes_overlap"]["hits"] == 3
    assert found["citations_exact"]["value"] == 1
    assert found["leaks"] == {
        "questions": 0, "words": 0, "citations_past_boundary": 0, "could_leak": 3, "asked": 4
    }  # fmt: skip
    assert found["false_refusals"]["hits"] == 0
    assert found["seconds"]["n"] == 7  # three questions at two places, the fourth at one
    assert set(outcome.outcomes[0].ranked) >= {MET, END, TEXT, RECIPE}


async def test_the_measured_book_belongs_to_a_club_of_its_own_and_is_added_once(app: App, tmp_path: Path) -> None:
    await measured(app, tmp_path)
    await measured(app, tmp_path)
    (book,) = await app.shelf.books(await app.shelf.club_named("eval"))
    assert (book.status, book.chapters) == ("ready", 3)
    assert await app.shelf.books(await app.shelf.club_named("club")) == ()


class ForgetfulShelf(PostgresShelf):
    """Gives a text with one letter changed wherever a short stretch is asked for."""

    async def book_text(self, book: BookId, start: int, end: int) -> str:
        text = await super().book_text(book, start, end)
        return text.replace("e", "3", 1) if end - start < 400 else text


async def test_a_citation_that_is_not_in_the_book_is_counted(app: App, tmp_path: Path) -> None:
    app.__dict__["shelf"] = ForgetfulShelf(app.ingest_engine)
    found = figures((await measured(app, tmp_path)).outcomes)
    assert found["citations_exact"]["n"] > found["citations_exact"]["hits"]


async def test_everything_is_told_as_values_and_as_tables(app: App, tmp_path: Path) -> None:
    async def one_book(_: object) -> BookOutcome:
        return await measured(app, tmp_path)

    value = evaluation_value(await evaluate(QUESTIONS, one_book), {"fusion": "zscore"})
    assert value["evidence_not_found"] == ["q5"]
    assert value["outcomes"][1]["found_at"][MET] == 1
    assert {row["baseline"] for row in value["comparisons"]} >= {TEXT, RECIPE}
    assert all(row["difference"]["n"] == 3 for row in value["comparisons"])
    assert str(next(table.title for table in evaluation_tables(value))).startswith("Evidence recall")


async def test_a_planted_leak_is_among_the_figures(app: App, tmp_path: Path) -> None:
    outcomes = (await measured(app, tmp_path)).outcomes
    leaking = replace(outcomes[0], leaks=Leaks(words=2, citations=1))
    told = figures([leaking, *outcomes[1:]])["leaks"]
    assert (told["questions"], told["words"], told["citations_past_boundary"]) == (1, 2, 1)


def test_recall_is_the_share_of_evidence_held_by_half_among_the_first() -> None:
    evidence = Span(100, 200)
    ranked = Ranked(evidence, (Span(0, 149), Span(300, 400), Span(150, 260)))
    assert [ranked.hit(k) for k in (1, 2, 3)] == [False, False, True]
    assert ranked.characters(2) == 249
