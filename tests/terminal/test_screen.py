"""The terminal club on a terminal, as a person meets it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from bot.adapters.postgres.embedded import EmbeddedPostgres
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.screen import Screen
from tests.postgres_servers import temporary_folder

F2, ESCAPE, CTRL_C, CTRL_D, TAB, ENTER = "\x1bOQ", "\x1b", "\x03", "\x04", "\t", "\r"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with temporary_folder() as folder:
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "home"):
            yield folder / "home"


@pytest.fixture
def screen(home: Path) -> Iterator[pexpect.spawn]:
    environment = {
        **{"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8", "PROMPT_TOOLKIT_NO_CPR": "1"},
        **{"DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none"},
    }
    child = pexpect.spawn(
        sys.executable, ["-m", "bot", "try"], env=environment, cwd=Path(__file__).parents[2], dimensions=(40, 100),
        encoding="utf-8", timeout=15,
    )  # fmt: skip
    try:
        child.expect("you>")
        yield child
    finally:
        child.close(force=True)


def test_the_main_path_on_a_screen(screen: pexpect.spawn, home: Path) -> None:
    screen.send("/join" + ENTER)
    screen.expect_exact("you joined the club.")
    screen.send("/progress finished part 1 ch 4" + ENTER)
    screen.expect_exact("Noted: finished part 1, chapter 4")
    screen.send("/ask What are turns?" + ENTER)
    screen.expect_exact("for everyone who has read to the end of part 1, chapter 4")
    screen.expect_exact("covered: F2 shows it")
    covered = screen.before
    screen.send(F2)
    screen.expect_exact("The closest passages in what everyone here has read:")
    assert "closest passages" not in covered
    screen.expect_exact("turns")
    screen.expect_exact("F2 or Escape covers it again")
    screen.send(ESCAPE)
    time.sleep(0.6)  # else it would be part of another key
    screen.send("/as ana" + ENTER)
    screen.expect_exact("Speaking as ana")
    screen.expect("ana>")
    screen.send("/as you" + ENTER)
    screen.expect("you>")
    screen.send("/whe")
    screen.expect_exact("the club's place")
    screen.send(TAB)
    time.sleep(0.3)
    screen.send(ENTER)
    screen.expect_exact("The club is at the end of part 1, chapter 4.")
    screen.setwinsize(20, 60)
    screen.send("half a line" + CTRL_C + "/club members" + ENTER)
    screen.expect_exact("Members:")
    screen.send(CTRL_C + CTRL_D)
    screen.expect(pexpect.EOF)
    screen.wait()
    assert screen.exitstatus == 0
    assert "+/ask What are turns?" in (home / "history").read_text("utf-8")


def test_the_next_line_covers_what_was_shown(screen: pexpect.spawn) -> None:
    screen.send("/ask What are turns?" + ENTER)
    screen.expect_exact("covered: F2 shows it")
    screen.send(F2)
    screen.expect_exact("closest passages")
    screen.expect_exact("F2 or Escape covers it again")
    screen.send("/club members" + ENTER)
    screen.expect_exact("Members:")
    screen.setwinsize(30, 90)  # everything that stands is drawn again
    screen.send("/help" + ENTER)
    screen.expect_exact("Admins alone use")
    assert "closest passages" not in screen.before
    screen.send(CTRL_D)
    screen.expect(pexpect.EOF)


def test_files_are_completed_and_a_broken_one_gets_a_sentence(screen: pexpect.spawn, tmp_path: Path) -> None:
    (tmp_path / "a broken book.epub").write_bytes(b"no book")
    screen.send(f"/book add {tmp_path}/a")
    screen.expect_exact("a broken book.epub")
    screen.send(TAB)
    screen.expect_exact("broken book.epub")
    screen.send(ENTER)
    screen.expect_exact("This file is called .epub but is not an EPUB.")
    screen.send("/frob" + ENTER)
    screen.expect_exact("/help lists those there are.")
    screen.send(CTRL_D)
    screen.expect(pexpect.EOF)


def test_whoever_comes_later_is_not_shown_the_last_answer(screen: pexpect.spawn) -> None:
    screen.send("/join" + ENTER)
    screen.expect("joined the club|a member already")
    screen.send("/ask What are turns?" + ENTER)
    screen.expect_exact("covered: F2 shows it")
    screen.send(F2)
    screen.expect_exact("closest passages")
    screen.expect_exact("F2 or Escape covers it again")
    screen.send("/as bob" + ENTER)
    screen.expect_exact("Speaking as bob, who is no member yet")
    screen.expect("bob>")
    screen.send(F2)
    screen.expect_exact("Nothing is covered.")
    assert "closest passages" not in screen.before
    screen.send(CTRL_D)
    screen.expect(pexpect.EOF)


def test_lines_are_broken_between_words_at_the_edge(screen: pexpect.spawn) -> None:
    screen.setwinsize(40, 50)
    time.sleep(0.3)
    screen.send("/privacy" + ENTER)
    screen.expect(r"Kept of you: your name, when you joined and were\r+\nlast here")
    screen.send(CTRL_D)
    screen.expect(pexpect.EOF)


@pytest.mark.parametrize(("done", "said"), [(0.0, " Vectors … "), (0.4, " Vectors 40% "), (1.0, " you  ")])
def test_the_toolbar_says_how_far_the_vectors_are(done: float, said: str) -> None:
    club = TerminalClub.__new__(TerminalClub)
    club.speaker, club.trouble = "you", ""
    screen = Screen(club, "A Book")
    screen.show_progress("embed", done)
    assert screen.toolbar().startswith(said)
