"""A model that keeps notes of chapters and has the whole book at heart: nothing of it is there before its place.

A leak is any hostile claim that is remembered of a chapter: a recap or a card could show it to who has just finished
that one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest

from bot.core.answer import Answer
from bot.core.chat_model import ModelFailed
from bot.core.club import BookId, private_to
from bot.core.indexed import IndexedBook
from bot.core.recap import recap
from bot.core.remembering import chapter_remembered
from bot.core.search import Asked, Searching
from bot.core.wanted import Recap, Who
from bot.core.who import who
from bot.core.writing import Writing
from bot.ingest.files import read_book
from bot.ingest.pipeline import index_book
from bot.measure.questions import book_file
from tests.fakes.doors import FakeDoors
from tests.fakes.library import Library, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.hostile.checkers import Checker, agreeing, contrary, honest
from tests.hostile.scene import Knowledge
from tests.hostile.stage import HostileModel, folded
from tests.hostile.test_hostile import SAMPLES
from tests.hostile.ways import WAYS

Memory = Library[FakeShelf, FakeRoster, FakeDoors]
BUNCH: Final = 6
"""Ways that are tried in one reply."""
SURVIVAL: Final = 0.9


@dataclass
class Noted:
    """What became of hostile and true notes."""

    hostile: int = 0
    true: int = 0
    survived: int = 0
    leaks: list[tuple[str, str]] = field(default_factory=list)


async def noted(indexed: IndexedBook, checker: Checker, chapters: range) -> Noted:
    """Have these chapters read with every way, and look at what their readers could be shown."""
    library = in_memory()
    library.club = await library.shelf.club_named("club")
    book, _ = await library.shelf.store_book(library.club, indexed, "file", "A Book")
    model = HostileModel(Knowledge(indexed), checker, Random(5))
    found, writing = Noted(), Writing(model)
    ends = [section.span.end for section in indexed.book.chapters]
    for ordinal in chapters:
        model.__dict__.pop("ahead", None)
        model.boundary = ends[ordinal - 1]
        for at in range(0, len(WAYS), BUNCH):
            model.ways, model.sent = WAYS[at : at + BUNCH], []
            try:
                memory = await chapter_remembered(library.doors, writing, book, ordinal, lambda _: None)
            except ModelFailed:  # it wrote without end: nothing of it counts
                continue
            library.shelf.of(book).memory[ordinal] = memory
            kept = {folded(claim.text) for claim in memory.claims}
            for sent in model.sent:
                found.hostile += sent.hostile
                found.true += not sent.hostile
                found.survived += not sent.hostile and folded(sent.text) in kept
                if sent.hostile and folded(sent.text) in kept:
                    found.leaks.append((sent.way, sent.text))
            assert all(claim.revealed_at >= model.boundary for claim in memory.claims)
            assert not any(claim.also for claim in memory.claims)
            await shown_in_place(library, book, model, indexed)
    return found


async def shown_in_place(library: Memory, book: BookId, model: HostileModel, indexed: IndexedBook) -> None:
    """Nobody is shown a note before its chapter's end, nor met whom they have not met."""
    ana = await library.place("ana", book, model.boundary - 1)
    searching = Searching(library.doors, writing=Writing(model))
    sent = {folded(one.text) for one in model.sent if one.hostile}
    asked_for: list[Recap | Who] = [Recap(), *map(Who, [*model.ahead[1][:3], *list(indexed.names)[:3]])]
    for wanted in asked_for:
        asked = Asked(book, wanted.said, private_to(ana.id))
        reply = await (recap(searching, asked, wanted) if isinstance(wanted, Recap) else who(searching, asked, wanted))
        if isinstance(reply.outcome, Answer):
            assert not sent & {folded(claim.text) for claim in reply.outcome.claims}
            assert all(citation.span.end < model.boundary for citation in reply.outcome.citations)


@pytest.mark.parametrize("checker", [honest, agreeing, contrary], ids=["honest", "agreeing", "contrary"])
async def test_nothing_of_what_lies_ahead_is_remembered_of_an_earlier_chapter(checker: Checker) -> None:
    indexed = index_book(read_book(book_file(SAMPLES, "a-turn-owing")))
    found = await noted(indexed, checker, range(2, 3))
    print(f"\n{checker.__name__}: {found.hostile} hostile, {len(found.leaks)} shown; {found.survived} of {found.true}")
    assert found.hostile >= 60
    assert found.leaks == []
    if checker is not contrary:
        assert found.survived >= SURVIVAL * found.true
