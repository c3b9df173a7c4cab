"""The common recipe, reimplemented: its chunks, its boundary, its ranking."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.core.offsets import Span
from bot.measure.baselines import cuts, recipe_for, trigrams
from tests.fakes.embedder import HashEmbedder

FILLER = "Rain fell on the pier and the boats lay still in the harbour until morning came again. " * 60


@given(st.text(alphabet="ab ", max_size=400), st.integers(0, 50))
def test_chunks_cover_the_body_overlap_and_never_leave_it(text: str, start: int) -> None:
    body = Span(min(start, len(text)), len(text))
    spans = cuts(text, body, chunk=40, overlap=10)
    assert {at for span in spans for at in range(span.start, span.end)} == set(range(body.start, body.end))
    assert all(len(span) <= 40 for span in spans)
    assert all(later.start < earlier.end for earlier, later in pairwise(spans))


def test_chunks_are_of_800_tokens_and_end_at_spaces() -> None:
    spans = cuts(FILLER, Span(0, len(FILLER)))
    assert 3100 <= len(spans[0]) <= 3200
    assert FILLER[spans[0].end] == " "
    assert 300 <= spans[0].end - spans[1].start <= 400


def test_the_chunk_that_answers_comes_first() -> None:
    text = FILLER + "The lighthouse keeper buried a compass under the hearth. " + FILLER
    recipe = recipe_for(text, Span(0, len(text)), "en", HashEmbedder())
    for trigram in (False, True):
        (best, *_) = recipe.top("Where was the compass of the lighthouse keeper buried?", len(text), trigram=trigram)
        assert "compass" in best.of(text)


def test_nothing_behind_the_boundary_is_found_and_the_chunk_on_it_is_cut_there() -> None:
    text = FILLER + "The lighthouse keeper buried a compass under the hearth. " + FILLER
    boundary = text.index("compass")
    recipe = recipe_for(text, Span(0, len(text)), "en", HashEmbedder())
    found = recipe.top("Where was the compass of the lighthouse keeper buried?", boundary)
    assert max(span.end for span in found) == boundary
    assert recipe.top("Where?", 0) == ()


def test_unread_text_has_no_say_in_the_order() -> None:
    shared = FILLER + "A compass lay under the hearth. " + FILLER
    boundary = len(shared)
    books = [shared + "compass hearth " * 200, shared + FILLER]
    found = [recipe_for(t, Span(0, len(t)), "en", None).top("compass hearth", boundary) for t in books]
    assert found[0] == found[1]


def test_trigrams_are_those_of_pg_trgm() -> None:
    # select show_trgm('Cat a')
    assert trigrams("Cat a") == {"  c", " ca", "cat", "at ", "  a", " a "}
