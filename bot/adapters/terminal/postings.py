"""What is shown of answers at the keyboard: nothing is printed before it is whole, and held when it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.answers import answer_lines
from bot.adapters.terminal.replies import Holds, Reply, clear, covered
from bot.adapters.wording import conversations
from bot.core.club_rooms import book_read
from bot.core.outcomes import Showing
from bot.core.roster import Posted
from bot.core.wanted import Recap, wanted_by

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


@dataclass(eq=False)
class TerminalPosting:
    """One answer; ``showing`` is what would be printed of it now."""

    place: str
    showing: Showing | None = None
    grows: bool = False

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Keep it in place of what was there before."""
        self.showing = showing
        return (Posted(self.place, str(showing.question)),)

    async def settled(self) -> None:
        """Nothing is printed before."""

    async def withdraw(self) -> None:
        """Print nothing of it."""
        self.showing = None


@dataclass
class TerminalPosts:
    """What one line typed by the speaker is answered with. ``named`` says that they named the book themselves."""

    club: TerminalClub
    named: bool = False
    places: list[int] = field(default_factory=list)
    _made: list[TerminalPosting] = field(default_factory=list)

    def _posting(self, place: str) -> TerminalPosting:
        self._made.append(TerminalPosting(place))
        return self._made[-1]

    def in_room(self) -> TerminalPosting:
        """An answer for the present room."""
        return self._posting(self.club.room)

    def to_asker(self) -> TerminalPosting:
        """An answer for the speaker alone."""
        return self._posting(f"{self.club.room}/{self.club.speaker}")

    async def waiting(self, place: int) -> None:
        """Remember the place in the queue: it is printed with what comes of it."""
        self.places.append(place)

    def rendered(self, showing: Showing) -> list[Reply]:
        """The replies of what stands; none of what was withdrawn."""
        if not any(posting.showing == showing for posting in self._made):
            return []
        return _privately(showing) if showing.outcome.boundary.audience.private else self._in_room(showing)

    def _in_room(self, showing: Showing) -> list[Reply]:
        outcome, chapter_map, asker = showing.outcome, showing.chapter_map, showing.asker
        up_to = wording.boundary_line(outcome.boundary, chapter_map)
        first = wording.line("asked", name=asker.name, title=showing.book.title, boundary=up_to)
        below = []
        if waiting := wording.pending(showing.pending):
            below.append(wording.line("pending_set", pending=waiting, label=wording.line("set_my_place")))
        lines = answer_lines(outcome, chapter_map, outcome.boundary.audience, showing.failed)
        shown = covered(first, [outcome.question, *lines], *below)
        replies = [Reply(shown.lines, answers=True, holds=self._holds(showing))]
        if showing.ahead:
            label, again = wording.line("answer_privately"), f"/dm {outcome.question}"
            replies.append(clear(wording.line("button", label=label, command=again), only=asker.name))
        return replies

    def _holds(self, showing: Showing) -> Holds:
        """Whether the room still reads the book, unless it was named; who speaks is of the audience; it holds; and
        nobody has said that it spoiled them.
        """
        club, room, named = self.club, self.club.room, self.named

        async def holds() -> bool:
            member, book = await club.member(), await book_read(club.desk.house, room)
            put_away = not named and (book is None or book.id != showing.book.id)
            if put_away or member.id not in showing.outcome.boundary.audience.members:
                return False
            return str(showing.question) not in club.hidden and await showing.holds()

        return holds


def _privately(showing: Showing) -> list[Reply]:
    outcome, audience = showing.outcome, showing.outcome.boundary.audience
    lines = [wording.line("you_asked", question=outcome.question)]
    if showing.why is not None:
        lines.append(conversations.alone(showing.why))
    if showing.several:
        lines.append(wording.line("about_book", title=showing.book.title))
    lines += answer_lines(outcome, showing.chapter_map, audience, showing.failed)
    if showing.why is None:
        lines.append(wording.line("share_button", label=wording.line("share")))
    if not isinstance(wanted_by(outcome.question), Recap):
        lines.append(wording.line("ahead_button", label=wording.line("look_ahead")))
    said = clear(*lines, only=showing.asker.name)
    return [Reply(said.lines, said.only, answers=True)]
