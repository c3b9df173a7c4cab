"""The ways in which a person may say a chapter's title."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.statements import TitleSaid, folded_title, parse
from bot.core.titles import spoken_titles


@pytest.mark.parametrize(
    "title",
    ["Chapter 9: The Bell", "CHAPTER IX. THE BELL", "Chapter 9\nThe Bell", "9. The Bell", "Chapter 9 — The Bell",
     "Chapter 9 - The Bell", "Chapter 9 The Bell", "The Bell"],
)  # fmt: skip
def test_a_title_is_said_without_its_number(title: str) -> None:
    assert "the bell" in spoken_titles(title)
    assert folded_title(title) in spoken_titles(title)


def test_a_title_without_a_number_is_said_whole() -> None:
    assert spoken_titles("Dr Jekyll") == ("dr jekyll",)
    assert spoken_titles("Letter 4") == ("letter 4",)


def test_a_title_is_found_by_a_statement_that_begins_like_one() -> None:
    for title in ("The Bell", "In Chancery", "Only the Dead", "Chapter 9: The Bell"):
        said = parse(f"finished {title.split(': ')[-1]}")
        assert isinstance(said, TitleSaid)
        assert set(said.titles) & set(spoken_titles(title))


@pytest.mark.parametrize("title", ["", "—", " \n ", "* * *"])
def test_a_title_without_a_word_cannot_be_said(title: str) -> None:
    assert spoken_titles(title) == ()


def test_what_a_person_says_matches_whatever_the_typography() -> None:
    said = parse("The Bolted-Door’s Key")
    assert isinstance(said, TitleSaid)
    assert set(said.titles) & set(spoken_titles("CHAPTER II: THE BOLTED DOOR'S KEY"))


@given(st.text(max_size=60))
def test_any_title_gives_folded_words_once_each(title: str) -> None:
    said = spoken_titles(title)
    assert len(set(said)) == len(said)
    assert all(one and one == folded_title(one) for one in said)
