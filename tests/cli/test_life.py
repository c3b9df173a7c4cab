"""`dogear try --life`: a script plays a club's whole life in a real database, the same way every time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli.trying import LIFE, samples_folder
from tests.cli.conftest import Host

SENTENCES = (
    "The club is set up in the room The Tuesday Turners; an admin of it: you.",
    "[What this bot keeps and never shows: /privacy]",
    "The club may see the last chapter you have finished, nothing more exact: /privacy hide ends that.",
    "weekly_time is 20:00 now.",
    "Section 10 lies past where you are. Show its title and first words, to you alone?",
    "Section 10: Chapter Two: Redde Quod Debes",
    "The map is confirmed.",
    "Is that the club's book? Nobody else has been told of it.",
    "“Untitled” is taken back, and nothing of it is left.",
    "  part 1, chapter 3 by Monday 12 January",
    "You will be told privately two days before a chapter is due that you have not finished.",
    "You are only counted: your name stands in no list of places. /privacy shows what can be inferred.",
    "The club is at the end of part 1, chapter 2.",
    "@ana asked about A Turn Owing - for everyone who has read to the end of part 1, chapter 2",
    "Undone. You are at the end of part 1, chapter 5, 31% of the book.",
    "[Share with the room: /share]",
    "[Answer me privately: /dm What happened to Ishbel Carrow?]",
    "Your question names something that not everyone here has met, so only you see this.",
    "@ben asked about A Turn Owing - for everyone here, who have not all started",
    "1 member has not said where they are. [Set my place: /progress]",
    "cleo was told, and does not count until they say where they are.",
    "The next post, as it would be posted now, for week 2 of 2026:",
    "The club's week in “A Turn Owing” (week 2 of 2026)",
    "Muted until 2026-01-17 21:00 Europe/London: until then nothing is answered or posted in the room The Tuesday "
    "Turners. What is asked privately is answered.",
    "Nothing is answered in this room for now: ask privately with /dm QUESTION.",
    "The limit for a member is 1 in an hour: your next question is free in 60 minutes.",
    "The room newcomers is told of “A Turn Owing” up to the end of part 1, chapter 3 at most.",
    "The answer is hidden wherever it stood. An admin and the host are told which one it was, by numbers alone.",
    "The club's week in “A Turn Owing” (week 3 of 2026)",
    "Nobody has moved on since the last time. That is fine: a book waits for its readers.",
    "Nothing was heard of you for 21 days, so your place does not count in the club for now. Any command brings you "
    "back.",
    "Welcome back: your place counts in the club again from now on.",
    "Everyone here has finished A Turn Owing: congratulations, all of you!",
    "cleo left the club.",
    "The vote is closed. The next book is The Sign of the Four, with 2 votes.",
    '  "format": "dogear-export",',
    "Nothing is kept of ben any more.",
)
"""What the club says in its life, in this order; none of it is text of the book past a reader's place."""

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def transcripts(heading: str) -> list[str]:
    """What is said to be printed in a section of the README: a block for each command, with its reply."""
    section = README.split(f"## {heading}\n")[1].split("\n## ")[0]
    fenced = re.findall(r"^```\n(> .*?)\n```$", section, re.MULTILINE | re.DOTALL)
    return [block for part in fenced for block in part.split("\n\n")]


def shown_in(block: str, printed: list[str]) -> bool:
    """Whether a block is one of those that were printed, but for what is left out, and for quotes, which hang on the
    model.
    """
    lines = [line for line in block.splitlines() if line != "..." and not re.match(r"(\|\|)?\[\d", line)]
    return any(all(masked(line) in rest for line in lines) for rest in (iter(masked(p).splitlines()) for p in printed))


def masked(played: str) -> str:
    """Without numbers that the database gives out, and the folder of charts."""
    played = re.sub(r"\b(book|question|switch) \d+|\* \d+ (?= )", r"\1 N", played)
    return re.sub(r'"round": \d+|(?<=chart is in ).*/', "", played)


@pytest.fixture(scope="module")
def played(empty_host: Host) -> tuple[str, str]:
    first, second = empty_host.run("try", "--life"), empty_host.run("try", "--life")
    assert first.exit_code == second.exit_code == 0
    assert "Traceback" not in first.output
    return first.stdout, second.stdout


def test_a_club_lives_from_its_setting_up_to_the_vote_for_the_next_book(played: tuple[str, str]) -> None:
    lines = iter(played[0].splitlines())
    for sentence in SENTENCES:
        assert sentence in lines, sentence
    assert "Something went wrong" not in played[0]


def test_the_life_is_the_same_every_time(played: tuple[str, str]) -> None:
    assert masked(played[0]) == masked(played[1])


def test_the_script_depends_on_no_date_and_every_line_of_it_is_played(played: tuple[str, str]) -> None:
    script = (samples_folder() / LIFE.file).read_text("utf-8").splitlines()
    assert not [line for line in script if re.search(r"\b20\d\d\b", line)]
    typed = [line for line in script if not line.startswith("#")]
    assert [line[2:] for line in played[0].splitlines() if line.startswith("> ")] == typed


def test_who_left_and_who_was_forgotten_get_nothing(played: tuple[str, str]) -> None:
    after = played[0].split("> /leave\ncleo left the club.\n\n")[1].split("\n\n")
    assert [block.splitlines()[-1] for block in after[:2]] == ["Only members can do that: /join first."] * 2
    assert played[0].endswith("> /club members\nMembers:\n  ana\n  you: the end of the book\n\n")


def test_a_hidden_place_stands_in_no_post_and_no_list(played: tuple[str, str]) -> None:
    posts = re.findall(r"^The club's week in .*?^\[chart: ", played[0], re.MULTILINE | re.DOTALL)
    assert len(posts) >= 5
    assert not [post for post in posts if "ana" in re.sub(r"\|\|.*\|\|", "", post)]


def test_a_life_disturbs_no_other_club_and_takes_no_book(empty_host: Host, played: tuple[str, str]) -> None:
    del played
    assert empty_host.run("try", "--life", "x.epub").exit_code == 2
    told = empty_host.run("try", typed="/club members\n/club\n").stdout
    assert "ana" not in told


def test_the_transcripts_of_the_readme_are_what_is_printed(empty_host: Host, played: tuple[str, str]) -> None:
    tour = empty_host.run("try", "--tour").stdout
    for heading, printed in (("What it looks like", tour), ("A club's life", played[0])):
        blocks = [block[block.index("> ") :] for block in printed.split("\n\n") if "> " in block]
        told = transcripts(heading)
        assert len(told) >= 4
        assert [block for block in told if not shown_in(block, blocks)] == []
