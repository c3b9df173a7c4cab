"""What a button means, as the text that comes back when it is pressed: small, versioned, read strictly.

    1.ACTION.CLUB.SUBJECT.PERSON.VALUE

Numbers are decimal without leading zeros. It is visible to whoever looks into a client, so it holds ids alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

LONGEST: Final = 100
_VERSION: Final = "1"
_MOST: Final = 2**63 - 1
_VALUE: Final = re.compile(r"[a-z0-9-]{0,24}", re.ASCII)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class Action(StrEnum):
    """What is asked for. ``subject`` is a question, book, job, ballot, member, room or message by its number."""

    ASK = "ask"
    PRIVATE = "private"
    SHARE = "share"
    STOP = "stop"
    RETRY = "retry"
    LOOK_AHEAD = "ahead"
    LOOK_ANSWER = "ahead-answer"
    SPOILED = "spoiled"
    USEFUL = "useful"
    NOT_USEFUL = "not-useful"
    JOIN = "join"
    SET_PLACE = "set-place"
    UNDO = "undo"
    CHOOSE_PLACE = "choose-place"
    MEANS_FINISHED = "finished"
    MEANS_IN = "still-in"
    SHOW_ME = "show-me"
    COUNT_ME = "count-me"
    WHAT_IS_KEPT = "kept"
    FORGET = "forget"
    KEEP = "keep"
    ADD_BOOK = "add-book"
    ANNOUNCE = "announce"
    TAKE_BACK = "take-back"
    RETRY_JOB = "retry-job"
    CANCEL_JOB = "cancel-job"
    NOTES = "notes"
    NO_NOTES = "no-notes"
    MAP = "map"
    MAP_SECTION = "map-section"
    MAP_OK = "map-ok"
    SHOW_SECTION = "section"
    ACCEPT_SPOILERS = "accept"
    KEEP_SHUT = "keep-shut"
    STORY = "story"
    NOT_STORY = "not-story"
    STARTS = "starts"
    ENDS = "ends"
    REPLACE = "replace"
    REPLACE_SURE = "replace-sure"
    LEAVE_AS_IS = "leave-as-is"
    REMOVE_BOOK = "remove-book"
    KEEP_BOOK = "keep-book"
    LIMIT = "limit"
    TALK_ROOM = "talk-room"
    NOMINATE = "nominate"
    VOTE = "vote"
    VOTE_FOR = "vote-for"
    READ_NOW = "read-now"
    DM_BOOK = "dm-book"
    PEOPLE = "people"
    PERSON = "person"
    REMOVE = "remove"
    READMIT = "readmit"
    SET_ASIDE = "aside"
    MAKE_ADMIN = "make-admin"
    TAKE_ADMIN = "take-admin"
    OPEN = "open"
    TIME_ZONE = "time-zone"
    SCHEDULE = "schedule"
    SET_SCHEDULE = "set-schedule"
    WEEKLY = "weekly"
    SETTING = "setting"


OPEN: Final = frozenset(
    (
        Action.ASK, Action.PRIVATE, Action.SPOILED, Action.USEFUL, Action.NOT_USEFUL, Action.JOIN, Action.SET_PLACE,
        Action.WHAT_IS_KEPT, Action.ADD_BOOK, Action.TALK_ROOM, Action.NOMINATE, Action.VOTE,
    )
)  # fmt: skip
"""Whoever sees these may press them; the core asks who it is. All others are bound to one person."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button's meaning. ``person`` is the number of the one who may press it, or 0 where everybody may.

    Raises ``ValueError`` where a number or ``value`` does not fit, or nobody is bound to what is not for everybody.
    """

    action: Action
    club: int = 0
    subject: int = 0
    person: int = 0
    value: str = ""

    def __post_init__(self) -> None:
        if not all(0 <= number <= _MOST for number in (self.club, self.subject, self.person)):
            raise ValueError("a number of a press is out of range")
        if _VALUE.fullmatch(self.value) is None:
            raise ValueError("the value of a press is a short word")
        if self.person == 0 and self.action not in OPEN:
            raise ValueError(f"{self.action.value} is for one person")
        if len(self.custom_id) > LONGEST:
            raise ValueError("a press is too long")

    @property
    def custom_id(self) -> str:
        """The text that is kept with the button: at most `LONGEST` ASCII characters."""
        numbers = f"{self.club}.{self.subject}.{self.person}"
        return f"{_VERSION}.{self.action.value}.{numbers}.{self.value}"

    def chosen(self, value: str) -> Press:
        """This with what was chosen from a menu added to its value. Raises ``ValueError`` where that is no word."""
        return replace(self, value=self.value + value)

    def may_press(self, person: int) -> bool:
        """Whether the person of this number may press it."""
        return self.person in (0, person)


def parsed(custom_id: str) -> Press | None:
    """The meaning of a pressed button; None for whatever is not exactly what `Press.custom_id` makes today."""
    if len(custom_id) > LONGEST:
        return None
    version, *rest = custom_id.split(".")
    if version != _VERSION or len(rest) != 5 or any(_NUMBER.fullmatch(number) is None for number in rest[1:4]):
        return None
    action, club, subject, person, value = rest
    try:
        return Press(Action(action), int(club), int(subject), int(person), value)
    except ValueError:
        return None
