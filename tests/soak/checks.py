"""What must be true once everything has come to rest: nothing lost, nothing double."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.load.stand import Stand
from tests.soak.clubs import Club
from tests.soak.deeds import ANSWERED, TOLD, Deed, Deeds
from tests.soak.seen import ALONE, ROOM, STOP, Message, Sight

WEEK: Final = "The club's week in"
CANCEL: Final = "Cancel"
AWAY: Final = "Nothing was heard of you"


@dataclass(frozen=True)
class Kept:
    """What the database has of one club: its posts by state, how often a round was begun, and places in their order."""

    posts: Counter[str]
    rounds: int
    places: dict[int, list[int]]
    books: int


async def kept(stand: Stand, clubs: list[Club]) -> dict[int, Kept]:
    """What the database has of every club."""
    engine = create_async_engine(stand.address)
    async with engine.connect() as connection:

        async def rows(statement: str) -> list[Any]:
            return list((await connection.execute(text(statement))).all())

        posts = await rows("select club_id, state from dogear.weekly_post")
        rounds = await rows("select club_id, max(attempt) as most from dogear.daily_round group by club_id")
        places = await rows('select member_id, book_id, "offset" from dogear.position order by id')
        books = await rows("select club_id, count(*) as n from dogear.book group by club_id")
    await engine.dispose()
    most, count = {row.club_id: row.most for row in rounds}, {row.club_id: row.n for row in books}
    of_book: dict[int, dict[int, list[int]]] = {}
    for row in places:
        of_book.setdefault(row.book_id, {}).setdefault(row.member_id, []).append(row.offset)
    return {
        club.club: Kept(
            Counter(row.state for row in posts if row.club_id == club.club),
            most.get(club.club, 0),
            of_book.get(club.book, {}),
            count.get(club.club, 0),
        )
        for club in clubs
    }


def lost(deeds: Deeds) -> list[tuple[float, str]]:
    """What was taken and came to nothing."""
    return [(deed.at, f"lost: {deed}") for deed in deeds.made if not deed.came]


def hanging(deeds: Deeds) -> list[tuple[float, str]]:
    """Replies that say for ever that something is being done, though it is."""
    found = []
    for deed in deeds.made:
        it = deed.it
        if it is not None and it.acked is not None and Sight.under_way(it, deeds.sight.answer(it)):
            found.append((deed.at, f"left hanging: {deed}"))
        if deed.press is not None and not deed.press.answers:
            found.append((deed.at, f"a press that was never answered: {deed}"))
    return found


def hanging_in_rooms(sight: Sight, club: Club) -> list[tuple[float, str]]:
    """Messages in a room that say for ever that something is being done."""
    return [
        (club.made, f"left hanging in {club.name}: {message.text[:80]!r}")
        for message in sight.in_room(club.room)
        if STOP in message.labels or CANCEL in message.labels
    ]


def to_be_stopped(deeds: Deeds, clubs: list[Club]) -> list[tuple[Club, str, Message]]:
    """What hangs in groups on Telegram, and who may stop it: nobody else knows what came just before a kill."""
    found = []
    for club in clubs:
        if club.room.platform == "telegram":
            asked = {d.number: d.person for d in deeds.made if d.club is club and d.kind in ("ask", "follow up")}
            hangs = [m for m in deeds.sight.in_room(club.room) if STOP in m.labels]
            found += [(club, asked[m.number], m) for m in hangs if m.number in asked]
    return found


def double_answers(deeds: Deeds, clubs: list[Club]) -> list[tuple[float, str]]:
    """Answers that stand more often than they were asked for."""
    found = []
    when = {deed.number: deed.at for deed in deeds.made if deed.number}
    for club in clubs:
        count = Counter(m.number for m in deeds.sight.in_room(club.room) if m.number and ROOM in m.labels)
        for number, times in count.items():
            assert number is not None
            if times > deeds.in_room.get(number, 0):
                found.append((when.get(number, 0.0), f"double: question {number} has {times} answers in {club.name}"))
        for person in club.people:
            alone = Counter(m.number for m in deeds.sight.alone(club.room, person) if m.number and ALONE in m.labels)
            for number, times in alone.items():
                assert number is not None
                if times > deeds.alone.get((number, person), 0):
                    found.append((when.get(number, 0.0), f"double: question {number}, {times} times to {person}"))
    return found


def double_words(deeds: Deeds) -> list[tuple[float, str]]:
    """What one person was told more often than they did anything: each thing has one reply on Telegram."""
    found = []
    for deed in deeds.made:
        if deed.kind in ("progress", "where") and not deed.on_discord and deed.came in (ANSWERED, TOLD):
            after = [m for m in deeds.sight.alone(deed.club.room, deed.person) if m.key not in deed.before]
            until = next((d for d in deeds.made if d.person == deed.person and d.at > deed.at), None)
            mine = [m for m in after if until is None or m.key in until.before]
            same = Counter(m.text for m in mine if m.text == deed.said)
            if same[deed.said] > 1:
                found.append((deed.at, f"double: {same[deed.said]} times the reply to {deed}"))
    return found


def places(deeds: Deeds, club: Club, has: Kept) -> list[tuple[float, str]]:
    """Every place that was confirmed stands in the database, in the order in which they were said."""
    found = []
    for person in club.people:
        said = [d for d in deeds.made if d.kind == "progress" and d.person == person and d.came == ANSWERED]
        there = iter(has.places.get(club.members[person], []))
        for deed in said:
            if not any(offset == club.ends[deed.chapter] for offset in there):
                found.append((deed.at, f"lost: the place of {deed}"))
                break
    return found


def posts(sight: Sight, club: Club, has: Kept) -> list[tuple[float, str]]:
    """One weekly post, which is noted as posted. On Telegram one that was being sent when its process died is noted as
    made, and may have come or not.
    """
    came = sum(WEEK in message.text for message in sight.in_room(club.room))
    on_telegram = club.room.platform == "telegram"
    if has.posts == Counter(posted=1) and came == 1:
        return []
    if on_telegram and has.posts == Counter(made=1) and came <= 1:
        return []
    what = "double" if came > 1 else "lost"
    return [(club.made, f"{what}: {came} weekly posts in {club.name}, which are noted as {dict(has.posts)}")]


def notices(sight: Sight, club: Club, has: Kept) -> list[tuple[float, str]]:
    """The silent member was told once. On Telegram it may be as often as the round was begun."""
    came = sum(AWAY in message.text for message in sight.alone(club.room, club.silent))
    most = has.rounds if club.room.platform == "telegram" else 1
    if 1 <= came <= most:
        return []
    return [(club.made, f"{'double' if came else 'lost'}: {came} away notices to {club.silent} in {club.name}")]


def uploads(deeds: Deeds, club: Club, has: Kept) -> list[tuple[float, str]]:
    """Every file that was answered as added is a book."""
    added = [d for d in deeds.made if d.kind == "upload" and d.club is club and d.came == ANSWERED]
    if has.books >= 1 + len(added):
        return []
    return [(added[0].at, f"lost: {1 + len(added) - has.books} books of {club.name}")]


async def violations(stand: Stand, deeds: Deeds, clubs: list[Club]) -> list[tuple[float, str]]:
    """Everything that is wrong, by the time when it began."""
    found = lost(deeds) + hanging(deeds) + double_answers(deeds, clubs) + double_words(deeds)
    database = await kept(stand, clubs)
    for club in clubs:
        has = database[club.club]
        found += places(deeds, club, has) + uploads(deeds, club, has)
        found += hanging_in_rooms(deeds.sight, club)
        found += posts(deeds.sight, club, has) + notices(deeds.sight, club, has)
    return sorted(found)


def came_to(deeds: Deeds) -> dict[str, dict[str, int]]:
    """How often each kind of thing came to what."""
    counted: dict[str, Counter[str]] = {}
    for deed in deeds.made:
        counted.setdefault(_kind(deed), Counter())[deed.came or "nothing"] += 1
    return {kind: dict(counts) for kind, counts in sorted(counted.items())}


def _kind(deed: Deed) -> str:
    return f"{deed.kind} ({deed.club.room.platform})"
