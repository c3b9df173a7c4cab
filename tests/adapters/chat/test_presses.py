"""What a button means is given back exactly, or not at all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.chat.presses import LONGEST, OPEN, Action, Press, parsed

numbers = st.integers(0, 2**63 - 1)
presses = st.builds(
    Press,
    action=st.sampled_from(Action),
    club=numbers,
    subject=numbers,
    person=st.integers(1, 2**63 - 1),
    value=st.from_regex(re.compile(r"[a-z0-9-]{0,24}", re.ASCII), fullmatch=True),
)


@given(st.data())
def test_a_press_comes_back_as_it_was(data: st.DataObject) -> None:
    try:
        press = data.draw(presses)
    except ValueError as error:
        assert "too long" in str(error)
        return
    assert len(press.custom_id) <= LONGEST
    assert press.custom_id.isascii()
    assert parsed(press.custom_id) == press


@given(st.text(max_size=120) | st.from_regex(r"1\.[a-z-]+\.\d+\.\d+\.\d+\.[a-z0-9]*", fullmatch=True))
def test_whatever_is_read_is_what_would_be_written(custom_id: str) -> None:
    press = parsed(custom_id)
    assert press is None or press.custom_id == custom_id


@pytest.mark.parametrize(
    "custom_id",
    [
        "", "1", "1.stop", "2.stop.1.2.3.", "1.stop.1.2.3", "1.stop.1.2.3.a.b", "1.stop.01.2.3.", "1.stop.1.2.+3.",
        "1.stop.1.2.-3.", "1.stop.1.2.3.A", "1.stop.1.2.3.a ", "1.Stop.1.2.3.", "1.halt.1.2.3.", "1.stop.١.2.3.",
        "1.stop.1.2.9223372036854775808.", "1.stop.1.2.0.", "1.stop..2.3.", "1.stop.1.2.3.\n", "1.stop.1.2.3.é",
        "1.stop.1.2.3." + "a" * 25,
    ],
)  # fmt: skip
def test_anything_else_is_no_press(custom_id: str) -> None:
    assert parsed(custom_id) is None


def test_what_is_not_for_everybody_is_bound_to_one_person() -> None:
    for action in set(Action) - OPEN:
        with pytest.raises(ValueError, match="one person"):
            Press(action, 1, 2)
        assert not Press(action, 1, 2, person=7).may_press(8)
        assert Press(action, 1, 2, person=7).may_press(7)
    assert all(Press(action, 1, 2).may_press(8) for action in OPEN)


def test_the_longest_ids_there_are_fit() -> None:
    for action in Action:
        most = 2**63 - 1
        assert len(Press(action, most, most, most, "a" * 16).custom_id) <= LONGEST
