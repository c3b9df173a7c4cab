"""`dogear bench`: a generated library in a home of its own, retrieval in it, and the ingest of a long novel."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bot.app import App, opened
from bot.core.errors import Refused
from bot.measure.ingesting import CHARACTERS, Ingested, ingest_novel, throughput
from bot.measure.intervals import percentile
from bot.measure.library import generated_book
from bot.measure.retrieval import READERS, TOP, ReaderFigures, Timed, time_readers, vector_recall
from bot.measure.shelving import LONG_PASSAGES, Library, fill_library
from bot.settings import Settings

SEED: Final = 7
RECALL_QUESTIONS: Final = 64
THROUGHPUT_PASSAGES: Final = 24
GENERATED: Final = (
    "Prose and vectors are generated: words by Zipf's law, unit vectors in clusters. Sizes are those of real novels."
)


@dataclass(frozen=True, slots=True)
class BenchSize:
    """How much is generated; ``questions`` are asked for each reader, ``characters`` are of the novel that is added."""

    books: int = 500
    passages: int = 400
    questions: int = 200
    long_passages: int = LONG_PASSAGES
    characters: int = CHARACTERS

    def __post_init__(self) -> None:
        if min(self.books, self.passages, self.questions, self.long_passages, self.characters) < 1:
            raise Refused("bad_size", "Each size of a benchmark is at least 1.")


async def bench(settings: Settings, size: BenchSize, keep: bool, note: Callable[[str], None]) -> dict[str, Any]:
    """Run everything in a temporary home with an embedded server, removed at the end unless ``keep``."""
    home = Path(tempfile.mkdtemp(prefix="dogear-bench-"))
    try:
        async with opened(settings.model_copy(update={"home": home, "database_url": None}), note) as app:
            return await _measured(app, size, note) | {"home": str(home) if keep else None}
    finally:
        if keep:
            note(f"The library stays in {home}: set DOGEAR_HOME to it to look inside.")
        else:
            shutil.rmtree(home, ignore_errors=True)


async def _measured(app: App, size: BenchSize, note: Callable[[str], None]) -> dict[str, Any]:
    embedder = app.embedder
    if embedder is None:
        raise Refused("no_embedder", "The benchmark needs an embedder: unset DOGEAR_EMBEDDER.")
    note("Adding a long novel ...")
    ingested = await ingest_novel(app.shelf, embedder, size.characters)
    note("Embedding side by side with plain ONNX Runtime ...")
    made = generated_book(SEED, THROUGHPUT_PASSAGES, embedder.model.dimension).indexed
    texts = [p.cut.span.of(made.book.text) for p in made.passages[:THROUGHPUT_PASSAGES]]
    rates = throughput(embedder, texts)
    note(f"Filling the library: {size.books} books of {size.passages} passages ...")
    began = perf_counter()
    sizes = (size.books, size.passages, size.long_passages)
    library = await fill_library(app.shelf, app.ingest_engine, embedder.model, sizes, lambda _: None)
    filled = perf_counter() - began
    note("Searching ...")
    found, wanted = await vector_recall(
        app.doors(library.club), app.searching(library.club), library, RECALL_QUESTIONS, SEED
    )
    return {
        "generated": GENERATED,
        "library": {
            "books": len(library.books) + 1,
            "passages": library.passages,
            "long_passages": len(library.long.made.indexed.passages),
            "seconds": round(filled, 1),
        },
        "retrieval": await _retrieval(app, library, size.questions),
        "vector_recall": {"found": found, "of": wanted, "value": found / wanted if wanted else None, "top": TOP},
        "ingest": _ingest_value(ingested),
        "embedding": {
            "windows": rates.windows,
            "windows_per_second": round(rates.ours, 1),
            "plain_onnxruntime": round(rates.plain, 1),
            "ratio": round(rates.ours / rates.plain, 3),
            "least_cosine": round(rates.cosine, 5),
        },
    }


async def _retrieval(app: App, library: Library, questions: int) -> list[dict[str, Any]]:
    rows = []
    for name, books in (("library", library.books), ("long", (library.long,))):
        for percent in READERS:
            figures = await time_readers(app.searching(library.club), books, percent, questions, SEED)
            rows += [{"books": name, **row} for row in reader_values(figures)]
    return rows


def reader_values(figures: ReaderFigures) -> list[dict[str, Any]]:
    """The percentiles, in milliseconds, of each sort of question of readers at one place."""
    sorts = {"first": figures.mid, "again": figures.again, "chapter_end": figures.chapter_end}
    return [{"percent": figures.percent, "asked": name, **_milliseconds(timed)} for name, timed in sorts.items()]


def _milliseconds(timed: Sequence[Timed]) -> dict[str, Any]:
    stages = timed[0].stages if timed else ()
    return {
        "n": len(timed),
        "p50": round(1000 * percentile([t.seconds for t in timed], 50), 2),
        "p95": round(1000 * percentile([t.seconds for t in timed], 95), 2),
        "stages_p50": {s: round(1000 * percentile([t.stages[s] for t in timed], 50), 2) for s in stages},
    }


def _ingest_value(ingested: Ingested) -> dict[str, Any]:
    stages = {name: spent for name, spent in ingested.seconds.items() if name != "total"}
    rates = {name: round(ingested.characters / spent) for name, spent in stages.items() if spent}
    if ingested.embedding:
        rates["embed"] = round(ingested.embedded / ingested.embedding)
    return {
        "characters": ingested.characters,
        "passages": ingested.passages,
        "searchable_seconds": round(ingested.seconds["total"], 2),
        "seconds": {name: round(spent, 2) for name, spent in stages.items()},
        "characters_per_second": rates,
        "peak_bytes": dict(ingested.peaks),
    }
