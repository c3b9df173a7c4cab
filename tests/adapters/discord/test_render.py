"""What rooms and askers are shown on Discord."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.adapters.bulletins import Bulletin, Line, Picture
from bot.adapters.chat.marked import plain
from bot.adapters.chat.presses import Action, Press, parsed
from bot.adapters.chat.render import number_of, steps
from bot.adapters.discord import render
from bot.adapters.discord.pieces import Piece
from bot.adapters.wording import CATALOGUE
from bot.adapters.wording.english import ENGLISH, chat, discord_messages
from bot.core.club import private_to
from bot.core.errors import SpoilerLeak
from bot.core.jobs import JobState, Stage
from bot.core.library import RoomProgress
from bot.core.life import Step, Welcome
from bot.core.outcomes import Showing, Why
from tests.adapters.discord.hostile import hostile, long_hostile
from tests.adapters.discord.shown import BEN, answer, boundary, in_room, privately, showing
from tests.peers.discord_payloads import message_problems
from tests.peers.discord_view import marks, runs, seen_of, shown, uncovered, unseen
from tests.peers.discord_wire import payload_of

quotes = st.lists(long_hostile.filter(lambda text: bool(plain(text))), min_size=0, max_size=5)
questions = long_hostile.map(lambda text: text[:1000])
CANCEL = Press(Action.CANCEL_JOB, 5, 6, 7)
OUR_MARKS = {"spoiler", "bold", "small"}


def letters(text: str) -> str:
    return "".join(text.replace("\u200b", "").split())


def actions(pieces: tuple[Piece, ...]) -> list[Action]:
    return [button.press.action for piece in pieces for button in piece.buttons]


def visible(pieces: tuple[Piece, ...]) -> list[str]:
    return [seen_of(payload_of(piece)) for piece in pieces]


def hidden(pieces: tuple[Piece, ...]) -> str:
    return "".join(letters(run.text) for piece in pieces for run in runs(piece.content) if run.covered)


@given(questions, quotes, hostile, hostile)
def test_in_a_room_question_and_answer_are_covered_whole_whatever_they_hold(
    question: str, said: list[str], name: str, title: str
) -> None:
    pieces = render.answer(in_room(question, said, name=name, title=title, pending=2))
    assert hidden(pieces).startswith(letters(plain(question)))
    for text in said:
        assert letters(plain(text)) in hidden(pieces)
    for piece in pieces:
        assert message_problems(payload_of(piece)) == []
        assert marks(piece.content) <= OUR_MARKS
        assert not unseen(piece.content)


@given(questions, quotes, questions, quotes)
def test_what_is_seen_of_an_answer_is_the_same_for_every_answer_under_one_boundary(
    one: str, said: list[str], other: str, other_said: list[str]
) -> None:
    """Of the first message to the byte; each that follows adds a line that says its number, and nothing else."""
    assume(bool(said) == bool(other_said))
    first, second = render.answer(in_room(one, said)), render.answer(in_room(other, other_said))
    for mine, theirs in zip(first, second, strict=False):
        assert mine.content.split("\n")[0] == theirs.content.split("\n")[0]
        assert uncovered(mine.content).split() == uncovered(theirs.content).split()
    assert first[-1].buttons == second[-1].buttons
    assert not any(piece.buttons for piece in (*first[:-1], *second[:-1]))


@given(questions, quotes)
def test_what_is_seen_of_an_answer_is_made_of_the_catalogue_the_book_and_its_asker(
    question: str, said: list[str]
) -> None:
    pieces = render.answer(in_room(question, said))
    head = "ana asked about The Sign of the Four, for everyone who has read to the end of chapter 6"
    assert visible(pieces)[0].startswith(head)
    labels = "Answer me privately|Ask again|Useful|Not useful|This spoiled me"
    for n, text in enumerate(visible(pieces), start=1):
        left = text.replace(head if n == 1 else f"continued ({n})", "")
        assert re.sub(labels, "", left).split() == []


def test_a_room_answer_reads_as_it_is_meant_to() -> None:
    (piece,) = render.answer(in_room("Who is Sherman?", ["old Sherman, the bird-stuffer's name"], pending=1))
    assert piece.content == (
        "**ana** asked about **The Sign of the Four**, for everyone who has read to the end of chapter 6\n"
        "||**Who is Sherman?**||\n"
        "||The closest passages in what everyone here has read:\n"
        '\\[1\\] ch. 1: "old Sherman, the bird-stuffer\'s name"||\n'
        "-# 1 member has not said where they are."
    )
    assert actions((piece,)) == [
        Action.PRIVATE, Action.SET_PLACE, Action.USEFUL, Action.NOT_USEFUL, Action.SPOILED,
    ]  # fmt: skip


@given(questions, quotes, hostile)
def test_a_private_answer_shows_everything_and_covers_nothing(question: str, said: list[str], title: str) -> None:
    pieces = render.answer(privately(question, said, title=title, several=True))
    read = "".join(letters(shown(piece.content)) for piece in pieces)
    assert read.startswith(letters(plain(question)))
    for text in said:
        assert letters(plain(text)) in read
    for piece in pieces:
        assert message_problems(payload_of(piece, ephemeral=True)) == []
        assert marks(piece.content) <= {"bold", "small", "quoted"}


def test_whether_the_asker_has_read_further_is_not_seen_in_the_room() -> None:
    assert render.answer(in_room("Who?", ["a b"], ahead=True)) == render.answer(in_room("Who?", ["a b"], ahead=False))


def test_looking_ahead_is_offered_privately_alone_and_sharing_where_it_was_asked_privately() -> None:
    assert Action.LOOK_AHEAD not in actions(render.answer(in_room("Who?", ["a b"])))
    assert actions(render.answer(privately("Who?", ["a b"])))[:2] == [Action.SHARE, Action.LOOK_AHEAD]
    unmet = render.answer(privately("Who?", ["a b"], why=Why.NAMES_UNMET))
    assert Action.SHARE not in actions(unmet)
    assert "only you see this" in shown(unmet[0].content)


@pytest.mark.parametrize("made", [in_room, privately])
def test_while_it_grows_its_asker_can_stop_it_and_nothing_else_is_offered(made: object) -> None:
    growing: Showing = made("Who?", ["a b"], complete=False)  # type: ignore[operator]
    ((button,),) = (piece.buttons for piece in render.answer(growing))
    assert parsed(button.press.custom_id) == button.press
    assert button.press.action is Action.STOP
    assert button.press.may_press(111222333444555666)
    assert not button.press.may_press(1)


@given(st.lists(long_hostile.filter(lambda text: bool(plain(text))), min_size=2, max_size=6))
def test_an_answer_that_grows_keeps_its_messages_and_their_order(said: list[str]) -> None:
    counts = [len(render.answer(in_room("Who?", said[:n], complete=n == len(said)))) for n in range(1, len(said) + 1)]
    assert counts == sorted(counts)


def test_a_refusal_is_the_fixed_sentence_with_nothing_to_judge() -> None:
    (piece,) = render.answer(in_room("Who?", []))
    assert "||Nothing in what everyone here has read so far answers that.||" in piece.content
    assert actions((piece,)) == [Action.PRIVATE, Action.RETRY]
    assert not piece.buttons[1].press.may_press(1)


def test_an_answer_made_for_one_audience_is_not_shown_to_another() -> None:
    with pytest.raises(SpoilerLeak) as raised:
        render.in_room(privately("Who?", ["secret words"]))
    assert "secret" not in str(raised.value)
    ben = answer(boundary(private_to(BEN)), "Who?", ["secret words"])
    for made in (in_room("Who?", ["secret words"]), showing(ben)):
        with pytest.raises(SpoilerLeak) as raised:
            render.to_asker(made)
        assert "secret" not in str(raised.value)


@given(st.lists(st.tuples(long_hostile, st.booleans()), min_size=1, max_size=8), hostile)
def test_a_bulletin_covers_what_is_covered_and_keeps_its_bars_in_fixed_width(
    lines: list[tuple[str, bool]], name: str
) -> None:
    bar = f"  1  {name}  {'█' * 12}{'░' * 8}  12 of 20"
    sent = [Line("The club's week"), *(Line(text, covered) for text, covered in lines), Line(bar)]
    picture = Picture(b"png", "week-2026-49.png", "A chart.")
    pieces = render.bulletin(Bulletin("discord:10/20", "weekly", tuple(sent), picture))
    assert hidden(pieces) == "".join(letters(plain(text)) for text, covered in lines if covered)
    assert [file.name for piece in pieces for file in piece.files] == ["week-2026-49.png"]
    for piece in pieces:
        assert message_problems(payload_of(piece)) == []
        assert marks(piece.content) <= {"spoiler", "small", "heading", "block", "bold"}
    assert pieces[-1].content.split("\n")[-1] == "```"


def test_the_greeting_has_a_button_for_each_step() -> None:
    offered = (Step.JOIN, Step.SET_PLACE, Step.WHAT_IS_KEPT)
    (piece,) = render.greeting(Welcome(in_room("?", []).book, True, offered), 5)
    assert actions((piece,)) == [Action.JOIN, Action.SET_PLACE, Action.WHAT_IS_KEPT]
    assert all(button.press.club == 5 for button in piece.buttons)
    assert "**The Sign of the Four**" in piece.content
    every = steps(tuple(Step), 5, "en@discord")
    assert len({button.press.action for button in every}) == len(Step)


def test_a_room_is_told_how_far_a_file_is_and_neither_title_nor_name() -> None:
    (piece,) = render.upload_in_room(RoomProgress(JobState.RUNNING, Stage.INDEX, 45), CANCEL)
    assert piece.content == "A book is being added: indexing, 45%.\n```\n█████████░░░░░░░░░░░\n```"
    (done,) = render.upload_in_room(RoomProgress(JobState.DONE, Stage.EMBED, 100), CANCEL)
    assert "█" not in done.content


@pytest.mark.parametrize("person", ["", "ana", ":1", "discord:", "discord:x", "discord:١"])
def test_only_a_person_of_a_chat_platform_has_a_number(person: str) -> None:
    with pytest.raises(ValueError, match="chat platform"):
        number_of(person)
    assert number_of("discord:42") == 42


def test_what_is_said_differently_here_is_a_line_of_the_catalogue_with_no_other_values() -> None:
    for key, here in (chat.IN_PLACE_OF | discord_messages.IN_PLACE_OF).items():
        known = {name for _, name, _, _ in Formatter().parse(ENGLISH[key]) if name}
        assert {name for _, name, _, _ in Formatter().parse(here) if name} <= known
        assert CATALOGUE[render.spoken("en")][key] == here != ENGLISH[key]
    assert render.spoken(render.spoken("en")) == render.spoken("en")
