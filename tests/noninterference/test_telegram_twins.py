"""What Telegram is sent for a question, and says of places, is the same for twins, to the byte."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from hypothesis import given, settings

from bot.adapters.chat import render
from bot.adapters.chat.parts import Content
from bot.adapters.chat.pressed import DONE
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.scene import Scene
from bot.adapters.telegram.asking import told_of
from bot.adapters.telegram.commands import COMMANDS
from bot.adapters.telegram.pieces import Piece, pieces_of
from bot.core.audience import See, cannot_tell
from bot.core.book import BookText
from bot.core.club import Audience, Role, private_to
from bot.core.replying import replying
from bot.core.search import Asked, Searching
from tests.adapters.discord.shown import showing
from tests.conftest import STRESS
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory
from tests.noninterference.surfaces import NAMED, QUESTIONS
from tests.noninterference.twins import Twins, twins
from tests.peers.telegram.entities import read, uncovered

SAID = (
    ("chapters", ""), ("where", ""), ("progress", "99"), ("progress", "part 1"), ("progress", "Captain Marrable"),
    ("progress", "undo"), ("progress", "45%"),
)  # fmt: skip


ASKED = (
    *QUESTIONS, told_of("recap", ""), told_of("recap", "last chapter"), *(told_of("who", name) for name in NAMED),
)  # fmt: skip


async def _sent(book: BookText, boundary: int) -> list[Piece]:
    library = in_memory()
    number = await library.add(book)
    you = await library.place("telegram:1", number, boundary)
    sent: list[Piece] = []
    async with library.doors.opened() as door:
        chapter_map = await door.chapter_map(number)
    ana = await library.place("telegram:2", number, chapter_map.body_end)
    for audience in (Audience(frozenset({you.id, ana.id}), "telegram:-1"), private_to(you.id)):
        for question in ASKED:
            async for reply in replying(Searching(library.doors), Asked(number, question, audience)):
                last = reply
            made = showing(last.outcome, asker=you.id, title="The Book", chapter_map=chapter_map)
            sent += pieces_of(render.answer(made, "en@telegram"))
    scene = Scene(cast(Any, None), house_of(library, FakeClock()), you, "en@telegram")
    for name, rest in SAID:
        said = await COMMANDS[name].run(scene, rest)
        sent += [piece for content in said.contents for piece in pieces_of(content)]
    return sent + await _scheduled(scene)


class Platform:
    """A group that nobody is known to see."""

    async def see_in(self, room: str) -> See:
        return cannot_tell

    async def announce(self, room: str, content: Content, key: str) -> bool:
        return bool(pieces_of(content))


async def _scheduled(scene: Scene) -> list[Piece]:
    """Every button of `/club schedule`, pressed by an admin in the private chat, and what comes of it."""
    room = await scene.house.rooms.room_added("telegram:-1", "Readers")
    admin = replace(scene, client=cast(Any, Platform()), member=replace(scene.member, role=Role.ADMIN))
    found = await COMMANDS["club schedule"].run(admin, "")
    sent = [piece for content in found.contents for piece in pieces_of(content)]
    pressed = [Press(Action.SCHEDULE, scene.house.club, room.id, 1, "poison"), *(b.press for b in found.buttons)]
    for press in pressed:
        shown = await DONE[press.action](admin, press)
        then = [await DONE[button.press.action](admin, button.press) for button in shown.buttons]
        sent += [piece for said in (shown, *then) for content in said.contents for piece in pieces_of(content)]
    return sent


@given(twins())
@settings(max_examples=4 * STRESS)
async def test_what_telegram_is_sent_and_says_of_places_is_the_same_for_twins(pair: Twins) -> None:
    first, second = [await _sent(book, pair.boundary) for book in (pair.first, pair.second)]
    assert first == second
    in_room = [uncovered(*read(p.html, "HTML")).split("\n")[0] for p in first if "asked about" in p.html]
    assert len(set(in_room)) == 1
