"""What is counted, and that counting changes nothing for whoever asks."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count

import pytest
from prometheus_client import generate_latest

from bot.adapters.health.counted import CountedDoors, CountedEmbedder, CountedModel, counted_ledger
from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.health.logs import Counting
from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Usage
from bot.core.club import ClubId
from bot.core.figures import Figures, Stage
from bot.core.ledger import Status
from bot.core.prompts import answer_request
from bot.core.survivors import Writer
from bot.core.verify import Cut
from bot.core.writing import Writing
from bot.model import HostsModel
from bot.settings import Settings
from tests.core.test_verify import ONE, STOOD, passages
from tests.fakes.chat_model import FakeModel, claims_reply
from tests.fakes.embedder import HashEmbedder
from tests.fakes.ledger import FakeLedger
from tests.fakes.library import in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.spending import FakeSpending
from tests.ledger_suite import KeptBooks, LedgerSuite, asked
from tests.made_books import book_of, chapter


def value(figures: PrometheusFigures, name: str, **labels: str) -> float | None:
    return figures.registry.get_sample_value(name, labels)


def half_seconds() -> Iterator[float]:
    return (n * 0.5 for n in count())


class TestCountedLedger(LedgerSuite):
    """A ledger that is counted is a ledger."""

    @pytest.fixture
    def kept(self) -> KeptBooks:
        library, figures = in_memory(), PrometheusFigures()
        others = FakeLedger(library.shelf, FakeRoster(library.shelf, ClubId(2)))
        ledger = counted_ledger(FakeLedger(library.shelf, library.roster), figures)
        return KeptBooks(library, ledger, others)


async def test_questions_are_counted_by_how_they_ended_and_logged_by_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    library, figures = in_memory(), PrometheusFigures()
    book = await library.add(book_of(chapter(1, "A cat sat.")))
    ana = await library.member("ana")
    ledger = counted_ledger(FakeLedger(library.shelf, library.roster), figures)
    one = await ledger.asked(asked(ana, book))
    assert value(figures, "dogear_questions_total", status="answered") == 0
    await ledger.ended(one, Status.ANSWERED, 0.75, Decimal("0.02"))
    two = await ledger.asked(asked(ana, book))
    await ledger.ended(two, Status.REFUSED, 0.2)
    await ledger.asked(replace(asked(ana, book), audience=frozenset(), status=Status.STOPPED, seconds=3.0))
    counted = {status: value(figures, "dogear_questions_total", status=status.value) for status in Status}
    assert counted == {
        Status.ANSWERED: 1, Status.REFUSED: 1, Status.STOPPED: 1, Status.FAILED: 0, Status.WITHDRAWN: 0,
    }  # fmt: skip
    assert value(figures, "dogear_question_seconds_sum") == pytest.approx(3.95)
    assert value(figures, "dogear_model_cost_dollars_total") == pytest.approx(0.02)
    assert caplog.messages[0] == f"event=question question={one} status=answered seconds=0.750"


async def test_transactions_and_embedding_are_timed() -> None:
    library, figures, ticks = in_memory(), PrometheusFigures(), half_seconds()
    book = await library.add(book_of(chapter(1, "A cat sat.")))
    doors = CountedDoors(library.doors, figures, lambda: next(ticks))
    async with doors.opened() as door:
        assert (await door.book(book)).id == book
    with pytest.raises(KeyError):
        async with doors.opened():
            raise KeyError
    embedder = CountedEmbedder(HashEmbedder(), figures, lambda: next(ticks))
    assert (embedder.embed_question("Who?") == HashEmbedder().embed_question("Who?")).all()
    assert embedder.model == HashEmbedder().model
    assert value(figures, "dogear_stage_seconds_sum", stage=Stage.DOOR) == 1.0
    assert value(figures, "dogear_stage_seconds_count", stage=Stage.DOOR) == 2
    assert value(figures, "dogear_stage_seconds_sum", stage=Stage.EMBED) == 0.5


def test_what_a_model_does_is_counted_by_codes() -> None:
    kept = PrometheusFigures()
    figures: Figures = kept
    figures.claim_cut("no_quote")
    figures.claim_cut("no_quote")
    figures.model_called("small", "ok", tokens_in=100, tokens_out=7, cost=Decimal("0.25"))
    figures.retried("discord")
    assert value(kept, "dogear_claims_cut_total", why="no_quote") == 2
    assert value(kept, "dogear_model_calls_total", model="small", outcome="ok") == 1
    assert value(kept, "dogear_model_tokens_total", model="small", direction="in") == 100
    assert value(kept, "dogear_model_tokens_total", model="small", direction="out") == 7
    assert value(kept, "dogear_model_spent_dollars_total", model="small") == 0.25
    assert value(kept, "dogear_retries_total", service="discord") == 1


REQUEST = ModelRequest(Purpose.SUPPORT, "Check.", (), "Is it?", {"type": "object"}, 10)


@pytest.mark.parametrize("fails", [None, Failed.OVERLOADED])
async def test_a_models_requests_are_counted_with_their_seconds_their_cost_and_how_they_ended(
    fails: Failed | None,
) -> None:
    figures, ticks, told = PrometheusFigures(), half_seconds(), list[Usage]()
    model = FakeModel(lambda _: "{}", supports=lambda _: "{}")
    if fails is not None:
        model = FakeModel(lambda _: "{}", fails=ModelFailed(fails))
    asked_for = REQUEST if fails is None else replace(REQUEST, purpose=Purpose.ANSWER)
    counted = CountedModel(model, figures, lambda _: Decimal("0.5"), lambda: next(ticks))
    with contextlib.suppress(ModelFailed):
        assert [piece async for piece in counted.written(asked_for, told.append)] == ["{}"]
    outcome = "written" if fails is None else "overloaded"
    assert value(figures, "dogear_model_calls_total", model="fake", outcome=outcome) == 1
    assert value(figures, "dogear_stage_seconds_sum", stage=Stage.MODEL) == 0.5
    assert value(figures, "dogear_model_spent_dollars_total", model="fake") == 0.5
    assert value(figures, "dogear_model_tokens_total", model="fake", direction="out") == 2
    assert told == [Usage("fake", 6, 0, 0, 2)]


async def test_a_request_that_is_stopped_is_counted_as_stopped() -> None:
    figures = PrometheusFigures()
    counted = CountedModel(FakeModel(lambda _: "{}", hangs=True), figures, lambda _: Decimal(0))
    pieces = counted.written(replace(REQUEST, purpose=Purpose.ANSWER), lambda _: None)
    assert await anext(pieces) == "{}"
    await pieces.aclose()
    assert value(figures, "dogear_model_calls_total", model="fake", outcome="stopped") == 1


async def test_every_claim_that_is_cut_is_counted_by_why() -> None:
    figures = PrometheusFigures()
    verifier = passages(ONE)
    reply = claims_reply(("Ana Wren drowned.", 1, STOOD), ("Old Tom waved.", 1, "not there at all"), (STOOD, 1, STOOD))
    writing = Writing(FakeModel(lambda _: reply), claim_cut=figures.claim_cut)
    request = answer_request(verifier.evidence, "Who?", (), whole=False)
    writer = Writer(writing, request, verifier, lambda _: None)
    assert [claim.text async for claim in writer.survivors()] == [STOOD]
    cut = {why: value(figures, "dogear_claims_cut_total", why=why.value) for why in Cut}
    assert {why: n for why, n in cut.items() if n} == dict(writer.cuts)
    assert sum(filter(None, cut.values())) == 2


def test_what_a_host_is_given_counts_in_its_figures() -> None:
    settings = Settings(ANTHROPIC_API_KEY="k")
    kept = PrometheusFigures()
    made = HostsModel(settings, lambda: datetime(2031, 1, 1, tzinfo=UTC), kept)
    writing = made.writing(ClubId(1), FakeSpending())
    assert writing is not None
    assert isinstance(writing.model, CountedModel)
    writing.claim_cut(Cut.NAME.value)
    assert value(kept, "dogear_claims_cut_total", why="name") == 1
    assert made.claude is not None
    made.claude.retried()
    assert value(kept, "dogear_retries_total", service="model") == 1


def test_a_guard_that_trips_is_counted_wherever_it_is_logged() -> None:
    figures = PrometheusFigures()
    logger, counting = logging.getLogger("dogear.a-test"), Counting(figures)
    logger.addHandler(counting)
    try:
        logger.critical("guard tripped: %s", "offset 12")
        logger.error("event=fault reference=%s error=%s", "ab12cd", "KeyError")
        logger.warning("a sentence about %s", "something")
    finally:
        logger.removeHandler(counting)
    assert value(figures, "dogear_guard_trips_total") == 1
    assert value(figures, "dogear_log_events_total", level="error", event="fault") == 1
    assert value(figures, "dogear_log_events_total", level="warning", event="other") == 1


def test_every_figure_is_there_before_anything_happened() -> None:
    figures = PrometheusFigures()
    figures.jobs({("ingest", "queued"): 3})
    shown = generate_latest(figures.registry).decode()
    there = {
        'dogear_questions_total{status="refused"} 0.0',
        "dogear_guard_trips_total 0.0",
        'dogear_jobs{kind="ingest",state="queued"} 3.0',
        'dogear_jobs{kind="embed",state="running"} 0.0',
    }
    assert there <= set(shown.splitlines())
