"""What is covered stays covered, in a pipe and on a screen, whatever stands in a title, a name or a question."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.terminal.covers import COVER, Covers, block, printed, wrapped
from bot.adapters.terminal.replies import Reply, Shown, barred, clear, covered
from bot.core.errors import Unavailable

LINES = st.lists(st.text(max_size=60), min_size=1, max_size=6)


def answer(*hidden: str, holds: bool = True) -> Reply:
    async def held() -> bool:
        return holds

    return replace(covered("first", hidden, "in clear"), answers=True, holds=held)


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
    assert printed([covered("first", one, "last")], 80) == printed([covered("first", other, "last")], 80)
    shown = "".join(text for _, text, *_ in printed([covered("first", one, "last")], 80))
    assert shown == f"first\n{block()}\nlast\n"
    assert COVER in block()


def test_what_one_member_alone_sees_says_so_first() -> None:
    assert [shown.text for shown in clear("Noted.", only="ana").plain] == ["(for ana alone)", "Noted."]


async def test_a_key_shows_the_last_covered_lines_and_covers_them_again() -> None:
    covers = Covers()
    covers.keep([answer("old")])
    covers.keep([answer("a secret", "and another")])
    covers.keep([clear("no answer")])
    assert covers.shown(80, 20) == ""
    await covers.turn(80, 20)
    assert covers.shown(80, 20).splitlines()[:-1] == ["a secret", "and another"]
    await covers.turn(80, 20)
    assert covers.shown(80, 20) == ""
    await covers.turn(80, 20)
    covers.cover()
    assert covers.shown(80, 20) == ""


async def test_the_next_answer_comes_covered() -> None:
    covers = Covers()
    covers.keep([answer("old")])
    await covers.turn(80, 20)
    covers.keep([answer("new")])
    assert covers.shown(80, 20) == ""


async def test_a_newer_private_answer_leaves_nothing_to_show() -> None:
    covers = Covers()
    covers.keep([answer("old")])
    covers.keep([replace(clear("a private answer", only="ana"), answers=True)])
    await covers.turn(80, 20)
    assert covers.shown(80, 20).splitlines()[0] == "Nothing is covered."


async def test_what_does_not_hold_any_more_is_dropped_with_one_sentence_and_then_forgotten() -> None:
    covers = Covers()
    covers.keep([answer("a secret", holds=False)])
    seen = []
    for _ in range(3):
        await covers.turn(80, 20)
        seen.append(covers.shown(80, 20).split("\n")[0])
    assert seen == ["That was answered for people further on: ask again.", "", "Nothing is covered."]


async def test_a_later_page_is_not_shown_either_once_it_does_not_hold() -> None:
    held = [True]

    async def holds() -> bool:
        return held[0]

    covers = Covers()
    covers.keep([replace(answer(*(f"line {n}" for n in range(10))), holds=holds)])
    await covers.turn(80, 4)
    held[0] = False
    await covers.turn(80, 4)
    assert "line" not in covers.shown(80, 4)


async def test_lines_without_a_boundary_and_those_that_cannot_be_asked_about_are_never_shown() -> None:
    async def unreachable() -> bool:
        raise Unavailable("The database does not answer.")

    for holds, sentence in ((None, "That was answered for people further on"), (unreachable, "The database does not")):
        covers = Covers()
        covers.keep([replace(answer("a secret"), holds=holds)])
        await covers.turn(80, 20)
        assert covers.shown(80, 20).startswith(sentence)


async def test_a_line_that_is_entered_while_the_key_is_asking_keeps_everything_covered() -> None:
    covers = Covers()

    async def entered() -> bool:
        covers.cover()
        return True

    covers.keep([replace(answer("a secret"), holds=entered)])
    await covers.turn(80, 20)
    assert covers.shown(80, 20) == ""


async def test_more_than_a_screen_is_shown_page_by_page_and_survives_a_smaller_screen() -> None:
    covers = Covers()
    covers.keep([answer(*(f"line {n}" for n in range(10)))])
    seen: list[str] = []
    for _ in range(3):
        await covers.turn(80, 4)
        seen += covers.shown(80, 4).splitlines()[:-1]
    assert seen == [f"line {n}" for n in range(10)]
    assert "line 9" in covers.shown(80, 400)
    await covers.turn(80, 4)
    assert covers.shown(80, 4) == ""


async def test_before_anything_was_covered_the_key_says_so() -> None:
    covers = Covers()
    await covers.turn(80, 20)
    assert covers.shown(80, 20).splitlines()[0] == "Nothing is covered."


def test_lines_in_clear_are_broken_between_words() -> None:
    text = "".join(text for _, text, *_ in printed([clear("the ferry came in at noon", only="ana")], 12))
    assert text.splitlines() == ["(for ana", "alone)", "the ferry", "came in at", "noon"]


@given(st.text(alphabet="abc 書é ", max_size=200), st.integers(10, 60))
def test_lines_are_broken_to_the_width_and_lose_no_letter(text: str, columns: int) -> None:
    from prompt_toolkit.utils import get_cwidth

    lines = wrapped(text, columns)
    assert all(get_cwidth(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
