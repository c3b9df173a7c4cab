"""An embedding server, spoken to over a real socket; the server is the test's own."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from bot.adapters.models.choose import embedder_from
from bot.adapters.models.server import Server, ServerEmbedder
from bot.core.errors import Unavailable

DIGEST = "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"


def vector_of(text: str) -> list[float]:
    return [3.0, 0.0, 4.0] if "dog" in text else [0.0, 2.0, float(len(text) % 7)]


class Stub:
    """A server of both shapes. ``answer`` may be replaced to misbehave; ``seen`` holds (path, headers, body)."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.answer: Callable[[http.server.BaseHTTPRequestHandler], None] | None = None
        self.port = 0

    def reply(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        if path == "/api/tags":
            return {"models": [{"name": "other:1b", "digest": "ff"}, {"name": "tiny:latest", "digest": DIGEST}]}
        if path == "/api/embed":
            return {"model": body["model"], "embeddings": [vector_of(body["input"])]}
        return {"object": "list", "data": [{"index": 0, "embedding": vector_of(body["input"])}]}


@contextmanager
def running(stub: Stub) -> Iterator[Stub]:
    class Respond(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            stub.seen.append((self.path, dict(self.headers), body))
            if stub.answer:
                stub.answer(self)
                return
            send(self, json.dumps(stub.reply(self.path, body)).encode())

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Respond) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        stub.port = server.server_port
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join()


def send(handler: http.server.BaseHTTPRequestHandler, body: bytes, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running(Stub()) as found:
        yield found


def ollama(stub: Stub, **options: Any) -> ServerEmbedder:
    return ServerEmbedder(Server.from_setting(f"http://127.0.0.1:{stub.port}?model=tiny"), **options)


def test_ollama_gives_unit_vectors_and_its_digest(stub: Stub) -> None:
    embedder = ollama(stub)
    assert (embedder.model.name, embedder.model.dimension, embedder.model.sha256) == ("ollama:tiny", 3, DIGEST)
    vectors = embedder.embed_passages(["The dog slept.", "Nobody came."])
    assert vectors.dtype == np.float32
    assert np.abs(vectors[0] - [0.6, 0.0, 0.8]).max() < 1e-7
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
    assert embedder.embed_question("a dog?").tobytes() == vectors[0].tobytes()


def test_every_text_is_asked_for_alone_and_never_cut(stub: Stub) -> None:
    ollama(stub).embed_passages(["The dog slept.", "Nobody came."])
    assert [(path, body) for path, _, body in stub.seen] == [
        ("/api/embed", {"model": "tiny", "input": "The dog slept.", "truncate": False}),
        ("/api/embed", {"model": "tiny", "input": "Nobody came.", "truncate": False}),
    ]


def test_an_openai_server_gets_prefixes_and_a_token_that_no_message_shows(stub: Stub) -> None:
    setting = f"http://:s%2Fecret@127.0.0.1:{stub.port}/v1?model=bge&query=query:%20&passage=passage:%20"
    embedder = embedder_from(setting)
    assert embedder is not None
    assert (embedder.model.name, embedder.model.dimension) == ("openai:bge", 3)
    embedder.embed_question("Who?")
    embedder.embed_passages(["The dog."])
    assert [body["input"] for _, _, body in stub.seen[-2:]] == ["query: Who?", "passage: The dog."]
    assert {(path, headers["Authorization"]) for path, headers, _ in stub.seen} == {
        ("/v1/embeddings", "Bearer s/ecret")
    }
    stub.answer = lambda handler: send(handler, b"{}", 401)
    with pytest.raises(Unavailable, match="status 401") as raised:
        embedder.embed_question("Who?")
    assert "ecret" not in raised.value.message


def test_windows_need_no_server() -> None:
    embedder = ServerEmbedder(Server.from_setting("http://127.0.0.1:1?model=tiny"))
    text = "The dog slept by the door. " * 80
    assert "".join(span.of(text) for span in embedder.windows(text)) == text
    assert len(embedder.windows(text)) > 2
    assert embedder.suits("cy")
    assert embedder.languages is None


def test_a_silent_server_is_given_up_in_time(stub: Stub) -> None:
    stub.answer = lambda handler: time.sleep(1.5)
    begun = time.monotonic()
    with pytest.raises(Unavailable, match=r"did not answer within 0\.3 seconds"):
        ollama(stub, timeout=0.3).embed_question("Who?")
    assert time.monotonic() - begun < 1.4


def test_a_server_that_answers_drop_by_drop_is_given_up_in_time(stub: Stub) -> None:
    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        try:
            for _ in range(30):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.1)
        except OSError:
            handler.close_connection = True

    stub.answer = drip
    begun = time.monotonic()
    with pytest.raises(Unavailable, match="did not answer within"):
        ollama(stub, timeout=0.4).embed_question("Who?")
    assert time.monotonic() - begun < 2.5


def test_a_server_that_is_not_there_is_named_without_the_text() -> None:
    with running(Stub()) as gone:
        port = gone.port
    with pytest.raises(Unavailable, match=f"http://127.0.0.1:{port}/api/embed cannot be used") as raised:
        ollama(gone).embed_question("Who killed Straker?")
    assert "Straker" not in raised.value.message
    assert raised.value.message.count(". ") == 0


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        (b'{"error": "model not found"}', 404, "status 404"),
        (b"<html>", 200, "not JSON"),
        (b"[]", 200, "holds no vector"),
        (b'{"embeddings": []}', 200, "holds no vector"),
        (b'{"embeddings": [["one"]]}', 200, "holds no vector"),
        (b'{"embeddings": [[0.0, 0.0]]}', 200, "no usable vector"),
        (b'{"embeddings": [[1.0, NaN]]}', 200, "no usable vector"),
        (b'{"embeddings": [[[1.0], [2.0]]]}', 200, "no usable vector"),
    ],
)
def test_an_answer_that_holds_no_vector_is_an_outage(stub: Stub, body: bytes, status: int, why: str) -> None:
    stub.answer = lambda handler: send(handler, body, status)
    with pytest.raises(Unavailable, match=why):
        ollama(stub).embed_question("Who?")


def test_a_model_replaced_by_one_of_another_length_is_noticed(stub: Stub) -> None:
    embedder = ollama(stub)
    assert embedder.model.dimension == 3
    stub.answer = lambda handler: send(handler, b'{"embeddings": [[1.0, 0.0]]}')
    with pytest.raises(Unavailable, match="changed their length"):
        embedder.embed_question("Who?")


@pytest.mark.parametrize(
    ("setting", "address"),
    [
        ("http://localhost:11434?model=a", "http://localhost:11434/api/embed"),
        ("http://localhost/?model=a", "http://localhost:11434/api/embed"),
        ("http://box:8080/v1/?model=a", "http://box:8080/v1/embeddings"),
        ("https://box/openai/v1/embeddings?model=a", "https://box:443/openai/v1/embeddings"),
    ],
)
def test_a_setting_names_a_server(setting: str, address: str) -> None:
    assert Server.from_setting(setting).address == address


@pytest.mark.parametrize(
    "setting",
    ["http://", "http://localhost:11434", "http://box/chat?model=a", "http://box:port?model=a", "http://[?model=a"],
)
def test_a_setting_that_names_no_server_says_how_to_write_one(setting: str) -> None:
    with pytest.raises(Unavailable, match=r"write it as http://localhost:11434/api/embed\?model=NAME"):
        embedder_from(setting)
