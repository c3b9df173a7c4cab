"""What a model remembers of twins is the same up to the boundary, byte for byte: what it is asked, and what is told.

The model writes what is a function of what it is asked. A worker has read both books to their ends by then.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import Phase, example, given, settings
from prometheus_client import generate_latest

from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.health.logs import Counting
from bot.adapters.postgres.club_connections import OPENED
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.core.book import BookText
from bot.core.chat_model import ModelRequest, Purpose
from bot.core.writing import Writing
from bot.ingest.remembering import Remembering
from tests.conftest import STRESS
from tests.databases import Databases
from tests.fakes.chat_model import FakeModel, agreeing, believable, notes_reply
from tests.hostile.scene import passages_of
from tests.made_books import CLUB
from tests.noninterference.surfaces import NAMED, SCOPES
from tests.noninterference.test_health_twins import OF_THE_MACHINE
from tests.noninterference.twins import Twins, make_twins, twins
from tests.noninterference.world import NOW, World, world_of

_NAME: Final = re.compile(r"(?:Mr\. |Dr\. )?[A-Z][a-z]+ [A-Z][a-z]+")
_BETWEEN: Final = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Dr\.)\s+")
LABELS: Final = ("the stranger", "an old lamp", "the murderer", "the gardener")
LINES: Final = (
    *(f"{command}{scope}" for command in ("/recap ", "/dm /recap ") for scope in SCOPES),
    *(f"{command}{name}" for command in ("/who ", "/dm /who ") for name in (*NAMED, *LABELS)),
    "/book memory 1", "/book jobs", "/where", "/export", "/share", "/private",
)  # fmt: skip


def noted(request: ModelRequest, invented: int = 1) -> str:
    """Sentences of the passages as notes, about whoever stands in them, and that two of them are one."""
    notes = []
    for number, passage in enumerate(passages_of(request), start=1):
        for sentence in [" ".join(s.split()) for s in _BETWEEN.split(passage)][:6]:
            names = _NAME.findall(sentence)
            about = next(iter([*names, *(label for label in LABELS if label in sentence)]), "")
            also = names[1] if len(names) > 1 else ""
            notes += [(sentence, number, sentence, "", ""), (sentence + " ", number, sentence, about, also)]
    notes += [("Nobody ever poisoned the gardener.", 1, "poisoned the gardener", "", "")] * invented
    return notes_reply(*notes)


class Log(logging.Handler):
    """Keeps what is logged at INFO and above, counted as a host's figures count it."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []
        self.figures = PrometheusFigures()
        self.counting = Counting(self.figures)

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(("dogear", "bot")):
            self.lines.append(f"{record.levelname} {record.name} {record.getMessage()}")
            self.counting.emit(record)

    def seen(self) -> list[str]:
        """All that a host may watch."""
        page = generate_latest(self.figures.registry).decode().splitlines()
        return [*self.lines, *(line for line in page if not line.startswith(OF_THE_MACHINE))]


async def watched(world: World, model: FakeModel) -> list[str]:
    """Have the worker read the whole book: what its host and its club can watch meanwhile, what is spent aside."""
    log = Log()
    logging.getLogger().addHandler(log)
    try:
        stages = await remembered(world, model, log.figures.claim_cut)
    finally:
        logging.getLogger().removeHandler(log)
    jobs = [repr(job) for job in await world.club.desk.house.jobs.jobs()]
    return [*log.seen(), *stages, *jobs]


async def remembered(world: World, model: FakeModel, claim_cut: Callable[[str], None] = lambda _: None) -> list[str]:
    """Have the worker read the whole book, and tell how far it is."""
    house = world.club.desk.house
    stages: list[str] = []
    writing = Writing(model, claim_cut=claim_cut)
    house = replace(house, searching=replace(house.searching, writing=writing))
    world.club.desk = replace(world.club.desk, house=house)
    world.worker.remembering = lambda _: Remembering(house.searching.doors, writing, house.spending)
    queue = world.worker.queue
    assert isinstance(queue, PostgresJobQueue)
    job = await queue.memory_wanted(world.book, NOW)
    assert job is not None
    seen = await world.worker.see_through(job, lambda stage, done: stages.append(f"{stage} {done}"))
    assert seen is not None
    assert seen.state.value == "done"
    return stages


async def shown(
    databases: Databases, text: BookText, boundary: int, lines: Sequence[str] = LINES
) -> tuple[list[str], list[str]]:
    """What the model was asked of the chapters that end by the boundary, and all that is told of them."""
    model = FakeModel(noted, agreeing)
    async with world_of(databases, text, None) as world:
        await remembered(world, model)
        ended = sum(chapter.span.end <= boundary for chapter in text.chapters)
        chapters = [f'chapter="{n}"' for n in range(1, ended + 1)]
        asked = [repr(r) for r in model.asked(Purpose.MEMORY) if any(c in r.question for c in chapters)]
        first_later = next(
            (n for n, r in enumerate(model.requests) if r.purpose is Purpose.MEMORY and repr(r) not in asked),
            len(model.requests),
        )
        asked = [repr(request) for request in model.requests[:first_later]]
        return asked, await told(world, boundary, text.body_end, lines)


async def told(world: World, boundary: int, further: int, lines: Sequence[str]) -> list[str]:
    await world.place("you", boundary)
    await world.place("ana", further)
    await world.made_admin("you")
    you = await world.club.member()
    for limit in ("member_questions_hour", "member_questions_day", "club_questions_hour"):
        await world.club.desk.house.rooms.setting_changed(limit, "9999", you.id, NOW)
    seen = []
    async with world.app.connect() as connection:
        await connection.execute(OPENED, {"club": CLUB})
        rows = await connection.exec_driver_sql(f"select * from dogear.memory_read_v1({world.book}, {boundary})")
        seen.append(str([tuple(row) for row in rows]))
    for line in lines:
        await world.place("you", boundary)
        seen.append(f"{line} -> {await world.typed(line)}")
    return seen


READ: Final = make_twins(seed=1, chapters=4, parts=False, size=1600, share=0.8, snap=0)


@settings(max_examples=STRESS, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(pair=twins(1200))
@example(pair=READ)
async def test_what_is_remembered_of_twins_is_the_same(
    databases: Databases, caplog: pytest.LogCaptureFixture, pair: Twins
) -> None:
    caplog.set_level(logging.INFO)
    one, other = [await shown(databases, text, pair.boundary) for text in (pair.first, pair.second)]
    assert one[0] == other[0]
    for mine, yours in zip(one[1], other[1], strict=True):
        assert mine == yours
    if pair is READ:
        assert len(one[0]) > 4
        assert "the ferry" in one[1][0]
        assert sum(line.startswith("/recap") and "[1]" in line for line in one[1]) >= 2


async def test_what_can_be_watched_while_twins_are_remembered_is_the_same(
    databases: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    """Its reader is believed of one and not of the other, past the boundary, and other claims are cut there."""
    caplog.set_level(logging.INFO)
    last = f'chapter="{len(READ.first.chapters)}"'
    seen, asked = [], []
    for text, reader in ((READ.first, agreeing), (READ.second, believable)):
        invented = 1 if text is READ.first else 5

        def notes(request: ModelRequest, later: int = invented) -> str:
            return noted(request, later if last in request.question else 1)

        model = FakeModel(notes, reader)
        async with world_of(databases, text, None) as world:
            seen.append(await watched(world, model))
        asked.append(len(model.asked(Purpose.MEMORY_CHECK)))
    assert seen[0] == seen[1]
    assert sum("event=done" in line for line in seen[0]) == len(READ.first.chapters)
    assert any(line.startswith("dogear_log_events_total{") for line in seen[0])
    assert all(asked)


async def test_what_is_remembered_of_twins_differs_at_the_end_of_the_book(databases: Databases) -> None:
    one, other = [await shown(databases, text, text.body_end, ()) for text in (READ.first, READ.second)]
    assert one[0] != other[0]
    assert one[1][0] != other[1][0]
