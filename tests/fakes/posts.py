"""Where answers appear, in memory: what stands in the room, what stands privately, and what was told of the queue."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.core.outcomes import Showing
from bot.core.roster import Posted


async def _nothing(*_: object) -> None:
    pass


@dataclass(eq=False)
class FakePosting:
    """One answer: ``visible`` is what stands now, ``seen`` all that ever stood."""

    posts: FakePosts
    place: str
    number: int
    visible: Showing | None = None
    grows: bool = True
    seen: list[Showing] = field(default_factory=list)

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        await self.posts.before_show()
        self.visible = showing
        self.seen.append(showing)
        await self.posts.after_show(showing)
        return (Posted(self.place, f"m{self.number}"),)

    async def settled(self) -> None:
        await self.posts.when_settled()

    async def withdraw(self) -> None:
        self.visible = None
        self.posts.withdrawals += 1


@dataclass
class FakePosts:
    """Postings as they are made. The hooks are called around every show."""

    room: str = "lounge"
    made: list[FakePosting] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    withdrawals: int = 0
    before_show: Callable[[], Awaitable[None]] = _nothing
    after_show: Callable[[Showing], Awaitable[None]] = _nothing
    when_settled: Callable[[], Awaitable[None]] = _nothing

    def _posting(self, place: str) -> FakePosting:
        self.made.append(FakePosting(self, place, len(self.made) + 1))
        return self.made[-1]

    def in_room(self) -> FakePosting:
        return self._posting(self.room)

    def to_asker(self) -> FakePosting:
        return self._posting("dm")

    async def waiting(self, place: int) -> None:
        self.places.append(place)

    def standing(self, place: str) -> list[Showing]:
        """What stands in a place now."""
        return [p.visible for p in self.made if p.place == place and p.visible is not None]

    @property
    def ever_in_room(self) -> list[Showing]:
        """Everything that the room was ever shown."""
        return [showing for p in self.made if p.place == self.room for showing in p.seen]
