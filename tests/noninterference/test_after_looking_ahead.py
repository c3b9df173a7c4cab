"""Whether a member looked ahead shows nowhere but in what is kept of it for them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.core.personal import export
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder
from tests.noninterference.test_twins import _completions, _door_rows, _found, _ledger_rows
from tests.noninterference.twins import make_twins
from tests.noninterference.world import NOW, World, world_of

PAIR = make_twins(seed=11, chapters=4, parts=False, size=900, share=0.5, snap=2)
BEFORE = ("/dm Who is Corwin Ash?", "/dm Who is Tamsin Quillet, and who confessed?")
AFTER = (
    "/dm And what happened to it then?", "/dm --follow Why?", "/share", "/ask What about Tamsin Quillet?",
    "/ask --follow And why?", "/private", "/retry", "/useful no", "/spoiled", "/where", "/progress", "/club members",
    "/club reports", "/book list", "/book chapters", "/club preview", "/club schedule", "/privacy", "/clock +8d",
    "/as ana", "/private", "/ask Who is Isolde Wren?", "/useful", "/club reports", "/as you", "/leave", "/ahead",
    "/ahead show", "/join", "/where",
)  # fmt: skip


SOMETHING, NOTHING = "From past where you are", "Nothing past where you are"


async def _typed(world: World, lines: Sequence[str]) -> list[str]:
    return [f"{line!r} -> {await world.typed(line)}" for line in lines]


async def _seen(world: World, shows: str | None, further: int) -> list[str]:
    """What is shown to `you`, at the boundary, and to `ana`, who is ``further`` on: everything but what is told of
    looking ahead itself and what is kept of it. ``shows`` is how the second press begins; None: nobody looks ahead.
    """
    looks = shows is not None
    await world.place("you", PAIR.boundary)
    await world.place("ana", further)
    await world.made_admin("you")
    you = await world.club.member()
    for limit in ("member_questions_hour", "member_questions_day", "club_questions_hour"):
        await world.club.desk.house.rooms.setting_changed(limit, "9999", you.id, NOW)
    seen = await _typed(world, BEFORE)
    if shows is not None:
        told, shown = await _typed(world, ["/ahead", "/ahead show"])
        assert "further on" in told
        assert shows in shown
    seen += [*await _door_rows(world, PAIR.boundary), *await _completions(world), *await _found(world, PAIR.boundary)]
    kept = json.loads(await export(world.club.desk.house, you))
    assert len(kept.pop("looked_ahead")) == (2 if looks else 0)
    seen.append(json.dumps(kept))
    seen += await _typed(world, AFTER)
    rows = await _ledger_rows(world)
    assert rows.count("look_ahead: ") == (2 if looks else 0)
    return [*seen, *(row for row in rows.split("\n") if not row.startswith("look_ahead: "))]


async def test_whether_somebody_looked_ahead_shows_nowhere_else(databases: Databases) -> None:
    async with world_of(databases, PAIR.first, HashEmbedder()) as one:
        looked = await _seen(one, SOMETHING, PAIR.first.body_end)
    async with world_of(databases, PAIR.first, HashEmbedder()) as other:
        plain = await _seen(other, None, PAIR.first.body_end)
    for one_line, other_line in zip(looked, plain, strict=True):
        assert one_line == other_line


async def test_what_was_looked_ahead_at_leaves_the_same_behind_for_twins(databases: Databases) -> None:
    """Though one of them answers the question further on and the other does not."""
    async with world_of(databases, PAIR.first, HashEmbedder()) as one:
        first = await _seen(one, SOMETHING, PAIR.boundary)
    async with world_of(databases, PAIR.second, HashEmbedder()) as other:
        second = await _seen(other, NOTHING, PAIR.boundary)
    for one_line, other_line in zip(first, second, strict=True):
        assert one_line == other_line
