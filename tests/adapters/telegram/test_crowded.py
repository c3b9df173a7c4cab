"""In a group that is said a lot answers come first: what could be done without is said to one person alone, or not."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bot.adapters.telegram import telling
from bot.adapters.telegram.pace import IN_GROUP, SPARE, Pace
from bot.adapters.telegram.where import Speaker, Where

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

GROUP, EVE = Where(-7, private=False), Speaker(3, "Eve")


async def test_of_a_groups_messages_a_few_are_kept_for_answers_however_many_are_said_at_once() -> None:
    pace = Pace()
    with ExitStack() as saying:
        free = [saying.enter_context(pace.claimed(-7)) for _ in range(50)]
        assert free == [True] * int(IN_GROUP - SPARE + 1) + [False] * int(49 - IN_GROUP + SPARE)
        assert saying.enter_context(pace.claimed(-8))
        assert saying.enter_context(pace.claimed(3))
    assert pace.spare(-7)


async def test_who_asks_for_help_in_a_crowded_group_is_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[int, int]] = []

    async def told(surface: Any, *contents: Any) -> None:
        said.append((surface.chat, len(contents)))

    async def to_person(number: int, *contents: Any) -> None:
        said.append((number, len(contents)))

    monkeypatch.setattr(telling, "told", told)
    client = cast("Dogear", SimpleNamespace(pace=Pace(in_group=SPARE), to_person=to_person))
    await telling.told_openly(client, GROUP, "Help.", to=EVE)
    with client.pace.claimed(-7):
        await telling.told_openly(client, GROUP, "Help.", to=EVE)
        await telling.told_openly(client, GROUP, "Nobody.")
        await telling.pointed(client, EVE, GROUP, None)
    assert said == [(-7, 1), (3, 1)]
