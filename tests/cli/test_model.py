"""The command line and the terminal club with a model behind HTTP, as they are shipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Host
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with
from tests.peers.anthropic.replies import Json, Reply, claims, overloaded

ASKED = "What are turns?"
QUOTE = "What they have is turns"
TRUE = "What they have is turns."
FALSE = "Ishbel Carrow hid the Turn Book."
AT = "part 1 ch 2"


def answering(body: Json) -> Reply:
    """A model that tells what is true, and what is not under the same quote; its second reading is honest."""
    if checks(body):
        return honest(body)
    number = passage_with(body, QUOTE)
    return claims((FALSE, number, QUOTE), (TRUE, number, QUOTE))


@pytest.fixture
def peer() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic(handler=answering)) as running:
        yield running


def asked(host: Host, peer: FakeAnthropic, **settings: str) -> Any:
    """What `dogear ask` answers."""
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin, "DOGEAR_LOG": "INFO"} | settings
    result = host.run("ask", "A Turn Owing", ASKED, "--at", AT, "--json", **given)
    assert result.exit_code == 0, result.output
    assert KEY not in result.output
    return json.loads(result.stdout)


def test_an_answer_is_written_by_the_model_and_one_claim_is_cut(
    host: Host, peer: FakeAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    value = asked(host, peer)
    assert (value["status"], value["engine"], value["failed"]) == ("answered", "claude", None)
    assert [claim["text"] for claim in value["claims"]] == [TRUE]
    (citation,) = value["citations"]
    assert citation["quote"] == QUOTE
    assert citation["end"] <= value["boundary"]["offset"]
    assert value["text"].startswith(f"{TRUE} [1]")
    assert [sent["model"] for sent in peer.requests] == ["claude-sonnet-5-5", "claude-haiku-5-5"]
    assert QUOTE not in caplog.text


def test_a_model_that_cannot_be_used_leaves_quotes_with_a_line_and_a_reason(
    host: Host, peer: FakeAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    peer.handler = lambda _: overloaded(retry_after="3600")
    value = asked(host, peer)
    assert (value["status"], value["engine"], value["failed"]) == ("answered", "quotes", "overloaded")
    without = host.json("ask", "A Turn Owing", ASKED, "--at", AT)
    assert without["failed"] is None
    said, plain = value["text"].splitlines(), without["text"].splitlines()
    assert said[1:] == plain
    assert "overloaded" in caplog.text


def test_a_budget_that_has_no_room_leaves_quotes_and_nothing_is_asked(
    host: Host, peer: FakeAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("DOGEAR_CLUB_BUDGET_DAY", "DOGEAR_HOST_BUDGET_MONTH"):
        value = asked(host, peer, **{name: "0.001"})
        assert (value["engine"], value["failed"]) == ("quotes", "over_budget")
        assert "over_budget" in caplog.text
    assert peer.requests == []


def test_what_was_spent_is_told_to_admins_and_to_the_host(host: Host, peer: FakeAnthropic) -> None:
    before = host.json("spent")["host"]["today"]
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin}
    typed = f"/join\n/progress {AT}\n1\n/ask {ASKED}\n/club spent\n/as ana\n/club spent\n"
    seen = host.run("try", typed=typed, **given).stdout
    assert f"||{TRUE} [1]||" in seen
    assert FALSE not in seen
    assert "claude-sonnet-5-5, answers: " in seen
    assert seen.count("Spent today: ") == 1
    told = host.json("spent")
    assert told["host"]["today"] > before
    (club,) = [one for one in told["clubs"] if one["club"] == 1]
    kinds = {(used["model"], used["purpose"]): used for used in club["used"]}
    answer = kinds["claude-sonnet-5-5", "answer"]
    assert answer["tokens"]["output"] > 0
    assert answer["cost"] > 0
    assert answer["open"] == answer["without_price"] == 0
    assert "club 1, claude-haiku-5-5, checking sentences: " in host.run("spent").stdout
    (last, *_) = host.json("reports", "--asked", "1")
    assert last["engine"] == "claude"
    assert last["cost"] > 0


def test_a_switch_is_compared_from_the_command_line(host: Host, peer: FakeAnthropic, tmp_path: Path) -> None:
    (tmp_path / "turns.txt").write_text(
        f"CHAPTER 1\n\nA boat came in. {TRUE} Nobody minded.\n\nCHAPTER 2\n\nIt rained.\n"
    )
    questions = tmp_path / "questions.jsonl"
    asks = {"id": "t1", "book": "turns", "question": ASKED, "evidence": TRUE, "evidence_chapter": 1}
    questions.write_text(json.dumps(asks) + "\n")
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin}
    command = ("eval", questions, "--corpus", tmp_path)
    result = host.run(*command, "--compare", "splitting", "--grade", "overlap", "--json", **given)
    assert result.exit_code == 0, result.output
    assert "with DOGEAR_WHOLE_PART=off it is tried on every question" in result.stderr
    value = json.loads(result.stdout)
    assert value["verdict"] == "splitting made no difference: all 1 answers were graded the same."
    assert value["on"]["claims"]["cut"] == 1
    assert value["judging"]["requests"] == 0
    said = host.run(*command, "--no-baselines", **given)
    assert said.exit_code == 0, said.output
    assert "What the model wrote" in said.stdout
    assert "US dollars a question" in said.stdout
    refused = host.run(*command, "--compare", "names")
    assert (refused.exit_code, refused.stderr) == (
        3, "Switches are of the model: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL.\n"
    )  # fmt: skip
