"""Whatever can be done at the keyboard can be done on Discord: where each of its commands is found there."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.adapters.chat.presses import Action
from bot.adapters.discord.pressed import ANSWERED
from bot.adapters.discord.tree import COMMANDS as TREE
from bot.adapters.terminal import library
from bot.adapters.terminal.club import CLUB_COMMANDS, COMMANDS

KEYBOARD_ALONE: Final = {
    "/as": "at a keyboard several people speak; on Discord everybody is who they are",
    "/dm": "a direct message is one, and /ask has an option private",
    "/room": "on Discord a room is the channel one is in",
    "/clock": "the clock of a sitting is moved to try things out",
}

SAID: Final[dict[str, tuple[str | Action, ...]]] = {
    "/ask": ("ask",),
    "/stop": ("stop", Action.STOP),
    "/private": (Action.PRIVATE,),
    "/share": (Action.SHARE,),
    "/spoiled": (Action.SPOILED,),
    "/retry": (Action.RETRY,),
    "/ahead": (Action.LOOK_AHEAD, Action.LOOK_ANSWER),
    "/useful": (Action.USEFUL, Action.NOT_USEFUL),
    "/recap": ("recap",),
    "/who": ("who",),
    "/progress": ("progress", Action.SET_PLACE, Action.UNDO, "pages"),
    "/where": ("where",),
    "/join": ("join", Action.JOIN),
    "/leave": ("leave",),
    "/privacy": ("privacy", Action.SHOW_ME, Action.COUNT_ME),
    "/export": ("export",),
    "/forget": ("forget",),
    "/help": ("help",),
    "/book add": ("book add",),
    "/book list": ("book list", "shelf", Action.DM_BOOK),
    "/book switch": ("book switch", Action.READ_NOW),
    "/book remove": ("book remove", Action.REMOVE_BOOK, Action.KEEP_BOOK),
    "/book replace": ("book replace", Action.REPLACE, Action.LEAVE_AS_IS),
    "/book chapters": (
        "book chapters", "chapters", Action.MAP, Action.MAP_SECTION, Action.MAP_OK, Action.SHOW_SECTION,
        Action.ACCEPT_SPOILERS, Action.KEEP_SHUT, Action.STORY, Action.NOT_STORY, Action.STARTS, Action.ENDS,
    ),
    "/book announce": (Action.ANNOUNCE,),
    "/book undo": (Action.TAKE_BACK, "book uploads"),
    "/book jobs": ("book uploads",),
    "/book memory": ("book memory", Action.NOTES, Action.NO_NOTES),
    "/book cancel": (Action.CANCEL_JOB,),
    "/book retry": (Action.RETRY_JOB,),
    "/club members": ("club members", "members"),
    "/club remove": (Action.PERSON, Action.REMOVE),
    "/club readmit": (Action.READMIT,),
    "/club aside": (Action.SET_ASIDE,),
    "/club admin": (Action.MAKE_ADMIN, Action.TAKE_ADMIN, "club organisers"),
    "/club reports": ("club reports",),
    "/club spent": ("club spent",),
    "/club setup": ("club setup",),
    "/club settings": ("club settings", Action.SETTING, Action.WEEKLY),
    "/club room": ("club room list", "club room book", "club room limit", "club room remove", Action.LIMIT),
    "/club pause": ("club pause", "pause"),
    "/club resume": ("club pause",),
    "/club mute": ("club pause",),
    "/club welcome": ("club welcome",),
    "/club nominate": ("nominate", Action.NOMINATE),
    "/club vote": (
        "vote", Action.VOTE, Action.VOTE_FOR, "club vote close", "club vote until", "club vote choose",
    ),
    "/club finish": ("club finish",),
    "/club schedule": ("club schedule", "schedule", Action.SCHEDULE, Action.SET_SCHEDULE),
    "/club preview": ("club preview",),
    "/club remind": ("remind",),
}  # fmt: skip
"""What is typed at the keyboard, and where that is on Discord."""


def _typed() -> set[str]:
    books = {f"/book {word}" for word in (*library._WITH_NAME, *library._ALONE)}
    return {*COMMANDS, *books, *(f"/club {word}" for word in CLUB_COMMANDS)} - {"/book", "/club"}


def _commands() -> set[str]:
    found = set()
    for command in TREE:
        inner = command.walk_commands() if isinstance(command, app_commands.Group) else (command,)
        found |= {one.qualified_name for one in inner}
    return found


def test_every_command_of_the_keyboard_has_its_place_on_discord() -> None:
    assert _typed() - KEYBOARD_ALONE.keys() == SAID.keys()


def test_every_place_on_discord_is_there() -> None:
    places = {place for where in SAID.values() for place in where}
    assert {place for place in places if not isinstance(place, Action)} - _commands() == set()
    assert {place for place in places if isinstance(place, Action)} - ANSWERED == set()
