"""Which clubs there are, and whose, as the answering role finds them before one is opened."""

from __future__ import annotations

from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import run_alone
from bot.core.club import ClubId, Person
from bot.core.ports import HOST


class PostgresDirectory:
    """`Directory` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._run = partial(run_alone, engine)

    async def club_named(self, name: str, server: str = HOST) -> ClubId:
        """The club of this name on a platform's server (or chat), made if new."""
        ((club,),) = await self._run("select dogear.club_named_v1(:name, :server)", name=name, server=server)
        return ClubId(club)

    async def club_of_room(self, key: str) -> ClubId | None:
        """The club that a room belongs to."""
        ((club,),) = await self._run("select dogear.club_of_room_v1(:key)", key=key)
        return None if club is None else ClubId(club)

    async def clubs_of_person(self, person: Person) -> tuple[ClubId, ...]:
        """The clubs that this person has joined."""
        rows = await self._run("select * from dogear.clubs_of_person_v1(:person) as club", person=person)
        return tuple(ClubId(row.club) for row in rows)

    async def clubs_that_know(self, person: Person) -> tuple[ClubId, ...]:
        """The clubs that keep anything of this person, joined or not."""
        rows = await self._run("select * from dogear.clubs_that_know_v1(:person) as club", person=person)
        return tuple(ClubId(row.club) for row in rows)

    async def clubs(self) -> tuple[ClubId, ...]:
        """Every club there is."""
        return tuple(ClubId(row.club) for row in await self._run("select * from dogear.clubs_v1() as club"))

    async def server_moved(self, old: str, new: str) -> int:
        """A platform's server or chat goes on under another key; how many rooms it has."""
        ((moved,),) = await self._run("select dogear.server_moved_v1(:old, :new)", old=old, new=new)
        return int(moved)
