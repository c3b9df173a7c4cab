"""What is kept of one person, and its end: every table that holds anything of a person is named here."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.club import MemberId
from bot.core.roster import Forgotten, Kept, Posted, Value

CODE_OF: Final = "f.code = encode(sha256(convert_to(f.salt || {person}, 'UTF8')), 'hex')"
"""Whether a row of ``dogear.forgotten`` (as ``f``) stands for a person."""

ASKED_BEFORE: Final = (
    "select t.tried_at as asked_at from dogear.forgotten_try t join dogear.forgotten f on f.id = t.forgotten_id "  # noqa: S608
    "where t.kind = 'question' and (cast(:member as bigint) is null or exists (select from dogear.member m "
    f"where m.id = :member and {CODE_OF.format(person='m.person')}))"
)
"""When those asked who were forgotten within a day: all, or (``:member``) the member before that."""

_PERSON: Final = text(
    "select m.name, m.person, m.role, m.joined_at, m.plain_number, m.shown, m.reminded, m.reachable, m.seen_at, "
    "m.away_at, m.aside_at, m.asked_where_at, array(select a.title from dogear.book a "
    "where a.id = any(m.asked_where_of) order by a.id) as asked_where_of, m.removed_at, b.title as dm_book "
    "from dogear.member m "
    "left join dogear.book b on b.id = m.dm_book where m.id = :member"
)

ROWS: Final = {
    "positions": 'select b.title as book, p.said, p.understood, p."offset", p.kind, p.created_at as at '
    "from dogear.position p join dogear.book b on b.id = p.book_id where p.member_id = :member order by p.id",
    "questions": "select b.title as book, coalesce(r.name, q.room_key) as room, q.said, q.status, q.engine, "
    "q.cost::text, q.asked_at as at, array(select c.start || '-' || c.\"end\" from dogear.citation c "
    "where c.question_id = q.id order by c.n) as quoted "
    "from dogear.question q join dogear.book b on b.id = q.book_id left join dogear.room r on r.id = q.room_id "
    "where q.member_id = :member order by q.id",
    "quote_tries": "select b.title as book, t.created_at as at "
    "from dogear.quote_try t join dogear.book b on b.id = t.book_id where t.member_id = :member order by t.id",
    "pages": 'select b.title as book, c.page, c."offset", c.said_at as at '
    "from dogear.page_calibration c join dogear.book b on b.id = c.book_id where c.member_id = :member "
    "order by c.book_id, c.page",
    "consents": "select b.title as book, c.section, c.consented_at as at, c.shown_at "
    "from dogear.section_consent c join dogear.book b on b.id = c.book_id where c.member_id = :member order by c.id",
    "looked_ahead": "select b.title as book, q.said, l.step, l.chosen_at as at from dogear.look_ahead l "
    "join dogear.question q on q.id = l.question_id join dogear.book b on b.id = q.book_id "
    "where l.member_id = :member order by l.id",
    "verdicts": "select v.useful, v.said_at as at from dogear.verdict v where v.member_id = :member "
    "order by v.question_id",
    "presses": "select p.what, p.pressed_at as at from dogear.press p where p.member_id = :member "
    "order by p.question_id, p.what",
    "reminders": "select b.title as book, r.chapter, r.due, r.sent_at as at "
    "from dogear.reminder r join dogear.book b on b.id = r.book_id where r.member_id = :member "
    "order by r.book_id, r.chapter, r.due",
    "weekly_places": "select w.iso_year, w.iso_week, w.chapters from dogear.weekly_place w "
    "where w.member_id = :member order by w.iso_year, w.iso_week",
    "spoiled": "select s.said_at as at from dogear.spoiled s where s.member_id = :member order by s.id",
    "nominations": "select n.title, n.nominated_at as at "
    "from dogear.nomination n where n.nominated_by = :member order by n.ballot_id, n.n",
    "votes": "select v.ballot_id as round, v.voted_at as at, array(select n.title from dogear.approval a "
    "join dogear.nomination n on n.ballot_id = a.ballot_id and n.n = a.n where a.ballot_id = v.ballot_id "
    "and a.member_id = v.member_id order by n.n) as titles from dogear.vote v where v.member_id = :member "
    "order by v.ballot_id",
    "settings_changed": "select s.name, s.value, s.changed_at as at "
    "from dogear.setting s where s.changed_by = :member order by s.name",
    "schedule_set": "select b.title as book, m.chapter, m.due, m.set_at as at "
    "from dogear.milestone m join dogear.book b on b.id = m.book_id where m.set_by = :member "
    "order by m.book_id, m.chapter",
    "books_added": "select b.title as book, b.created_at as at "
    "from dogear.book b where b.added_by = :member order by b.id",
}
"""What is kept of a person, by kind. Of a question neither the boundary nor the audience: they tell of others.

What was ``quoted`` is spans of code points, half-open.
"""

_POSTED: Final = text(
    "select p.place, p.message from dogear.posting p join dogear.question q on q.id = p.question_id "
    "where q.member_id = :member order by p.id"
)
_CODED: Final = text(
    "insert into dogear.forgotten (club_id, salt, code, removed_at) select m.club_id, s.salt, "
    "encode(sha256(convert_to(s.salt || m.person, 'UTF8')), 'hex'), m.removed_at "
    "from dogear.member m, (select gen_random_uuid()::text as salt) s where m.id = :member "
    "returning id, club_id, removed_at"
)
_TRIES: Final = (
    "insert into dogear.forgotten_try (club_id, forgotten_id, kind, book_id, tried_at) "
    "select club_id, :code, 'quote', book_id, created_at from dogear.quote_try "
    "where member_id = :member and created_at > coalesce(cast(:now as timestamptz), now()) - interval '1 day'",
    "insert into dogear.forgotten_try (club_id, forgotten_id, kind, book_id, tried_at) "
    "select club_id, :code, 'question', book_id, asked_at from dogear.question q where member_id = :member "
    "and status in ('answered', 'refused', 'stopped') "
    "and asked_at > (select max(l.asked_at) from dogear.question l where l.member_id = :member) - interval '1 day'",
)
_FREED: Final = text("delete from dogear.forgotten f where f.id = :code")
_TRIED: Final = text("select exists (select from dogear.forgotten_try where forgotten_id = :code)")
_HEARD: Final = tuple(
    f"update dogear.{table} set audience = array_remove(audience, cast(:member as bigint)) "  # noqa: S608
    "where audience @> array[cast(:member as bigint)]"
    for table in ("question", "weekly_post")
)


async def kept(connection: AsyncConnection, member: MemberId) -> Kept | None:
    """Everything that the club keeps of one person, in the club that is open."""
    person = (await connection.execute(_PERSON, {"member": member})).one_or_none()
    if person is None:
        return None
    rows = {}
    for kind, statement in ROWS.items():
        found = (await connection.execute(text(statement), {"member": member})).all()
        rows[kind] = tuple({name: _value(value) for name, value in row._mapping.items()} for row in found)
    return Kept({name: _value(value) for name, value in person._mapping.items()}, rows)


async def forgotten(connection: AsyncConnection, member: MemberId, now: datetime | None) -> Forgotten:
    """Delete a person with everything of theirs at ``now``, in the club that is open."""
    held = await kept(connection, member)
    if held is None:
        return Forgotten({})
    values: dict[str, Any] = {"member": member}
    posted = (await connection.execute(_POSTED, values)).all()
    coded = (await connection.execute(_CODED, values)).one()
    for statement in _TRIES:
        of = {"now": now} if ":now" in statement else {}
        await connection.execute(text(statement), {**values, **of, "code": coded.id})
    tried = (await connection.execute(_TRIED, {"code": coded.id})).scalar_one()
    if coded.removed_at is None and not tried:
        await connection.execute(_FREED, {"code": coded.id})
    for statement in _HEARD:
        await connection.execute(text(statement), values)
    await connection.execute(text("delete from dogear.member where id = :member"), values)
    return Forgotten(
        {kind: len(rows) for kind, rows in held.rows.items()},
        tuple(Posted(row.place, row.message) for row in posted),
        stays_removed=coded.removed_at is not None,
    )


def _value(value: Any) -> Value:
    return value.isoformat() if isinstance(value, date) else value  # a datetime is a date
