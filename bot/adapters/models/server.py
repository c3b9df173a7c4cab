"""Embedding on a server near by: Ollama (``/api/embed``) or any that speaks OpenAI's ``/v1/embeddings``.

One text a request, one request at a time: servers pack what arrives together into one batch, and a vector must
be a function of its own text alone. Book text is sent to that server and to none other: the proxy settings of the
environment are not used.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

from bot.adapters.models import windows
from bot.core.errors import Unavailable
from bot.core.offsets import Span
from bot.core.ports import EmbeddingModel, Vectors

MOST_BYTES = 8 << 20
"""Of an answer; a vector of 8,192 numbers takes about 200 KB."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where the server is and what to ask it for; ``from_setting`` reads it out of one URL."""

    host: str
    port: int
    path: str
    name: str
    secure: bool = False
    token: str | None = None
    question_prefix: str = ""
    passage_prefix: str = ""

    @property
    def is_ollama(self) -> bool:
        return self.path.endswith("/api/embed")

    @property
    def address(self) -> str:
        """For messages: without the token."""
        return f"{'https' if self.secure else 'http'}://{self.host}:{self.port}{self.path}"

    @classmethod
    def from_setting(cls, setting: str) -> Server:
        """Read ``http://[:TOKEN@]HOST[:PORT][/PATH]?model=NAME[&query=PREFIX][&passage=PREFIX]``.

        PATH is ``/api/embed`` (Ollama; the default) or ``/v1/embeddings``. Raises ``Unavailable`` for anything else.
        """
        wrong = Unavailable(
            "DOGEAR_EMBEDDER names no embedding server; write it as http://localhost:11434/api/embed?model=NAME "
            "(Ollama) or http://localhost:8080/v1/embeddings?model=NAME."
        )
        try:
            parts = urlsplit(setting)
            port, options = parts.port, parse_qs(parts.query, keep_blank_values=True)
        except ValueError:
            raise wrong from None
        path = {"": "/api/embed", "/v1": "/v1/embeddings"}.get(parts.path.rstrip("/"), parts.path.rstrip("/"))
        name = options.get("model", [""])[0]
        if not parts.hostname or not name or not path.endswith(("/api/embed", "/embeddings")):
            raise wrong
        secure = parts.scheme == "https"
        return cls(
            host=parts.hostname,
            port=port or (443 if secure else 11434 if path == "/api/embed" else 80),
            path=path,
            name=name,
            secure=secure,
            token=unquote(parts.password) if parts.password else None,
            question_prefix=options.get("query", [""])[0],
            passage_prefix=options.get("passage", [""])[0],
        )


class ServerEmbedder:
    """An ``Embedder``. ``timeout`` (seconds) bounds each request as a whole. Raises ``Unavailable`` when one fails."""

    def __init__(self, server: Server, *, window_tokens: int = windows.DEFAULT_TOKENS, timeout: float = 30.0) -> None:
        self._server = server
        self._window_tokens = window_tokens
        self._timeout = timeout
        self._lock = threading.Lock()
        self._model: EmbeddingModel | None = None

    @property
    def model(self) -> EmbeddingModel:
        """What is stored with every vector; asks the server once, for a vector and (Ollama) for the model's digest."""
        if self._model is None:
            shape = "ollama" if self._server.is_ollama else "openai"
            name = f"{shape}:{self._server.name}"
            fingerprint = self._digest() or hashlib.sha256(name.encode()).hexdigest()
            self._model = EmbeddingModel(name, len(self._vector("dimension")), fingerprint)
        return self._model

    @property
    def languages(self) -> None:
        """None: what a server's model was made for is not known here."""

    def suits(self, language: str) -> bool:
        """True: what a server's model was made for is not known here."""
        return True

    def windows(self, text: str) -> list[Span]:
        """Spans of about ``window_tokens`` tokens, estimated from the size of the words."""
        return windows.cut(text, windows.estimated_units(text), self._window_tokens)

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Unit vectors, float32, shape ``(len(windows), dimension)``, in order."""
        vectors = [self._vector(self._server.passage_prefix + text) for text in windows]
        return np.stack(vectors) if vectors else np.zeros((0, self.model.dimension), dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        """The unit vector of a question, float32, shape ``(dimension,)``."""
        return self._vector(self._server.question_prefix + question)

    def _vector(self, text: str) -> Vectors:
        body: dict[str, Any] = {"model": self._server.name, "input": text.encode(errors="replace").decode()}
        if self._server.is_ollama:
            body["truncate"] = False  # an error is better than text that nobody read
        answer = self._exchange("POST", self._server.path, json.dumps(body).encode())
        try:
            numbers = answer["embeddings"][0] if self._server.is_ollama else answer["data"][0]["embedding"]
            vector = np.array(numbers, dtype=np.float64)
            length = math.sqrt(float(np.square(vector).sum()))
        except (KeyError, IndexError, TypeError, ValueError):
            raise self._unusable("its answer holds no vector") from None
        if vector.ndim != 1 or not 0 < length < math.inf:
            raise self._unusable("its answer holds no usable vector")
        if self._model is not None and len(vector) != self._model.dimension:
            raise self._unusable("its vectors have changed their length")
        return (vector / length).astype(np.float32)

    def _digest(self) -> str | None:
        """The digest that Ollama lists for the model; None elsewhere."""
        if not self._server.is_ollama:
            return None
        listed = self._exchange("GET", self._server.path.removesuffix("embed") + "tags", None)
        for each in listed.get("models", []):
            if each.get("name") in (self._server.name, f"{self._server.name}:latest"):
                return str(each.get("digest", "")).removeprefix("sha256:") or None
        return None

    def _exchange(self, method: str, path: str, body: bytes | None) -> Any:
        with self._lock:
            status, data = self._send(method, path, body)
        if status != http.client.OK:
            raise self._unusable(f"it answered with status {status}")
        try:
            return json.loads(data)
        except ValueError:
            raise self._unusable("its answer is not JSON") from None

    def _send(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Status and body of one request, on a connection of its own; bounded as a whole, however slowly bytes come."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._server.token:
            headers["Authorization"] = f"Bearer {self._server.token}"
        kind = http.client.HTTPSConnection if self._server.secure else http.client.HTTPConnection
        connection = kind(self._server.host, self._server.port, timeout=self._timeout)
        overdue = threading.Event()
        timer = threading.Timer(self._timeout, _end, (connection, overdue))
        timer.daemon = True
        timer.start()
        status, data, slow = 0, b"", False
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            status, data = response.status, response.read(MOST_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            slow = isinstance(error, TimeoutError)
        finally:
            timer.cancel()
            connection.close()
        if slow or overdue.is_set():
            raise self._unusable(f"it did not answer within {self._timeout:g} seconds")
        if status == 0:
            raise self._unusable("it cannot be reached")
        if len(data) > MOST_BYTES:
            raise self._unusable("its answer is too long")
        return status, data

    def _unusable(self, why: str) -> Unavailable:
        return Unavailable(
            f"The embedding server {self._server.address} cannot be used, for {why}; start it and check that it has "
            f"the model {self._server.name}, or change DOGEAR_EMBEDDER."
        )


def _end(connection: http.client.HTTPConnection, overdue: threading.Event) -> None:
    """Wake whoever waits on the connection."""
    overdue.set()
    sock = connection.sock
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
