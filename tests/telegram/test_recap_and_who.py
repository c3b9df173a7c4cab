"""`/recap` and `/who`, over the wire: in the group, and in the private chat. Ana has finished three of five chapters,
Bo two.
"""

from __future__ import annotations

import pytest

from tests.peers.telegram.entities import uncovered
from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import NAMES
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_recap_in_a_group_is_covered_and_in_private_reaches_to_who_says_it(
    club: Club, peer: FakeTelegram
) -> None:
    await peer.writes(club["Ana"], club.group, "/recap")
    shared = await club.answered("From what everyone here has read, in its order")
    assert "for everyone who has read to the end of chapter 2" in words_of(shared).splitlines()[0]
    assert NAMES[1] in shared["text"]
    assert NAMES[1] not in uncovered(shared["text"], shared["entities"])
    assert not any(name in shared["text"] for name in NAMES[2:])
    await peer.writes(club["Ana"], club["Ana"], "/recap  last chapter")
    alone = words_of(await club.answered_alone("Ana", "/recap last chapter"))
    assert "From the last chapter that you have finished" in alone
    assert NAMES[2] in alone
    assert NAMES[3] not in alone


async def test_what_is_new_since_the_last_visit_is_told_alone_though_a_group_was_asked(
    club: Club, peer: FakeTelegram
) -> None:
    await peer.writes(club["Ana"], club.group, "/recap since my last visit")
    told = await club.answered_alone("Ana", "/recap since my last visit")
    assert "is told to you alone" in words_of(told)
    assert "Share with the room" not in labels(told)
    assert not club.said("since my last visit")


async def test_a_group_is_told_of_whom_it_has_met_and_of_nobody_else(club: Club, peer: FakeTelegram) -> None:
    await peer.writes(club["Ana"], club.group, f"/who@{peer.world.bot['username']} Bettina")
    shared = await club.answered(f"{NAMES[1]}, as far as everyone here has read")
    assert "Met in ch. 2." in words_of(shared)
    await peer.writes(club["Ana"], club.group, f"/who {NAMES[2]}")
    assert f"{NAMES[2]}, as far as you have read" in words_of(await club.answered_alone("Ana", f"/who {NAMES[2]}"))
    answers = []
    for name in (NAMES[3], "Zebulon Quick"):
        told = await club.told("Ana", f"/who {name}", "Nobody is called that", private=True)
        answers.append(words_of(told).replace(name, "NAME"))
    assert answers[0] == answers[1]
    assert not club.said(NAMES[2])


async def test_how_to_ask_is_said_to_who_did_not_say_it_so(club: Club) -> None:
    before = len(club.said())
    for command, how in (("/who", "Say who: /who NAME."), ("/recap the murderer", "/recap last chapter")):
        assert how in await club.does("Bo", command, how)
    assert len(club.said()) == before
