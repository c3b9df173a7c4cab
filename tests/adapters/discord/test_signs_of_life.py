"""Who was away and says something counts again, and is told so once, alone; who is only typing has said nothing."""

from __future__ import annotations

import pytest

from bot.adapters.discord.keys import person_key
from tests.adapters.discord.simulated import Simulated, answer_of, simulated

AGAIN = "your place counts in the club again"


async def _away(it: Simulated) -> None:
    """Nothing has been heard of Bo for long."""
    now = it.house.clock()
    member = await it.house.roster.member_known(person_key(it.bo.id))
    assert await it.house.roster.away(member.id, now, member.seen_at or now)


async def _is_away(it: Simulated) -> bool:
    return (await it.house.roster.member_known(person_key(it.bo.id))).away


async def test_what_is_being_typed_is_no_sign_of_life_and_the_word_comes_with_what_is_said() -> None:
    async with simulated() as it:
        await _away(it)
        assert await it.bo.autocomplete(it.room, "progress", "place", "chap")
        assert await _is_away(it)
        assert AGAIN in answer_of(await it.bo.slash(it.room, "where"))
        assert not await _is_away(it)
        assert AGAIN not in answer_of(await it.bo.slash(it.room, "where"))


async def test_who_asks_for_help_is_told_that_they_count_again() -> None:
    async with simulated() as it:
        await _away(it)
        assert AGAIN in answer_of(await it.bo.slash(it.room, "help"))
        assert not await _is_away(it)


async def test_who_mentions_the_bot_is_told_alone_that_they_count_again() -> None:
    async with simulated() as it:
        await _away(it)
        assert it.env.bot.user is not None
        await it.bo.send(it.room, f"<@{it.env.bot.user.id}> Who stood on the quay?")
        await it.env.settle()
        assert not await _is_away(it)
        assert it.bo.member is not None
        direct = await it.bo.member.create_dm()
        assert [m.content async for m in direct.history() if AGAIN in m.content]
        assert not [said for said in it.everything_said() if AGAIN in said]


@pytest.mark.parametrize("label", ["Useful", "This spoiled me"])
async def test_who_presses_under_their_own_answer_is_told_that_they_count_again(label: str) -> None:
    async with simulated() as it:
        result = await it.bo.slash(it.room, "ask", question="Who stood on the quay?", private=True)
        assert result.response is not None
        await _away(it)
        pressed = await it.bo.click(result.response, label=label)
        assert AGAIN in answer_of(pressed)
        assert not await _is_away(it)
