"""Setting up clubs over the real database: several in one server, a room in at most one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.roles import APP
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.core.club import ClubId
from bot.core.clubhouse import Clubhouse
from bot.core.clubs import Founding, SetUp, club_set_up
from bot.core.errors import Refused
from tests.databases import Databases
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory


@dataclass
class Server:
    """A platform's server, on which people set up clubs."""

    app: AsyncEngine

    @property
    def directory(self) -> PostgresDirectory:
        return PostgresDirectory(self.app)

    def house(self, club: ClubId) -> Clubhouse:
        """A club of it: its people and rooms are in the database."""
        made = house_of(in_memory(), FakeClock())
        return replace(made, club=club, roster=PostgresRoster(self.app, club), rooms=PostgresRooms(self.app, club))

    async def set_up(self, name: str, room: str, person: str, server: str = "chat:9") -> SetUp:
        founding = Founding(server, name, room, f"room {room}", f"chat:{person}", person)
        return await club_set_up(self.directory, self.house, founding)


@pytest.fixture
async def server(databases: Databases, database: str) -> AsyncIterator[Server]:
    async with databases.engine(APP, database) as engine:
        yield Server(engine)


async def test_a_server_holds_several_clubs_each_with_its_own_admin_and_rooms(server: Server) -> None:
    readers = await server.set_up("Night Readers", "1", "Ana")
    stories = await server.set_up("Sea Stories", "2", "Ben")
    elsewhere = await server.set_up("Night Readers", "3", "Cem", server="chat:10")
    assert len({readers.club, stories.club, elsewhere.club}) == 3
    for made, admin, key in ((readers, "Ana", "1"), (stories, "Ben", "2"), (elsewhere, "Cem", "3")):
        house = server.house(made.club)
        assert [m.name for m in await house.roster.members() if m.admin] == [admin]
        assert [room.key for room in await house.rooms.rooms()] == [key]
        assert await server.directory.club_of_room(key) == made.club


async def test_a_room_is_of_one_club_and_a_club_has_as_many_rooms_as_its_admins_give_it(server: Server) -> None:
    first = await server.set_up("Night Readers", "1", "Ana")
    with pytest.raises(Refused, match=r"^A club is set up in this room already: another club needs another room\.$"):
        await server.set_up("Sea Stories", "1", "Ben")
    with pytest.raises(Refused, match="Only an admin of the club can do that"):
        await server.set_up("Night Readers", "2", "Ben")
    second = await server.set_up("Night Readers", "2", "Ana")
    assert (second.club, second.new) == (first.club, True)
    assert [room.key for room in await server.house(first.club).rooms.rooms()] == ["1", "2"]
    assert len(await server.directory.clubs()) == 1


async def test_a_club_without_an_admin_is_set_up_by_whoever_comes(server: Server) -> None:
    first = await server.set_up("Night Readers", "1", "Ana")
    await server.house(first.club).roster.forget(first.admin.id)
    again = await server.set_up("Night Readers", "2", "Ben")
    assert again.club == first.club
    assert [m.name for m in await server.house(first.club).roster.members() if m.admin] == ["Ben"]


@pytest.mark.parametrize("name", ["", "x" * 61])
async def test_a_club_has_a_name(name: str) -> None:
    with pytest.raises(Refused, match=r"^A name has from 1 to 60 characters\.$"):
        Founding("chat:9", name, "1", "lounge", "chat:ana", "Ana")
