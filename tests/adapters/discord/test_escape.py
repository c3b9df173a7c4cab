"""Plain words as markdown that shows exactly those words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.adapters.chat.marked import STRONG, Marked, bold, line_of, plain, shortened, units
from bot.adapters.discord.escape import covered, escaped, fixed, parted, unescaped
from tests.adapters.discord.hostile import hostile, long_hostile
from tests.peers.discord_view import marks, runs, shown, uncovered, unseen


@given(hostile)
@example("[1](\\")
@example("a](https://b.c)")
@example(":e\u0301:")
@example("¯\\_(ツ)_/¯")
def test_what_is_shown_is_the_text_and_nothing_in_it_is_a_mark(text: str) -> None:
    markdown = escaped(text)
    assert shown(markdown) == plain(text)
    assert marks(markdown) == set()
    assert unescaped(markdown) == plain(text)
    assert "\n" not in markdown


@given(hostile, hostile)
def test_two_texts_make_no_mark_together(one: str, other: str) -> None:
    """A sign of one never pairs with a sign of the other, across a line or within it."""
    for between in (" ", "\n", ": ", '[1] ch. 6: "', "[1]"):
        markdown = escaped(one) + between + escaped(other)
        assert marks(markdown) == set()
        assert shown(markdown) == plain(one) + between + plain(other)


@given(hostile)
@example("|")
@example("ends with a bar |")
@example("\\")
@example("a\\|")
@example("```x```")
def test_a_cover_ends_with_the_text_and_not_before(text: str) -> None:
    if not plain(text):
        return
    markdown = covered(escaped(text))
    assert uncovered(markdown).strip() == ""
    assert {run.kinds for run in runs(markdown)} == {("spoiler",)}
    assert shown(markdown).rstrip() == plain(text)
    assert unescaped(markdown) == plain(text)


@given(hostile)
def test_nothing_unseen_stays_and_no_line_is_turned_around(text: str) -> None:
    assert not unseen(escaped(text))
    assert plain(plain(text)) == plain(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S"], max_codepoint=0x2FF), max_size=40))
def test_every_letter_and_sign_is_kept(text: str) -> None:
    assert plain(text) == text


def test_joiners_stay_where_they_join_and_go_where_they_hide() -> None:
    assert plain("👩\u200d👧") == "👩\u200d👧"
    assert plain("می\u200cخواهم") == "می\u200cخواهم"
    assert plain("e\u200dv\u200ceryone") == "everyone"
    assert plain("\u200da\u200d") == "a"


@pytest.mark.parametrize("text", ["@everyone", "@here", "@Everyone", "x@everyone"])
def test_a_call_to_everyone_is_broken_up_in_the_raw_text_too(text: str) -> None:
    assert text[-9:].lower() not in escaped(text).lower().replace("\\", "")
    assert shown(escaped(text)) == text


@pytest.mark.parametrize("text", ["discord.gg/abc", "discord.com/invite\\abc", "https://a.example/b", "http://a.bc"])
def test_no_address_is_left_in_the_raw_text(text: str) -> None:
    assert "://" not in escaped(text)
    assert ".gg" not in escaped(text).replace("\\.gg", "")
    assert marks(escaped(text)) == set()


@given(hostile, hostile)
def test_bold_words_in_a_line_are_bold_to_their_end_and_the_rest_is_not(text: str, other: str) -> None:
    seen = runs(escaped(line_of("about {text}, for {other}", text=bold(text), other=other)))
    assert "".join(run.text for run in seen if run.kinds == ("bold",)).replace("\u200b", "") == plain(text)
    assert all(run.kinds in {(), ("bold",)} for run in seen)


def test_nobody_else_can_write_the_mark_of_bold_words() -> None:
    assert escaped(f"a{STRONG}b") == "ab"
    assert escaped(bold(f"a{STRONG}b")) == "**ab**"
    assert escaped(line_of("{a} {b}", a=f"x{STRONG}", b=bold("y"))) == "x **y**"
    with pytest.raises(ValueError, match="beginning and an end"):
        Marked(f"a{STRONG}b")


@given(hostile)
def test_fixed_width_is_one_block_whatever_stands_in_it(text: str) -> None:
    line = fixed(f"a  {text} b")
    seen = runs(f"```\n{line}\n```")
    assert [run.kinds for run in seen] == [("block",)]
    assert "|" not in line
    assert "\n" not in line
    assert marks(f"```\n{line}\n```") == {"block"}


def test_spaces_count_in_fixed_width() -> None:
    assert fixed("  1  ana    ███░░  3 of 20") == "  1  ana    ███░░  3 of 20"


@given(long_hostile, st.integers(60, 2000))
def test_stretches_fit_and_lose_nothing_but_space(text: str, most: int) -> None:
    stretches = parted(text, most)
    assert all(0 < units(escaped(stretch)) <= most for stretch in stretches)
    assert "".join("".join(stretches).split()) == "".join(plain(text).split())


def test_a_long_text_is_cut_between_its_sentences() -> None:
    text = " ".join(f"Sentence number {n} is said." for n in range(200))
    stretches = parted(text, 500)
    assert len(stretches) > 2
    assert all(stretch.endswith("said.") for stretch in stretches)
    assert " ".join(stretches) == text


def test_what_has_no_sentences_is_cut_between_words_and_what_has_no_words_between_characters() -> None:
    assert all(not s.startswith("b") for s in parted("aaaa bbbb " * 100, 99)[1:2])
    stretches = parted("e\u0301" * 500, 100)
    assert all(stretch.startswith("e") for stretch in stretches)
    assert "".join(stretches) == "e\u0301" * 500


@given(long_hostile, st.integers(2, 120))
def test_what_is_shortened_fits_and_says_so(text: str, most: int) -> None:
    label = shortened(text, most)
    assert units(label) <= most
    assert label == plain(text) or label.endswith("…")


def test_the_larger_of_the_two_counts_is_taken() -> None:
    assert [units("a"), units("é"), units("𝕏"), units("👩\u200d👧")] == [1, 1, 2, 5]
