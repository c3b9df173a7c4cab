"""`dogear recap` and `dogear who`: keys and exit codes are a contract."""

from __future__ import annotations

from bot.cli.output import AMBIGUOUS, SeveralPeople, error_value
from tests.cli.conftest import Host

BOOK = "A Turn Owing"


def test_a_recap_is_an_answer_of_quotes_in_order_up_to_the_place(host: Host) -> None:
    told = host.json("recap", BOOK, "--at", "#4")
    assert (told["status"], told["engine"]) == ("answered", "quotes")
    text = host.run("book", "text", BOOK).stdout
    starts = [c["start"] for c in told["citations"]]
    assert starts == sorted(starts)
    assert {c["chapter"] for c in told["citations"]} <= {1, 2, 3, 4}
    for citation in told["citations"]:
        assert citation["quote"] == text[citation["start"] : citation["end"]]
        assert citation["end"] <= told["boundary"]["offset"]


def test_a_recap_begins_where_it_is_told_to(host: Host) -> None:
    since = host.json("recap", BOOK, "--at", "#4", "--since", "#3")
    assert {c["chapter"] for c in since["citations"]} == {4}
    last = host.json("recap", BOOK, "--at", "#4", "--last-chapter")
    assert {c["chapter"] for c in last["citations"]} == {4}
    nothing = host.json("recap", BOOK, "--at", "#4", "--since", "#6")
    assert (nothing["status"], nothing["text"]) == ("refused", "There is nothing to tell of that yet.")


def test_a_card_has_its_head_and_an_unknown_name_is_as_a_later_one(host: Host) -> None:
    told = host.json("who", BOOK, "Jory", "--at", "#4")
    assert told["status"] == "answered"
    assert "Jory" in " ".join(told["card"]["names"])
    assert told["card"]["first"] <= told["card"]["last"] <= 4
    early, never = [host.json("who", BOOK, name, "--at", "none") for name in ("Jory", "Zebulon")]
    assert (early["card"], early["text"]) == (None, never["text"])


def test_several_readers_are_an_audience_that_goes_by_the_least_read_in_a_recap_too(host: Host) -> None:
    both = host.json("recap", BOOK, "--at", "finished", "--at", "#2")
    assert both["boundary"]["chapter"] == 2
    assert "what everyone here has read" in both["text"]


def test_what_is_missing_or_not_clear_has_its_exit_code(host: Host) -> None:
    assert host.run("recap", BOOK).exit_code == 2
    assert host.run("recap", BOOK, "--at", "#4", "--since", "#1", "--last-chapter").exit_code == 2
    assert host.run("who", BOOK, " ", "--at", "#4").exit_code == 2


def test_a_name_that_several_bear_is_ambiguous_with_candidates() -> None:
    code, message, status, more = error_value(SeveralPeople("Wren", ("Ana Wren", "Isolde Wren")))
    assert (code, status) == ("ambiguous", AMBIGUOUS)
    assert more == {"candidates": [{"name": "Ana Wren"}, {"name": "Isolde Wren"}]}
    assert "Ana Wren, Isolde Wren" in message
