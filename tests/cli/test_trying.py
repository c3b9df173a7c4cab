"""`dogear try` without a terminal, and its tour."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLE, Host

JOINED = "/join\n/progress finished part 1 ch 4\n"


def said(output: str) -> list[list[str]]:
    """A transcript as blocks: each command, echoed, with the lines of its replies."""
    return [block.splitlines() for block in output.split("\n\n") if block]


def test_each_command_is_echoed_answered_and_ended_by_an_empty_line(host: Host) -> None:
    result = host.run("try", typed="/as echo\n\n   \n/join\n /where \n")
    assert result.exit_code == 0
    assert result.stdout.endswith("\n\n")
    blocks = said(result.stdout)
    assert [block[0] for block in blocks] == ["> /as echo", "> /join", "> /where"]
    assert blocks[1][1:4] == [
        "echo joined the club.",
        "(for echo alone)",
        "Where are you? Say /progress 3, /progress in 3, /progress 45%, or /progress none.",
    ]
    assert blocks[1][5:7] == ["  1  Show my place to the club", "  2  Only count me"]


def test_nobody_has_joined_before_they_say_so(host: Host) -> None:
    result = host.run("try", typed="/ask What are turns?\n/as new\n/ask What are turns?\n/progress 3\n/club members\n")
    answers = [block[1] for block in said(result.stdout)]
    assert answers[0] == answers[2] == answers[3] == "Only members can do that: /join first."
    assert answers[1] == "Speaking as new, who is no member yet: /join."
    assert "new" not in answers[4]


def test_a_room_answer_is_neutral_first_and_covered_below(host: Host) -> None:
    book = host.json("book", "add", SAMPLE, "--club", "covered")["book"]
    typed = f"/as solo\n{JOINED}/ask Who is || Ishbel | Carrow?\n/dm Where is Ishbel Carrow?\n/leave\n"
    room, private = said(host.run("try", book, typed=typed).stdout)[3:5]
    assert room[1].startswith("@solo asked about A Turn Owing - for everyone")
    assert room[2] == "||Who is ¦¦ Ishbel ¦ Carrow?||"
    covered = [line for line in room[2:] if line.startswith("||")]
    assert len(covered) >= 3
    assert all(re.fullmatch(r"\|\|[^|]+\|\|", line) for line in covered)
    assert not any("Ishbel" in line for line in [room[1], *room[2 + len(covered) :]])
    assert private[1] == "(for solo alone)"
    assert not any("||" in line for line in private)
    assert private[2] == "You asked: Where is Ishbel Carrow?"
    assert re.match(r'\[1\] part 1, ch\. \d: "', private[4])


@pytest.mark.parametrize("typed", ["/", "//", "/frob x", "/ASK_", "/ask\u2028"])
def test_an_unknown_command_gets_a_sentence(host: Host, typed: str) -> None:
    result = host.run("try", typed=typed)
    assert result.exit_code == 0
    (block,) = said(result.stdout)
    assert block[0] == f"> {typed.strip()}"
    assert block[1].endswith((": /help lists those there are.", "/ask QUESTION."))


def test_odd_input_is_answered_and_never_ends_the_club(host: Host) -> None:
    typed = (
        b"\xff\xfe\n/as \xc3\x28\n/as \xe6\x9d\x8e\xe9\x9b\xb7\n/ask \x00\x1b[31m?\n/ask "
        + b"x" * 100_000
        + b"\n12\n/where"
    )
    result = host.run("try", typed=typed)
    assert result.exit_code == 0
    assert "Speaking as 李雷" in result.stdout
    assert "That is too long" in result.stdout
    assert "\x1b" not in result.stdout
    assert [block[0] for block in said(result.stdout)][-1] == "> /where"


def test_a_file_may_be_given_or_added_while_talking(host: Host, tmp_path: Path) -> None:
    book, spaced, broken = tmp_path / "a.txt", tmp_path / "b c.txt", tmp_path / "x.epub"
    book.write_text("Chapter 1\n\n" + "The cat sat on the mat, and was warm. " * 300)
    spaced.write_text("Chapter 1\n\n" + "The dog lay in the yard, and was cold. " * 300)
    broken.write_bytes(b"no book at all")
    typed = f"/book add {spaced}\n/book add '{spaced}'\n/book add {broken}\n/book add {tmp_path}/none\n/book list\n"
    added, again, refused, missing, listed = said(host.run("try", book, typed=typed).stdout)
    assert added[1] == again[1] == refused[1]
    assert added[1].endswith(" alone)")
    assert "can be asked about: 1 chapter." in added[2]
    assert again[2] == added[2]
    assert [line.split()[0] for line in added[-2:]] == ["1", "2"]
    assert refused[2].endswith(".")
    assert refused[3].startswith("/book retry ")
    assert missing[1].startswith("There is no file")
    assert [line[0] for line in listed[1:]].count("*") == 1
    for row in host.json("book", "list"):
        if row["title"] != "A Turn Owing":
            host.json("book", "remove", row["book"])


def test_a_book_of_another_club_is_read_in_its_own_club(host: Host) -> None:
    book = host.json("book", "add", SAMPLE, "--club", "readers")["book"]
    there = said(host.run("try", book, typed="/join\n/club members\n").stdout)
    assert there[1] == ["> /club members", "Members:", "  you"]
    host.json("book", "remove", book)


def test_the_book_that_was_switched_to_is_opened_again(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "later.txt"
    file.write_text("Chapter 1\n\n" + "The goat stood on the hill, and was glad. " * 300)
    later = host.json("book", "add", file)["book"]
    host.run("try", typed=f"/book switch {later}\n")
    assert f"* {later}" in host.run("try", typed="/book list\n").stdout
    host.json("book", "remove", later)
    listed = host.run("try", typed="/book list\n").stdout
    assert "A Turn Owing" in listed
    assert "* " in listed


def test_a_club_that_has_a_book_is_not_given_the_sample(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "only.txt"
    file.write_text("Chapter 1\n\n" + "The hen sat in the loft, and was calm. " * 300)
    samples = [row["book"] for row in host.json("book", "list") if row["title"] == "A Turn Owing"]
    only = host.json("book", "add", file)["book"]
    for book in samples:
        host.json("book", "remove", book)
    assert "A Turn Owing" not in host.run("try", typed="/book list\n").stdout
    host.json("book", "remove", only)
    assert "A Turn Owing" in host.run("try", typed="/book list\n").stdout


def test_what_is_no_file_and_no_book_is_refused(host: Host) -> None:
    assert host.run("try", "nowhere/x.epub").exit_code == 3
    assert "no file" in host.run("try", "x.epub").stderr
    assert "no such book" in host.run("try", "Some Title").stderr
    assert host.run("try", "--tour", "x.epub").exit_code == 2


def test_the_tour_is_the_same_every_time_and_disturbs_nobody(host: Host) -> None:
    before = host.run("try", typed="/club members\n/where\n").stdout
    first, second = host.run("try", "--tour"), host.run("try", "--tour")
    assert first.exit_code == second.exit_code == 0
    assert first.stdout == second.stdout
    assert "Nothing in what everyone here has read so far answers that." in first.stdout
    assert "(for ana alone)" in first.stdout
    assert host.run("try", typed="/club members\n/where\n").stdout == before


def test_a_script_can_converse(host: Host) -> None:
    with host.started("try") as process:
        assert process.stdin
        assert process.stdout
        for name in ("one", "two"):
            process.stdin.write(f"/as {name}\n".encode())
            heard = b""
            while not heard.endswith(b"\n\n"):
                heard += process.stdout.read(1)
            assert heard.decode().startswith(f"> /as {name}\nSpeaking as {name}")
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_reader_that_leaves_early_is_no_error_to_tell(host: Host) -> None:
    with host.started("try") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"/help\n" * 3)
        process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(b"/help\n" * 3)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(20) in (0, 1)
