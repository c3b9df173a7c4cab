"""A cross-encoder, run by fastembed from a folder and without a network."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.models.choose import reranker_from
from bot.adapters.models.reranker import CrossEncoder
from bot.core.errors import Unavailable
from bot.core.ports import Reranker
from tests.adapters.models.tiny_models import cross_encoder

QUESTION = "Who stole Silver Blaze?"
PASSAGES = ["The lame sheep.", "Straker stole Silver Blaze at night.", "The silver knife.", ""]


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("_no_network")
def test_passages_that_answer_score_higher(tmp_path: Path) -> None:
    reranker = reranker_from(str(cross_encoder(tmp_path / "tiny")))
    assert reranker is not None
    assert reranker.rerank(QUESTION, PASSAGES) == [0.0, 3.0, 1.0, 0.0]


@pytest.mark.usefixtures("_no_network")
def test_a_score_does_not_depend_on_the_other_passages(tmp_path: Path) -> None:
    port: Reranker = CrossEncoder(str(cross_encoder(tmp_path / "tiny")))
    together = port.rerank(QUESTION, PASSAGES)
    assert [port.rerank(QUESTION, [passage])[0] for passage in PASSAGES] == together
    assert port.rerank(QUESTION, PASSAGES[::-1]) == together[::-1]
    assert port.rerank(QUESTION, []) == []


@pytest.mark.usefixtures("_no_network")
def test_two_folders_and_the_same_folder_twice_live_side_by_side(tmp_path: Path) -> None:
    folders = [cross_encoder(tmp_path / name) for name in ("one", "two")]
    scores = [CrossEncoder(str(folder)).rerank(QUESTION, PASSAGES) for folder in [*folders, folders[0]]]
    assert scores[0] == scores[1] == scores[2]


@pytest.mark.usefixtures("_no_network")
def test_weights_may_lie_where_the_hub_keeps_them(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "tiny")
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx/model.onnx")
    assert CrossEncoder(str(folder)).rerank(QUESTION, PASSAGES)[1] == 3.0


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_folder_that_lacks_a_file_says_which(tmp_path: Path, name: str) -> None:
    folder = cross_encoder(tmp_path / "tiny")
    (folder / name).unlink()
    with pytest.raises(Unavailable, match=f"has no {name}; put it there, or unset DOGEAR_RERANKER"):
        CrossEncoder(str(folder))


def test_a_folder_that_is_not_there_is_not_looked_for_on_a_hub(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"has no model\.onnx"):
        CrossEncoder(str(tmp_path / "nowhere"))


def test_broken_weights_and_unknown_names_say_what_to_set(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "tiny")
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(Unavailable, match="cannot be used; set DOGEAR_RERANKER to a folder"):
        CrossEncoder(str(folder)).rerank(QUESTION, PASSAGES)
    with pytest.raises(Unavailable, match="no/such-cross-encoder cannot be loaded; set DOGEAR_RERANKER"):
        CrossEncoder("no/such-cross-encoder").rerank(QUESTION, PASSAGES)


def test_a_missing_extra_says_what_to_install() -> None:
    with pytest.raises(Unavailable, match="pip install 'fastembed"):
        CrossEncoder("anything", package="no_such_reranker")
