"""A model that falls silent, breaks off or is gone: the question is answered all the same, once, with quotes."""

from __future__ import annotations

import pytest

from tests.discord.wire import plain
from tests.outages.link import Way
from tests.outages.stand import Stand
from tests.peers.anthropic.peer import FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with
from tests.peers.anthropic.replies import Json, Reply, claims

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUOTE = "Aldous Wren carried the lantern along the harbour wall before anybody else was awake"


def answering(body: Json) -> Reply:
    return honest(body) if checks(body) else claims((f"{QUOTE}.", passage_with(body, QUOTE), QUOTE))


@pytest.mark.parametrize("way", [Way.SILENT, Way.RESETS, Way.GONE])
async def test_while_a_model_is_away_questions_are_answered_with_quotes_and_by_the_model_once_it_is_back(
    modelled: Stand, model: FakeAnthropic, way: Way
) -> None:
    model.handler = answering
    here, there, question = modelled.here, modelled.there, f"Who carried it while the way was {way.value} to it?"
    await modelled.links.model.becomes(way)
    told = plain((await here.asks("Ana", question))["content"])
    await there.asks_alone("Dan", question)
    assert "The closest passages" in told
    assert (await modelled.page("readyz"))[0] == 200
    await modelled.links.model.becomes(Way.OPEN)
    assert "The closest passages" not in plain((await here.asks("Bo", f"{question} Again?"))["content"])
    assert [len(here.said(has=q)) for q in (f"{question} Again?",)] == [1]
    assert len([m for m in there.own(there["Dan"], question) if "closest passages" in m["text"]]) == 1
