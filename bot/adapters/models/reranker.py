"""Reranking with a cross-encoder, by fastembed (extra ``rerank``), its weights from a folder or from a model hub.

A folder holds ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and ``tokenizer_config.json``; nothing is
then fetched. A name ("Xenova/ms-marco-MiniLM-L-6-v2") is one of fastembed's and is downloaded at first use.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.core.errors import Unavailable, pip_install

PACKAGE = "fastembed>=0.7,<1"
_INSTALL = f"Reranking is not installed; run: {pip_install(PACKAGE)}, or unset DOGEAR_RERANKER."
_REGISTRATION = threading.Lock()


class CrossEncoder:
    """A ``Reranker``. Loaded at first use; may be used from any number of threads.

    ``source`` is a folder or a name; it is a folder if there is one, or if it is written as a path (``./x``, ``/x``,
    ``~/x``). Raises ``Unavailable``.
    """

    def __init__(self, source: str, *, threads: int | None = None, package: str = "fastembed") -> None:
        if find_spec(package) is None:
            raise Unavailable(_INSTALL)
        path = Path(source).expanduser()
        self._source = source
        self._folder = path if path.is_dir() or source.startswith((".", "/", "~")) or path.is_absolute() else None
        self._file = _checked(self._folder) if self._folder else ""
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: Any = None

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, higher is closer. Each is read with the question alone, in no batch."""
        if not passages:
            return []
        try:
            scores = self._encoder().rerank(question, list(passages), batch_size=1)
            return [float(score) for score in scores]
        except Unavailable:
            raise
        except Exception as error:  # fastembed lets through whatever its libraries raise
            raise self._broken() from error

    def _encoder(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> Any:
        try:
            from fastembed.rerank.cross_encoder import TextCrossEncoder
        except ImportError as error:
            raise Unavailable(_INSTALL) from error
        try:
            if self._folder is None:
                return TextCrossEncoder(self._source, threads=self._threads)
            return TextCrossEncoder(
                _registered(TextCrossEncoder, self._folder, self._file),
                threads=self._threads,
                specific_model_path=str(self._folder),
            )
        except Exception as error:
            raise self._broken() from error

    def _broken(self) -> Unavailable:
        if self._folder is not None:
            return Unavailable(
                f"The reranker in {self._folder} cannot be used; set DOGEAR_RERANKER to a folder with a cross-encoder "
                "(model.onnx, tokenizer.json, tokenizer_config.json), or unset it."
            )
        return Unavailable(
            f"The reranker {self._source} cannot be loaded; set DOGEAR_RERANKER to a folder, or to a cross-encoder "
            "that fastembed knows while the machine is online, or unset it."
        )


def _checked(folder: Path) -> str:
    """The weights' file name inside ``folder``; ``Unavailable`` when something is missing."""
    weights = next((name for name in ("model.onnx", "onnx/model.onnx") if (folder / name).is_file()), None)
    missing = [name for name in ("tokenizer.json", "tokenizer_config.json") if not (folder / name).is_file()]
    if weights is None:
        missing.insert(0, "model.onnx")
    if missing or weights is None:
        raise Unavailable(f"The reranker folder {folder} has no {missing[0]}; put it there, or unset DOGEAR_RERANKER.")
    return weights


def _registered(encoder: Any, folder: Path, file: str) -> str:
    """The name under which fastembed knows the folder: its registry is one for the whole process."""
    from fastembed.common.model_description import ModelSource

    name = f"dogear/{hashlib.sha256(f'{folder.resolve()}/{file}'.encode()).hexdigest()}"
    with _REGISTRATION:
        if not any(each["model"] == name for each in encoder.list_supported_models()):
            encoder.add_custom_model(name, sources=ModelSource(hf=name), model_file=file)
    return name
