"""From an empty group to a private answer, over the wire."""

from __future__ import annotations

from functools import reduce

import pytest

from tests.peers.telegram.entities import cut
from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import BOOK, NAMES
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_plain_words_in_private_are_a_question_answered_as_far_as_who_asks_has_read(
    club: Club, peer: FakeTelegram
) -> None:
    message = await club.asks_alone("Ana", "Who counted all boats?")
    assert NAMES[2] in message["text"]
    assert NAMES[3] not in message["text"]
    assert peer.world.drafts[club["Ana"]]
    assert "Share with the room" in labels(message)


async def test_covers_are_where_they_are_in_utf_16_whatever_is_said_and_read(peer: FakeTelegram) -> None:
    other = (("before anybody else", "before 🏮 anybody 𝔢lse"), ("counted the boats", "counted 🚣🏽‍♀️ boats"))
    book = reduce(lambda text, pair: text.replace(*pair), other, BOOK)
    club = await founded(peer, book=book, Zoe=2)
    peer.world.users[club["Zoe"]]["first_name"] = "Zoë 🦊𝔄"
    question = "Who 🏮 counted 🚣🏽‍♀️ boats 𝔢lse?"
    message = await club.asks("Zoe", question)
    (cover,) = (e for e in message["entities"] if e["type"] == "spoiler")
    assert words_of(message).startswith("Zoë 🦊𝔄 asked about")
    under = cut(message["text"], cover["offset"], cover["length"])
    assert under.replace("\u200b", "").startswith(question)
    assert "🚣🏽‍♀️" in under.split(question)[-1]
    assert cut(message["text"], 0, cover["offset"]) + under == message["text"]


async def test_the_program_does_not_log_its_token(club: Club, program: Program) -> None:
    del club
    assert not [line for line in program.log if program.peer.token.split(":")[1] in line]
