"""Windows cover a text, fit the model, and are decided from the left."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.models import windows
from bot.adapters.models.minilm import minilm
from bot.adapters.models.onnx import HARD_LIMIT, OnnxEmbedder
from bot.core.offsets import Span

EMBEDDER = OnnxEmbedder(minilm(), window_tokens=32)
TOKENISER = minilm().tokenizer()

_pieces = st.sampled_from(
    [
        "The", "dog", "did", "nothing", "Mr.", "Holmes", "said", "unbelievable", "unbeliev", "don’t", "“Come!”",
        "stop.",         "Why?", "…", "\n", "\n\n", " ", "  ", "\u00a0", "\u2060", "é",
        "e\u0301", "가각힣", "寒い。", "「待て」", "тайна", "🐕🐕",
        "disproportionately", "antidisestablishmentarianism", "x" * 70, "ㅋ" * 40, "!", "—", "\ufdfa", "1,234.5",
    ]
)  # fmt: skip
texts = st.one_of(
    st.lists(_pieces, max_size=90).map(" ".join),
    st.lists(_pieces, max_size=90).map("".join),
    st.text(max_size=300),
)


def lengths(text: str, spans: list[Span]) -> list[int]:
    return [len(TOKENISER.encode(span.of(text), add_special_tokens=False).ids) for span in spans]


def covers(text: str, spans: list[Span]) -> bool:
    return "".join(span.of(text) for span in spans) == text and all(map(len, spans))


@settings(max_examples=60, deadline=None)
@given(texts)
def test_windows_cover_all_of_a_text_in_order_and_each_fits(text: str) -> None:
    spans = EMBEDDER.windows(text)
    assert covers(text, spans)
    assert max(lengths(text, spans), default=0) <= 32


@settings(max_examples=80, deadline=None)
@given(texts, st.data())
def test_the_windows_of_a_beginning_are_the_windows_of_the_whole_but_for_the_last(
    text: str, data: st.DataObject
) -> None:
    beginning = text[: data.draw(st.integers(0, len(text)))]
    whole = EMBEDDER.windows(text)
    part = EMBEDDER.windows(beginning)
    assert part[:-1] == whole[: max(0, len(part) - 1)]


@settings(max_examples=60, deadline=None)
@given(texts, st.data())
def test_windows_of_estimated_size_keep_the_same_two_promises(text: str, data: st.DataObject) -> None:
    spans = windows.cut(text, windows.estimated_units(text), 32)
    assert covers(text, spans)
    beginning = text[: data.draw(st.integers(0, len(text)))]
    part = windows.cut(beginning, windows.estimated_units(beginning), 32)
    assert part[:-1] == spans[: max(0, len(part) - 1)]


def test_a_window_ends_with_a_sentence_where_one_ends_in_its_second_half() -> None:
    text = "The dog slept by the door of the old stable. " * 6
    assert {span.of(text)[-2:] for span in EMBEDDER.windows(text)} == {". "}


def test_a_title_before_a_name_is_no_end_of_a_sentence() -> None:
    text = "It was late and the night was cold. Then at last Mr. Straker came to us. " * 4
    assert {span.of(text)[-6:] for span in EMBEDDER.windows(text)} == {"cold. ", "to us. "[-6:]}


def test_without_sentence_ends_a_window_ends_at_white_space() -> None:
    text = "and the dog and the horse and the sheep " * 10
    spans = EMBEDDER.windows(text)
    assert len(spans) > 2
    assert all(span.of(text)[-1] == " " for span in spans)


def test_without_white_space_a_window_ends_anywhere() -> None:
    text = "antidisestablishmentarianism" * 20
    spans = EMBEDDER.windows(text)
    assert covers(text, spans)
    assert max(lengths(text, spans)) <= 32


def test_a_short_text_is_one_window_and_an_empty_one_none() -> None:
    assert EMBEDDER.windows("Who stole Silver Blaze?") == [Span(0, 23)]
    assert EMBEDDER.windows(" \n ") == [Span(0, 3)]
    assert EMBEDDER.windows("") == []


def test_windows_of_the_usual_size_use_most_of_it() -> None:
    text = "The inspector looked about him with surprise, and the trainer said nothing at all. " * 60
    found = lengths(text, OnnxEmbedder(minilm()).windows(text))
    assert max(found) <= HARD_LIMIT
    assert min(found[:-1]) >= 180


def test_a_window_too_small_or_too_large_for_the_model_is_an_error() -> None:
    for tokens in (windows.LEAST_TOKENS - 1, HARD_LIMIT + 1):
        with pytest.raises(ValueError, match="a window takes"):
            OnnxEmbedder(minilm(), window_tokens=tokens)
    with pytest.raises(ValueError, match="at least"):
        windows.cut("text", [], windows.LEAST_TOKENS - 1)
