"""`Figures`, in the form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from bot.core.figures import Stage
from bot.core.ledger import Status
from bot.core.verify import Cut

SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""The upper ends of the histograms' buckets."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # they are each figure once more, for when it began


class PrometheusFigures:
    """`Figures` in a registry of their own, so that a process may keep several. Everything begins at 0."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._questions = Counter("dogear_questions", "Questions by how they ended", ["status"], registry=registry)
        self._seconds = Histogram(
            "dogear_question_seconds", "From a question to the end of its answer", buckets=SECONDS, registry=registry
        )
        self._stages = Histogram(
            "dogear_stage_seconds", "Parts of answering", ["stage"], buckets=SECONDS, registry=registry
        )
        self._cost = Counter("dogear_model_cost_dollars", "What answers cost, in US dollars", registry=registry)
        self._spent = Counter(
            "dogear_model_spent_dollars", "What requests to a model cost, in US dollars", ["model"], registry=registry
        )
        self._cut = Counter("dogear_claims_cut", "Sentences of a model that were not shown", ["why"], registry=registry)
        self._calls = Counter("dogear_model_calls", "Requests to a model", ["model", "outcome"], registry=registry)
        self._tokens = Counter(
            "dogear_model_tokens", "Tokens that were charged for", ["model", "direction"], registry=registry
        )
        self._retries = Counter("dogear_retries", "What was tried again, by service", ["service"], registry=registry)
        self._guards = Counter("dogear_guard_trips", "Guards that tripped: each is a fault", registry=registry)
        self._events = Counter("dogear_log_events", "Lines of the log", ["level", "event"], registry=registry)
        self._running = Gauge("dogear_questions_running", "Questions being answered", registry=registry)
        self._waiting = Gauge("dogear_questions_waiting", "Questions that wait for others", registry=registry)
        self._jobs = Gauge(
            "dogear_jobs", "Jobs in the database by kind and state", ["kind", "state"], registry=registry
        )
        self._ready = Gauge("dogear_ready", "Whether each part works: 1 or 0", ["part"], registry=registry)
        for status in Status:
            self._questions.labels(status.value)
        for why in Cut:
            self._cut.labels(why.value)
        for stage in Stage:
            self._stages.labels(stage.value)

    def question_ended(self, status: str, seconds: float, cost: Decimal) -> None:
        self._questions.labels(status).inc()
        self._seconds.observe(seconds)
        self._cost.inc(float(cost))

    def took(self, stage: Stage, seconds: float) -> None:
        self._stages.labels(stage.value).observe(seconds)

    def claim_cut(self, why: str) -> None:
        self._cut.labels(why).inc()

    def model_called(self, model: str, outcome: str, *, tokens_in: int, tokens_out: int, cost: Decimal) -> None:
        self._calls.labels(model, outcome).inc()
        self._tokens.labels(model, "in").inc(tokens_in)
        self._tokens.labels(model, "out").inc(tokens_out)
        self._spent.labels(model).inc(float(cost))

    def retried(self, service: str) -> None:
        self._retries.labels(service).inc()

    def guard_tripped(self) -> None:
        """A guard tripped."""
        self._guards.inc()

    def logged(self, level: str, event: str) -> None:
        """A line was logged."""
        self._events.labels(level, event).inc()

    def queued(self, running: int, waiting: int) -> None:
        """How many questions are being answered and how many wait, now."""
        self._running.set(running)
        self._waiting.set(waiting)

    def jobs(self, open_jobs: Mapping[tuple[str, str], int]) -> None:
        """How many jobs are open in the database, by kind and state, now; what is not named is 0."""
        for kind in ("ingest", "embed", "remember"):
            for state in ("queued", "running"):
                self._jobs.labels(kind, state).set(open_jobs.get((kind, state), 0))

    def ready(self, parts: Mapping[str, bool]) -> None:
        """Which parts work, now."""
        for part, works in parts.items():
            self._ready.labels(part).set(works)
