"""What rooms and askers are shown: answers, the weekly post, the greeting, and how far a book is. Pure.

``language`` is the club's as a platform speaks it ("en@discord").

In a room everything that holds words of a book, or of a question, is covered, under a first line that is the same for
every answer under one boundary. A private answer is seen by who asked alone, and has no covers.
"""

from __future__ import annotations

import re
from typing import Final

from bot.adapters import wording
from bot.adapters.answers import answer_lines
from bot.adapters.bulletins import Bulletin, Line
from bot.adapters.chat.marked import Marked, bold, line_of, shortened
from bot.adapters.chat.parts import Button, Content, File, Look, Part, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.wording import conversations, uploads
from bot.core.answer import Answer
from bot.core.club import Person, private_to
from bot.core.errors import SpoilerLeak
from bot.core.jobs import JobState
from bot.core.library import RoomProgress
from bot.core.life import Step, Welcome
from bot.core.outcomes import Showing
from bot.core.wanted import Recap, wanted_by

_NAME: Final = 64
_TITLE: Final = 200
_BAR: Final = re.compile("[█░]{12}")
_STEPS: Final = {
    Step.JOIN: Action.JOIN,
    Step.SET_PLACE: Action.SET_PLACE,
    Step.WHAT_IS_KEPT: Action.WHAT_IS_KEPT,
    Step.ADD_BOOK: Action.ADD_BOOK,
    Step.TALK_ROOM: Action.TALK_ROOM,
    Step.NOMINATE: Action.NOMINATE,
    Step.VOTE: Action.VOTE,
}


def number_of(person: Person) -> int:
    """The number of a person on their platform ("discord:1234"). Raises ``ValueError`` for one that has none."""
    platform, _, number = person.partition(":")
    if not platform or not (number.isascii() and number.isdigit()):
        raise ValueError("not a person of a chat platform")
    return int(number)


def _line(key: str, language: str, **values: str | Marked) -> Marked:
    """A line of the catalogue in which some values are bold."""
    template = wording.line(key, language, **{name: f"{{{name}}}" for name in values})
    return line_of(template, **values)


def answer(showing: Showing, language: str) -> Content:
    """An answer as far as it is there, for the audience it was made for: of a room covered, of one member not.

    Shown again with more claims it has as many pieces or more, in the same order.
    """
    private = showing.outcome.boundary.audience.private
    return to_asker(showing, language) if private else in_room(showing, language)


def in_room(showing: Showing, language: str) -> Content:
    """An answer for a room. Raises `SpoilerLeak` where it was made for one member alone."""
    if showing.outcome.boundary.audience.private:
        raise SpoilerLeak("an answer for one member was about to be shown in a room")
    return _in_room(showing, language)


def to_asker(showing: Showing, language: str) -> Content:
    """An answer for who asked, alone. Raises `SpoilerLeak` where it was made for anybody else."""
    if showing.outcome.boundary.audience != private_to(showing.asker.id):
        raise SpoilerLeak("an answer for others was about to be shown to one member")
    return _privately(showing, language)


def _in_room(showing: Showing, language: str) -> Content:
    outcome, chapter_map = showing.outcome, showing.chapter_map
    first = _line(
        "asked",
        language,
        name=bold(shortened(showing.asker.name, _NAME)),
        title=bold(shortened(showing.book.title, _TITLE)),
        boundary=wording.boundary_line(outcome.boundary, chapter_map, language),
    )
    lines = answer_lines(outcome, chapter_map, outcome.boundary.audience, showing.failed)
    parts = [Part(first), Part(bold(outcome.question), covered=True, apart=True)]
    parts += [Part(line, covered=True, apart=n == 0) for n, line in enumerate(lines)]
    waiting = wording.pending(showing.pending, language)
    if waiting:
        parts.append(Part(wording.line("pending_set", language, pending=waiting), look=Look.SMALL))

    return Content(tuple(parts), tuple(_under_rooms(showing, language, bool(waiting))), again=again(language))


def _under_rooms(showing: Showing, language: str, waiting: bool) -> list[Button]:
    """The same buttons for everybody: whether the asker has read further than the room is nobody else's business."""
    club, question = showing.book.club, showing.question
    if not showing.complete:
        return [_stop(showing, language)]
    private = Press(Action.PRIVATE, club, question)
    buttons = [Button(private, wording.line("answer_privately", language))]
    if waiting:
        buttons.append(Button(Press(Action.SET_PLACE, club, showing.book.id), wording.line("set_my_place", language)))
    return [*buttons, *_again(showing, language), *_verdicts(showing, language, 0)]


def _privately(showing: Showing, language: str) -> Content:
    outcome, audience = showing.outcome, showing.outcome.boundary.audience
    parts = [Part(_line("you_asked", language, question=bold(outcome.question)))]
    if showing.why is not None:
        parts.append(Part(conversations.alone(showing.why, language), look=Look.SMALL))
    if showing.several:
        title = bold(shortened(showing.book.title, _TITLE))
        parts.append(Part(_line("about_book", language, title=title)))
    lines = answer_lines(outcome, showing.chapter_map, audience, showing.failed)
    sentences = len(lines) - (len(outcome.citations) if isinstance(outcome, Answer) else 0)
    parts += [Part(line, look=Look.PLAIN if n < sentences else Look.QUOTED) for n, line in enumerate(lines)]
    return Content(tuple(parts), tuple(_under_privates(showing, language)))


def _under_privates(showing: Showing, language: str) -> list[Button]:
    if not showing.complete:
        return [_stop(showing, language)]
    club, question, person = showing.book.club, showing.question, number_of(showing.asker.person)
    buttons = []
    if showing.why is None:
        share = Press(Action.SHARE, club, question, person)
        buttons.append(Button(share, wording.line("share", language), Weight.MAIN))
    if not isinstance(wanted_by(showing.outcome.question), Recap):  # a recap asks nothing that could be answered later
        ahead = Press(Action.LOOK_AHEAD, club, question, person)
        buttons.append(Button(ahead, wording.line("look_ahead", language)))
    return [*buttons, *_again(showing, language), *_verdicts(showing, language, person)]


def _stop(showing: Showing, language: str) -> Button:
    press = Press(Action.STOP, showing.book.club, showing.question, number_of(showing.asker.person))
    return Button(press, wording.line("stop", language), Weight.GRAVE)


def _again(showing: Showing, language: str) -> list[Button]:
    """Under a refusal, for who asked: once more is read it may be asked again."""
    if isinstance(showing.outcome, Answer):
        return []
    press = Press(Action.RETRY, showing.book.club, showing.question, number_of(showing.asker.person))
    return [Button(press, wording.line("retry", language))]


def _verdicts(showing: Showing, language: str, person: int) -> list[Button]:
    """What may be said of an answer; a refusal shows nothing that could be useful or spoil."""
    if not isinstance(showing.outcome, Answer):
        return []
    keys = ((Action.USEFUL, "useful"), (Action.NOT_USEFUL, "not_useful"), (Action.SPOILED, "this_spoiled_me"))
    club, question = showing.book.club, showing.question
    return [Button(Press(act, club, question, person), wording.line(key, language)) for act, key in keys]


def again(language: str) -> str:
    """What each message of a room begins with that continues another one, with a place for its number."""
    return wording.line("continued", language, number="{number}")


def bulletin(sent: Bulletin, language: str) -> Content:
    """What a room is sent of its own accord, with its picture on the first piece. Bars stand in fixed width."""
    follows = [line.covered for line in sent.lines[1:]] + [False]
    parts = [
        _of_bulletin(n, line, heads=covered) for n, (line, covered) in enumerate(zip(sent.lines, follows, strict=True))
    ]
    picture = sent.picture
    files = [] if picture is None else [File(picture.name, picture.png, picture.alt)]

    return Content(tuple(parts), files=tuple(files), again=again(language))


def _of_bulletin(number: int, line: Line, *, heads: bool) -> Part:
    """One line; the first is a heading, and what ``heads`` covered lines is bold."""
    if line.covered:
        return Part(line.text, covered=True)
    if number == 0:
        return Part(line.text, look=Look.HEADING)
    if _BAR.search(line.text):
        return Part(line.text, look=Look.FIXED)
    return Part(bold(line.text) if heads else line.text)


def greeting(made: Welcome, club: int, language: str) -> Content:
    """How a room is greeted, with a button a step."""
    parts = [Part(wording.line("greeting", language))]
    if made.book is not None:
        parts.append(Part(_line("greeting_book", language, title=bold(shortened(made.book.title, _TITLE)))))
    strangers = wording.line("greeting_covered" if made.covered else "greeting_strict", language)
    parts.append(Part(strangers, look=Look.SMALL))
    return Content(tuple(parts), steps(made.steps, club, language))


def steps(offered: tuple[Step, ...], club: int, language: str) -> tuple[Button, ...]:
    """A button for each step that a person can take next; the first is the one to press."""
    return tuple(
        Button(
            Press(_STEPS[step], club),
            wording.line(f"step_{step.value}", language),
            Weight.MAIN if n == 0 else Weight.PLAIN,
        )
        for n, step in enumerate(offered)
    )


def upload_in_room(progress: RoomProgress, cancel: Press, language: str) -> Content:
    """How far a file is, for the one message in a room that is edited: no title and no name. While it goes on, who
    brought it may ``cancel`` it.
    """
    said = uploads.room_progress(progress, language)
    running = progress.state in {JobState.QUEUED, JobState.RUNNING}
    drawn = [Part(_bar(progress.percent), look=Look.FIXED)] if running else []
    buttons = (Button(cancel, wording.line("chat_upload_stop", language)),) if running else ()
    return Content((Part(said), *drawn), buttons)


def _bar(percent: int) -> str:
    filled = min(max(percent, 0), 100) // 5
    return "█" * filled + "░" * (20 - filled)
