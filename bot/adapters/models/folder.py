"""An embedding model in a folder of the host's own, laid out as on the Hugging Face hub.

::

    model.onnx or onnx/model.onnx       the weights (and the model.onnx_data beside them)
    tokenizer.json or vocab.txt         the tokeniser; vocab.txt is BERT's WordPiece
    config.json                         hidden_size, max_position_embeddings; our own keys pooling ("mean" or "cls"),
                                        query_prefix, passage_prefix and languages (["en", ...])
    1_Pooling/config.json               read for pooling where config.json does not say
    config_sentence_transformers.json   read for the prefixes ("prompts") where config.json does not say
    sentence_bert_config.json           max_seq_length
    tokenizer_config.json               do_lower_case, for vocab.txt

All but the first two may be missing.
"""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.adapters.models.minilm import wordpiece
from bot.adapters.models.onnx import HARD_LIMIT, OnnxModel
from bot.core.errors import Unavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LEAST_LIMIT = 64
_CONFIGURATIONS = (
    "config.json",
    "1_Pooling/config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
)


def folder_model(folder: Path) -> OnnxModel:
    """The model in ``folder``. Raises ``Unavailable`` when a file is missing or cannot be used."""
    if not folder.is_dir():
        raise Unavailable(
            f"There is no model folder {folder}; set DOGEAR_EMBEDDER to a folder with model.onnx "
            "and tokenizer.json or vocab.txt, or unset it."
        )
    weights = _first(folder, "model.onnx", "onnx/model.onnx")
    words = _first(folder, "tokenizer.json", "vocab.txt")
    if weights is None or words is None:
        missing = "model.onnx" if weights is None else "tokenizer.json or vocab.txt"
        raise Unavailable(f"The model folder {folder} has no {missing}; put it there, or unset DOGEAR_EMBEDDER.")
    config, pooling, prompts, sentence, tokens = (_json(folder / name) for name in _CONFIGURATIONS)
    named = prompts.get("prompts")
    prompts = named if isinstance(named, dict) else {}
    languages = config.get("languages")
    try:
        return OnnxModel(
            name=folder.resolve().name,
            weights=weights,
            tokenizer=_tokenizer(words, lowercase=bool(tokens.get("do_lower_case", True))),
            fingerprint=_fingerprint(folder, weights, words),
            dimension=operator.index(config["hidden_size"]) if "hidden_size" in config else None,
            pooling=_pooling(folder, config, pooling),
            question_prefix=str(config.get("query_prefix", prompts.get("query", ""))),
            passage_prefix=str(config.get("passage_prefix", prompts.get("passage", prompts.get("document", "")))),
            limit=_limit(folder, config, sentence),
            languages=frozenset(map(str, languages)) if languages else None,
        )
    except (TypeError, ValueError) as error:
        raise Unavailable(
            f"The configuration files of the model folder {folder} hold a value of the wrong kind: mend them, or unset "
            "DOGEAR_EMBEDDER."
        ) from error


def _first(folder: Path, *names: str) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Unavailable(f"{path} is not readable JSON; mend or remove it, or unset DOGEAR_EMBEDDER.") from error
    return content if isinstance(content, dict) else {}


def _pooling(folder: Path, config: dict[str, Any], pooling: dict[str, Any]) -> Any:
    named = {"mean": pooling.get("pooling_mode_mean_tokens"), "cls": pooling.get("pooling_mode_cls_token")}
    wanted = config.get("pooling") or next((name for name, chosen in named.items() if chosen), None)
    if wanted is None and not any(pooling.values()):
        return "mean"
    if wanted not in named:
        raise Unavailable(f'The model in {folder} asks for a pooling that is not known here; use "mean" or "cls".')
    return wanted


def _limit(folder: Path, config: dict[str, Any], sentence: dict[str, Any]) -> int:
    """Tokens of text that the model reads, two special ones taken off."""
    stated = [int(n) for n in (sentence.get("max_seq_length"), config.get("max_position_embeddings")) if n]
    limit = min([HARD_LIMIT, *(n - 2 for n in stated)])
    if limit < _LEAST_LIMIT:
        raise Unavailable(
            f"The model in {folder} reads only {limit} tokens; use one that reads {_LEAST_LIMIT} or more."
        )
    return limit


def _tokenizer(path: Path, *, lowercase: bool) -> Callable[[], Tokenizer]:
    def read() -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            if path.suffix == ".txt":
                return wordpiece(path.read_text(encoding="utf-8"), lowercase=lowercase)
            return Tokenizer.from_file(str(path))
        except Exception as error:  # tokenizers raises bare Exception
            raise Unavailable(
                f"{path} is not a tokeniser that can be read; replace it, or unset DOGEAR_EMBEDDER."
            ) from error

    return read


def _fingerprint(folder: Path, weights: Path, words: Path) -> Callable[[], str]:
    """One sha256 over the sha256 of every file that has a part in the vectors."""

    def compute() -> str:
        beside = sorted(path for path in weights.parent.glob(f"{weights.name}*") if path.is_file())
        known = [folder / name for name in _CONFIGURATIONS if (folder / name).is_file()]
        whole = hashlib.sha256()
        for path in [*beside, words, *known]:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        return whole.hexdigest()

    return compute
