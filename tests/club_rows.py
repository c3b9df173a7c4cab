"""A row of every table that belongs to a club: what tests of separation and of removal fill a club with."""

from __future__ import annotations

from typing import Final

from bot.core.club import BookId, ClubId, MemberId
from tests.databases import Databases

_QUESTION: Final = "(select max(id) from dogear.question where club_id = {club} and book_id = {book})"

OF_A_BOOK: Final = {
    "position": 'insert into dogear.position (member_id, book_id, "offset", kind, said, understood) '
    "values ({member}, {book}, 5, 'finished', '1', 'finished chapter 1')",
    "quote_try": "insert into dogear.quote_try (member_id, book_id) values ({member}, {book})",
    "question": 'insert into dogear.question (club_id, member_id, room_id, book_id, said, "boundary", audience, '
    "status, engine, follows, seconds, asked_at) values ({club}, {member}, "
    "(select min(id) from dogear.room where club_id = {club}), {book}, 'Who?', 5, array[{member}], 'answered', "
    "'quotes', " + _QUESTION + ", 0.1, now())",
    "citation": 'insert into dogear.citation (club_id, question_id, n, passage, start, "end", chapter) '
    "values ({club}, " + _QUESTION + ", 1, 0, 0, 5, 1)",
    "claim": "insert into dogear.claim (club_id, question_id, n, text, citations) "
    "values ({club}, " + _QUESTION + ", 1, 'It was so.', array[1])",
    "posting": "insert into dogear.posting (club_id, question_id, place, message) "
    "values ({club}, " + _QUESTION + ", 'room {club}', 'message')",
    "press": "insert into dogear.press (club_id, question_id, member_id, what, pressed_at) "
    "values ({club}, " + _QUESTION + ", {member}, 'private', now())",
    "spoiled": "insert into dogear.spoiled (club_id, question_id, member_id, said_at) "
    "values ({club}, " + _QUESTION + ", {member}, now())",
    "look_ahead": "insert into dogear.look_ahead (club_id, question_id, member_id, step, chosen_at) "
    "values ({club}, " + _QUESTION + ", {member}, 'whether', now())",
    "verdict": "insert into dogear.verdict (club_id, question_id, member_id, useful, said_at) "
    "values ({club}, " + _QUESTION + ", {member}, true, now())",
    "job": "insert into dogear.job (club_id, kind, key, book_id, upload_id, member_id, created_at, queued_at) "
    "values ({club}, 'ingest', 'file {book}', {book}, (select min(id) from dogear.upload where club_id = {club}), "
    "{member}, now(), now())",
    "forgotten_try": "insert into dogear.forgotten_try (club_id, forgotten_id, kind, book_id, tried_at) "
    "values ({club}, (select min(id) from dogear.forgotten where club_id = {club}), 'quote', {book}, now())",
    "section_consent": "insert into dogear.section_consent (club_id, member_id, book_id, section, consented_at) "
    "values ({club}, {member}, {book}, 0, now())",
    "page_calibration": 'insert into dogear.page_calibration (club_id, member_id, book_id, page, "offset", said_at) '
    "values ({club}, {member}, {book}, 12, 5, now())",
    "milestone": "insert into dogear.milestone (club_id, book_id, chapter, due, set_by, set_at) "
    "values ({club}, {book}, 1, '2026-02-10', {member}, now())",
    "chapter_memory": "insert into dogear.chapter_memory (club_id, book_id, map_version, chapter, revealed_at, "
    "made_at) values ({club}, {book}, 0, 1, 9, now())",
    "memory_claim": "insert into dogear.memory_claim (club_id, book_id, chapter, n, about, also, text, passage, start, "
    "\"end\", revealed_at) values ({club}, {book}, 1, 1, '', '', 'It was so.', 0, 0, 5, 9)",
    "reminder": "insert into dogear.reminder (club_id, member_id, book_id, chapter, due, sent_at) "
    "values ({club}, {member}, {book}, 1, '2026-02-10', now())",
}
"""Statements that give a book of a club one row in each table whose rows go with the book, by table, in their order."""

OF_A_CLUB: Final = {
    "room": "insert into dogear.room (club_id, key, name, book_id, created_at) "
    "values ({club}, 'room {club}', 'Room', {book}, now())",
    "setting": "insert into dogear.setting (club_id, name, value, changed_by, changed_at) "
    "values ({club}, 'weekday', 'friday', {member}, now())",
    "ballot": "insert into dogear.ballot (club_id, opened_at) values ({club}, now())",
    "nomination": "insert into dogear.nomination (club_id, ballot_id, n, title, book_id, nominated_by, nominated_at) "
    "values ({club}, (select max(id) from dogear.ballot where club_id = {club}), 1, 'Title', {book}, {member}, now())",
    "vote": "insert into dogear.vote (club_id, ballot_id, member_id, voted_at) "
    "values ({club}, (select max(id) from dogear.ballot where club_id = {club}), {member}, now())",
    "approval": "insert into dogear.approval (club_id, ballot_id, member_id, n) "
    "values ({club}, (select max(id) from dogear.ballot where club_id = {club}), {member}, 1)",
    "forgotten": "insert into dogear.forgotten (club_id, salt, code) values ({club}, 'salt', 'code')",
    "upload": "insert into dogear.upload (club_id, member_id, name, received_at) "
    "values ({club}, {member}, 'a.epub', now())",
    "upload_chunk": "insert into dogear.upload_chunk (club_id, upload_id, ordinal, content) "
    "values ({club}, (select min(id) from dogear.upload where club_id = {club}), 0, 'x')",
    "weekly_post": "insert into dogear.weekly_post (club_id, iso_year, iso_week, planned_at, state, book_id) "
    "values ({club}, 2026, 7, now(), 'due', {book})",
    "weekly_place": "insert into dogear.weekly_place (club_id, iso_year, iso_week, member_id, chapters) "
    "values ({club}, 2026, 7, {member}, 1)",
    "daily_round": "insert into dogear.daily_round (club_id, day, planned_at) values ({club}, '2026-02-10', now())",
    **OF_A_BOOK,
    "spending": "insert into dogear.spending (club_id, question_id, purpose, model, charged, made_at) "
    "values ({club}, " + _QUESTION + ", 'answer', 'claude', 5, now())",
    "club_spent": "insert into dogear.club_spent (club_id, period, starts) values ({club}, 'day', '2026-02-10')",
}
"""The same for every table that is a club's. A table added later has its line here, or the tests of separation fail."""


async def filled(
    databases: Databases, database: str, rows: dict[str, str], club: ClubId, member: MemberId, book: BookId
) -> None:
    """Run ``rows`` (`OF_A_CLUB` or `OF_A_BOOK`) for a member and a book of a club."""
    made = [statement.format(club=club, member=member, book=book) for statement in rows.values()]
    await databases.run(*made, database=database)
