"""Notes of a book over the wire: an admin is told what they cost and accepts, a worker has a model keep them, and
recaps and cards tell each member what was noted up to their own place; where nobody accepts the book is without.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from sqlalchemy import URL

from tests.discord.wire import NAMES, Club, Program, chapter_text, founded, labels, plain
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with, prompt
from tests.peers.anthropic.replies import Json, Reply, value
from tests.peers.discord.peer import FakeDiscord
from tests.stories.book import TITLES
from tests.stories.program import home, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

STRANGER: Final = {
    1: "The stranger came by the ferry at night.",
    2: "The stranger bought a borrowed oar from Bettina Marsh.",
    3: "The stranger was Corvin Hale.",
}
"""What of the stranger each chapter tells; who it is, the third."""
TEXT: Final = "\n\n".join(
    f"Chapter {n}: {TITLES[n - 1]}\n\n{chapter_text(n)} {STRANGER.get(n, '')}".rstrip() for n in range(1, 6)
)
COUNTED: Final = "In the evening {} counted the boats twice and came to a different number."
CARRIED: Final = "{} carried the lantern along the harbour wall before anybody else was awake."
AHEAD: Final = "Everard Pell rang the drowned bell at night."
"""What the model would like to tell of every chapter."""


def noted() -> Iterator[tuple[str, str, str]]:
    """What the model notes wherever it stands: a sentence, whom it is about, and who is the same."""
    for name in NAMES:
        yield CARRIED.format(name), "", ""
        yield COUNTED.format(name), name, ""
    yield STRANGER[1], "the stranger", ""
    yield STRANGER[2], "the stranger", ""
    yield STRANGER[3], "the stranger", "Corvin Hale"


def noting(body: Json) -> Reply:
    """Notes of whatever chapter is read, and one of what is ahead."""
    if checks(body):
        return honest(body)
    found: list[dict[str, Any]] = [
        {"about": about, "also": also, "text": said, "passage": number, "quote": said.rstrip(".")}
        for said, about, also in noted()
        if (number := passage_with(body, said))
    ]
    found.append({"about": "", "also": "", "text": AHEAD, "passage": 1, "quote": "carried the lantern"})
    return value({"claims": found})


@pytest.fixture(scope="module")
def model() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic(handler=noting)) as running:
        yield running


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[tuple[Path, URL]]:
    with home() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program(server: tuple[Path, URL], model: FakeAnthropic) -> AsyncIterator[Program]:
    peer = FakeDiscord()
    given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": model.origin}
    async with served(peer, lambda: Program(peer, server[0], given)) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def club(program: Program) -> Club:
    """Ana set it up and has finished chapter 3, Bo chapter 1."""
    return await founded(program.peer, text=TEXT, Ana=3, Bo=1)


async def privately(club: Club, who: str, command: str, last: int, /, **options: Any) -> str:
    """What a command is answered with for one member alone, once its ``last`` citation is there."""
    it = await club.peer.slash(club[who], club.room, command, private=True, **options)
    return await club.answer(it, has=f"[{last}] ch.")


async def number_of(club: Club) -> str:
    """The number by which the club's book is known."""
    listed = await club.does("Ana", "book list")
    return next(word for word in listed.replace(":", " ").split() if word.isdigit())


async def test_a_book_is_without_notes_until_an_admin_accepts_what_they_cost(club: Club, model: FakeAnthropic) -> None:
    offered = [plain(shown.body["content"]) for shown in club.peer.world.shown]
    assert any(re.search(r"A model can read the book .* about \d+\.\d\d USD", said, re.S) for said in offered)
    it = await club.peer.slash(club["Ana"], club.room, "book memory", book=await number_of(club))
    told = await club.answer(it)
    assert "No model keeps notes of this book" in told
    assert re.search(r"about \d+\.\d\d USD", told)
    assert model.requests == []
    without = await privately(club, "Ana", "recap", 1)
    assert not any(COUNTED.format(name) in without for name in NAMES[3:])
    assert model.requests == []


async def test_once_accepted_a_worker_has_every_chapter_noted_from_what_stands_before_alone(
    club: Club, model: FakeAnthropic, program: Program
) -> None:
    it = await club.peer.slash(club["Ana"], club.room, "book memory", book=await number_of(club))
    await club.answer(it)
    assert it.original is not None
    message = club.peer.world.messages[it.channel][it.original]
    (accept,) = [label for label in labels(message) if label.startswith("With the model, about ")]
    assert accept.endswith(" USD")
    pressed = await club.peer.click(club["Ana"], club.room, it.original, accept)
    assert "A model keeps notes of this book" in await club.answer(pressed)
    await club.peer.until(lambda: sum("event=done" in line and "kind=remember" in line for line in program.log) == 5)
    again = await club.does("Ana", "book memory", book=await number_of(club))
    assert "has kept notes of every chapter" in again
    chapters = [body for body in model.requests if not checks(body)]
    assert len(chapters) == 5
    for ordinal, body in enumerate(chapters, start=1):
        assert not any(name in prompt(body) for name in NAMES[ordinal:])
        assert not any(title in prompt(body) for title in TITLES[ordinal:])


async def test_each_is_told_what_was_noted_up_to_their_own_place(club: Club) -> None:
    ana, bo = await privately(club, "Ana", "recap", 3), await privately(club, "Bo", "recap", 1)
    assert all(CARRIED.format(name) in ana for name in NAMES[:3])
    assert CARRIED.format(NAMES[0]) in bo
    for told, reached in ((ana, 3), (bo, 1)):
        assert not any(name in told for name in NAMES[reached:])
        assert AHEAD not in told


async def test_a_room_is_told_what_was_noted_up_to_the_place_of_all(club: Club) -> None:
    it = await club.peer.slash(club["Ana"], club.room, "recap")
    await club.gone(it)
    (told,) = [plain(message["content"]) for message in club.said(has=CARRIED.format(NAMES[0]))]
    assert not any(name in told for name in NAMES[1:])


async def test_a_card_joins_the_stranger_to_a_name_for_who_has_read_it_alone(club: Club) -> None:
    ana = await privately(club, "Ana", "who", 4, name="the stranger")
    bo = await privately(club, "Bo", "who", 1, name="the stranger")
    assert "Corvin Hale" in ana
    assert all(sentence in ana for sentence in STRANGER.values())
    assert STRANGER[1] in bo
    assert not any(name in bo for name in NAMES[1:])
    assert STRANGER[2] not in bo
    assert STRANGER[1] in await privately(club, "Ana", "who", 4, name="Corvin Hale")


async def test_what_it_cost_is_told_and_giving_it_up_leaves_the_quotes(club: Club, model: FakeAnthropic) -> None:
    assert "USD" in await club.does("Ana", "club spent")
    it = await club.peer.slash(club["Ana"], club.room, "book memory", book=await number_of(club))
    await club.answer(it)
    assert it.original is not None
    pressed = await club.peer.click(club["Ana"], club.room, it.original, "Without the model")
    assert "those that there were are deleted" in await club.answer(pressed)
    asked = len(model.requests)
    told = await privately(club, "Bo", "who", 1, name="Aldous Wren")
    assert "Aldous Wren" in told
    assert len(model.requests) == asked


async def test_nothing_of_the_book_is_in_the_log(program: Program, club: Club) -> None:
    assert not [line for line in program.log if any(name in line for name in (*NAMES, *TITLES, *STRANGER.values()))]
    assert not [line for line in program.log if "event=fault" in line or "Traceback" in line or KEY in line]
