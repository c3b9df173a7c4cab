"""Answers from a question to what is shown, with the model behind HTTP: as they grow, fail, and are stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from bot.adapters.models.claude import Claude, ClaudeSettings
from bot.core.answer import Answer, Engine
from bot.core.asked_in import Asking
from bot.core.chat_model import Failed
from bot.core.club import ClubId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import Outcome, ask_in_room, stop
from bot.core.ledger import Status
from bot.core.metered import MeteredModel
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.core.prices import price_list
from bot.core.spending import Budgets
from bot.core.writing import Writing
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.fakes.spending import FakeSpending
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with
from tests.peers.anthropic.replies import Breaks, Json, Reply, claims, failed, overloaded, rate_limited, text

ASKED = "What was broken or bolted?"
BOLTED = ("Ana Wren found the stair door bolted from within.", "found the stair door bolted from within")
BROKEN = ("A gull had broken the north window.", "A gull had broken the north window")
FUTURE = ("Captain Marrable poisoned the keeper.", "found the stair door bolted from within")
"""What the model knows of what lies ahead, under a quote that stands."""
ROOM = "lounge"


@dataclass
class Scene:
    """A room in which `ana` has read two of three chapters, with a model behind HTTP."""

    peer: FakeAnthropic
    house: Clubhouse
    spending: FakeSpending
    posts: FakePosts

    async def ask(self) -> Outcome:
        (outcome,) = await ask_in_room(self.house, ROOM, Asking("ana", ASKED), self.posts)
        return outcome

    def says(self, *said: tuple[str, str], **how: object) -> None:
        """Let the model answer this; an honest one reads it again."""

        def handler(body: Json) -> Reply:
            if checks(body):
                return honest(body)
            return claims(*((told, passage_with(body, quote), quote) for told, quote in said), **how)

        self.peer.handler = handler


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    peer = FakeAnthropic()
    await peer.start()
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.place("ana", book, end_of(LANTERN, 2))
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    claude = Claude(ClaudeSettings(KEY, peer.origin, seconds=30, backoff=0.01))
    spending, prices = FakeSpending(), price_list()
    metered = MeteredModel(claude.of(ClubId(1)), spending, prices, Budgets(), clock)
    writing = Writing(metered, price=prices.known_cost)
    house = replace(house, searching=replace(house.searching, writing=writing), spending=spending)
    yield Scene(peer, house, spending, FakePosts(ROOM))
    await claude.close()
    await peer.stop()


def said(outcome: Outcome) -> list[str]:
    assert isinstance(outcome, Delivered)
    assert isinstance(outcome.showing.outcome, Answer)
    return [claim.text for claim in outcome.showing.outcome.claims]


async def test_claims_are_shown_while_others_are_written_and_what_fails_is_never_shown(scene: Scene) -> None:
    go_on, running = asyncio.Event(), []

    async def shown(_: Showing) -> None:
        running.append(scene.peer.running)
        go_on.set()

    scene.posts.after_show = shown
    first = len('{"claims": [{"text": "", "passage": 1, "quote": ""}, ') + len("".join(BOLTED))
    scene.says(BOLTED, FUTURE, BROKEN, chunk=1, whole=first, go_on=go_on)
    outcome = await asyncio.wait_for(scene.ask(), 60)
    assert said(outcome) == [BOLTED[0], BROKEN[0]]
    assert running[0] == 1
    grown = [len(s.outcome.claims) for s in scene.posts.ever_in_room if isinstance(s.outcome, Answer)]
    assert grown == [1, 2, 2]
    assert "Marrable" not in "".join(str(showing.outcome) for showing in scene.posts.ever_in_room)
    assert isinstance(outcome, Delivered)
    assert {entry.question for entry in scene.spending.entries.values()} == {outcome.question}
    kept = await scene.house.ledger.question(outcome.question)
    assert kept is not None
    assert (kept.record.status, kept.record.engine) == (Status.ANSWERED, "claude")
    assert kept.record.cost == sum(entry.charged for entry in scene.spending.entries.values()) > 0


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ({"whole": 200, "breaks": Breaks.OVERLOADED}, Failed.OVERLOADED),
        ({"whole": 200, "breaks": Breaks.CLOSED}, Failed.UNREACHABLE),
        ({"whole": 200, "breaks": Breaks.NONSENSE}, Failed.BAD_REPLY),
        ({"stop": "max_tokens"}, Failed.CUT_OFF),
        ({"stop": "refusal"}, Failed.REFUSED),
    ],
    ids=lambda value: "" if isinstance(value, Failed) else "-".join(map(str, value.values())),
)
async def test_what_breaks_off_is_taken_away_and_quotes_stand_in_its_place(
    scene: Scene, ends: dict[str, object], why: Failed, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    scene.says(BOLTED, BROKEN, chunk=1, **ends)
    outcome = await asyncio.wait_for(scene.ask(), 60)
    assert isinstance(outcome, Delivered)
    assert isinstance(outcome.showing.outcome, Answer)
    assert outcome.showing.outcome.engine is Engine.QUOTES
    assert outcome.showing.failed
    assert [s.outcome.engine for s in scene.posts.standing(ROOM) if isinstance(s.outcome, Answer)] == [Engine.QUOTES]
    assert f"the model failed ({why.value})" in caplog.text
    assert "bolted" not in caplog.text
    assert all(entry.settlement for entry in scene.spending.entries.values())


@pytest.mark.parametrize(
    "fault", [rate_limited(3600), overloaded(retry_after="3600"), text('{"claims": [{"text": "Ana Wren fo')]
)
async def test_what_cannot_be_written_at_all_is_quotes_at_once(scene: Scene, fault: Reply) -> None:
    scene.peer.handler = lambda _: fault
    outcome = await asyncio.wait_for(scene.ask(), 60)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.failed
    assert {s.outcome.engine for s in scene.posts.ever_in_room if isinstance(s.outcome, Answer)} == {Engine.QUOTES}
    assert len(scene.peer.requests) == 1


async def test_a_key_that_is_not_taken_leaves_quotes_with_the_line(scene: Scene) -> None:
    scene.peer.handler = lambda _: failed(401, "authentication_error")
    outcome = await asyncio.wait_for(scene.ask(), 60)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.failed
    assert (await scene.spending.counted(scene.house.clock())).host_month == 0


async def test_stop_ends_the_request_and_the_spending_and_nothing_stands(scene: Scene) -> None:
    shown = asyncio.Event()

    async def seen(_: Showing) -> None:
        shown.set()

    scene.posts.after_show = seen
    scene.says(BOLTED, *[BROKEN] * 30, chunk=1, whole=200, breaks=Breaks.SILENT)
    asking = asyncio.ensure_future(scene.ask())
    await asyncio.wait_for(shown.wait(), 60)
    before = (await scene.spending.counted(scene.house.clock())).host_day
    assert await stop(scene.house, "ana") == 1
    assert await asyncio.wait_for(asking, 60) == NotAnswered(Why.STOPPED)
    await scene.peer.until(lambda: scene.peer.gone)
    assert scene.posts.standing(ROOM) == []
    (kept,) = await scene.house.ledger.questions(scene.house.clock().replace(year=2000), 9)
    assert kept.record.status is Status.STOPPED
    after = (await scene.spending.counted(scene.house.clock())).host_day
    assert before is not None
    assert after is not None
    assert Decimal(0) < kept.record.cost == after < before
