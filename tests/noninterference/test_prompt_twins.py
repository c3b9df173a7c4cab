"""What a model receives is the same, byte for byte, for two books equal up to the boundary; and so is its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hypothesis import Phase, example, given, settings

from bot.core.ask import answering
from bot.core.chat_model import ModelRequest, Purpose
from bot.core.club import Audience, MemberId, private_to
from bot.core.ports import Door
from bot.core.search import Asked
from bot.core.writing import Switches, Writing
from tests.conftest import STRESS
from tests.databases import Databases
from tests.fakes.chat_model import FakeModel, claims_reply
from tests.fakes.embedder import HashEmbedder
from tests.hostile.scene import passages_of
from tests.noninterference.surfaces import QUESTIONS
from tests.noninterference.twins import Twins, make_twins, twins
from tests.noninterference.world import World, world_of

SIDED: Final = "What happened to the letter, and who is Corwin Ash, and what did Ana Wren open?"
WAYS: Final = (Writing(FakeModel(str), Switches()), Writing(FakeModel(str), Switches(whole_part=False)))
"""The whole read part, and what is found of it."""


def of_what_is_given(request: ModelRequest) -> str:
    """The first sentence of each of the first passages as a claim, and one that stands nowhere."""
    claims = []
    for number, passage in enumerate(passages_of(request)[:4], start=1):
        sentence = " ".join(passage.split(". ")[0].split())
        claims.append((f"{sentence}.", number, sentence))
    return claims_reply(*claims, ("Nobody ever poisoned the gardener.", 1, "poisoned the gardener"))


async def seen_by_a_model(world: World, boundary: int, questions: Sequence[str] = (*QUESTIONS, SIDED)) -> list[str]:
    """Every request and every reply, for one reader and for a room."""

    async def positions(door: Door) -> dict[MemberId, int]:
        del door
        return {MemberId(-1): boundary, MemberId(-2): boundary + 10}

    seen = []
    for way in WAYS:
        model = FakeModel(of_what_is_given, parts=lambda _: '{"parts": ["Who is Corwin Ash?", "What of the letter?"]}')
        searching = replace(world.club.desk.searching, writing=replace(way, model=model))
        for audience in (private_to(MemberId(-1)), Audience(frozenset({MemberId(-1), MemberId(-2)}), "room")):
            for question in questions:
                replies = answering(searching, Asked(world.book, question, audience, positions))
                seen += [f"{r.outcome} {r.complete} {r.failed} {sorted(r.cuts.items())}" async for r in replies]
        seen += [repr(request) for request in model.requests]
    return [line.replace(f"book={world.book}", "book=ID") for line in seen]


LONG: Final = make_twins(seed=1, chapters=3, parts=False, size=3400, share=0.5, snap=0)


@settings(max_examples=STRESS, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(pair=twins())
@example(pair=LONG)
async def test_what_a_model_receives_is_the_same_for_twins(databases: Databases, pair: Twins) -> None:
    seen = []
    for text in (pair.first, pair.second):
        async with world_of(databases, text, HashEmbedder()) as world:
            seen.append(await seen_by_a_model(world, pair.boundary))
    assert len(seen[0]) == len(seen[1])
    if pair is LONG:
        for purpose in (Purpose.ANSWER, Purpose.SUPPORT, Purpose.PARTS):
            assert repr(purpose) in "".join(seen[0])
    for one, other in zip(*seen, strict=True):
        assert one == other


async def test_what_a_model_receives_differs_at_the_end_of_the_book(databases: Databases) -> None:
    seen = []
    for text in (LONG.first, LONG.second):
        async with world_of(databases, text, None) as world:
            seen.append(await seen_by_a_model(world, text.body_end, (SIDED,)))
    assert seen[0] != seen[1]
