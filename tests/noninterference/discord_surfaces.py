"""The registry of Discord's surfaces: every command and every button, and what is done with each for a pair of twins.

A test fails where the command tree has a command, or the buttons a meaning, that is named neither here nor among those
that are left out. Everything is done by Ana, an admin, who stands at the boundary, in a room where nobody is behind.
"""

from __future__ import annotations

from typing import Any, Final

from bot.adapters.chat.presses import Action
from tests.noninterference.surfaces import NAMED, QUESTIONS

Options = dict[str, Any]

BOOK: Final = "«book»"
"""Stands for the number of the book."""
BO: Final = "«bo»"
"""Stands for another member, who has read all of it."""

PLACES: Final = (
    "2", "99", "in 2", "part 1", "10%", "98%", "p. 12", "none", "the murderer", "Chapter 2: Poison", "an alibi", "undo",
    "p. 3 begins: drowned the stranger a will gold confessed was dead",
)  # fmt: skip

COMMANDS: Final[dict[str, tuple[Options, ...]]] = {
    "ask": (
        *({"question": question} for question in QUESTIONS),
        *({"question": question, "private": True} for question in QUESTIONS[:4]),
        {"question": "Who is Corwin Ash?", "book": "all"},
        {"question": "And then?", "book": "99"},
    ),
    "recap": (
        {}, {"of": "last chapter"}, {"of": "since my last visit"}, {"of": "last chapter", "private": True},
    ),
    "who": (
        *({"name": name} for name in NAMED), *({"name": name, "private": True} for name in NAMED[:6]),
    ),
    "progress": ({}, *({"place": place} for place in PLACES)),
    "where": ({},),
    "join": ({},),
    "stop": ({},),
    "help": ({},),
    "privacy": ({},),
    "export": ({},),
    "shelf": ({},),
    "chapters": ({},),
    "members": ({},),
    "schedule": ({},),
    "vote": ({},),
    "nominate": ({"title": "Corwin Ash"}, {"title": "The Murderer"}, {"title": BOOK}),
    "remind": ({"on": True}, {"on": False}),
    "pages": ({"page": 3, "begins": "drowned the stranger a will gold confessed was dead"}, {"page": 4, "begins": "x"}),
    "pause": ({"resume": True},),
    "book add": ({"file": ("song.mp3", b"la")},),
    "book replace": ({"book": BOOK, "file": ("song.mp3", b"la")}, {"book": "99", "file": ("song.mp3", b"la")}),
    "book list": ({},),
    "book switch": ({"book": BOOK}, {"book": "The Murderer"}),
    "book remove": ({"book": "99"}, {"book": "1"}),
    "book chapters": ({},),
    "book uploads": ({},),
    "book memory": ({"book": BOOK}, {"book": "99"}),
    "club setup": ({},),
    "club settings": ({}, {"name": "names", "value": "on"}, {"name": "weekly_day", "value": "never"}),
    "club organisers": ({},),
    "club schedule": (
        {}, {"what": "1 by 2026-04-20"}, {"what": "end by 2026-05-01"}, {"what": "the murderer by tomorrow"},
        {"what": "Chapter 2: Poison by tomorrow"}, {"what": "off"},
    ),
    "club preview": ({},),
    "club members": ({}, {"who": BO}),
    "club pause": ({"resume": True},),
    "club finish": ({},),
    "club welcome": ({},),
    "club reports": ({},),
    "club spent": ({},),
    "club room list": ({},),
    "club room book": ({"book": BOOK}, {"book": "99"}, {"book": "off"}),
    "club room limit": ({"place": "1"}, {"place": "45%"}, {"place": "poison"}, {"place": "99"}, {"place": "off"}),
    "club vote until": ({"day": "2999-01-31"},),
    "club vote close": ({},),
    "club vote choose": ({"number": 1},),
    "club room remove": ({},),
    "leave": ({},),
    "forget": ({}, {"everywhere": True}),
}  # fmt: skip
"""Every slash command, in the order in which they are said, and its options each time."""

MENUS: Final = frozenset({"Ask about this"})
"""Menus under messages: they ask what `/ask` asks."""

COMPLETED: Final = ("", "1", "chapter", "quillet", "murder", "in", "poison", "the", "zzz")
"""What is typed where an option completes."""

PRESSED: Final[dict[Action, tuple[tuple[str, str], ...]]] = {
    Action.ASK: (("message", ""),),
    Action.PRIVATE: (("question", ""), ("0", "")),
    Action.SHARE: (("private", ""), ("0", "")),
    Action.STOP: (("question", ""),),
    Action.JOIN: (("0", ""),),
    Action.SET_PLACE: (("0", ""),),
    Action.UNDO: (("book", ""),),
    Action.CHOOSE_PLACE: (("book", "12-1-0"), ("book", "12-1-7")),
    Action.MEANS_FINISHED: (("book", "0"), ("book", "7")),
    Action.MEANS_IN: (("book", "0"),),
    Action.SHOW_ME: (("0", ""),),
    Action.COUNT_ME: (("0", ""),),
    Action.WHAT_IS_KEPT: (("0", ""),),
    Action.KEEP: (("0", ""),),
    Action.ADD_BOOK: (("0", ""),),
    Action.RETRY_JOB: (("99", ""),),
    Action.CANCEL_JOB: (("99", ""),),
    Action.MAP: (("book", "0"), ("book", "1"), ("99", "0")),
    Action.MAP_SECTION: (("book", "1"), ("book", "2"), ("book", "2-4"), ("book", "99"), ("book", "")),
    Action.MAP_OK: (("book", "7"), ("book", "0")),
    Action.SHOW_SECTION: (("book", "1"), ("book", "2"), ("book", "3"), ("book", "99")),
    Action.KEEP_SHUT: (("book", "3"),),
    Action.STORY: (("book", "99-99"),),
    Action.NOT_STORY: (("book", "99"),),
    Action.STARTS: (("book", "99"),),
    Action.ENDS: (("book", "99"),),
    Action.REPLACE: (("other", "book"), ("book", "book"), ("99", "book")),
    Action.REPLACE_SURE: (("book", "book"),),
    Action.LEAVE_AS_IS: (("book", ""),),
    Action.REMOVE_BOOK: (("99", ""), ("third", "")),
    Action.KEEP_BOOK: (("book", ""), ("99", "")),
    Action.LIMIT: (("book", "12-0"), ("book", "12-7"), ("book", "12-0-1"), ("book", "12-0-99"), ("99", "")),
    Action.SCHEDULE: (
        ("1", ""),
        ("1", "c1-x-book"),
        ("1", "c2-4-book"),
        ("1", "w2-x-book"),
        ("1", "w2-0-book"),
        ("1", "off-book"),
        ("1", "c1-x-99"),
        ("1", "poison"),
        ("99", ""),
    ),
    Action.SET_SCHEDULE: (("1", "c1-3-book"), ("1", "w2-x-book"), ("1", "off-book"), ("1", "c1-x-99"), ("99", "")),
    Action.WEEKLY: (
        ("1", ""),
        ("1", "day-4"),
        ("1", "at-18"),
        ("1", "zone"),
        ("1", "zone-7"),
        ("1", "post-0"),
        ("1", "post-1"),
        ("1", "zone-99"),
    ),
    Action.SETTING: (
        ("0", ""),
        ("0", "4"),
        ("4", ""),
        ("4", "friday"),
        ("2", "z7"),
        ("5", "t18"),
        ("6", "n14"),
        ("10", "default"),
        ("8", "on"),
        ("4", "poison"),
        ("0", "poison"),
        ("99", ""),
    ),
    Action.TALK_ROOM: (("0", ""),),
    Action.NOMINATE: (("0", ""),),
    Action.VOTE: (("0", ""),),
    Action.VOTE_FOR: (("1", "1"), ("1", "9"), ("9", "1")),
    Action.READ_NOW: (("book", ""), ("99", "")),
    Action.DM_BOOK: (("0", "1-book"), ("0", "1-99"), ("message", "1-book")),
    Action.PEOPLE: (("0", "1"),),
    Action.PERSON: (("0", "2"), ("0", "99")),
    Action.SET_ASIDE: (("2", ""), ("99", "")),
    Action.MAKE_ADMIN: (("2", ""),),
    Action.TAKE_ADMIN: (("2", ""),),
    Action.REMOVE: (("2", ""), ("1", "")),
    Action.READMIT: (("2", ""), ("2", "")),
    Action.ANNOUNCE: (("other", ""), ("99", "")),
    Action.TAKE_BACK: (("other", ""), ("99", "")),
    Action.NOTES: (("book", ""), ("99", "")),
    Action.NO_NOTES: (("book", ""), ("99", "")),
    Action.RETRY: (("question", ""), ("private", ""), ("0", "")),
    Action.USEFUL: (("question", ""), ("private", "")),
    Action.NOT_USEFUL: (("question", ""), ("0", "")),
    Action.SPOILED: (("question", ""), ("private", "")),
    Action.FORGET: (("0", "me"),),
}
"""Every button: what it is about (a number, or what stands for one) and its value, in the order of pressing."""

LEFT_OUT: Final[dict[Action, str]] = {
    Action.ACCEPT_SPOILERS: "an admin who accepts spoilers sees how a section begins: alone, once a consent, and kept",
    Action.LOOK_AHEAD: "looking ahead is told to one member who asked for it: never shared, cached or used",
    Action.LOOK_ANSWER: "the same, on a second press",
    Action.OPEN: "of Telegram alone",
    Action.TIME_ZONE: "of Telegram alone",
}
"""Buttons outside the master test, and why."""
