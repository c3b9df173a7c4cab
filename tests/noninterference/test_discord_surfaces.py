"""Whatever is done on Discord for a boundary is the same, byte for byte, for twins: every command and every button.

The client is the one that runs, on a simulated Discord; compared is every request that it makes, edits included.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands
from hypothesis import Phase, given, settings

from bot.adapters.chat.parts import Button, Content, Part
from bot.adapters.chat.presses import OPEN, Action, Press
from bot.adapters.discord import pressed
from bot.adapters.discord.client import Dogear
from bot.adapters.discord.keys import person_key, room_key
from bot.adapters.discord.tree import COMMANDS as TREE
from bot.core.book import BookText
from bot.core.club import Role
from tests.adapters.discord.simulated import Simulated, simulated
from tests.conftest import STRESS
from tests.fakes.library import LANTERN
from tests.noninterference.discord_surfaces import (
    BO,
    BOOK,
    COMMANDS,
    COMPLETED,
    LEFT_OUT,
    MENUS,
    PRESSED,
    Options,
)
from tests.noninterference.surfaces import QUESTIONS
from tests.noninterference.twins import Twins, make_twins, twins

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
_NUMBER = re.compile(r"\b[0-9a-f]{32}\b|\d{15,20}")
"""Discord's numbers, and the names that its library gives to forms: both are drawn anew."""
_TOKEN = re.compile(r"(webhooks|callback|interactions)/[^ ]+")


def leaves() -> Iterator[app_commands.Command[Any, ..., Any]]:
    """Every slash command of the tree."""
    for command in TREE:
        if isinstance(command, app_commands.Group):
            yield from (c for c in command.walk_commands() if isinstance(c, app_commands.Command))
        elif isinstance(command, app_commands.Command):
            yield command


class Walk:
    """One world, in which everything is done by Ana; ``seen`` is what was sent, each with what it was sent for."""

    def __init__(self, it: Simulated, boundary: int) -> None:
        self.it, self.boundary = it, boundary
        self.seen: list[str] = []
        self.numbers: dict[str, str] = {}
        self.known: dict[str, int] = {}
        self._read = 0

    async def begin(self) -> None:
        """A second book that Ana brought and nobody knows of, a third to remove, and limits that are not met."""
        it = self.it
        await it.opened_to(it.ana)
        self.known["book"] = (await it.house.roster.books())[0].id
        self.known["other"] = await it.library.add(LANTERN, file="other")
        self.known["third"] = await it.library.add(LANTERN, file="third")
        kept = it.library.shelf.of((await it.house.roster.books())[1].id)
        ana = await it.house.roster.member_known(person_key(it.ana.id))
        object.__setattr__(kept.record, "announced", False)
        object.__setattr__(kept.record, "added_by", ana.id)
        for name in ("member_questions_hour", "member_questions_day", "club_questions_hour"):
            await it.house.rooms.setting_changed(name, "9999", ana.id, it.house.clock())

    async def stands(self) -> None:
        """Ana is an admin and a member, and stands at the boundary, whatever was done before; the room is there."""
        it = self.it
        ana = await it.house.roster.member_known(person_key(it.ana.id), "ana")
        await it.library.place(ana.person, (await it.house.roster.books())[0].id, self.boundary)
        await it.house.roster.role_given(ana.id, Role.ADMIN)
        if await it.house.rooms.room(room_key(it.guild.id, it.room.id)) is None:
            await it.house.rooms.room_added(room_key(it.guild.id, it.room.id), "general")
        self.known["question"] = await self._last(None, room_key(it.guild.id, it.room.id))
        self.known["private"] = await self._last(ana.id, None)

    async def _last(self, member: Any, room: str | None) -> int:
        last = await self.it.house.ledger.last_answered(member, room)
        return 0 if last is None else last.id

    def note(self, what: str) -> None:
        """What was sent since the last time, with numbers and tokens in the order in which they came."""
        sent = self.it.env.http_requests
        for entry in sent[self._read :]:
            body = {k: v for k, v in (entry.json or {}).items() if k != "nonce"} if isinstance(entry.json, dict) else ""
            path = _NUMBER.sub(self._numbered, _TOKEN.sub(r"\1", entry.path))
            self.seen.append(f"{what} -> {entry.method} {path} {_NUMBER.sub(self._numbered, str(body))}")
        self._read = len(sent)

    def _numbered(self, found: re.Match[str]) -> str:
        return self.numbers.setdefault(found[0], f"#{len(self.numbers)}")

    def filled(self, options: Options) -> Options:
        """Options with what stands for the book's number, or for Bo."""
        stands_for = {BOOK: str(self.known["book"]), BO: self.it.bo}
        return {
            key: stands_for.get(value, value) if isinstance(value, str) else value for key, value in options.items()
        }

    async def says(self, name: str, options: Options) -> None:
        await self.stands()
        shown = await self.it.ana.slash(self.it.room, name, **self.filled(options))
        self.note(f"/{name} {options}")
        for message in (shown.response, *shown.followups):
            if message is not None:
                self.seen.append(f"shown {_NUMBER.sub(self._numbered, f'{message.content} {message.components}')}")

    async def completes(self, command: app_commands.Command[Any, ..., Any]) -> None:
        for parameter in command.parameters:
            if parameter.autocomplete:
                for typed in COMPLETED:
                    await self.stands()
                    options = {} if command.name != "settings" else {"name": "language"}
                    found = await self.it.ana.autocomplete(
                        self.it.room, command.qualified_name, parameter.name, typed, **options
                    )
                    self.seen.append(f"{command.qualified_name} {typed!r}: {found}")

    async def presses(self, action: Action, subject: str, value: str) -> None:
        await self.stands()
        person = 0 if action in OPEN else self.it.ana.id
        number = self.known[subject] if subject in self.known else int(subject)
        press = Press(action, self.it.house.club, number, person, value.replace("book", str(self.known["book"])))
        client = self.it.env.bot
        assert isinstance(client, Dogear)
        content = Content((Part("here"),), (Button(press, "press"),))
        room = room_key(self.it.guild.id, self.it.room.id)
        await self.it.house.rooms.room_paused((await self.it.house.rooms.rooms())[0].id, None)
        posted = await client.posted_in(room, content, "")
        assert posted is not None
        shown = await self.it.ana.click(await client_message(client, room, posted.message), label="press")
        if shown.modal is not None:
            field = "place" if action is Action.SET_PLACE else "book"
            await self.it.ana.submit_modal(shown, {field: "in 2"})
        self.note(f"{action.value} {subject} {value}")

    async def writes(self) -> None:
        """Direct messages, a mention, and the menu under a message."""
        await self.stands()
        message = await self.it.ana.send(self.it.room, QUESTIONS[0])
        self.known["message"] = message.id
        shown = await self.it.ana.context_menu(self.it.room, "Ask about this", message)
        await self.it.ana.submit_modal(shown, {"question": QUESTIONS[1]})
        self.note("menu")
        bot = self.it.env.bot.user
        assert bot is not None
        await self.it.ana.send(self.it.room, f"<@{bot.id}> {QUESTIONS[2]}")
        self.note("mention")
        for question in QUESTIONS[:3]:
            await self.it.ana.send_dm(question)
            self.note("direct")


async def client_message(client: Dogear, room: str, number: str) -> Any:
    return await (await client.channel(room)).fetch_message(int(number))


async def _everything(text: BookText, boundary: int, further: int) -> list[str]:
    async with simulated(text=text, read=(boundary, further)) as it:
        walk = Walk(it, boundary)
        await walk.begin()
        await walk.writes()
        for command in leaves():
            await walk.completes(command)
        first = [name for name in COMMANDS if name not in LAST]
        for name in first:
            for options in COMMANDS[name]:
                await walk.says(name, options)
        for action, ways in PRESSED.items():
            for subject, value in ways:
                await walk.presses(action, subject, value)
        for name in LAST:
            for options in COMMANDS[name]:
                await walk.says(name, options)
        assert it.env.errors == []
        return walk.seen


LAST = ("club room remove", "leave", "forget")
"""What ends something comes last."""


@settings(max_examples=2 * STRESS, phases=UNSHRUNK)
@given(pair=twins(max_size=600))
async def test_every_command_and_button_of_discord_is_the_same_for_twins(
    caplog: pytest.LogCaptureFixture, pair: Twins
) -> None:
    caplog.set_level(logging.INFO)
    seen, logged = [], []
    for text in (pair.first, pair.second):
        caplog.clear()
        seen.append(await _everything(text, pair.boundary, pair.first.body_end))
        logged.append([r.getMessage() for r in caplog.records if r.name.startswith(("dogear", "bot"))])
    for one, other in zip(*seen, strict=True):
        assert one == other
    assert logged[0] == logged[1]


async def test_twins_are_told_apart_on_discord_by_who_has_read_all_of_them() -> None:
    pair = make_twins(seed=7, chapters=3, parts=False, size=300, share=0.4, snap=0)
    end = pair.first.body_end
    one, other = [await _everything(text, end, end) for text in (pair.first, pair.second)]
    differ = set(one) - set(other)
    assert {"/ask", "/chapters", "/book"} <= {seen.split()[0] for seen in differ}
    assert len(differ) > len(one) // 10


def test_every_command_of_the_tree_is_in_the_registry() -> None:
    assert {command.qualified_name for command in leaves()} == set(COMMANDS)
    assert {c.name for c in TREE if isinstance(c, app_commands.ContextMenu)} == MENUS


def test_every_button_is_in_the_registry() -> None:
    assert set(Action) == PRESSED.keys() | LEFT_OUT.keys()
    assert not PRESSED.keys() & LEFT_OUT.keys()


def test_every_button_of_the_registry_does_something() -> None:
    assert PRESSED.keys() - pressed.ANSWERED == set()
