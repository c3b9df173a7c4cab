"""A club as if nobody had ever been in it: for clubs that are played from a script, again and again."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.core.club import BookId, ClubId

_EMPTIED: Final = (
    "delete from dogear.question",
    "delete from dogear.ballot",
    "delete from dogear.milestone",
    "delete from dogear.weekly_post",
    "delete from dogear.daily_round",
    "delete from dogear.setting",
    "delete from dogear.room",
    "delete from dogear.upload",
    "delete from dogear.member",
    "delete from dogear.forgotten",
    "delete from dogear.book where id <> :keep",
    "update dogear.book set finished_at = null, map_confirmed_at = null, map_confirmed_by = null where id = :keep",
    "update dogear.club set current_book = :keep",
)
"""Row-level security keeps every one of them to the club that is open; what hangs on a row goes with it. What
models were paid for stays: it was paid.
"""


_MADE: Final = (
    text("delete from dogear.job where club_id = :club and kind in ('ingest', 'remember')"),
    text("delete from dogear.chapter_memory where club_id = :club"),
)
"""Its jobs, and what was remembered of its book."""


async def club_emptied(app: AsyncEngine, ingest: AsyncEngine, club: ClubId, keep: BookId) -> None:
    """Drop everything that the club keeps but one book, with its text and vectors, which it reads from now on.

    ``app`` and ``ingest`` are the engines of the answering and of the ingest role, which alone ends jobs for good.
    """
    with translated():
        async with ClubConnections(app, club).begun() as connection:
            for statement in _EMPTIED:
                await connection.execute(text(statement), {"keep": keep} if ":keep" in statement else {})
        async with ingest.begin() as connection:
            for made in _MADE:
                await connection.execute(made, {"club": club})
