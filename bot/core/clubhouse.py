"""What one club is reached by: its ports and the clock. Nothing of another club can be reached through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from bot.core.ahead import Ahead
from bot.core.ballots import Ballots
from bot.core.book_changes import BookChanges
from bot.core.chapter_maps import ChapterMaps
from bot.core.club import ClubId
from bot.core.club_books import ClubBooks
from bot.core.jobs import Jobs
from bot.core.ledger import Ledger
from bot.core.rooms import Rooms
from bot.core.roster import Roster
from bot.core.search import Searching
from bot.core.spending import Budgets, Spending
from bot.core.stopping import Elsewhere, Nowhere
from bot.core.timetable import Timetable
from bot.core.turns import Turns

Clock = Callable[[], datetime]
"""Says what time it is: aware, in UTC."""


@dataclass(frozen=True, slots=True)
class Clubhouse:
    """One club: who is in it, where, what searches its books (with its door), and what time it is.

    ``budgets`` are what it may spend on models, and the host with all its clubs. ``turns`` are of the club in this
    process, whoever opens it, and ``elsewhere`` are the others.
    """

    club: ClubId
    roster: Roster
    rooms: Rooms
    ballots: Ballots
    timetable: Timetable
    maps: ChapterMaps
    changes: BookChanges
    ledger: Ledger
    spending: Spending
    ahead: Ahead
    jobs: Jobs
    books: ClubBooks
    searching: Searching
    clock: Clock
    turns: Turns = field(default_factory=Turns, kw_only=True)
    budgets: Budgets = field(default_factory=Budgets, kw_only=True)
    elsewhere: Elsewhere = field(default_factory=Nowhere, kw_only=True)
