"""The program asked to end while many answers are in the making: it does so within ten seconds, what was begun is
whole or told of, and what it did not hear of any more is answered once it is back.
"""

from __future__ import annotations

import time

import pytest

from tests.discord.wire import labels, plain
from tests.outages.stand import Stand
from tests.peers.anthropic.peer import FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with
from tests.peers.anthropic.replies import Json, Reply, claims
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")

EACH = 5
"""Questions of each of four people."""
STOPPED = "Stopped."
QUOTE = "Aldous Wren carried the lantern along the harbour wall before anybody else was awake"


def slowly(body: Json) -> Reply:
    """A model that takes a second for a piece of its reply."""
    return honest(body) if checks(body) else claims((f"{QUOTE}.", passage_with(body, QUOTE), QUOTE), gap=1.0, chunk=32)


async def test_ending_while_many_answers_are_made_is_quick_and_leaves_nothing_half(clubs: Stand) -> None:
    await ended_amid(clubs, "noon")


async def test_ending_while_a_model_writes_many_answers_is_quick_and_leaves_nothing_half(
    modelled: Stand, model: FakeAnthropic
) -> None:
    model.handler = slowly
    await ended_amid(modelled, "night")


async def ended_amid(clubs: Stand, answering: str) -> None:
    here, there = clubs.here, clubs.there
    asked = [f"Who carried the lantern at {answering} {n}?" for n in range(2 * EACH)]
    begun: list[Interaction] = []
    told_before = {name: len(there.own(there[name], STOPPED)) for name in ("Dan", "Fay")}
    for n, question in enumerate(asked):
        name, other = (("Ana", "Dan"), ("Bo", "Fay"))[n % 2]
        begun.append(await here.peer.slash(here[name], here.room, "ask", question=question))
        await there.peer.writes(there[other], there[other], question)
    await here.peer.until(lambda: here.said(has=answering))
    began = time.monotonic()
    assert await clubs.program.end() == 0
    assert time.monotonic() - began < 10
    for question, it in zip(asked, begun, strict=True):
        standing = here.said(has=question)
        assert [labels(m)[0] for m in standing] in ([], ["Answer me privately"])
        words = plain(here.peer.message(it)["content"]) if it.timeline[-1][1] != "delete" else ""
        assert standing or words == STOPPED or "I am being restarted" in words
    await clubs.program.start()

    def answered() -> int:
        return sum(bool(there.own(chat, q)) for q in asked for chat in (there["Dan"], there["Fay"]))

    def told() -> int:
        return sum(len(there.own(there[name], STOPPED)) - before for name, before in told_before.items())

    await there.peer.until(lambda: answered() + told() == len(asked))
    await here.does("Ana", "where")
    assert all(len(here.said(has=question)) <= 1 for question in asked)
    assert answered() + told() == len(asked)
