"""Several processes with one token, without a webhook: one asks for messages, and another follows it when it dies."""

from __future__ import annotations

import pytest

from tests.peers.telegram.peer import FakeTelegram
from tests.telegram.wire import Club, Program

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_of_two_processes_one_asks_for_messages_and_the_other_follows_it_within_half_a_minute(
    club: Club, program: Program, peer: FakeTelegram
) -> None:
    turned_away = peer.conflicts
    other = Program(peer, program.home)
    await other.start()
    try:
        assert "event=polling" not in "".join(other.log)
        await club.asks("Ana", "Who came first along the wall?")
        assert peer.conflicts == turned_away
        assert await program.end(kill=True) != 0
        await other.says("event=polling", seconds=30)
        question = "Who came last along the wall?"
        await club.asks("Ana", question)
        await club.does("Bo", "/where", "The club is")
        assert len(club.said(question)) == 1
    finally:
        await other.end()
        await program.start()
