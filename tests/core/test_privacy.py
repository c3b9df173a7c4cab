"""What a room can infer of a hidden place, tried against everything that could be observed."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.club import Member, MemberId
from bot.core.errors import Refused
from bot.core.membership import join
from bot.core.privacy import Inference, Privacy, inferred, privacy, show_place
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory

PLACES = range(3)


def member(n: int, shown: bool | None) -> Member:
    return Member(MemberId(n), f"m{n}", True, shown=shown)


def can_tell(observer: int | None, shown: list[bool]) -> bool:
    """Whether ``observer`` (None: anybody) can ever be sure of the place of member 0, who hides it.

    They know the places that are shown, their own, and the lowest of all. Brute force over all places.
    """
    known = {n for n, shows in enumerate(shown) if shows and n != 0} | ({observer} if observer is not None else set())
    seen: dict[tuple[object, ...], set[int]] = {}
    for places in product(PLACES, repeat=len(shown)):
        view = (min(places), *(places[n] for n in sorted(known)))
        seen.setdefault(view, set()).add(places[0])
    # a lowest place of the very last possible one says where all are: that they can always tell
    return any(len(own) == 1 and view[0] != max(PLACES) for view, own in seen.items())


@given(st.lists(st.booleans(), max_size=4))
def test_what_can_be_inferred_is_what_somebody_can_be_sure_of(others: list[bool]) -> None:
    shown = [False, *others]
    found = inferred(MemberId(0), [member(n, shows) for n, shows in enumerate(shown)])
    anybody = can_tell(None, shown)
    hidden = [n for n, shows in enumerate(shown) if not shows and n != 0]
    one_of_them = any(can_tell(n, shown) for n in hidden)
    match found:
        case Inference.ALONE | Inference.ALL_SHOWN:
            assert anybody
        case Inference.TWO:
            assert anybody or one_of_them
        case Inference.ONE_HIDDEN:
            assert one_of_them
            assert not anybody
        case Inference.SEVERAL_HIDDEN:
            assert not anybody
            assert not one_of_them


@pytest.mark.parametrize(
    ("others", "found"),
    [
        ([], Inference.ALONE),
        ([None], Inference.TWO),
        ([True], Inference.TWO),
        ([True, True], Inference.ALL_SHOWN),
        ([True, False], Inference.ONE_HIDDEN),
        ([True, True, None], Inference.ONE_HIDDEN),
        ([None, False], Inference.SEVERAL_HIDDEN),
    ],
)
def test_the_cases_of_inference(others: list[bool | None], found: Inference) -> None:
    everyone = [member(0, True), *(member(n, shows) for n, shows in enumerate(others, start=1))]
    assert inferred(MemberId(0), everyone) is found


async def test_a_member_is_only_counted_until_they_say_otherwise_and_can_change_it() -> None:
    library = in_memory()
    house = house_of(library, FakeClock())
    ana = (await join(house, "ana")).member
    await join(house, "ben")
    assert await privacy(house, ana) == Privacy(None, Inference.TWO)
    for shown in (True, False):
        await show_place(house, ana, shown)
        ana = await house.roster.member_known("ana")
        assert (await privacy(house, ana)).shown is shown


async def test_of_who_is_no_member_nothing_can_be_inferred_or_shown() -> None:
    house = house_of(in_memory(), FakeClock())
    eve = await house.roster.member_known("eve")
    assert await privacy(house, eve) == Privacy(None, None)
    with pytest.raises(Refused, match="Only members"):
        await show_place(house, eve, True)


async def test_who_is_away_does_not_count_for_what_can_be_inferred() -> None:
    library, clock = in_memory(), FakeClock()
    house = house_of(library, clock)
    ana, ben, _ = [(await join(house, name)).member for name in ("ana", "ben", "cleo")]
    assert (await privacy(house, ana)).inference is Inference.SEVERAL_HIDDEN
    await house.roster.away(ben.id, clock(), clock())
    assert (await privacy(house, ana)).inference is Inference.TWO
