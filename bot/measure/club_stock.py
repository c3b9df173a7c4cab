"""Fill a database with clubs: one small book through the shelf, a copy of its rows for each club, people and rooms.

Everything is drawn here, and known to the simulation's own log, before it is written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.core.club import BookId, ClubId
from bot.core.shelf import Shelf
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from bot.measure.club_book import ClubBook, DrawnEmbedder, club_book
from bot.measure.club_log import ClubLog, Reader, SeenRoom
from bot.measure.shelving import TABLES, columns_of

ZONES: Final = ("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Adelaide", "America/Sao_Paulo")
AWAY_AFTER: Final = 2
"""Days of silence in the clubs that wait no longer; the others have the default."""
_DEFAULT_AWAY: Final = 21
_DAYS: Final = ("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PLACED: Final = 0.97
"""The share of those who have joined and have said where they are: one who has not keeps a whole room at the start."""
_CHUNK: Final = 250
_HISTORY: Final = 40
"""Places that each member of a crowd has said."""


@dataclass(frozen=True, slots=True)
class StockedClub:
    """One club as it stands in the database, and as the simulation knows it."""

    id: ClubId
    book: BookId
    host: str
    log: ClubLog


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One club before it is written: its log, and its settings by name."""

    log: ClubLog
    settings: dict[str, str]


def drawn_club(number: int, members: int, start: datetime, book: ClubBook, rng: np.random.Generator) -> _Drawn:
    """A club: about two thirds of its people have joined and most of those are somewhere in the book."""
    people: dict[str, Reader] = {}
    for index in range(members):
        joined = index == 0 or rng.random() < 0.65
        seen = start - timedelta(days=float(rng.random() * 4))
        reader = Reader(joined, seen=seen if joined else None, shown=bool(rng.random() < 0.5))
        if joined and (index == 0 or rng.random() < PLACED):
            done = int(rng.integers(0, 4))
            reader = reader.at(book.ends[done - 1] if done else int(rng.integers(0, book.ends[0])))
        people[f"bench:{number}:{index}"] = reader
    listed = frozenset(person for person in people if rng.random() < 0.7)
    strict = bool(rng.random() < 0.2)
    strangers = int(rng.random() < 0.2)
    limit = book.ends[int(rng.integers(1, 4))] if rng.random() < 0.4 else None
    rooms = {f"bench:{number}:lounge": SeenRoom(f"bench:{number}:lounge")}
    rooms[f"bench:{number}:den"] = SeenRoom(f"bench:{number}:den", listed, strangers, limit)
    away = AWAY_AFTER if rng.random() < 0.1 else _DEFAULT_AWAY
    settings = {
        "time_zone": str(rng.choice(ZONES)),
        "weekly_day": str(rng.choice(_DAYS)),
        "weekly_time": f"{int(rng.integers(8, 20)):02}:00",
        "away_after_days": str(away),
        "spectators": "strict" if strict else "covered",
    }
    return _Drawn(ClubLog(number, book, strict, timedelta(days=away), rooms, people, start), settings)


async def stocked(
    shelf: Shelf, owner: AsyncEngine, clubs: int, members: int, start: datetime, seed: int
) -> list[StockedClub]:
    """Write ``clubs`` clubs of ``members`` people; ``owner`` is the engine of the embedded server's owner."""
    book = club_book(seed)
    template = await _template(shelf, book)
    drawn = [drawn_club(n, members, start, book, np.random.default_rng([seed, n])) for n in range(1, clubs + 1)]
    made: list[StockedClub] = []
    async with owner.connect() as connection:
        for at in range(0, clubs, _CHUNK):
            async with connection.begin():
                made += await _written(connection, template, drawn[at : at + _CHUNK], start)
    await analysed(owner)
    return made


async def crowded(shelf: Shelf, owner: AsyncEngine, members: int, start: datetime, seed: int) -> StockedClub:
    """One club in which all have joined and have said `_HISTORY` places each."""
    book = club_book(seed)
    drawn = drawn_club(0, members, start, book, np.random.default_rng([seed, 0]))
    people = {p: replace(r, joined=True, seen=start).at(book.ends[0]) for p, r in drawn.log.people.items()}
    drawn.log.people = people
    async with owner.begin() as connection:
        (club,) = await _written(connection, await _template(shelf, book), [drawn], start)
        for _ in range(_HISTORY - 1):
            await connection.execute(_AGAIN, {"book": club.book})
    await analysed(owner)
    return club


async def analysed(owner: AsyncEngine) -> None:
    """What autovacuum does within minutes, done now."""
    async with owner.connect() as connection:
        autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await autocommit.exec_driver_sql("vacuum (analyze)")


async def _template(shelf: Shelf, book: ClubBook) -> BookId:
    """The book that all copies are made of, stored with its vectors."""
    club = await shelf.club_named("template")
    template, _ = await shelf.store_book(club, index_book(book.text), "template", book.text.title)
    await fill_vectors(shelf, DrawnEmbedder(), template)
    return template


async def _written(
    connection: AsyncConnection, template: BookId, drawn: list[_Drawn], start: datetime
) -> list[StockedClub]:
    numbers = [one.log.number for one in drawn]
    rows = await connection.execute(
        text(
            "insert into dogear.club (name, server) select 'club ' || n, 'bench' from unnest(cast(:n as int[])) n "
            "returning id, name"
        ),
        {"n": numbers},
    )
    clubs = {int(name.removeprefix("club ")): ClubId(club) for club, name in rows}
    books = await books_copied(connection, template, clubs)
    await connection.execute(
        text(
            "update dogear.club c set current_book = b.id from dogear.book b where b.club_id = c.id "
            "and c.id = any(cast(:c as bigint[]))"
        ),
        {"c": list(clubs.values())},
    )
    stocked_clubs = []
    members, places, rooms, settings = [], [], [], []
    for one in drawn:
        club, log = clubs[one.log.number], one.log
        host = next(iter(log.people))
        stocked_clubs.append(StockedClub(club, books[club], host, log))
        members += [_member(club, person, reader, person == host) for person, reader in log.people.items()]
        places += [
            {"person": person, "club": club, "book": books[club], "offset": r.place, "at": start - timedelta(days=5)}
            for person, r in log.people.items()
            if r.place is not None
        ]
        rooms += [
            {"club": club, "key": room.key, "limit": room.limit, "book": books[club] if room.limit else None}
            for room in log.rooms.values()
        ]
        settings += [{"club": club, "name": name, "value": value} for name, value in one.settings.items()]
    for statement, values in ((_MEMBER, members), (_PLACE, places), (_ROOM, rooms), (_SETTING, settings)):
        await connection.execute(statement, values)
    return stocked_clubs


_MEMBER: Final = text(
    "insert into dogear.member (club_id, person, name, role, joined_at, seen_at, shown) "
    "values (:club, :person, :person, :role, :joined, :seen, :shown)"
)
_PLACE: Final = text(
    'insert into dogear.position (club_id, member_id, book_id, "offset", kind, said, understood, created_at) '
    "select :club, m.id, :book, :offset, 'offset', 'a place', 'a place', :at from dogear.member m "
    "where m.club_id = :club and m.person = :person"
)
_AGAIN: Final = text(
    'insert into dogear.position (club_id, member_id, book_id, "offset", kind, said, understood, created_at) '
    'select distinct on (member_id) club_id, member_id, book_id, "offset", kind, said, understood, created_at '
    "from dogear.position where book_id = :book order by member_id, id desc"
)
_ROOM: Final = text(
    "insert into dogear.room (club_id, key, name, limit_offset, limit_book) values (:club, :key, :key, :limit, :book)"
)
_SETTING: Final = text("insert into dogear.setting (club_id, name, value) values (:club, :name, :value)")


def _member(club: ClubId, person: str, reader: Reader, host: bool) -> dict[str, Any]:
    role = "admin" if host else "member"
    joined = reader.seen if reader.joined else None
    shown = reader.shown or None
    return {"club": club, "person": person, "role": role, "joined": joined, "seen": joined, "shown": shown}


async def books_copied(connection: AsyncConnection, template: BookId, clubs: dict[int, ClubId]) -> dict[ClubId, BookId]:
    """A copy of the template's rows for each club."""
    columns = await columns_of(connection, "book", but=("id", "club_id", "announced_at"))
    made = await connection.execute(
        text(
            f"insert into dogear.book (club_id, announced_at, {columns}) "  # noqa: S608 - names of our own columns
            f"select c, now(), {columns} from dogear.book, unnest(cast(:clubs as bigint[])) c where id = :template "
            "returning id, club_id"
        ),
        {"template": template, "clubs": list(clubs.values())},
    )
    books = {ClubId(club): BookId(book) for book, club in made}
    for table in TABLES:
        own = ("book_id", "club_id") if table == "source" else ("book_id",)
        columns = await columns_of(connection, table, but=own)
        copied = "b.id, b.club_id" if table == "source" else "b.id"
        named = ", ".join(f"t.{column}" for column in columns.split(", "))
        await connection.execute(
            text(
                f"insert into dogear.{table} ({', '.join(own)}, {columns}) select {copied}, {named} "  # noqa: S608
                f"from dogear.{table} t, dogear.book b where t.book_id = :template and b.id = any(cast(:b as bigint[]))"
            ),
            {"template": template, "b": list(books.values())},
        )
    return books
