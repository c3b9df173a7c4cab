"""`/recap` and `/who`, over the wire: in the room, privately, and what completes a name. Ana has finished three of five
chapters, Bo two.
"""

from __future__ import annotations

import pytest

from tests.discord.wire import NAMES, Club
from tests.peers.discord.payloads import Json
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_recap_for_one_member_alone_reaches_to_their_own_place(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "recap", of="last chapter", private=True)
    told = await club.answer(it, has="[1]")
    assert it.ephemeral
    assert "From the last chapter that you have finished" in told
    assert NAMES[2] in told
    assert not any(name in told for name in (*NAMES[:2], *NAMES[3:]))


async def _offered(it: Interaction, peer: FakeDiscord) -> list[Json]:
    return list(await peer.until(lambda: it.choices))


async def test_names_are_offered_that_the_place_has_met_and_no_other(club: Club, peer: FakeDiscord) -> None:
    met = {}
    for private in (False, True):
        it = await peer.slash(club["Ana"], club.room, "who", focused="name", name="", private=private)
        met[private] = {choice["name"] for choice in await _offered(it, peer)}
    assert set(NAMES[:2]) <= met[False]
    assert set(NAMES[:3]) <= met[True]
    assert not met[False].intersection(NAMES[2:])
    assert not met[True].intersection(NAMES[3:])
