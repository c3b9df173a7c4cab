"""What is covered stays covered, in a pipe and on a screen, whatever stands in a title, a name or a question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.terminal.covers import COVER, Covers, block, printed, wrapped
from bot.adapters.terminal.replies import Shown, barred, clear, covered

LINES = st.lists(st.text(max_size=60), min_size=1, max_size=6)


@given(st.text())
def test_a_covered_line_has_bars_at_its_ends_alone_and_is_one_line(text: str) -> None:
    shown = barred(Shown(text, covered=True))
    assert shown.startswith("||")
    assert shown.endswith("||")
    assert "|" not in shown[2:-2]
    assert len(shown.splitlines()) == 1


@given(st.text())
def test_a_line_in_clear_never_opens_or_ends_a_cover(text: str) -> None:
    assert "||" not in barred(Shown(text))


@given(st.text())
def test_nothing_that_is_shown_can_steer_a_terminal(text: str) -> None:
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in barred(Shown(text + "\x1b]0;x\x07\x9b2J")))


@given(LINES, LINES)
def test_a_block_looks_the_same_whatever_it_covers(one: list[str], other: list[str]) -> None:
    assert printed([covered("first", one, "last")]) == printed([covered("first", other, "last")])
    shown = "".join(text for _, text, *_ in printed([covered("first", one, "last")]))
    assert shown == f"first\n{block()}\nlast\n"
    assert COVER in block()


def test_what_one_member_alone_sees_says_so_first() -> None:
    assert [shown.text for shown in clear("Noted.", only="ana").plain] == ["(for ana alone)", "Noted."]


def test_a_key_shows_the_last_covered_lines_and_covers_them_again() -> None:
    covers = Covers()
    covers.keep([covered("first", ["old"])])
    covers.keep([covered("first", ["a secret", "and another"], "in clear")])
    covers.keep([clear("nothing covered here")])
    assert covers.shown(80, 20) == ""
    covers.turn(80, 20)
    assert covers.shown(80, 20).splitlines()[:-1] == ["a secret", "and another"]
    covers.turn(80, 20)
    assert covers.shown(80, 20) == ""
    covers.turn(80, 20)
    covers.cover()
    assert covers.shown(80, 20) == ""


def test_the_next_answer_comes_covered() -> None:
    covers = Covers()
    covers.keep([covered("first", ["old"])])
    covers.turn(80, 20)
    covers.keep([covered("first", ["new"])])
    assert covers.shown(80, 20) == ""


def test_more_than_a_screen_is_shown_page_by_page_and_survives_a_smaller_screen() -> None:
    covers = Covers()
    covers.keep([covered("first", [f"line {n}" for n in range(10)])])
    seen: list[str] = []
    for _ in range(3):
        covers.turn(80, 4)
        seen += covers.shown(80, 4).splitlines()[:-1]
    assert seen == [f"line {n}" for n in range(10)]
    assert "line 9" in covers.shown(80, 400)
    covers.turn(80, 4)
    assert covers.shown(80, 4) == ""


def test_before_anything_was_covered_the_key_says_so() -> None:
    covers = Covers()
    covers.turn(80, 20)
    assert covers.shown(80, 20).startswith("Nothing is covered yet.")


@given(st.text(alphabet="abc 書é ", max_size=200), st.integers(10, 60))
def test_lines_are_broken_to_the_width_and_lose_no_letter(text: str, columns: int) -> None:
    from prompt_toolkit.utils import get_cwidth

    lines = wrapped(text, columns)
    assert all(get_cwidth(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
