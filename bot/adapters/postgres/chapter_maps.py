"""Chapter maps by numbers, consents, and pages of other editions, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.types import ARRAY, Integer

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.core.book import SectionKind
from bot.core.chapter_maps import Calibration, ConsentId, FirstWords, SectionConsent, SectionOnMap
from bot.core.club import BookId, ClubId, MemberId
from bot.core.offsets import Span

_KINDS: Final = tuple(SectionKind)
"""In the order in which the door counts them, from 1."""

_CALIBRATED = text(
    'insert into dogear.page_calibration (club_id, member_id, book_id, page, "offset", said_at) '
    'select :club, :member, :book, u.page, u."offset", :now '
    'from unnest(cast(:pages as int[]), cast(:offsets as int[])) as u(page, "offset")'
).bindparams(bindparam("pages", type_=ARRAY(Integer)), bindparam("offsets", type_=ARRAY(Integer)))


class PostgresChapterMaps:
    """`ChapterMaps` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def section_map(self, book: BookId) -> tuple[SectionOnMap, ...]:
        rows = await self._club.run("select * from dogear.section_map_v1(:book)", book=book)
        return tuple(
            SectionOnMap(
                number=row.section + 1,
                kind=_KINDS[row.kind - 1],
                chapter=row.chapter,
                printed_number=row.printed_number,
                parts=tuple(row.part_numbers),
                span=Span(row.start, row.end),
            )
            for row in rows
        )

    async def map_confirmed(self, book: BookId, version: int, by: MemberId, now: datetime) -> bool:
        rows = await self._club.run(
            "update dogear.book set map_confirmed_at = :now, map_confirmed_by = :by "
            "where id = :book and map_version = :version returning id",
            book=book,
            version=version,
            by=by,
            now=now,
        )
        return bool(rows)

    async def map_confirmed_at(self, book: BookId) -> datetime | None:
        rows = await self._club.run("select map_confirmed_at from dogear.book where id = :book", book=book)
        return rows[0].map_confirmed_at if rows else None

    async def consented(self, member: MemberId, book: BookId, number: int, now: datetime) -> ConsentId:
        ((consent,),) = await self._club.run(
            "insert into dogear.section_consent (club_id, member_id, book_id, section, consented_at) "
            "values (:club, :member, :book, :section, :now) returning id",
            member=member,
            book=book,
            section=number - 1,
            now=now,
        )
        return ConsentId(consent)

    async def section_shown(self, consent: ConsentId) -> FirstWords:
        ((section, title, words),) = await self._club.run(
            "select section, title, words from dogear.section_shown_v1(:consent)", consent=consent
        )
        return FirstWords(section + 1, title, words)

    async def consents(self, member: MemberId) -> tuple[SectionConsent, ...]:
        rows = await self._club.run(
            "select book_id, section, consented_at from dogear.section_consent where member_id = :member order by id",
            member=member,
        )
        return tuple(SectionConsent(BookId(r.book_id), r.section + 1, r.consented_at) for r in rows)

    async def calibrations(self, member: MemberId, book: BookId) -> tuple[Calibration, ...]:
        rows = await self._club.run(
            'select page, "offset" from dogear.page_calibration where member_id = :member and book_id = :book '
            "order by page",
            member=member,
            book=book,
        )
        return tuple(Calibration(row.page, row.offset) for row in rows)

    async def pages_calibrated(
        self, member: MemberId, book: BookId, calibrations: Sequence[Calibration], now: datetime
    ) -> None:
        values = {"member": member, "book": book}
        with translated():
            async with self._club.begun() as connection:
                await connection.execute(  # two at once: one after the other
                    text("select pg_advisory_xact_lock(:lock)"), {"lock": member}
                )
                await connection.execute(
                    text("delete from dogear.page_calibration where member_id = :member and book_id = :book"), values
                )
                pages, offsets = [c.page for c in calibrations], [c.offset for c in calibrations]
                await connection.execute(
                    _CALIBRATED,
                    {**values, "club": self._club.club, "pages": pages, "offsets": offsets, "now": now},
                )
