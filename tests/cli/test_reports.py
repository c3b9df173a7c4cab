"""`dogear reports`: what the host sees of answers that spoiled, and of what was asked."""

from __future__ import annotations

from tests.cli.conftest import Host

TYPED = (
    "/as solo\n/join\n/progress finished part 1 ch 4\n/ask What are turns?\n/useful\n"
    "/dm Who keeps the Turn Book?\n/useful no\n/spoiled\n"
)


def test_before_anything_was_asked_there_is_nothing_to_report(empty_host: Host) -> None:
    assert empty_host.json("reports") == []
    assert "No answer has been reported" in empty_host.run("reports").stdout
    assert "Nobody has said" in empty_host.run("reports", "--useful").stdout
    assert empty_host.run("reports", "--useful", "--asked", "5").exit_code == 2
    assert "Nothing has been asked." in empty_host.run("reports", "--asked", "5").stdout


def test_an_answer_that_spoiled_is_listed_by_numbers(host: Host) -> None:
    assert host.run("try", typed=TYPED).exit_code == 0
    (report,) = host.json("reports")
    assert (report["members"], report["private"], report["seen"]) == (1, True, False)
    assert report["citations"]
    assert all(c["end"] <= report["boundary"] for c in report["citations"])
    told = host.run("reports").stdout
    assert "reported by 1 member" in told
    assert "Turn" not in told
    private, room = host.json("reports", "--asked", "9")
    assert (room["said"], room["private"], room["status"]) == ("What are turns?", False, "answered")
    assert private["question"] == report["question"]
    assert private["citations"] == report["citations"]
    assert "What are turns?" in host.run("reports", "--asked", "9").stdout
    assert len(host.json("reports", "--asked", "1")) == 1
    (said,) = host.json("reports", "--useful")
    assert (said["engine"], said["answers"], said["useful"], said["not_useful"]) == ("quotes", 2, 1, 1)
    assert "1 times useful, 1 times not, of 2 answers" in host.run("reports", "--useful").stdout
