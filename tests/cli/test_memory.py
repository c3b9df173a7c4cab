"""`dogear book add --memory` with a model behind HTTP: what it costs is said, and recaps and cards tell of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Host
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passages
from tests.peers.anthropic.replies import Json, Reply, value

STORY = (
    "CHAPTER 1\n\nIn those days Ana Wren kept the tower of Saltmouth. The ferry came late to the quay that night.\n\n"
    "CHAPTER 2\n\nIn the morning the brass lantern was gone. At noon Ana Wren found the stair door bolted.\n"
)
NOTES = (
    ("Ana Wren kept the tower of Saltmouth.", "Ana Wren kept the tower of Saltmouth", "Ana Wren"),
    ("The ferry came late to the quay that night.", "The ferry came late to the quay that night", ""),
    ("In the morning the brass lantern was gone.", "In the morning the brass lantern was gone", ""),
    ("Ana Wren stole the brass lantern.", "the brass lantern was gone", ""),
)


def noting(body: Json) -> Reply:
    """Notes of whatever chapter is read."""
    if checks(body):
        return honest(body)
    found = [
        {"about": about, "also": "", "text": text, "passage": number, "quote": quote}
        for text, quote, about in NOTES
        for number, passage in passages(body).items()
        if quote in passage
    ]
    return value({"claims": found})


@pytest.fixture
def peer() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic(handler=noting)) as running:
        yield running


def test_a_book_is_added_with_notes_or_without_and_what_they_cost_is_said(
    empty_host: Host, peer: FakeAnthropic, tmp_path: Path
) -> None:
    host, file = empty_host, tmp_path / "tower.txt"
    file.write_text(STORY)
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin}
    plain = json.loads(host.run("book", "add", file, "--json").stdout)
    assert plain["memory"] is None
    refused = host.run("book", "add", file, "--memory", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["error"]["code"]) == (3, "no_model")
    asked = host.run("book", "add", file, "--json", **given)
    assert json.loads(asked.stdout)["memory"]["status"] == "none"
    assert json.loads(asked.stdout)["memory"]["estimate"] > 0
    assert "USD, with --memory" in asked.stderr
    assert peer.requests == []
    made = host.run("book", "add", file, "--memory", "--json", **given)
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["memory"]["status"] == "done"
    models = [sent["model"] for sent in peer.requests]
    assert models.count("claude-sonnet-5-5") == 2
    told = json.loads(host.run("recap", plain["book"], "--at", "2", "--json", **given).stdout)
    assert told["engine"] == "claude"
    assert [claim["text"] for claim in told["claims"]] == [NOTES[1][0], NOTES[2][0]]
    assert all(c["end"] <= told["boundary"]["offset"] for c in told["citations"])
    card = json.loads(host.run("who", plain["book"], "Ana Wren", "--at", "1", "--json", **given).stdout)
    assert [claim["text"] for claim in card["claims"]] == [NOTES[0][0]]
    without = json.loads(host.run("recap", plain["book"], "--at", "2", "--json").stdout)
    assert without["engine"] == "quotes"
    spent = host.json("spent")
    (club,) = spent["clubs"]
    assert {used["purpose"] for used in club["used"]} == {"memory", "memory_check"}
    (job,) = club["jobs"]
    assert (job["book"], job["requests"]) == (plain["book"], len(peer.requests))
    assert job["cost"] > 0
    assert f"book {plain['book']}: {len(peer.requests)} requests" in host.run("spent").stdout


def test_a_club_decides_at_the_keyboard_what_a_model_reads(
    empty_host: Host, peer: FakeAnthropic, tmp_path: Path
) -> None:
    file = tmp_path / "mill.txt"
    file.write_text(STORY.replace("Saltmouth", "Millstone"))
    (tmp_path / "quay.txt").write_text(STORY.replace("Saltmouth", "Quayside"))
    (tmp_path / "weir.txt").write_text(STORY.replace("Saltmouth", "Weirbridge"))
    book = json.loads(empty_host.run("book", "add", file, "--json").stdout)["book"]
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin}
    lines = (
        "/join", f"/book memory {book}", f"/book memory {book} on", f"/book add {tmp_path / 'quay.txt'}", "1",
        "/club settings memory always", f"/book add {tmp_path / 'weir.txt'}", "1",
        "/club spent", f"/book memory {book} off", f"/book memory {book}",
    )  # fmt: skip
    seen = empty_host.run("try", str(book), typed="\n".join(lines) + "\n", **given).stdout
    assert "With the model: about 0." in seen
    assert "A model has kept notes of every chapter of this book." in seen
    assert "A model can read the book and keep notes of each chapter" in seen
    assert "memory is always now." in seen
    assert "A model reads the book and keeps notes of each chapter" in seen
    assert any("Weirbridge" in json.dumps(sent) for sent in peer.requests)
    assert not any("Quayside" in json.dumps(sent) for sent in peer.requests)
    (cost,) = [line for line in seen.splitlines() if "remembering chapters" in line]
    assert "tokens" not in cost
    assert seen.count("No model keeps notes of this book") == 3
