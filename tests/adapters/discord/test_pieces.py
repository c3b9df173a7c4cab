"""Lines become messages within Discord's limits, in order, with covers that end with each message."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.chat.marked import bold, plain, units
from bot.adapters.chat.parts import Button, File, Look, Part
from bot.adapters.chat.presses import Action, Press
from bot.adapters.discord.pieces import CONTENT, Choice, Menu, Piece, choices, contents, pieces
from tests.adapters.discord.hostile import hostile, long_hostile
from tests.peers.discord_view import runs, shown, uncovered

CLEAR_LOOKS = (Look.PLAIN, Look.SMALL, Look.HEADING, Look.QUOTED)
clear = st.builds(Part, long_hostile, look=st.sampled_from(CLEAR_LOOKS))
hidden = st.builds(Part, long_hostile, st.just(True), apart=st.booleans())
parts = st.lists(clear | hidden, max_size=6)


def again(number: int) -> Part:
    return Part(f"continued ({number})", look=Look.SMALL)


def letters(text: str) -> str:
    return "".join(text.split())


@given(parts, st.sampled_from([None, again]))
def test_messages_fit_and_hold_every_word_in_order(lines: list[Part], head: object) -> None:
    made = contents(lines, again if head else None)
    assert all(0 < units(content) <= CONTENT for content in made)
    bodies = [re.sub(r"^-# continued [^\n]*\n", "", c) if head and n else c for n, c in enumerate(made)]
    read = "".join(letters(shown(body)) for body in bodies)
    assert read == "".join(letters(plain(part.text)) for part in lines)


@given(parts)
def test_what_is_covered_is_covered_in_every_message_and_the_rest_in_none(lines: list[Part]) -> None:
    made = contents(lines)
    everything = [run for content in made for run in runs(content)]
    for covered in (True, False):
        read = "".join(letters(run.text) for run in everything if run.covered is covered).replace("\u200b", "")
        assert read == "".join(letters(plain(part.text)) for part in lines if part.covered is covered)


@given(st.lists(hidden, min_size=1, max_size=5))
def test_every_message_of_a_covered_text_begins_with_a_neutral_line(lines: list[Part]) -> None:
    made = contents([Part("neutral"), *lines], again)
    for number, content in enumerate(made):
        first = "neutral" if number == 0 else f"continued ({number + 1})"
        assert set(uncovered(content).split("\n")) <= {first, ""}


def test_lines_stay_whole_where_they_fit_a_message() -> None:
    made = contents([Part(f"{n} " + "x" * 900, covered=True) for n in range(5)])
    assert [shown(content).count("x") for content in made] == [1800, 1800, 900]


def test_a_line_longer_than_a_message_is_cut_between_its_sentences_each_stretch_covered() -> None:
    text = " ".join(f"The bird | number {n} sings." for n in range(300))
    made = contents([Part(text, covered=True)])
    assert len(made) > 3
    for content in made:
        assert content.startswith("||")
        assert content.endswith("sings.||")
        assert content.count("||") == 2


def test_neighbours_share_a_cover_unless_they_are_apart() -> None:
    lines = [Part("head"), Part("a", True), Part("b", True), Part("c", True, apart=True), Part("d", True), Part("e")]
    assert contents(lines) == ("head\n||a\nb||\n||c\nd||\ne",)


def test_looks_are_marks_at_the_start_of_a_line() -> None:
    lines = [Part("a", look=look) for look in CLEAR_LOOKS] + [
        Part("1  a", look=Look.FIXED),
        Part("2  b", look=Look.FIXED),
    ]
    assert contents(lines) == ("a\n-# a\n### a\n> a\n```\n1  a\n2  b\n```",)
    assert contents([Part(bold("a*"))]) == ("**a\\***",)
    with pytest.raises(ValueError, match="look"):
        Part("a", covered=True, look=Look.SMALL)


def test_what_shows_nothing_is_no_message() -> None:
    assert contents([Part(""), Part(" \u200b\u2060 ", covered=True)]) == ()


def test_files_hang_on_the_first_message_and_buttons_on_the_last() -> None:
    button, file = Button(Press(Action.JOIN), "Join"), File("week-1.png", b"x", "A chart.")
    made = pieces([Part("x" * 1500), Part("y" * 1500)], [button], files=[file])
    assert [(len(p.buttons), len(p.files)) for p in made] == [(0, 1), (1, 0)]


def test_a_message_out_of_bounds_cannot_be_made() -> None:
    join = Button(Press(Action.JOIN), "Join")
    with pytest.raises(ValueError, match="2000"):
        Piece("𝕏" * 1001)
    with pytest.raises(ValueError, match="characters"):
        Piece(" \n ")
    with pytest.raises(ValueError, match="same"):
        Piece("a", (join, join))
    with pytest.raises(ValueError, match="rows"):
        Piece("a", tuple(Button(Press(Action.JOIN, n), "Join") for n in range(26)))
    with pytest.raises(ValueError, match="file"):
        File("The Butler Did It.PNG", b"", "")
    with pytest.raises(ValueError, match="choices"):
        Menu(Press(Action.VOTE), "", ())
    assert [len(row) for row in Piece("a", tuple(Button(Press(Action.JOIN, n), "J") for n in range(7))).rows] == [5, 2]


@given(st.lists(st.tuples(long_hostile, st.text(max_size=120)), max_size=40))
def test_choices_are_at_most_25_each_of_at_most_100_characters(offered: list[tuple[str, str]]) -> None:
    made = choices(offered)
    assert len(made) <= 25
    assert len({choice.value for choice in made}) == len(made)
    assert all(0 < units(choice.label) <= 100 and 0 < units(choice.value) <= 100 for choice in made)
    fitting = list(dict.fromkeys(value for _, value in offered if 0 < units(value) <= 100))
    assert [choice.value for choice in made] == fitting[:25]


@given(hostile)
def test_labels_know_no_markup_and_are_shown_as_they_are(text: str) -> None:
    if plain(text):
        assert Button(Press(Action.JOIN), text).label == plain(text) or units(plain(text)) > 80
    assert Choice(text, "v").label in {plain(text) or "…", Choice(plain(text), "v").label}
