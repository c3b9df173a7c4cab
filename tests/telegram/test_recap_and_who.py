"""`/recap` and `/who`, over the wire: in the group, and in the private chat. Ana has finished three of five chapters,
Bo two.
"""

from __future__ import annotations

import pytest

from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import NAMES
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_recap_in_private_reaches_to_who_says_it(club: Club, peer: FakeTelegram) -> None:
    await peer.writes(club["Ana"], club["Ana"], "/recap  last chapter")
    alone = words_of(await club.answered_alone("Ana", "/recap last chapter"))
    assert "From the last chapter that you have finished" in alone
    assert NAMES[2] in alone
    assert NAMES[3] not in alone


async def test_how_to_ask_is_said_to_who_did_not_say_it_so(club: Club) -> None:
    before = len(club.said())
    for command, how in (("/who", "Say who: /who NAME."), ("/recap the murderer", "/recap last chapter")):
        assert how in await club.does("Bo", command, how)
    assert len(club.said()) == before
