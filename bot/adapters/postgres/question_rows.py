"""Rows of what was asked, as domain values."""

from __future__ import annotations

from typing import Any

from bot.core.club import BookId, MemberId, QuestionId
from bot.core.following import Turn
from bot.core.ledger import Cited, QuestionRecord, Status


def question_record(row: Any, citations: tuple[Cited, ...]) -> QuestionRecord:
    """A question, with its citations."""
    return QuestionRecord(
        member=MemberId(row.member_id),
        book=BookId(row.book_id),
        room=row.room_key,
        said=row.said,
        boundary=row.boundary,
        audience=frozenset(MemberId(member) for member in row.audience),
        status=Status(row.status),
        engine=row.engine,
        asked_at=row.asked_at,
        seconds=row.seconds,
        cost=row.cost,
        follows=None if row.follows is None else QuestionId(row.follows),
        citations=citations,
    )


def turn_of_row(row: Any) -> Turn:
    """A question as one that may be followed."""
    return Turn(
        id=QuestionId(row.id),
        member=MemberId(row.member_id),
        book=BookId(row.book_id),
        room=row.room_key,
        said=row.said,
        boundary=row.boundary,
        asked_at=row.asked_at,
        follows=None if row.follows is None else QuestionId(row.follows),
    )
