"""Words compared across editions."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.folding import folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“Who’s there?” she said.", '"Who\'s there?" she said'),
        ("the bell-ringer", "the bell ringer"),
        ("naïve café", "naive cafe"),
        ("ﬁne oﬃce", "fine office"),
        ("Straße", "STRASSE"),
        ("a\u00a0b\u200bc\u2060d", "abcd"),
        ("１２", "12"),
        ("e\u0301t\u00e9", "ete"),
        ("wait…no", "wait...no"),
    ],
)
def test_two_typographies_of_the_same_words_fold_alike(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_other_words_fold_otherwise() -> None:
    assert folded("the bell") != folded("the ball")
    assert folded("老人") == "老人"


@given(st.text(max_size=80))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert once.isalnum() or not once


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_sentence_folds_to_the_sum_of_its_words(one: str, other: str) -> None:
    assert folded(f"{one} {other}") == folded(one) + folded(other)


@given(st.text(max_size=40))
def test_composed_and_decomposed_text_fold_alike(text: str) -> None:
    assert folded(unicodedata.normalize("NFC", text)) == folded(unicodedata.normalize("NFD", text))
