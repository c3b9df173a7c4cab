"""What Discord offers, lists and says about places is the same for twins."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import given, settings

from bot.adapters.chat import places, shelf
from bot.adapters.chat.scene import Scene
from bot.core.book import BookText
from tests.conftest import STRESS
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory
from tests.noninterference.twins import Twins, twins

TYPED = ("", "1", "chapter", "quillet", "murder", "in", "an old lamp")
SAID = ("99", "part 1", "“drowned the stranger a will gold confessed was dead”", "Captain Marrable", "undo", "45%")


async def _shown(book: BookText, boundary: int) -> list[Any]:
    library = in_memory()
    number = await library.add(book)
    you = await library.place("discord:1", number, boundary)
    scene = Scene(cast(Any, None), house_of(library, FakeClock()), you, "en@discord")
    shown: list[Any] = [await places.places_typed(scene, typed) for typed in TYPED]
    shown += [await shelf.chapters(scene), await places.where(scene)]
    return shown + [await places.progress(scene, said) for said in SAID]


@given(twins())
@settings(max_examples=4 * STRESS)
async def test_what_discord_offers_and_says_of_places_is_the_same_for_twins(pair: Twins) -> None:
    first, second = [await _shown(book, pair.boundary) for book in (pair.first, pair.second)]
    assert first == second
