"""Ranking: pure arithmetic over the read part."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.fusion import bm25, reciprocal_ranks, smoothed, standardised
from bot.core.ports import AdmittedPassages, Similarities, TermCounts
from bot.core.retrieve import Fusion, Query, Ranking, ReadPart, Straddling, query_for, rank, read_part
from bot.core.terms import term_id

SCORES = st.lists(st.floats(-1, 1), min_size=1, max_size=20).map(np.array)


def part(
    similarity: list[float], counts: list[list[float]] | None = None, bodies: list[bool] | None = None
) -> ReadPart:
    n = len(similarity)
    return ReadPart(
        np.arange(n, dtype=np.int32),
        np.array([True] * n if bodies is None else bodies, dtype=np.bool_),
        np.array(similarity, dtype=np.float64),
        np.zeros((n, 0)) if counts is None else np.array(counts, dtype=np.float64),
        np.full(n, 100.0),
    )


def query(terms: int = 0, names: frozenset[int] = frozenset(), latest: bool = False) -> Query:
    return Query("?", {index + 1: 1.0 for index in range(terms)}, names, latest)


def order(found: ReadPart, asked: Query, **ranking: object) -> list[int]:
    return [c.ordinal for c in rank(found, asked, len(found), Ranking(**ranking))]  # type: ignore[arg-type]


def test_bm25_is_the_published_formula() -> None:
    counts, lengths = np.array([[2.0], [0.0], [0.0]]), np.array([100.0, 50.0, 150.0])
    idf = np.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert bm25(counts, lengths, np.array([1.0])) == pytest.approx([idf * 2 * 2.2 / (2 + 1.2), 0, 0])


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    counts = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    scores = bm25(counts, np.full(4, 10.0), np.ones(2))
    assert scores[1] > scores[0] > 0


def test_a_missing_score_counts_as_the_mean() -> None:
    assert standardised(np.array([1.0, np.nan, 3.0])) == pytest.approx([-1, 0, 1])


def test_equal_scores_say_nothing() -> None:
    assert standardised(np.array([0.5, 0.5])).tolist() == [0, 0]


def test_a_neighbour_lends_a_share_of_its_score() -> None:
    follows = np.array([False, True, False])
    assert smoothed(np.array([1.0, 0.0, 1.0]), follows, 0.3) == pytest.approx([1.0, 0.3, 1.0])


def test_reciprocal_ranks_leave_out_what_was_not_found() -> None:
    assert reciprocal_ranks(np.array([0.1, np.nan, 0.9])) == pytest.approx([1 / 62, 0, 1 / 61])


def test_both_searches_have_a_say() -> None:
    found = part([0.9, 0.1, 0.8], [[0], [2], [3]])
    assert order(found, query(1), neighbour_weight=0.0)[0] == 2
    assert order(found, query(1), fusion=Fusion.RRF)[0] == 2


def test_text_alone_ranks_where_no_vector_is_stored_yet() -> None:
    assert order(part([np.nan] * 3, [[0], [0], [2]]), query(1), neighbour_weight=0.0)[0] == 2


def test_of_equal_passages_the_earlier_comes_first() -> None:
    assert order(part([0.4] * 5), query()) == [0, 1, 2, 3, 4]


def test_sealed_matter_lends_nothing_to_the_body() -> None:
    found = part([0.0, 1.0, 0.0, 0.0], bodies=[True, False, True, True])
    assert found.follows.tolist() == [False, False, False, True]


def test_nothing_read_gives_nothing() -> None:
    assert rank(part([]), query(), 8) == ()


def test_a_question_about_now_begins_with_the_newest_passages_of_the_body() -> None:
    found = part([0.9, 0.0, 0.0, 0.0, 0.8], bodies=[True, True, True, True, False])
    candidates = rank(found, query(latest=True), 4, Ranking(neighbour_weight=0.0))
    assert [c.ordinal for c in candidates] == [3, 2, 1, 0]
    assert ["latest" in c.found_by for c in candidates] == [True, True, True, False]


def test_each_candidate_says_what_found_it() -> None:
    found = part([0.9, np.nan, 0.2], [[0, 0], [1, 0], [0, 2]])
    said = {c.ordinal: c.found_by for c in rank(found, query(2, names=frozenset({2})), 3)}
    assert said == {0: ("vector",), 1: ("text",), 2: ("vector", "text", "name")}


@settings(max_examples=60, deadline=None)
@given(SCORES, st.integers(1, 25))
def test_every_passage_is_ranked_once_and_the_best_first(similarity: np.ndarray, limit: int) -> None:
    candidates = rank(part(similarity.tolist()), query(), limit)
    assert len({c.ordinal for c in candidates}) == min(limit, len(similarity)) == len(candidates)
    assert all(a.score >= b.score - 1e-9 for a, b in pairwise(candidates))


def admitted(*ordinals: int) -> AdmittedPassages:
    own = np.array(ordinals, dtype=np.int32)
    return AdmittedPassages(own, own * 0, own * 0, own >= 0, own, own + 1, own + 1, own * 0 + 100)


def test_rows_of_the_door_are_joined_by_ordinal() -> None:
    asked = query(2)
    nearest = Similarities(np.array([7], dtype=np.int32), np.array([0.5], dtype=np.float32))
    matching = [TermCounts(2, np.array([3, 7], dtype=np.int32), np.array([1, 2], dtype=np.float32))]
    found = read_part(asked, admitted(3, 7), nearest, matching)
    assert found.counts.tolist() == [[0, 1], [0, 2]]
    assert np.isnan(found.similarity[0])
    assert found.similarity[1] == 0.5


def test_the_straddling_passage_is_one_more_row_at_its_place() -> None:
    live = Straddling(5, {1: 4}, 30)
    nearest = Similarities(np.array([3, 5], dtype=np.int32), np.array([0.5, 0.25], dtype=np.float32))
    found = read_part(query(1), admitted(3, 4), nearest, [], live)
    assert found.ordinals.tolist() == [3, 4, 5]
    assert found.counts[:, 0].tolist() == [0, 0, 4]
    assert found.lengths[2] == 30
    assert found.similarity[[0, 2]].tolist() == [0.5, 0.25]
    assert np.isnan(read_part(query(1), admitted(3, 4), None, [], live).similarity[2])


def test_arrays_that_do_not_fit_together_are_an_error() -> None:
    with pytest.raises(ValueError, match="fit together"):
        ReadPart(np.arange(2, dtype=np.int32), np.ones(1, bool), np.zeros(2), np.zeros((2, 0)), np.ones(2))
    with pytest.raises(ValueError, match="text order"):
        ReadPart(np.array([1, 0]), np.ones(2, bool), np.zeros(2), np.zeros((2, 0)), np.ones(2))


def test_a_query_keeps_corrected_names_apart() -> None:
    asked = query_for("what does holms want", "en", ["Holmes"])
    assert asked.names == {term_id("holm")}
    assert asked.names < asked.terms.keys()


def test_a_query_knows_a_question_about_now() -> None:
    assert query_for("What is happening now?", "en").latest
    assert not query_for("Who is Ana?", "en").latest
