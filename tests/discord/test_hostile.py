"""A book, a person and a question that are full of marks: nothing of them does anything, and long answers hold."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from tests.discord.wire import Club, Program, founded, labels
from tests.peers.discord.payloads import Json
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord_payloads import CONTENT, units
from tests.peers.discord_view import marks, runs, uncovered

pytestmark = pytest.mark.asyncio(loop_scope="session")

WRITER = "||@everyone|| `Ivy`"
QUESTION = "||what|| did the `keeper` write of the boats? @everyone <@1> [x](https://evil.example) discord.gg/abc # ```"


def _sentence(n: int) -> str:
    return (
        f"In line {n} the keeper wrote ||of the `boats`|| to @everyone and <@{n}> by https://evil.example/{n} with "
        f"*{n}* __{n}__ ~~{n}~~ {'|' * 79} and ```{n}``` or [it {n}](https://evil.example) at line {n}."
    )


def _chapter(c: int) -> str:
    return f"Chapter {c}: Of ||line|| {c} @here\n\n" + "\n\n".join(_sentence(20 * c + n) for n in range(12))


TEXT = "\n\n".join(map(_chapter, range(1, 6)))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def marked(program: Program) -> Club:
    places: dict[str, Any] = {WRITER: 4}
    return await founded(program.peer, text=TEXT, **places)


def _words(message: Json) -> list[str]:
    """What a message shows once everything is uncovered, line by line."""
    return "".join(run.text for run in runs(message["content"])).replace("\u200b", "").splitlines()


@pytest.mark.parametrize("private", [False, True])
async def test_a_long_answer_full_of_marks_is_in_several_messages_each_quote_whole_in_one_of_them(
    marked: Club, peer: FakeDiscord, private: bool
) -> None:
    before = set(peer.world.messages[marked.room])
    it = await peer.slash(marked[WRITER], marked.room, "ask", question=QUESTION, private=private)

    def sent() -> list[Json]:
        found = [m for key, m in peer.world.messages[marked.room].items() if key not in before]
        return found if found and "Useful" in labels(found[-1]) else []

    messages = await peer.until(sent)
    if not private:
        await marked.gone(it)
        messages = sent()
    assert len(messages) > 1
    for message in messages:
        assert units(message["content"]) <= CONTENT
        assert marks(message["content"]) <= {"spoiler", "bold", "small", "quoted"}
        assert message["mentions"] == []
        assert private or not re.search(r"line \d|boats|evil", uncovered(message["content"]))
    lines = [line for message in messages for line in _words(message)]
    quoted = [re.fullmatch(r'\[(\d)\] ch\. [1-4]: "(.*)"', line) for line in lines if re.match(r"\[\d\] ch\.", line)]
    numbers = [int(found[1]) for found in quoted if found is not None]
    assert len(numbers) == len(quoted) > 2
    assert all(b == a + 1 for a, b in pairwise(numbers))
    told = [found[2] for found in quoted if found is not None]
    assert all(_squeezed(text) in _squeezed(TEXT) for text in told)


def _squeezed(text: str) -> str:
    return "".join(text.split())
