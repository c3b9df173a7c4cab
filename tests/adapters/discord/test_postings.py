"""An answer that grows: how often it is edited, what waits, and what is taken away; with a clock of the test's own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast

import discord
import pytest

from bot.adapters.chat import patience, postings
from bot.adapters.chat.parts import Content
from bot.adapters.chat.postings import AnswerPosting
from bot.adapters.discord.pieces import Piece, pieces_of
from bot.adapters.discord.postings import EDIT_EVERY
from bot.core.club import ClubId
from bot.core.outcomes import Showing
from bot.core.roster import Posted
from tests.adapters.discord.shown import in_room
from tests.fakes.clubhouse import FakeClock


@dataclass(eq=False)
class Message:
    """Stands for a message: what it says, and everything it ever said."""

    states: list[str]
    gone: bool = False


@dataclass
class FakeSurface:
    """Messages in memory. ``held`` keeps what is sent from being done until it is set, ``edits_held`` edits."""

    messages: list[Message] = field(default_factory=list)
    nonces: list[str] = field(default_factory=list)
    held: asyncio.Event | None = None
    edits_held: asyncio.Event | None = None
    spared: bool = True
    refused: set[int] = field(default_factory=set)
    """Messages, by number, that cannot be deleted now."""
    deletes_held: asyncio.Event | None = None
    away_for: int = 0
    """So many messages and edits more find the platform away."""
    removes: bool = True
    comes_unseen: bool = False
    """What is sent while it is away comes all the same."""

    def pieces(self, content: Content) -> tuple[Piece, ...]:
        return pieces_of(content)

    def away(self, error: Exception) -> bool:
        return isinstance(error, ConnectionError)

    sends_again = away

    def neutral(self) -> Piece:
        return Piece("gone")

    def spare(self) -> bool:
        return self.spared

    async def send(self, piece: Piece, nonce: str) -> discord.Message:
        if self.held is not None:
            await self.held.wait()
        if self.away_for:
            self.away_for -= 1
            if self.comes_unseen and nonce not in self.nonces:
                self.messages.append(Message([piece.content]))
                self.nonces.append(nonce)
            raise ConnectionResetError
        if self.comes_unseen and nonce in self.nonces:
            return cast(discord.Message, self.messages[self.nonces.index(nonce)])
        self.messages.append(Message([piece.content]))
        self.nonces.append(nonce)
        return cast(discord.Message, self.messages[-1])

    async def edit(self, message: discord.Message, piece: Piece) -> None:
        if self.edits_held is not None:
            await self.edits_held.wait()
        if self.away_for:
            self.away_for -= 1
            raise ConnectionResetError
        cast(Message, message).states.append(piece.content)

    async def delete(self, message: discord.Message) -> None:
        if self.deletes_held is not None:
            await self.deletes_held.wait()
        if self.messages.index(cast(Message, message)) in self.refused:
            raise OSError
        cast(Message, message).gone = True

    def posted(self, message: discord.Message) -> Posted:
        return Posted("room", str(self.messages.index(cast(Message, message))))


@dataclass
class Waits:
    """A pause that moves the clock."""

    clock: FakeClock
    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.clock.now += timedelta(seconds=seconds)


def posting_on(surface: FakeSurface) -> tuple[AnswerPosting[discord.Message, Piece], Waits]:
    clock = FakeClock()
    waits = Waits(clock)
    return AnswerPosting(surface, ClubId(1), "en@discord", clock, EDIT_EVERY, waits), waits


def growing(*, holds: bool = True) -> tuple[Showing, Showing]:
    """One claim of an answer, and all of it."""

    async def held() -> bool:
        return holds

    quotes = ("The lamp went out.", "Nobody saw who had come in.")
    first = in_room("Who came?", quotes[:1], complete=False)
    return replace(first, holds=held), replace(in_room("Who came?", quotes), holds=held)


async def test_what_is_whole_waits_for_its_time_and_is_then_edited_in() -> None:
    surface = FakeSurface()
    posting, waits = posting_on(surface)
    first, whole = growing()
    await posting.show(first)
    assert await posting.show(whole) == (Posted("room", "0"),)
    assert waits.seconds == [EDIT_EVERY.total_seconds()]
    (message,) = surface.messages
    assert len(message.states) == 2


@dataclass
class Noted:
    """What stands that is not whole."""

    half: list[str] = field(default_factory=list)
    untaken: list[str] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    held: asyncio.Event | None = None

    async def begun(self, posted: Posted) -> None:
        if self.held is not None:
            await self.held.wait()
        self.half.append(posted.message)

    async def over(self, posted: Posted) -> None:
        if posted.message in self.half:
            self.half.remove(posted.message)
            self.ended.set()

    async def left(self, posted: Posted) -> None:
        self.untaken.append(posted.message)


async def test_what_stands_is_noted_until_it_is_whole_and_recorded() -> None:
    surface, noted = FakeSurface(), Noted()
    posting, _ = posting_on(surface)
    posting.noted = noted
    first, whole = growing()
    await posting.show(first)
    assert noted.half == ["0"]
    await posting.show(whole)
    assert noted.half == ["0"]
    await posting.settled()
    assert noted.half == []


async def test_what_is_shown_whole_at_once_is_noted_until_it_is_recorded() -> None:
    surface, noted = FakeSurface(), Noted()
    posting, _ = posting_on(surface)
    posting.noted = noted
    await posting.show(growing()[1])
    assert noted.half == ["0"]
    await posting.settled()
    assert noted.half == []


async def test_what_is_taken_away_is_noted_no_more() -> None:
    surface, noted = FakeSurface(), Noted()
    posting, _ = posting_on(surface)
    posting.noted = noted
    await posting.show(growing()[0])
    await posting.withdraw()
    assert noted.half == []


async def test_what_cannot_be_taken_away_is_noted_so_that_it_is_later_whole_or_not() -> None:
    for showing in (growing()[0], growing()[-1]):
        surface, noted = FakeSurface(refused={0}), Noted()
        posting, _ = posting_on(surface)
        posting.noted = noted
        await posting.show(showing)
        with pytest.raises(OSError, match=r"^$"):
            await posting.withdraw()
        assert noted.untaken == ["0"]


@pytest.mark.parametrize("removes", [True, False])
async def test_what_is_taken_away_before_it_was_noted_does_not_wait_for_that_and_is_noted_no_more_either(
    removes: bool,
) -> None:
    surface, noted = FakeSurface(), Noted(held=asyncio.Event())
    surface.removes = removes
    posting, _ = posting_on(surface)
    posting.noted = noted
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(growing()[0]))
    await asyncio.sleep(0.01)
    showing.cancel()
    async with asyncio.timeout(1):
        await posting.withdraw()
    assert [message.gone for message in surface.messages] == [True]
    assert noted.held is not None
    noted.held.set()
    await asyncio.sleep(0.01)
    assert noted.half == []


async def test_a_message_too_many_that_cannot_be_taken_away_stays_one_of_the_answers() -> None:
    surface, noted = FakeSurface(), Noted()
    posting, _ = posting_on(surface)
    posting.noted = noted
    await posting.show(long_answer())
    last = len(surface.messages) - 1
    surface.refused = {last}
    with pytest.raises(OSError, match=r"^$"):
        await posting.show(growing()[1])
    assert noted.untaken == [str(last)]
    surface.refused = set()
    await posting.withdraw()
    assert all(message.gone for message in surface.messages)


async def test_what_came_too_late_and_cannot_be_taken_away_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "PATIENCE", 0.01)
    surface, noted = FakeSurface(held=asyncio.Event(), refused={0}), Noted()
    posting, _ = posting_on(surface)
    posting.noted = noted
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(growing()[0]))
    await asyncio.sleep(0.01)
    showing.cancel()
    await posting.withdraw()
    assert surface.held is not None
    surface.held.set()
    await asyncio.sleep(0.01)
    assert noted.untaken == ["0"]


async def test_what_is_not_whole_and_comes_too_early_is_left_out() -> None:
    surface = FakeSurface()
    posting, waits = posting_on(surface)
    first, _ = growing()
    await posting.show(first)
    await posting.show(replace(first, pending=2))
    assert len(surface.messages[0].states) == 1
    waits.clock.now += EDIT_EVERY
    await posting.show(replace(first, pending=2))
    assert len(surface.messages[0].states) == 2
    assert waits.seconds == []


async def test_what_is_not_whole_waits_where_nothing_is_to_spare_and_what_is_whole_does_not() -> None:
    surface = FakeSurface(spared=False)
    posting, _ = posting_on(surface)
    first, whole = growing()
    assert await posting.show(first) == ()
    assert len(await posting.show(whole)) == 1


async def test_what_held_before_the_wait_and_not_after_it_is_not_shown() -> None:
    surface = FakeSurface()
    posting, _ = posting_on(surface)
    first, whole = growing(holds=False)
    await posting.show(first)
    await posting.show(whole)
    assert len(surface.messages[0].states) == 1


async def test_a_message_that_is_being_sent_when_it_is_stopped_is_taken_away_too() -> None:
    surface = FakeSurface(held=asyncio.Event())
    posting, _ = posting_on(surface)
    first, _ = growing()
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(first))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    showing.cancel()
    await asyncio.gather(showing, return_exceptions=True)
    assert surface.messages == []
    withdrawn = asyncio.ensure_future(posting.withdraw())
    assert surface.held is not None
    surface.held.set()
    await withdrawn
    assert [message.gone for message in surface.messages] == [True]


async def test_every_message_has_a_nonce_of_its_own_that_fits() -> None:
    surface = FakeSurface()
    posting, _ = posting_on(surface)
    _, whole = growing()
    await posting.show(whole)
    assert len(set(surface.nonces)) == len(surface.messages)
    assert all(len(nonce) <= 25 for nonce in surface.nonces)


async def test_an_edit_that_is_not_taken_for_long_holds_up_no_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "PATIENCE", 0.01)
    surface = FakeSurface(edits_held=asyncio.Event())
    posting, _ = posting_on(surface)
    first, whole = growing()
    await posting.show(first)
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(whole))
    await asyncio.sleep(0.01)
    showing.cancel()
    await posting.withdraw()
    assert [message.gone for message in surface.messages] == [True]
    assert surface.edits_held is not None
    surface.edits_held.set()
    await asyncio.sleep(0.01)
    assert len(surface.messages) == 1


async def test_an_edit_that_waits_is_not_waited_for_where_a_deleted_message_is_gone() -> None:
    surface = FakeSurface(edits_held=asyncio.Event())
    posting, _ = posting_on(surface)
    first, whole = growing()
    await posting.show(first)
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(whole))
    await asyncio.sleep(0.01)
    showing.cancel()
    taking = asyncio.ensure_future(posting.withdraw())
    await asyncio.sleep(0.01)
    assert [message.gone for message in surface.messages] == [True]
    assert not taking.done()
    assert surface.edits_held is not None
    surface.edits_held.set()
    await taking
    assert len(surface.messages) == 1


async def test_an_edit_on_its_way_comes_before_a_neutral_word_that_stays() -> None:
    surface = FakeSurface(edits_held=asyncio.Event(), removes=False)
    posting, _ = posting_on(surface)
    first, whole = growing()
    await posting.show(first)
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(whole))
    await asyncio.sleep(0.01)
    showing.cancel()
    taking = asyncio.ensure_future(posting.withdraw())
    await asyncio.sleep(0.01)
    assert [message.gone for message in surface.messages] == [False]
    assert surface.edits_held is not None
    surface.edits_held.set()
    await taking
    assert [message.gone for message in surface.messages] == [True]


async def test_a_message_that_is_sent_long_after_its_answer_was_taken_away_is_taken_away_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postings, "PATIENCE", 0.01)
    surface = FakeSurface(held=asyncio.Event())
    posting, _ = posting_on(surface)
    first, whole = growing()
    showing: asyncio.Task[Any] = asyncio.ensure_future(posting.show(first))
    await asyncio.sleep(0.01)
    showing.cancel()
    await posting.withdraw()
    assert surface.messages == []
    assert surface.held is not None
    surface.held.set()
    await posting.show(whole)
    assert [message.gone for message in surface.messages] == [True, False]


def long_answer() -> Showing:
    """An answer that takes several messages."""
    _, whole = growing()
    long = [f"The lamp went out {n}. " + "And nobody saw who had come in. " * 9 for n in range(24)]
    return replace(in_room("Who came?", tuple(long)), holds=whole.holds)


async def test_a_message_that_cannot_be_taken_away_leaves_no_other_standing_and_is_tried_again() -> None:
    surface = FakeSurface()
    posting, _ = posting_on(surface)
    await posting.show(long_answer())
    assert len(surface.messages) > 2
    surface.refused = {len(surface.messages) - 1}
    with pytest.raises(OSError):
        await posting.withdraw()
    assert [message.gone for message in surface.messages] == [True] * (len(surface.messages) - 1) + [False]
    surface.refused = set()
    await posting.withdraw()
    assert all(message.gone for message in surface.messages)


async def test_what_was_left_when_taking_away_was_broken_off_is_taken_away_the_next_time() -> None:
    surface = FakeSurface(deletes_held=asyncio.Event())
    posting, _ = posting_on(surface)
    await posting.show(long_answer())
    taking = asyncio.ensure_future(posting.withdraw())
    await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    surface.deletes_held = None
    await posting.withdraw()
    assert all(message.gone for message in surface.messages)


@pytest.mark.parametrize("unseen", [False, True])
async def test_a_message_that_may_have_come_is_sent_again_under_its_nonce_and_stands_once(
    monkeypatch: pytest.MonkeyPatch, unseen: bool
) -> None:
    monkeypatch.setattr(patience, "AGAIN", 0)
    surface = FakeSurface(away_for=2, comes_unseen=unseen)
    posting, _ = posting_on(surface)
    _, whole = growing()
    assert len(await posting.show(whole)) == len(surface.messages) == 1
    assert "The lamp" in surface.messages[0].states[0]


@pytest.mark.parametrize("unseen", [False, True])
async def test_what_does_not_hold_any_more_once_the_platform_is_back_is_not_sent_again(
    monkeypatch: pytest.MonkeyPatch, unseen: bool
) -> None:
    monkeypatch.setattr(patience, "AGAIN", 0)
    surface = FakeSurface(away_for=1, comes_unseen=unseen)
    posting, _ = posting_on(surface)
    await posting.show(growing(holds=False)[1])
    assert len(surface.messages) == 1
    assert surface.messages[0].states == ["gone"] or unseen
    await posting.withdraw()
    assert surface.messages[0].gone


async def test_an_edit_is_done_again_once_the_platform_is_back_where_it_still_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "AGAIN", 0)
    for holds in (True, False):
        surface = FakeSurface()
        posting, _ = posting_on(surface)
        first, whole = growing(holds=holds)
        await posting.show(first)
        surface.away_for, posting.every = 1, timedelta(0)
        await posting.show(whole)
        assert len(surface.messages[0].states) == (2 if holds else 1)


async def test_a_platform_that_stays_away_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "AGAIN", 0.01)
    monkeypatch.setattr(postings, "WRITING", 0.05)
    posting, _ = posting_on(FakeSurface(away_for=1_000_000))
    with pytest.raises(ConnectionResetError):
        await posting.show(growing()[1])
