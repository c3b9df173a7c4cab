"""What Discord is sent for a question is the same for twins, to the byte, in a room and privately."""

from __future__ import annotations

from hypothesis import given, settings

from bot.adapters.discord import render
from bot.core.book import BookText
from bot.core.club import Audience, private_to
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from tests.adapters.discord.shown import showing
from tests.conftest import STRESS
from tests.fakes.library import in_memory
from tests.noninterference.surfaces import QUESTIONS
from tests.noninterference.twins import Twins, twins
from tests.peers.discord_payloads import message_problems
from tests.peers.discord_view import seen_of
from tests.peers.discord_wire import payload_of


async def _sent(book: BookText, boundary: int) -> list[dict[str, object]]:
    library = in_memory()
    number = await library.add(book)
    you = await library.place("you", number, boundary)
    sent: list[dict[str, object]] = []
    async with library.doors.opened() as door:
        chapter_map = await door.chapter_map(number)
    ana = await library.place("ana", number, chapter_map.body_end)
    for audience in (Audience(frozenset({you.id, ana.id}), "discord:1/2"), private_to(you.id)):
        for question in QUESTIONS:
            reply = await ask(Searching(library.doors), Asked(number, question, audience))
            made = showing(reply.outcome, asker=you.id, title="The Book", chapter_map=chapter_map)
            sent += [payload_of(piece, ephemeral=audience.private) for piece in render.answer(made)]
    return sent


@given(twins())
@settings(max_examples=4 * STRESS)
async def test_what_discord_is_sent_for_a_question_is_the_same_for_twins(pair: Twins) -> None:
    first, second = [await _sent(book, pair.boundary) for book in (pair.first, pair.second)]
    assert first == second
    assert not any(message_problems(payload) for payload in first)
    in_room = [seen_of(payload) for payload in first if not int(str(payload["flags"])) & 64]
    assert len({seen.split("\n", 1)[0] for seen in in_room if "continued" not in seen}) == 1
