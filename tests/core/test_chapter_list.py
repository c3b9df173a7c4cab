"""The list of chapters: all by number, by title what was met."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.chapter_list import chapters_listed
from bot.core.errors import Refused
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, end_of, in_memory


async def test_a_title_is_listed_once_its_heading_was_passed() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    you = await library.place("you", book, end_of(LANTERN, 2))
    listed = await chapters_listed(house_of(library, FakeClock()), you, book)
    assert listed.here == end_of(LANTERN, 2)
    assert [(c.ordinal, c.name, c.title, c.ahead) for c in listed.chapters] == [
        (1, "chapter 1", "Chapter 1: The Ferry", False),
        (2, "chapter 2", "Chapter 2: The Bolted Door", False),
        (3, "chapter 3", "", True),
    ]


async def test_who_has_not_joined_is_listed_nothing() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    you = replace(await library.member("you"), joined=False)
    with pytest.raises(Refused, match="Only members"):
        await chapters_listed(house_of(library, FakeClock()), you, book)
