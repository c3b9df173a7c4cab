"""The slots of a host, by advisory locks of one session for each process: with the session they are free."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import TextClause, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.core.errors import DogearError
from bot.core.slots import may_take, open_to

AGAIN: Final = 1.0
"""Seconds after which the database is asked again, where it did not answer."""
_KIND: Final = 0x646F6765
"""The first number of these locks; the second is the slot, or what is waited for."""
_WAITS: Final = {True: 1_000_000, False: 1_000_001}
"""By whether it is long: a lock that all who wait for such a slot share."""
_HELD: Final = text(
    "select objid::int, pid = pg_backend_pid(), pid from pg_locks"
    " where locktype = 'advisory' and granted and objsubid = 2 and classid::bigint = :kind"
    " and database = (select oid from pg_database where datname = current_database())"
)
_TAKEN: Final = text("select pg_try_advisory_lock(:kind, :key)")
_LEFT: Final = text("select pg_advisory_unlock(:kind, :key)")
_WAITING: Final = text("select pg_try_advisory_lock_shared(:kind, :key)")
_WAITED: Final = text("select pg_advisory_unlock_shared(:kind, :key)")

log = logging.getLogger("dogear.model")


@dataclass
class PostgresSlots:
    """`Slots` over an engine, ``most`` of them: one of its connections is held while any is taken or waited for."""

    engine: AsyncEngine
    most: int
    _session: AsyncConnection | None = None
    _out: set[int] = field(default_factory=set)
    """The slots of what is out here; after a session was lost, some may be another's meanwhile."""
    _locked: set[int] = field(default_factory=set)
    """Those of them that the session holds."""
    _waits: set[bool] = field(default_factory=set)
    _kept_back: dict[bool, float] = field(default_factory=dict)
    """Since when it is kept back for others."""
    _not_before: float = 0.0

    async def taken(self, *, long: bool) -> int | None:
        """A slot that no session holds; None where others are first, too."""
        if (session := await self._opened()) is None:
            return None
        try:
            with translated():
                return await self._taken(session, long)
        except DogearError as error:
            await self._lost(error)
            return None

    async def left(self, slot: int) -> None:
        """Leave it, which it is anyway where the session was lost."""
        self._out.discard(slot)
        if slot in self._locked:
            self._locked.discard(slot)
            await self._said(_LEFT, slot)

    async def waiting(self, *, long: bool, short: bool) -> None:
        """By locks that are shared. The connection is given back where there is nothing more to hold."""
        for kind, waits in ((True, long), (False, short)):
            if not waits:
                self._kept_back.pop(kind, None)
            if self._session is None or waits is (kind in self._waits):
                continue
            (self._waits.add if waits else self._waits.discard)(kind)
            await self._said(_WAITING if waits else _WAITED, _WAITS[kind])
        if self._session is not None and not (self._out or self._locked or self._waits):
            session, self._session = self._session, None
            with suppress(SQLAlchemyError, OSError):
                await session.close()

    async def close(self) -> None:
        """End the session, and with it all that it holds."""
        session, self._session = self._session, None
        self._out.clear()
        self._locked.clear()
        self._waits.clear()
        if session is not None:
            with suppress(SQLAlchemyError, OSError):
                await session.invalidate()
            with suppress(SQLAlchemyError, OSError):
                await session.close()

    async def _taken(self, session: AsyncConnection, long: bool) -> int | None:
        rows = (await session.execute(_HELD, {"kind": _KIND})).all()
        slots = Counter(pid for key, _, pid in rows if key < min(_WAITS.values()))
        waiting = [slots[pid] for key, mine, pid in rows if key == _WAITS[long] and not mine]
        free = open_to(self.most, self._out | {key for key, _, _ in rows}, long=long)
        if not free:
            self._kept_back.pop(long, None)
            return None
        now = asyncio.get_running_loop().time()
        if not may_take(len(self._out), waiting, now - self._kept_back.setdefault(long, now)):
            return None
        for slot in free:
            if (await session.execute(_TAKEN, {"kind": _KIND, "key": slot})).scalar_one():
                self._out.add(slot)
                self._locked.add(slot)
                self._kept_back.pop(long, None)
                return slot
        return None

    async def _opened(self) -> AsyncConnection | None:
        """The session, with what is out here locked as far as nobody else has taken it meanwhile."""
        if self._session is not None or asyncio.get_running_loop().time() < self._not_before:
            return self._session
        try:
            with translated():
                self._session = await self.engine.connect()
                await self._session.execution_options(isolation_level="AUTOCOMMIT")
                for slot in sorted(self._out):
                    if (await self._session.execute(_TAKEN, {"kind": _KIND, "key": slot})).scalar_one():
                        self._locked.add(slot)
        except DogearError as error:
            await self._lost(error)
        return self._session

    async def _said(self, statement: TextClause, key: int) -> None:
        if self._session is None:
            return
        try:
            with translated():
                await self._session.execute(statement, {"kind": _KIND, "key": key})
        except DogearError as error:
            await self._lost(error)

    async def _lost(self, error: DogearError) -> None:
        """What is out goes on; nothing new begins until there is a session that can lock it."""
        log.warning("event=model.slots_lost out=%d error=%s", len(self._out), getattr(error, "code", "fault"))
        self._not_before = asyncio.get_running_loop().time() + AGAIN
        out = set(self._out)
        await self.close()
        self._out |= out
