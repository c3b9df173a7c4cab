"""The figures as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rich.table import Table

from bot.measure.evaluate import DEPTHS, END, MET, OTHER, RECIPE, TEXT, TRIGRAM, VECTOR

_NAMES: Final = {
    TEXT: "text search alone",
    VECTOR: "vectors alone",
    OTHER: "the other fusion",
    RECIPE: "common recipe, text search",
    TRIGRAM: "common recipe, trigrams",
}


def evaluation_tables(value: dict[str, Any]) -> Iterator[Table]:
    """Recall, answers, comparisons and seconds of an `evaluation_value`."""
    rows = [*value["books"], {"book": "all", **value["all"]}]
    yield _recall(rows)
    yield _answers(rows)
    yield _kinds(value["kinds"])
    if value["comparisons"]:
        yield _comparisons(value["comparisons"])
    if value["model"] is not None:
        yield model_table(value["model"], "What the model wrote")
    yield _stages(value["all"]["seconds"])


def comparison_tables(value: dict[str, Any]) -> Iterator[Table]:
    """What the model did with the switch on and off, and what came of it, of a `comparison_value`."""
    for side in ("on", "off"):
        if value[side] is not None:
            yield model_table(value[side], f"{value['switch']} {side}")
    graded = {"judge": "by a judge that is not told which is which", "overlap": "by quotes of the evidence"}
    table = _table(
        f"{value['switch']} on against off, the same questions, graded {graded[value['graded_by']]}",
        "questions", "better", "worse", "same", "not graded", "p",
    )  # fmt: skip
    counts = (value[name] for name in ("questions", "better", "worse", "same", "not_graded"))
    table.add_row(*map(str, counts), f"{value['p']:.3g}")
    table.caption = value["verdict"]
    yield table


def model_table(model: dict[str, Any], title: str) -> Table:
    """Claims, failures and cost of a `model_figures` value."""
    table = _table(title, "what", "n")
    claims, cost = model["claims"], model["cost"]
    rows: dict[str, object] = {name: model[name] for name in ("asked", "answered", "refused")}
    rows |= {f"failed: {why}, quotes instead": count for why, count in model["failed"].items()}
    rows |= {"claims shown": claims["shown"], "claims cut": claims["cut"]}
    rows |= {f"cut: {why}": count for why, count in claims["why"].items()}
    rows |= {f"tokens, {kind.replace('_', ' ')}": f"{count:,}" for kind, count in cost["tokens"].items()}
    rows |= {"US dollars": f"{cost['dollars']:.4f}", "US dollars a question": f"{cost['dollars_each']:.5f}"}
    if cost["without_price"]:
        rows["requests without a known price"] = cost["without_price"]
    for what, count in rows.items():
        table.add_row(what, str(count))
    return table


def bench_tables(value: dict[str, Any]) -> Iterator[Table]:
    """Retrieval, ingest and embedding of a `bench` value."""
    library, recall = value["library"], value["vector_recall"]
    table = _table(
        f"Retrieval in {library['books']} books, {library['passages']:,} passages (the long one: "
        f"{library['long_passages']:,}), warm, the question's embedding included; recall of the vectors' top "
        f"{recall['top']}: {recall['found']}/{recall['of']}",
        "books", "reader at", "asked", "n", "p50 ms", "p95 ms", "stages p50 ms",
    )  # fmt: skip
    for row in value["retrieval"]:
        stages = ", ".join(f"{name} {spent:.1f}" for name, spent in row["stages_p50"].items())
        asked = row["asked"].replace("_", " ")
        table.add_row(
            row["books"], f"{row['percent']}%", asked, str(row["n"]), f"{row['p50']:.1f}", f"{row['p95']:.1f}", stages
        )
    yield table
    yield _ingest(value["ingest"])
    embedding = value["embedding"]
    table = _table("Embedding, windows a second, side by side", "ours", "plain ONNX Runtime", "ratio", "least cosine")
    table.add_row(*(str(embedding[k]) for k in ("windows_per_second", "plain_onnxruntime", "ratio", "least_cosine")))
    yield table


def clubs_tables(value: dict[str, Any]) -> Iterator[Table]:
    """Steps, what came of them, and the boundary of a crowd, of a `bench_clubs` value."""
    table = _table(
        f"{value['clubs']:,} clubs of {value['members']} people, {value['days']} days, {value['steps']:,} steps in "
        f"{value['seconds']:,.0f} s, {value['at_once']} clubs at once",
        "step", "n", "p50 ms", "p95 ms",
    )  # fmt: skip
    for row in value["kinds"]:
        table.add_row(row["kind"].replace("_", " "), f"{row['n']:,}", f"{row['p50']:.1f}", f"{row['p95']:.1f}")
    yield table
    table = _table("What came of it", "what", "n")
    told = {**value["outcomes"], **value["notices"], "highlights": value["highlights"]}
    for what, count in told.items():
        table.add_row(what, f"{count:,}")
    for posts, clubs in value["weekly"]["clubs_by_posts"].items():
        table.add_row(f"clubs with {posts} weekly post(s) in {value['weekly']['week']}", f"{clubs:,}")
    table.add_row("violations", f"{value['violations']['count']:,}")
    yield table
    lookup = value["boundary_lookup"]
    table = _table(
        f"The boundary of a room of {lookup['members']}, {lookup['n']} times (at most {lookup['target']:.0f} ms)",
        "measured", "p50 ms", "p95 ms",
    )  # fmt: skip
    for name, row in (("in an open transaction", lookup), ("with opening it", lookup["with_opening"])):
        table.add_row(name, f"{row['p50']:.2f}", f"{row['p95']:.2f}")
    yield table


def _ingest(ingest: dict[str, Any]) -> Table:
    table = _table(
        f"A novel of {ingest['characters']:,} characters, {ingest['passages']:,} passages: searchable after "
        f"{ingest['searchable_seconds']} s",
        "stage", "seconds", "characters a second",
    )  # fmt: skip
    for stage, rate in ingest["characters_per_second"].items():
        table.add_row(stage, str(ingest["seconds"].get(stage, "")), f"{rate:,}")
    for process, peak in ingest["peak_bytes"].items():
        table.add_row(f"peak memory, {process}", f"{peak / 2**20:.0f} MiB", "")
    return table


def _share(figure: dict[str, Any]) -> str:
    if not figure["n"]:
        return "-"
    return f"{figure['value']:.2f} ({figure['low']:.2f}-{figure['high']:.2f})"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column == columns[0] else "right", no_wrap=True)
    return table


def _recall(rows: list[dict[str, Any]]) -> Table:
    columns = [f"{reader} @{k}" for reader in ("chapter end", "book end") for k in DEPTHS]
    table = _table("Evidence recall, the reader at the end of (95 % intervals)", "book", "n", *columns)
    for row in rows:
        figures = [row["recall"][reader][str(k)] for reader in (MET, END) for k in DEPTHS]
        table.add_row(row["book"], str(figures[0]["n"]), *(_share(figure) for figure in figures))
    return table


def _answers(rows: list[dict[str, Any]]) -> Table:
    table = _table(
        "Answers",
        "book", "quotes overlap", "citations exact", "leaks", "could leak", "citations past", "false refusals",
        "p50 ms", "p95 ms",
    )  # fmt: skip
    for row in rows:
        exact, told, seconds = row["citations_exact"], row["leaks"], row["seconds"]
        table.add_row(
            row["book"],
            _share(row["quotes_overlap"]),
            f"{exact['hits']}/{exact['n']}",
            str(told["questions"]),
            f"{told['could_leak']}/{told['asked']}",
            str(told["citations_past_boundary"]),
            _share(row["false_refusals"]),
            _milliseconds(seconds["p50"]),
            _milliseconds(seconds["p95"]),
        )
    return table


def _kinds(kinds: dict[str, Any]) -> Table:
    table = _table(
        "Kinds of question, the reader at the end of the evidence's chapter", "kind", "n", "@8", "@16", "quotes"
    )
    for kind, row in kinds.items():
        table.add_row(kind, str(row["8"]["n"]), _share(row["8"]), _share(row["16"]), _share(row["quotes_overlap"]))
    return table


def _comparisons(rows: list[dict[str, Any]]) -> Table:
    table = _table(
        "Against the baselines, the reader at the end of the evidence's chapter (difference: paired bootstrap)",
        "baseline", "ours", "theirs", "difference", "characters",
    )  # fmt: skip
    for row in rows:
        difference = row["difference"]
        table.add_row(
            _NAMES[row["baseline"]],
            f"@{row['ours_at']} {_share(row['ours'])}",
            f"@{row['theirs_at']} {_share(row['theirs'])}",
            f"{difference['value']:+.3f} ({difference['low']:+.3f} to {difference['high']:+.3f})",
            f"{row['characters']['ours']:,} / {row['characters']['theirs']:,}",
        )
    return table


def _stages(seconds: dict[str, Any]) -> Table:
    table = _table(f"Milliseconds of {seconds['n']} whole questions, warm", "stage", "p50", "p95")
    for stage, row in seconds["stages"].items():
        table.add_row(stage, _milliseconds(row["p50"]), _milliseconds(row["p95"]))
    table.add_row("whole", _milliseconds(seconds["p50"]), _milliseconds(seconds["p95"]))
    return table


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f}"
