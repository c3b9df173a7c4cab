"""What survives of an answer that a model writes, while it is being written."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Spent
from bot.core.second_reading import BATCH, read_again
from bot.core.streamed_claims import ClaimStream, NotClaims
from bot.core.verify import Checked, Cut, Verifier
from bot.core.writing import Writing

MOST_CLAIMS: Final = 12
"""At most so many claims make an answer."""
MOST_DRAFTS: Final = 40
"""At most so many claims are looked at: a model that writes on and on is stopped."""

logger = logging.getLogger(__name__)

_Item = Checked | ModelFailed | None
"""A claim, why there are no more, or None at the end."""


@dataclass
class Writer:
    """One answer, or chapter's memory, being written: at most so many claims. ``cuts`` counts what was cut, and why."""

    writing: Writing
    request: ModelRequest
    verifier: Verifier
    spent: Spent
    most: int = MOST_CLAIMS
    cuts: Counter[Cut] = field(default_factory=Counter)
    _said: set[str] = field(default_factory=set)

    async def survivors(self) -> AsyncGenerator[Checked, None]:
        """The claims that pass every check, in order. They are read again in batches while later ones are written.

        Closing this ends every request. Raises `ModelFailed`: then nothing of the answer counts.
        """
        queue: asyncio.Queue[_Item] = asyncio.Queue()
        reader = asyncio.create_task(self._read(queue))
        shown = 0
        try:
            async for batch in _batches(queue):
                for claim in await self._borne_out(batch):
                    yield claim
                    shown += 1
                    if shown == self.most:
                        return
            await reader
        finally:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader
            logger.debug("cut: %s", {cut.value: count for cut, count in sorted(self.cuts.items())})

    async def _read(self, queue: asyncio.Queue[_Item]) -> None:
        """Check what the model writes as it comes."""
        stream, drafts = ClaimStream(), 0
        try:
            async with aclosing(self.writing.model.written(self.request, self.spent)) as pieces:
                async for piece in pieces:
                    for draft in stream.fed(piece):
                        drafts += 1
                        found = await asyncio.to_thread(self.verifier.checked, draft)
                        if isinstance(found, Cut):
                            self.cut(found)
                        elif found.text.casefold() in self._said:
                            self.cut(Cut.AGAIN)
                        else:
                            self._said.add(found.text.casefold())
                            queue.put_nowait(found)
                    if drafts >= MOST_DRAFTS:
                        break
                else:
                    stream.closed()
        except ModelFailed as failed:
            queue.put_nowait(failed)
        except NotClaims:
            queue.put_nowait(ModelFailed(Failed.BAD_REPLY))
        finally:
            queue.put_nowait(None)

    async def _borne_out(self, batch: list[Checked]) -> list[Checked]:
        """What is left of a batch: the second reading bears it out and is believed, or the passage's words do."""
        if not self.writing.switches.support:
            kept = [claim for claim in batch if claim.strict]
            for _ in range(len(batch) - len(kept)):
                self.cut(Cut.UNBACKED)
            return kept
        verdicts = await read_again(self.writing.model, batch, self.verifier, self.spent)
        if not verdicts.trusted:
            level = logging.DEBUG if self.request.purpose is Purpose.MEMORY else logging.WARNING
            logger.log(level, "the second reading let a test pass, or there was none: it is not believed")
        kept = []
        for claim, supported in zip(batch, verdicts.supported, strict=True):
            if supported and (claim.strict or verdicts.trusted):
                kept.append(claim)
            else:
                self.cut(Cut.UNBACKED if supported else Cut.UNSUPPORTED)
        return kept

    def cut(self, why: Cut) -> None:
        """Count a claim that is not shown."""
        self.cuts[why] += 1
        self.writing.claim_cut(why.value)


async def _batches(queue: asyncio.Queue[_Item]) -> AsyncGenerator[list[Checked], None]:
    """What has come, as soon as anything has, at most `BATCH` at once. Raises what came in place of a claim."""
    while True:
        items = [await queue.get()]
        while not queue.empty() and len(items) < BATCH and items[-1] is not None:
            items.append(queue.get_nowait())
        claims = []
        for item in items:
            if isinstance(item, ModelFailed):
                raise item
            if item is not None:
                claims.append(item)
        if claims:
            yield claims
        if items[-1] is None:
            return
