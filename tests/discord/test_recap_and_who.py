"""`/recap` and `/who`, over the wire: in the room, privately, and what completes a name. Ana has finished three of five
chapters, Bo two.
"""

from __future__ import annotations

import pytest

from tests.discord.wire import NAMES, Club, labels, plain
from tests.peers.discord.payloads import Json
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_recap_in_the_room_is_covered_and_of_what_all_have_read(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "recap")
    message = await club.answered("From what everyone here has read, in its order")
    await club.gone(it)
    first, rest = message["content"].split("\n", 1)
    assert "for everyone who has read to the end of chapter 2" in plain(first)
    assert rest.strip().startswith("||")
    assert rest.strip().endswith("||")
    assert NAMES[1] in rest
    assert not any(name in rest for name in NAMES[2:])


async def test_a_recap_for_one_member_alone_reaches_to_their_own_place(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "recap", of="last chapter", private=True)
    told = await club.answer(it, has="[1]")
    assert it.ephemeral
    assert "From the last chapter that you have finished" in told
    assert NAMES[2] in told
    assert not any(name in told for name in (*NAMES[:2], *NAMES[3:]))


async def test_what_is_new_since_the_last_visit_is_told_alone_even_in_a_room(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "recap", of="since my last visit")
    told = await club.answer(it, has="[1]")
    assert it.ephemeral
    assert "is told to you alone" in told
    assert it.original
    await peer.until(lambda: "This spoiled me" in labels(peer.message(it)))
    assert "Share with the room" not in labels(peer.message(it))
    assert not club.said(has="since my last visit")


async def test_who_somebody_is_is_told_to_the_room_that_has_met_them(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "who", name="Bettina")
    message = await club.answered(f"{NAMES[1]}, as far as everyone here has read")
    await club.gone(it)
    assert "Met in ch. 2." in plain(message["content"])


async def test_whom_the_room_has_not_met_is_told_alone_and_later_is_as_never(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "who", name=NAMES[2])
    told = await club.answer(it, has="[1]")
    assert it.ephemeral
    assert f"{NAMES[2]}, as far as you have read" in told
    answers = []
    for name in (NAMES[4], "Zebulon Quick"):
        unknown = await peer.slash(club["Ana"], club.room, "who", name=name)
        answers.append((await club.answer(unknown, has="Nobody is called that")).replace(name, "NAME"))
    assert answers[0] == answers[1]
    assert not club.said(has="/who " + NAMES[2])
    assert not club.said(has="Nobody is called that")


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
