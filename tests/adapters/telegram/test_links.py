"""What buttons and links carry: small, read strictly, and of no use to anybody but whom they are for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.chat.presses import OPEN, Action, Press
from bot.adapters.telegram.callbacks import Callbacks
from bot.adapters.telegram.links import LONGEST, Links

NOW = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
LINKS = Links.of("DogearBot", "1:token")
CALLBACKS = Callbacks.of("1:token")
most = st.integers(0, 2**63 - 1)
few = st.integers(1, 2**40)
actions = st.sampled_from(list(Action))
presses = st.builds(Press, actions, few, few, few, st.from_regex(r"[a-z0-9-]{0,12}", fullmatch=True))


@given(presses)
def test_a_press_comes_back_as_it_was_in_at_most_64_bytes(press: Press) -> None:
    data = CALLBACKS.data_of(press)
    assert len(data.encode()) <= 64
    assert CALLBACKS.press_of(data) == press


@given(presses, presses, st.integers(0, 63), st.characters(codec="ascii"))
def test_a_press_that_was_changed_anywhere_or_made_by_another_bot_is_none(
    press: Press, other: Press, at: int, letter: str
) -> None:
    data = CALLBACKS.data_of(press)
    assert Callbacks.of("2:token").press_of(data) is None
    at %= len(data)
    changed = data[:at] + letter + data[at + 1 :]
    assert changed == data or CALLBACKS.press_of(changed) is None
    meant, mac = data.rpartition(".")[0], CALLBACKS.data_of(other).rpartition(".")[2]
    assert press == other or CALLBACKS.press_of(f"{meant}.{mac}") is None
    assert CALLBACKS.press_of(meant) is None


@given(st.text(max_size=80))
def test_whatever_is_no_press_of_ours_is_none(text: str) -> None:
    assert CALLBACKS.press_of(text) is None


@given(actions, most, most, st.integers(1, 2**63 - 1))
def test_a_link_comes_back_as_it_was_in_at_most_64_letters(action: Action, club: int, subject: int, who: int) -> None:
    press = Press(action, club, subject, who)
    start = LINKS.start(press, NOW)
    assert len(start) <= LONGEST
    link = LINKS.read(start)
    assert link is not None
    assert (link.press, link.until) == (press, NOW)


@given(st.sampled_from(sorted(OPEN)), few, st.integers(0, 63), st.integers(1, 63))
def test_a_link_that_was_changed_anywhere_or_made_by_another_bot_is_none(
    action: Action, club: int, at: int, by: int
) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    start = LINKS.start(Press(action, club), NOW)
    at %= len(start) - 1  # the last letter has bits that say nothing
    changed = start[:at] + letters[(letters.index(start[at]) + by) % 64] + start[at + 1 :]
    assert LINKS.read(changed) is None
    assert Links.of("DogearBot", "2:token").read(start) is None


def test_a_link_holds_for_its_person_until_its_time() -> None:
    link = LINKS.read(LINKS.start(Press(Action.OPEN, 1, person=7), NOW))
    assert link is not None
    assert link.holds(NOW - timedelta(minutes=1), 7)
    assert not link.holds(NOW - timedelta(minutes=1), 8)
    assert not link.holds(NOW, 7)
