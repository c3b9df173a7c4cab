"""Whose question is being answered: one of each member at a time, a few in a club, and the rest in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final, TypeVar

from bot.core.club import MemberId, Person

T = TypeVar("T")

AT_ONCE: Final = 4
"""Questions of one club that are answered at the same time."""

EVERYWHERE: Final = 128
"""Questions of all clubs that one process answers at the same time: more of them end no sooner, and what else has to be
done (a command, a press of Stop) waits for them all.
"""

WAITING: Final = 5
"""Questions of one member that may wait."""

Told = Callable[[int], Awaitable[None]]
"""Is told the place in the queue, from 1."""


@dataclass(eq=False)
class _Ticket:
    """One question. It is of a later ``round`` than any other of its member that has not ended."""

    member: MemberId
    round: int
    person: Person | None = None
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    admitted: bool = False
    stopped: bool = False
    task: asyncio.Task[Any] | None = None


class NotTaken(Enum):
    """Why a question's turn brought nothing.

    ``FULL``: its member has as many waiting as may wait. ``STOPPED``: the member stopped it; what was queued never
    began, and what had begun was given up.
    """

    FULL = auto()
    STOPPED = auto()


class Turns:
    """The turns of one club in one process.

    A question waits for those of its own member and for a free place, and no member's many questions keep another's
    single one waiting longer than one of theirs. ``everywhere`` counts those of all clubs that are answered.
    """

    def __init__(
        self, at_once: int = AT_ONCE, waiting: int = WAITING, everywhere: asyncio.Semaphore | None = None
    ) -> None:
        self._at_once = at_once
        self._everywhere = everywhere or asyncio.Semaphore(at_once)
        self._most_waiting = waiting
        self._tickets: list[_Ticket] = []
        self._round = 0

    @property
    def running(self) -> int:
        """How many questions are being answered."""
        return sum(ticket.admitted for ticket in self._tickets)

    @property
    def waiting(self) -> int:
        """How many questions wait for others."""
        return len(self._tickets) - self.running

    def waits(self, member: MemberId) -> bool:
        """Whether a question that ``member`` asked now would wait for others."""
        busy = any(ticket.admitted and ticket.member == member for ticket in self._tickets)
        return busy or self.running >= self._at_once

    async def taken(
        self, member: MemberId, work: Callable[[], Awaitable[T]], told: Told, person: Person | None = None
    ) -> T | NotTaken:
        """Do ``work`` when it is ``member``'s turn; ``told`` hears the place whenever it changes until then.

        ``person`` is who the member is, by whom it can be stopped before anything is looked up (`stop_of`).
        Work that is stopped is cancelled, and may still clear up after itself.
        """
        if sum(t.member == member and not t.admitted for t in self._tickets) >= self._most_waiting:
            return NotTaken.FULL
        round_ = max([self._round, *(t.round + 1 for t in self._tickets if t.member == member)])
        ticket = _Ticket(member, round_, person)
        self._tickets.append(ticket)
        self._admit()
        task: asyncio.Task[T] = asyncio.ensure_future(self._worked(ticket, work, told))
        ticket.task = task
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise
        finally:
            self._tickets.remove(ticket)
            self._admit()
        if task.cancelled():
            if ticket.stopped:
                return NotTaken.STOPPED
            raise asyncio.CancelledError
        return task.result()

    def stop(self, *members: MemberId) -> int:
        """Stop the running and the waiting questions of these members, or of everyone; how many there were."""
        return self._stop([t for t in self._tickets if not t.stopped and (not members or t.member in members)])

    def stop_of(self, person: Person) -> int:
        """Stop the running and the waiting questions of this person; how many there were."""
        return self._stop([t for t in self._tickets if not t.stopped and t.person == person])

    def _stop(self, found: Sequence[_Ticket]) -> int:
        for ticket in found:
            ticket.stopped = True
            if ticket.task is not None:
                ticket.task.cancel()
        return len(found)

    async def _worked(self, ticket: _Ticket, work: Callable[[], Awaitable[T]], told: Told) -> T:
        place = 0
        while not ticket.admitted:
            ticket.moved.clear()
            if (now := self._place(ticket)) != place:
                place = now
                await told(place)
            else:
                await ticket.moved.wait()
        async with self._everywhere:
            return await work()

    def _queue(self) -> list[_Ticket]:
        """The waiting tickets in the order of their turns: by round, and as they came (start-time fair queueing,
        Goyal, Vin and Cheng 1996, with questions of equal length).
        """
        return sorted((t for t in self._tickets if not t.admitted), key=lambda ticket: ticket.round)

    def _place(self, ticket: _Ticket) -> int:
        return self._queue().index(ticket) + 1

    def _admit(self) -> None:
        busy = {ticket.member for ticket in self._tickets if ticket.admitted}
        free = self._at_once - self.running
        for ticket in self._queue():
            if free > 0 and ticket.member not in busy and not ticket.stopped:
                ticket.admitted = True
                self._round = max(self._round, ticket.round)
                busy.add(ticket.member)
                free -= 1
            ticket.moved.set()
