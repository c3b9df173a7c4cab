"""`dogear ask` and `dogear passages`: answers, batches and exit codes are a contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import SpoilerLeak
from tests.cli.conftest import Host

BOOK = "A Turn Owing"
QUESTION = "What are turns?"


def batch(host: Host, verb: str, lines: list[str] | bytes, tmp_path: Path) -> list[Any]:
    file = tmp_path / "questions.jsonl"
    file.write_bytes(lines if isinstance(lines, bytes) else "\n".join(lines).encode())
    result = host.run(verb, "--batch", file)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def request(question: object = QUESTION, at: object = "#4", book: object = BOOK) -> str:
    return json.dumps({"book": book, "question": question, "at": at})


def test_an_answer_has_the_keys_of_the_contract_and_quotes_the_canonical_text(host: Host) -> None:
    answer = host.json("ask", BOOK, QUESTION, "--at", "#4")
    assert {"status", "text", "engine", "boundary", "claims", "citations", "seconds"} <= set(answer)
    assert (answer["status"], answer["engine"]) == ("answered", "quotes")
    assert answer["boundary"]["chapter"] == 4
    text = host.run("book", "text", BOOK).stdout
    assert answer["citations"]
    for n, citation in enumerate(answer["citations"], start=1):
        assert set(citation) >= {"n", "chapter", "start", "end", "quote"}
        assert citation["n"] == n
        assert citation["quote"] == text[citation["start"] : citation["end"]]
        assert citation["end"] <= answer["boundary"]["offset"]
    assert [claim["citations"] for claim in answer["claims"]] == [[c["n"]] for c in answer["citations"]]


def test_with_nothing_read_the_answer_is_the_fixed_refusal(host: Host) -> None:
    answer = host.json("ask", BOOK, QUESTION, "--at", "none")
    assert (answer["status"], answer["claims"], answer["citations"]) == ("refused", [], [])
    assert answer["text"] == "Nothing in what you have read so far answers that."
    assert answer["boundary"] == {"offset": 0, "chapter": None}


def test_several_readers_are_an_audience_that_goes_by_the_least_read(host: Host) -> None:
    both = host.json("ask", BOOK, QUESTION, "--at", "finished", "--at", "#1")
    alone = host.json("ask", BOOK, QUESTION, "--at", "#1")
    assert both["boundary"] == alone["boundary"]
    assert [c["quote"] for c in both["citations"]] == [c["quote"] for c in alone["citations"]]
    nobody = host.json("ask", BOOK, QUESTION, "--at", "finished", "--at", "none")
    assert nobody["text"] == "Nothing in what everyone here has read so far answers that."


def test_passages_are_ranked_and_read(host: Host) -> None:
    passages = host.json("passages", BOOK, QUESTION, "--at", "#4", "-k", 3)
    text = host.run("book", "text", BOOK).stdout
    assert [p["rank"] for p in passages] == [1, 2, 3]
    for passage in passages:
        assert set(passage) >= {"rank", "start", "end", "chapter", "text", "found_by"}
        assert passage["text"] == text[passage["start"] : passage["end"]]
        assert passage["found_by"]
    assert host.json("passages", BOOK, QUESTION, "--at", "none") == []


@pytest.mark.parametrize("verb", ["ask", "passages"])
def test_an_ambiguous_reader_ends_with_4_and_the_candidates(host: Host, verb: str) -> None:
    told = host.json(verb, BOOK, QUESTION, "--at", "3", status=4)
    assert told["error"]["code"] == "ambiguous"
    assert [c["chapter"] for c in told["candidates"]] == [3, 12]


@pytest.mark.parametrize("verb", ["ask", "passages"])
def test_a_reader_or_book_that_is_not_there_ends_with_3(host: Host, verb: str) -> None:
    assert host.json(verb, BOOK, QUESTION, "--at", "part 9 ch 1", status=3)["error"]["code"] == "no_such_part"
    assert host.json(verb, "No Book", QUESTION, "--at", "1", status=3)["error"]["code"] == "unknown_book"


@pytest.mark.parametrize(
    "wrong",
    [[], [BOOK], [BOOK, QUESTION], [BOOK, " ", "--at", "1"], [BOOK, QUESTION, "--at", "1", "-k", "0"]],
)
def test_wrong_usage_ends_with_2_and_prints_no_result(host: Host, wrong: list[str]) -> None:
    result = host.run("passages", *wrong, "--json")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_batch_takes_everything_from_its_lines(host: Host, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(request())
    for more in ([BOOK], ["--at", "1"]):
        assert host.run("ask", "--batch", tmp_path / "q.jsonl", *more).exit_code == 2
    assert host.run("ask", "--batch", tmp_path / "nowhere.jsonl").exit_code == 2


def test_a_batch_answers_line_by_line_in_order(host: Host, tmp_path: Path) -> None:
    lines = [request(at=at) for at in ("#1", "none", ["#4", "finished"], "offset:20000")]
    answers = batch(host, "ask", lines, tmp_path)
    alone = [host.json("ask", BOOK, QUESTION, *at) for at in (["--at", "#1"], ["--at", "none"])]
    assert [a["boundary"]["chapter"] for a in answers] == [1, None, 4, 3]
    assert [a["text"] for a in answers[:2]] == [a["text"] for a in alone]


def test_a_batch_of_passages_has_the_value_of_one_call_a_line(host: Host, tmp_path: Path) -> None:
    first, second = batch(host, "passages", [request(), request(at="none")], tmp_path)
    assert first == host.json("passages", BOOK, QUESTION, "--at", "#4")
    assert second == []


def test_what_is_wrong_with_a_line_is_said_in_its_place_and_stops_no_other(host: Host, tmp_path: Path) -> None:
    lines = [
        request(at="3"), request(book="No Book"), "{", "[]", '{"book": "x"}', request(at=[]), request(question=" "),
        request(question=None), request(at=True), request(at={}), "", request(question="\u2028turns\0?", at=12),
        request(),
    ]  # fmt: skip
    answers = batch(host, "ask", [*lines[:-1], "\xff", lines[-1]], tmp_path)
    codes = [a["error"]["code"] if "error" in a else a["status"] for a in answers]
    assert codes == ["ambiguous", "unknown_book", *["bad_line"] * 8, "answered", "bad_line", "answered"]
    assert len(answers[0]["candidates"]) == 2


def test_bytes_that_are_no_text_are_one_bad_line(host: Host, tmp_path: Path) -> None:
    answers = batch(host, "ask", b"\xff\xfe\n" + request().encode() + b"\r\n", tmp_path)
    assert [a.get("status") for a in answers] == [None, "answered"]


def test_a_batch_may_come_from_standard_input(host: Host) -> None:
    result = host.run("ask", "--batch", "-", typed=request() + "\n")
    assert json.loads(result.stdout)["status"] == "answered"


def test_a_tripped_guard_ends_with_70_and_shows_nothing(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leaking(*_: object) -> None:
        raise SpoilerLeak("book 1: 99 > 12")

    monkeypatch.setattr("bot.cli.asking.answered", leaking)
    told = host.json("ask", BOOK, QUESTION, "--at", "#1", status=70)["error"]
    assert told["code"] == "guard"
    assert "99" not in told["message"]
    (tmp_path / "q.jsonl").write_text(request())
    result = host.run("ask", "--batch", tmp_path / "q.jsonl")
    assert result.exit_code == 70
