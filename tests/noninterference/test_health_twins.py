"""What a host may watch tells nothing of what nobody has read: the figures of twins are the same, byte for byte."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from prometheus_client import generate_latest

from bot.adapters.health.counted import CountedDoors, CountedEmbedder, counted_ledger
from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.health.logs import Counting, JsonLines
from bot.adapters.terminal.club import TerminalClub
from bot.core.search import Searching
from tests.databases import Databases
from tests.noninterference.surfaces import TYPED
from tests.noninterference.test_twins import EMBEDDER, LONG, UNSHRUNK
from tests.noninterference.twins import Twins, twins
from tests.noninterference.world import NOW, World, world_of

LINES = (*TYPED["/ask"][:6], *TYPED["/share"][:6], *TYPED["/spoiled"][:4])

OF_THE_MACHINE = ("process_", "python_", "# HELP process", "# TYPE process", "# HELP python", "# TYPE python")


def counted(world: World, figures: PrometheusFigures) -> World:
    """The same world, counted, with a timer that stands: how often is compared, and not how long."""
    desk = world.club.desk
    searching = Searching(
        CountedDoors(desk.searching.doors, figures, lambda: 0.0),
        CountedEmbedder(EMBEDDER, figures, lambda: 0.0),
    )
    house = replace(desk.house, searching=searching, ledger=counted_ledger(desk.house.ledger, figures))
    return replace(world, club=TerminalClub(replace(desk, house=house)))


@settings(max_examples=1, phases=UNSHRUNK)
@given(pair=twins())
@example(pair=LONG)
async def test_the_figures_and_the_log_are_the_same_for_twins(
    databases: Databases, caplog: pytest.LogCaptureFixture, pair: Twins
) -> None:
    caplog.set_level(logging.INFO)
    shown, logged = [], []
    for text in (pair.first, pair.second):
        caplog.clear()
        figures = PrometheusFigures()
        counting = Counting(figures)
        logging.getLogger().addHandler(counting)
        try:
            async with world_of(databases, text, EMBEDDER) as plain:
                world = counted(plain, figures)
                await world.place("ana", pair.first.body_end)
                you = await world.club.member()
                for limit in ("member_questions_hour", "member_questions_day", "club_questions_hour"):
                    await world.club.desk.house.rooms.setting_changed(limit, "9999", you.id, NOW)
                for line in LINES:
                    await world.place("you", pair.boundary)
                    await world.typed(line)
        finally:
            logging.getLogger().removeHandler(counting)
        page = generate_latest(figures.registry).decode().splitlines()
        shown.append([line for line in page if not line.startswith(OF_THE_MACHINE)])
        lines = [JsonLines().format(r) for r in caplog.records if r.name.startswith(("dogear", "bot"))]
        logged.append([line.split('"level"', 1)[1] for line in lines])
    assert shown[0] == shown[1]
    assert logged[0] == logged[1]
    assert any(line.startswith('dogear_questions_total{status="answered"}') for line in shown[0])
    assert sum("event" in line and "question" in line for line in logged[0]) > len(LINES) // 3
