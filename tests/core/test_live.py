"""Vectors made while a question waits: made once a place, and never shared between books."""

from __future__ import annotations

import numpy as np

from bot.core.club import BookId
from bot.core.live import KEPT, LiveVectors, as_stored
from tests.fakes.embedder import HashEmbedder

ONE, OTHER = BookId(1), BookId(2)


def test_a_second_question_from_the_same_place_embeds_nothing_and_gets_the_same_vectors() -> None:
    live, embedder = LiveVectors(), HashEmbedder()
    first = live.embedded(embedder, ONE, ["a lamp", "a door"])
    assert embedder.embedded == 2
    assert np.array_equal(first, live.embedded(embedder, ONE, ["a lamp", "a door"]))
    assert embedder.embedded == 2


def test_vectors_are_what_would_be_stored_in_the_order_asked_for() -> None:
    live, embedder = LiveVectors(), HashEmbedder()
    live.embedded(embedder, ONE, ["b"])
    expected = as_stored(embedder.embed_passages(["a", "b", "a"]))
    assert np.array_equal(live.embedded(embedder, ONE, ["a", "b", "a"]), expected)


def test_the_same_text_in_another_book_or_for_another_model_is_made_anew() -> None:
    live, embedder, smaller = LiveVectors(), HashEmbedder(), HashEmbedder(dimension=8)
    live.embedded(embedder, ONE, ["a lamp"])
    live.embedded(embedder, OTHER, ["a lamp"])
    assert embedder.embedded == 2
    assert live.embedded(smaller, ONE, ["a lamp"]).shape == (1, 8)


def test_only_the_last_vectors_are_kept() -> None:
    live, embedder = LiveVectors(), HashEmbedder()
    for number in range(KEPT + 1):
        live.embedded(embedder, ONE, [str(number)])
    live.embedded(embedder, ONE, [str(KEPT)])
    assert embedder.embedded == KEPT + 1
    live.embedded(embedder, ONE, ["0"])
    assert embedder.embedded == KEPT + 2
