"""Places for requests: so many at once, and no club waits for all of another's."""

from __future__ import annotations

import asyncio

import pytest

from bot.adapters.models.at_once import AtOnce
from bot.core.club import ClubId


async def served(places: AtOnce, clubs: str) -> str:
    """The order in which requests of these clubs, asked in this order, have their turn."""
    order: list[str] = []

    async def one(club: str) -> None:
        async with places.place(ClubId(ord(club)), long=False):
            order.append(club)
            await asyncio.sleep(0)

    await asyncio.gather(*(one(club) for club in clubs))
    return "".join(order)


async def test_a_club_with_one_request_does_not_wait_for_all_of_another() -> None:
    assert (await served(AtOnce(2), "aaaaaaaab")).index("b") <= 3


async def test_clubs_take_turns() -> None:
    order = await served(AtOnce(2), "aaaabbbb")
    assert abs(order[:6].count("a") - 3) <= 1


async def test_who_stops_waiting_leaves_no_place_taken() -> None:
    places = AtOnce(2)
    async with places.place(ClubId(1), long=False), places.place(ClubId(1), long=False):
        waiting = asyncio.ensure_future(served(places, "c"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert await served(places, "abc") == "abc"


def test_an_answer_and_its_check_need_two() -> None:
    with pytest.raises(ValueError, match="two"):
        AtOnce(1)
