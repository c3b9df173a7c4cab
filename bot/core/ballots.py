"""Choosing the next book: nominations and one vote a member, in rounds.

Votes are by approval: each member names every nomination they would gladly read, and the one with the most approvals
is read next. It needs one press a title on any platform, no ranking, and nobody has to give up a book they like for one
that can win; two books of one kind do not take votes from each other (Brams and Fishburn, Approval Voting, 1983). A tie
is told, and an admin chooses among those that are tied.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NewType, Protocol

from bot.core.club import BookId, MemberId
from bot.core.errors import Refused

BallotId = NewType("BallotId", int)

LONGEST_TITLE: Final = 120
"""Code points of a nominated title."""
MOST_NOMINATIONS: Final = 25
"""Nominations of one round: as many choices as the chat platforms show in one list."""
MOST_OF_ONE_MEMBER: Final = 3
"""Nominations of one member in one round."""


@dataclass(frozen=True, slots=True)
class Nomination:
    """One title of a round, called by its number ``n`` there. ``title`` is as a member said it: their words.

    ``book`` is set where it already stands on the club's shelf. ``by`` is None once that member is forgotten.
    ``approvals`` is counted when the round is closed, and None until then: nobody votes by what others did.
    """

    n: int
    title: str
    book: BookId | None = None
    by: MemberId | None = None
    approvals: int | None = None

    def __post_init__(self) -> None:
        if self.n < 1 or not 0 < len(self.title) <= LONGEST_TITLE:
            raise ValueError("a nomination has a number from 1 and a title")


@dataclass(frozen=True, slots=True)
class Ballot:
    """One round: what is nominated, by number, and how many members voted.

    ``closes_at`` is when it closes by itself, or None. ``winner`` is the number of what was chosen, once it is.
    """

    id: BallotId
    opened_at: datetime
    nominations: tuple[Nomination, ...] = ()
    voters: int = 0
    closes_at: datetime | None = None
    closed_at: datetime | None = None
    winner: int | None = None

    @property
    def open(self) -> bool:
        return self.closed_at is None

    @property
    def tied(self) -> tuple[Nomination, ...]:
        """Those with the most approvals of a closed round; empty while it is open. One alone is no tie."""
        most = max((n.approvals or 0 for n in self.nominations), default=0)
        return () if self.open else tuple(n for n in self.nominations if (n.approvals or 0) == most)

    @property
    def chosen(self) -> Nomination | None:
        """What will be read next, once that is settled."""
        return None if self.winner is None else self.nomination(self.winner)

    def nomination(self, n: int) -> Nomination | None:
        """The nomination of this number, if there is one."""
        return next((nomination for nomination in self.nominations if nomination.n == n), None)


class Ballots(Protocol):
    """The rounds of one club, and which books it is done with. Votes of people who are members no more do not count."""

    async def book_finished(self, book: BookId, now: datetime) -> bool:
        """Note that the club has finished a book, for good; True for the one call that did."""

    async def ballot(self) -> Ballot | None:
        """The latest round, open or closed."""

    async def ballot_opened(self, now: datetime) -> Ballot:
        """The round that is open, opened if there is none."""

    async def ballot_until(self, ballot: BallotId, closes_at: datetime | None) -> bool:
        """Say when an open round closes by itself; False where it is not open."""

    async def nominated(
        self, ballot: BallotId, title: str, book: BookId | None, by: MemberId, now: datetime
    ) -> Nomination | None:
        """One more nomination, numbered from 1; None where the round is not open."""

    async def voted(self, ballot: BallotId, member: MemberId, approved: Iterable[int], now: datetime) -> bool:
        """Put a member's vote in the place of any earlier one; False where the round is not open."""

    async def vote_of(self, ballot: BallotId, member: MemberId) -> tuple[int, ...] | None:
        """What a member approved of, by number; None where they have not voted."""

    async def ballot_closed(self, ballot: BallotId, now: datetime) -> bool:
        """Close a round, count its approvals, and choose what has most of them, if one alone has.

        True for the one call that closed it.
        """

    async def ballot_decided(self, ballot: BallotId, winner: int) -> bool:
        """Choose, in a closed round without a winner; True for the one call that did."""


def nominated_title(said: str) -> str:
    """A title as a member says it: NFC, one line, single spaces, nothing invisible.

    Raises `Refused` with one sentence where nothing is left or it is longer than `LONGEST_TITLE`.
    """
    shown = "".join(_visible(c) for c in unicodedata.normalize("NFC", said))
    title = " ".join(shown.split())
    if not title:
        raise Refused("no_title", "Say which book: its title, or the number of one on the club's shelf.")
    if len(title) > LONGEST_TITLE:
        raise Refused("title_too_long", f"Say the title in at most {LONGEST_TITLE} characters.")
    return title


_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible, and part of words in several scripts."""


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf" and character not in _JOINERS:
        return ""
    return " " if category in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"} else character
