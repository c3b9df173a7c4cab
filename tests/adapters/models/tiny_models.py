"""Tiny ONNX models, made by the tests: real files for real libraries, with arithmetic that one can follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model

WORDS = """
the dog did not bark at night who stole silver blaze horse trainer straker knife lame sheep
moor a of in and was it query passage
"""
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *WORDS.split(), ".", ",", "?", ":"]


def _save(path: Path, inputs: list[str], nodes: list[Any], constants: dict[str, Any], output: tuple[str, int]) -> None:
    name, rank = output
    axes: list[str | int] = ["batch", "sequence", "width"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(each, TensorProto.INT64, ["batch", "sequence"]) for each in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, axes[:rank])],
        [numpy_helper.from_array(np.asarray(value), key) for key, value in constants.items()],
    )
    save_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))


def write_vocabulary(folder: Path) -> None:
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")


def embedding_model(folder: Path, *, dimension: int = 8, quantised: bool = False, pooled: bool = False) -> Path:
    """A model folder: every token has its own vector, and the state of a token is that vector.

    ``quantised``: activations are rounded to 8 bits over the whole tensor, so a batch changes each text's numbers.
    ``pooled``: the model pools by itself (a sum) and calls the output ``sentence_embedding``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = np.random.default_rng(7).normal(size=(len(VOCABULARY), dimension)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"])]
    output = ("states", 3)
    if quantised:
        nodes = [
            helper.make_node("Gather", ["table", "input_ids"], ["raw"]),
            helper.make_node("DynamicQuantizeLinear", ["raw"], ["small", "scale", "zero"]),
            helper.make_node("DequantizeLinear", ["small", "scale", "zero"], ["states"]),
        ]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", ["states", "axis"], ["sentence_embedding"], keepdims=0))
        output = ("sentence_embedding", 2)
    _save(
        folder / "model.onnx",
        ["input_ids"],
        nodes,
        {"table": table, **({"axis": np.array([1], dtype=np.int64)} if pooled else {})},
        output,
    )
    write_vocabulary(folder)
    return folder


def cross_encoder(folder: Path) -> Path:
    """A cross-encoder folder. The score of a pair is the number of pairs of equal words, one in each of its halves."""
    from tokenizers import BertWordPieceTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    table = np.eye(len(VOCABULARY), dtype=np.float32)
    table[: len(SPECIAL)] = 0.0
    _save(
        folder / "model.onnx",
        ["input_ids", "attention_mask", "token_type_ids"],
        [
            helper.make_node("Gather", ["table", "input_ids"], ["states"]),
            helper.make_node("Mul", ["token_type_ids", "attention_mask"], ["second"]),
            helper.make_node("Cast", ["second"], ["second_number"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["second_number", "last"], ["in_passage"]),
            helper.make_node("Sub", ["one", "in_passage"], ["in_question"]),
            helper.make_node("Mul", ["states", "in_question"], ["question_words"]),
            helper.make_node("Mul", ["states", "in_passage"], ["passage_words"]),
            helper.make_node("ReduceSum", ["question_words", "middle"], ["question"], keepdims=0),
            helper.make_node("ReduceSum", ["passage_words", "middle"], ["passage"], keepdims=0),
            helper.make_node("Mul", ["question", "passage"], ["shared"]),
            helper.make_node("ReduceSum", ["shared", "middle"], ["logits"], keepdims=1),
        ],
        {
            "table": table,
            "one": np.float32(1.0),
            "last": np.array([-1], dtype=np.int64),
            "middle": np.array([1], dtype=np.int64),
        },
        ("logits", 2),
    )
    vocabulary = {token: number for number, token in enumerate(VOCABULARY)}
    BertWordPieceTokenizer(vocabulary, lowercase=True).save(str(folder / "tokenizer.json"))
    config = {"model_max_length": 128, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder
