"""What Telegram tells, on its way in: put down before Telegram hears that it came, and then heard, each once.

Whatever was put down and not begun, since the process died, is heard by the next that asks for messages, or within a
minute by any that asks already, or that Telegram calls. Where the database is away, who wrote or pressed is told so,
and says it again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

import telegram

from bot.adapters.chat.ending import ended
from bot.adapters.chat.rates import Heard
from bot.adapters.references import referenced
from bot.adapters.telegram import heard, too_quick
from bot.adapters.telegram.faults import sentence_of
from bot.core.errors import Unavailable

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

ENDING: Final = 4.0
"""Seconds in which what is being answered comes to its end when the bot is to end."""
LAST_WORD: Final = 2.0
"""Seconds after that in which whoever still waits is told so."""
HEARD_FOR: Final = timedelta(days=3)
"""How long an update is known to have been heard: Telegram keeps one for a day."""
AT_ONCE: Final = 4
"""So many are put down at the same time, those of one person in their order."""
AGAIN: Final = 1.0
"""Seconds after which the database is tried again for what waits."""
ASKED_AGAIN: Final = 3.0
"""Seconds at most after which a database that hung is asked for what comes: so long as it hung, else."""
_REMEMBERED: Final = 1000
TELLING: Final = 5.0
"""Seconds in which somebody is told that nothing can be done, before the next update is looked at."""
LEFT: Final = timedelta(minutes=1)
"""What waited for so long is taken to have been left by a process that has died."""

logger = logging.getLogger("dogear.telegram")


class Inlet(asyncio.Queue[object]):
    """Where updates are put: each is put down, or its person told that nothing can be done now, before Telegram hears
    that it came. Where Telegram calls (``called``), `put` returns then; where it is asked, `settled` does.

    What nobody can be told of waits here for the database; where Telegram calls it is told again.
    """

    def __init__(self, client: Dogear) -> None:
        super().__init__()
        self.called = False
        self._client, self._held = client, set[str]()
        self._people: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._senders: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[object]] = set()
        self._coming: OrderedDict[str, asyncio.Task[object]] = OrderedDict()
        """The updates that came last, each as it is put down, or its person told."""
        self._away: tuple[float, Unavailable] | None = None
        """Until when the database is not asked for what comes, as it did not answer, and what was said of that."""

    @property
    def _prefix(self) -> str:
        return f"update:{self._client.bot.id}:"

    async def put(self, item: object) -> None:
        """Put an update down, and hear it beside whatever else goes on. Raises `Unavailable` where Telegram calls."""
        if not isinstance(item, telegram.Update) or heard.passed_over(self._client, item):
            return
        key = f"{self._prefix}{item.update_id}"
        coming = self._coming.get(key)
        if coming is None:
            if not self._client.stopping.at_once(item) and not await self._follows(item):
                return
            coming = self._coming[key] = self._beside(self._came(item, key))
            while len(self._coming) > _REMEMBERED:
                self._coming.popitem(last=False)
        if self.called:
            await asyncio.shield(coming)  # it goes on where listening stops meanwhile: what is told again is this one

    async def _follows(self, update: telegram.Update) -> bool:
        """Whether who wrote or pressed is heard with it; who is too quick is told so beside whatever else goes on."""
        counted = too_quick.counted(update)
        found = Heard.YES if counted is None else await self._client.rates.heard(counted)
        if found is Heard.TOLD:
            self._beside(too_quick.told_so(self._client, update))
        return found is Heard.YES

    async def settled(self) -> None:
        """Wait until all that came is put down, or its person told."""
        coming = [task for task in self._coming.values() if not task.done()]
        if coming:
            await asyncio.wait(coming)

    async def _came(self, update: telegram.Update, key: str) -> None:
        user = update.effective_user
        try:
            async with self._senders.setdefault(0 if user is None else user.id, asyncio.Lock()), self._at_once:
                await self._put_down(update, key)
        except Unavailable as error:
            if await self._put_off(update, error):
                return
            if self.called:
                self._coming.pop(key, None)
                raise
            self._beside(self._waited(update, key))

    async def _put_down(self, update: telegram.Update, key: str) -> None:
        """Put it down, and hear it where it is new. What cannot be kept is heard all the same.

        Raises `Unavailable`; a database that hung is not asked again at once, so that many are told in time.
        """
        if self._away is not None and monotonic() < self._away[0]:
            raise self._away[1]
        new, asked = True, monotonic()
        try:
            new = await self._client.clubs.inbox.came(key, update.to_json(), self._client.now())
            self._away = None
        except Unavailable as error:
            self._away = monotonic() + min(monotonic() - asked, ASKED_AGAIN), error
            raise
        except Exception as error:
            sentence_of(error)
        if new:
            self._take(update, key)
        else:
            logger.info("event=again update=%d", update.update_id)

    async def _put_off(self, update: telegram.Update, error: Unavailable) -> bool:
        """Whether somebody was told, or is as soon as Telegram answers."""
        telling = self._beside(heard.put_off(self._client, update, error))
        done, _ = await asyncio.wait({telling}, timeout=TELLING)
        return not done or telling.exception() is not None or bool(telling.result())

    async def _waited(self, update: telegram.Update, key: str) -> None:
        """Put it down once the database is back."""
        while True:
            await asyncio.sleep(AGAIN)
            with suppress(Unavailable):
                await self._put_down(update, key)
                return

    async def recovered(self, age: timedelta = timedelta(0)) -> None:
        """Hear what was put down ``age`` ago or before and nobody has begun. Raises `Unavailable`."""
        left = await self._client.clubs.inbox.waiting(self._prefix, self._client.now(), age)
        for key, body in left:
            if key in self._held:
                continue
            try:
                update = telegram.Update.de_json(json.loads(body), self._client.bot)
            except Exception as error:  # it would hold up the others again and again
                sentence_of(error)
                await self._begun(key)
                continue
            logger.info("event=recovered update=%d", update.update_id)
            self._take(update, key)

    async def untouched(self, key: str) -> bool:
        """Whether what was put down is not begun, or is heard here: nobody broke it off. Raises `Unavailable`."""
        left = await self._client.clubs.inbox.waiting(key, self._client.now())
        return key in self._held or key in dict(left)

    def _take(self, update: telegram.Update, key: str) -> None:
        """Hear one update; those of one person in their order."""
        self._held.add(key)
        self._beside(self._taken(update, key))

    def _beside(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def _taken(self, update: telegram.Update, key: str) -> None:
        with referenced():
            try:
                await self._heard(update, key)
            except Exception as error:
                sentence_of(error)
            finally:
                self._held.discard(key)

    async def _heard(self, update: telegram.Update, key: str) -> None:
        """Hear it once. Who is left without a reply is told so by another process where this one dies."""
        user, owing = update.effective_user, self._client.owing
        replied = update.message is not None or update.callback_query is not None
        waits = "" if user is None or not replied else str(user.id)
        lock = self._people.setdefault(0 if user is None else user.id, asyncio.Lock())
        try:
            async with lock:
                if waits:
                    await owing.note(key, waits)
                if not await self._begun(key):
                    owing.passed_on(key)
                    logger.info("event=again update=%d", update.update_id)
                    return
                if waits:
                    await owing.taken_over(key, waits)
                later = await heard.heard(self._client, update)
            if later is not None:
                await later()
        finally:  # what is broken off says so itself
            owing.paid(key)

    async def _begun(self, key: str) -> bool:
        """Whether it is begun here, and by nobody else; as soon as the database can tell."""
        while True:
            now = self._client.now()
            try:
                return await self._client.clubs.inbox.begun(key, now + HEARD_FOR, now)
            except Unavailable as error:
                logger.warning("event=begin_waits code=%s", error.code)
                await asyncio.sleep(AGAIN)

    async def finish(self) -> None:
        """End what is being answered, which says so itself. What was not begun waits for the next start."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        await ended(tasks, self._client.clubs.stop_all, ENDING, LAST_WORD)
        await self._client.owing.settle()
