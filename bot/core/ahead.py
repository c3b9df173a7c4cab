"""Looking ahead: a member's own choice, for one private question, to be told what lies past their place.

The sole exemption from noninterference. Nothing here is, or becomes, a `Boundary`, `Evidence` or an `Answer`: a test
walks the code for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import InitVar, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, NewType, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from bot.core.club import MemberId, QuestionId
from bot.core.errors import Refused, SpoilerLeak
from bot.core.offsets import Span

RunId = NewType("RunId", int)

PASSAGES: Final = 16
"""At most so many passages are read ahead, once."""

_CHOSEN: Final = object()


class Step(StrEnum):
    """The first press asks whether the book answers further on, the second what it says there."""

    WHETHER = "whether"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class LookAhead:
    """That one member chose one step for one private question of theirs: ``run`` is where that is kept, used once.

    Raises `SpoilerLeak` when constructed anywhere but by `chosen`, by `dataclasses.replace` and unpickling too.
    """

    member: MemberId
    question: QuestionId
    step: Step
    run: RunId
    _made_by: InitVar[object] = None

    def __post_init__(self, _made_by: object) -> None:
        if _made_by is not _CHOSEN:
            raise SpoilerLeak("a look ahead was made without anybody's choice")

    def __reduce__(self) -> NoReturn:
        raise SpoilerLeak("a look ahead cannot be stored: its run is")

    def __setstate__(self, state: object) -> NoReturn:
        raise SpoilerLeak("a look ahead cannot be loaded: it is chosen")


@dataclass(frozen=True, slots=True)
class UnreadPassages:
    """Every unread passage of the body, in text order, by numbers alone: arrays of one length.

    ``similarities`` is NaN where no vector is stored; ``counts`` is ``(passages, terms)`` in the order of the terms;
    ``lengths`` are in terms. Raises ``ValueError`` when they do not fit together.
    """

    ordinals: NDArray[np.int32]
    lengths: NDArray[np.int32]
    similarities: NDArray[np.float64]
    counts: NDArray[np.float64]

    def __post_init__(self) -> None:
        rows = {len(self.ordinals), len(self.lengths), len(self.similarities), len(self.counts)}
        if len(rows) != 1 or self.counts.ndim != 2:
            raise ValueError("unread passages whose arrays do not fit together")


@dataclass(frozen=True, slots=True)
class UnreadSentence:
    """One sentence past a member's place: its span (code points) and its text."""

    span: Span
    text: str
    paragraph_start: bool


@dataclass(frozen=True, slots=True)
class UnreadPassage:
    """A passage as far as its member has not read it; ``chapter`` is ``#N``. ``text`` stands at ``span``."""

    ordinal: int
    chapter: int | None
    span: Span
    text: str
    sentences: tuple[UnreadSentence, ...]


class AheadDoor(Protocol):
    """One transaction that looks ahead for one member, with one run. What is not committed has not been used."""

    async def looked_ahead(self, terms: Sequence[int], vectors: Sequence[NDArray[np.float32]]) -> UnreadPassages:
        """Use the run up: how the unread passages of the question's book fit these terms and (one or no) vector.

        Raises `no_look_ahead` where it was used or given up before or lapsed, where the question is none of the
        member's own private ones any more or they are no member, or where the first step did not precede the second.
        """

    async def read_ahead(self, ordinals: Sequence[int]) -> tuple[UnreadPassage, ...]:
        """The unread sentences of at most `PASSAGES` of them, after `looked_ahead`, once, for the second step alone.

        Raises `no_look_ahead`.
        """


class Ahead(Protocol):
    """What members of one club chose to look ahead at."""

    async def chosen(self, question: QuestionId, member: MemberId, step: Step, at: datetime) -> RunId | None:
        """Keep that a member chose this; None where they had before, or the question is gone."""

    async def given_up(self, run: RunId, at: datetime) -> None:
        """Note that nothing came of it, so that it may be chosen again."""

    def opened(self, look: LookAhead) -> AbstractAsyncContextManager[AheadDoor]: ...


async def chosen(ahead: Ahead, question: QuestionId, member: MemberId, step: Step, at: datetime) -> LookAhead | None:
    """The one way to a `LookAhead`: a member's choice that is kept. None where they had made it before."""
    run = await ahead.chosen(question, member, step, at)
    return None if run is None else LookAhead(member, question, step, run, _CHOSEN)


def no_look_ahead() -> Refused:
    """A choice to look ahead that does not hold."""
    return Refused("no_look_ahead", "That cannot be looked up ahead any more: ask your question again.")
