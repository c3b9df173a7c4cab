"""`dogear eval` and `dogear bench`: what people run, measured."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.app import App, opened
from bot.cli.output import GUARD, REFUSED, Output, json_option, run
from bot.cli.progress_bar import STAGES, progress_bar
from bot.core.chat_model import Usage
from bot.core.errors import Refused
from bot.core.retrieve import Fusion
from bot.core.search import Searching
from bot.measure.bench import BenchSize, bench
from bot.measure.clubs import STEPS, ClubsSize, bench_clubs
from bot.measure.compare import NOT_OF_THE_WHOLE, SWITCHES, Comparison, Pair, comparison_value, switched
from bot.measure.evaluate import CLUB, BookOutcome, by_book, evaluate, evaluate_book
from bot.measure.figures import evaluation_value
from bot.measure.grading import ByJudge, ByOverlap
from bot.measure.growth import growth_plot, scale_table
from bot.measure.model_figures import cost_value
from bot.measure.questions import Question, read_questions
from bot.measure.scale import ScaleSize, bench_scale
from bot.measure.tables import bench_tables, clubs_tables, comparison_tables, evaluation_tables
from bot.settings import Settings

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH = 160
"""The width of tables that go into a file, in columns."""


@click.command(name="eval")
@click.argument("questions_file", metavar="QUESTIONS", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--corpus", required=True, type=click.Path(path_type=Path, exists=True, file_okay=False), help="The books."
)
@click.option("--only", help="Only the questions about this book.")
@click.option("--baselines/--no-baselines", default=True, show_default=True, help="Compare with other ways to search.")
@click.option("--fusion", type=click.Choice([f.value for f in Fusion]), help="Use this fusion instead of the set one.")
@click.option("--compare", type=click.Choice(SWITCHES), help="Ask with this switch of the model on and off instead.")
@click.option(
    "--grade", type=click.Choice(["judge", "overlap"]), help="How answers are compared (judge where a key is set)."
)
@json_option
def evaluate_command(  # noqa: PLR0913 - one parameter an option
    *,
    questions_file: Path,
    corpus: Path,
    only: str | None,
    baselines: bool,
    fusion: str | None,
    compare: str | None,
    grade: str | None,
    as_json: bool,
) -> None:
    """Ask QUESTIONS (JSON Lines) about the books of a folder: recall, leaks, refusals and speed.

    With --compare: whether answers are better with a switch of the model on than off, by an exact sign test.

    Ends with 70 if anything leaked or a citation is not exact, with 3 if the evidence of a question was not found.
    """
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        questions = [q for q in read_questions(questions_file) if only in (None, q.book)]
        if not questions:
            raise Refused("no_questions", f"No question is about “{only}”: use the name that stands in the file.")
        async with opened(settings, output.note) as app:
            if compare is not None:
                by = grade or ("overlap" if settings.anthropic_api_key is None else "judge")
                value = await _compared(app, output, questions, corpus, (compare, by))
                _print(output, value, comparison_tables(value))
                return
            value = await _evaluated(app, output, questions, corpus, baselines, fusion)
        _print(output, value, evaluation_tables(value))
        _judge(output, value)

    run(output, work)


async def _evaluated(
    app: App, output: Output, questions: Sequence[Question], corpus: Path, baselines: bool, fusion: str | None
) -> dict[str, Any]:
    searching = await _searching(app)
    if fusion is not None:
        searching = replace(searching, ranking=replace(searching.ranking, fusion=Fusion(fusion)))

    async def one_book(own: Sequence[Question]) -> BookOutcome:
        output.note(f"{own[0].book}: {len(own)} questions ...")
        with progress_bar() as bar:

            def progress(stage: str, done: float) -> None:
                if stage in STAGES:
                    bar(stage, done)

            return await evaluate_book(app, searching, corpus, own, baselines=baselines, progress=progress)

    books = await evaluate(questions, one_book)
    return evaluation_value(
        books,
        {
            "club": CLUB,
            "fusion": searching.ranking.fusion.value,
            "embedder": None if app.embedder is None else app.embedder.model.name,
            "reranker": app.settings.reranker,
            "model": None if app.model.claude is None else app.model.claude.settings.model,
        },
        app.model.prices,
    )


async def _searching(app: App) -> Searching:
    """What searches the measured books; what a model writes of them is in the host's budgets, and in no club's."""
    club = await app.shelf.club_named(CLUB)
    budgets = replace(app.model.budgets, club_day=None, club_month=None)
    return replace(app.searching(club), writing=app.model.writing(club, app.spending(club), budgets))


async def _compared(
    app: App, output: Output, questions: Sequence[Question], corpus: Path, how: tuple[str, str]
) -> dict[str, Any]:
    """The same questions with a switch on and off; ``how`` is the switch, and what grades."""
    switch, by = how
    searching = await _searching(app)
    on, off = (switched(searching, switch, side) for side in (True, False))
    assert searching.writing is not None
    if switch in NOT_OF_THE_WHOLE and searching.writing.switches.whole_part:
        output.note(
            f"Where the model is given the whole read part, {switch} does nothing: with DOGEAR_WHOLE_PART=off it is "
            "tried on every question."
        )
    judged: list[Usage] = []
    grade = ByJudge(searching.writing.model, judged.append) if by == "judge" else ByOverlap()
    comparison, pairs = Comparison(app, on, off, grade), list[Pair]()
    for own in by_book(questions):
        output.note(f"{own[0].book}: {len(own)} questions, asked twice ...")
        with progress_bar() as bar:

            def progress(stage: str, done: float) -> None:
                if stage in STAGES:
                    bar(stage, done)

            pairs += await comparison.of_book(own, corpus, progress)
    value = comparison_value(switch, by, pairs, app.model.prices)
    return value | {"judging": cost_value(judged, len(pairs), app.model.prices)}


def _print(output: Output, value: dict[str, Any], tables: Iterable[Table]) -> None:
    if output.as_json:
        output.result(value, [])
        return
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    for table in tables:
        console.print(table)


def _judge(output: Output, value: dict[str, Any]) -> None:
    for note in value["notes"]:
        output.note(note)
    told, exact = value["all"]["leaks"], value["all"]["citations_exact"]
    if told["questions"] or exact["hits"] < exact["n"]:
        output.note(f"{told['questions']} questions leaked, {exact['n'] - exact['hits']} citations are not exact.")
        raise SystemExit(GUARD)
    if lost := value["evidence_not_found"]:
        output.note(f"The evidence of {len(lost)} questions is not in their books: {', '.join(lost)}.")
        raise SystemExit(REFUSED)


@click.group(name="bench", invoke_without_command=True)
@click.option("--books", type=click.IntRange(1), default=500, show_default=True, help="Books of the library.")
@click.option("--passages", type=click.IntRange(1), default=400, show_default=True, help="Passages a book, at least.")
@click.option("--questions", type=click.IntRange(1), default=200, show_default=True, help="Questions for each reader.")
@click.option("--keep", is_flag=True, help="Leave the library where it is, and say where.")
@json_option
@click.pass_context
def bench_command(context: click.Context, books: int, passages: int, questions: int, keep: bool, as_json: bool) -> None:
    """Measure retrieval, ingest and memory on a generated library, in a database of its own.

    With `clubs`: a week of simulated clubs.
    """
    if context.invoked_subcommand is not None:
        return
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        value = await bench(settings, BenchSize(books, passages, questions), keep, output.note)
        if not as_json:
            output.note(value["generated"])
        _print(output, value, bench_tables(value))
        if value["vector_recall"]["found"] < value["vector_recall"]["of"]:
            output.note("The vector search missed passages that brute force finds.")
            raise SystemExit(GUARD)

    run(output, work)


@bench_command.command(name="clubs")
@click.option("--clubs", type=click.IntRange(1), default=5_000, show_default=True, help="Clubs.")
@click.option("--members", type=click.IntRange(1), default=20, show_default=True, help="People of each club.")
@click.option("--days", type=click.IntRange(1), default=7, show_default=True, help="Days that pass in each club.")
@click.option("--steps", type=click.IntRange(1), default=STEPS, show_default=True, help="Steps of people in each club.")
@click.option("--at-once", type=click.IntRange(1), default=4, show_default=True, help="Clubs that live side by side.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same weeks.")
@json_option
def bench_clubs_command(  # noqa: PLR0913 - one parameter an option
    *, clubs: int, members: int, days: int, steps: int, at_once: int, seed: int, as_json: bool
) -> None:
    """Let clubs live for a week, in a database of its own, and check everything that anybody is shown.

    What may be shown is worked out from the simulation's own record of who is where. Ends with 70 where anybody was
    shown too much or a club got more or less than one weekly post.
    """
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        value = await bench_clubs(settings, ClubsSize(clubs, members, days, steps, at_once, seed), output.note)
        _print(output, value, clubs_tables(value))
        if value["violations"]["count"]:
            output.note(f"{value['violations']['count']} violations: {value['violations']['first'][0]}")
            raise SystemExit(GUARD)

    run(output, work)


@bench_command.command(name="scale")
@click.option("--clubs", type=click.IntRange(10), default=10_000, show_default=True, help="Clubs of the larger size.")
@click.option("--members", type=click.IntRange(1), default=20, show_default=True, help="People of each club.")
@click.option("--books", type=click.IntRange(10), default=1_000, show_default=True, help="Books of the larger size.")
@click.option("--passages", type=click.IntRange(1), default=40, show_default=True, help="Passages a book, at least.")
@click.option("--ticked", type=click.IntRange(1), default=1_000, show_default=True, help="Clubs whose week is posted.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw the growth into this SVG file.")
@json_option
def bench_scale_command(  # noqa: PLR0913 - one parameter an option
    *, clubs: int, members: int, books: int, passages: int, ticked: int, plot: Path | None, as_json: bool
) -> None:
    """Measure a tenth of the clubs and books, and then all: start, memory, weekly tick, boundary lookup, search.

    Rows are generated straight into databases of their own.
    """
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        value = await bench_scale(settings, ScaleSize(clubs, members, books, passages, ticked), output.note)
        if plot is not None:
            await asyncio.to_thread(plot.write_text, growth_plot(value), "utf-8")
        _print(output, value, [scale_table(value)])

    run(output, work)
