"""What one member is told alone, and the port that tells it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from bot.core.chapters import ChapterMap
from bot.core.club import Member
from bot.core.schedule import Milestone


@dataclass(frozen=True, slots=True)
class NowAway:
    """Nothing was heard of the member for so many days: from now on their place does not count."""

    days: int


@dataclass(frozen=True, slots=True)
class CountsAgain:
    """The member was away and gave a sign: their place counts from now on."""


@dataclass(frozen=True, slots=True)
class WhereAreYou:
    """The member never said where they are in these books (titles), which are read now, and is asked once for each."""

    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetAside:
    """An admin set the member aside: in a book in which they have said no place they do not count."""


@dataclass(frozen=True, slots=True)
class DueSoon:
    """A chapter that the member, who asked to be reminded, has not finished is due; ``today`` is the club's date."""

    title: str
    milestone: Milestone
    chapter_map: ChapterMap
    today: date


Notice = NowAway | CountsAgain | WhereAreYou | SetAside | DueSoon


class Tell(Protocol):
    """Tells a member something privately."""

    async def tell(self, member: Member, notice: Notice) -> bool:
        """Whether it was delivered: False where no private message reaches the member. Nobody else is told."""
