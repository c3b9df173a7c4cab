"""Which of several processes does what one alone may do."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Led(Protocol):
    """What this process leads, for as long as it lives and the database knows of it."""

    async def holds(self) -> bool:
        """Whether it still leads. Once it does not, another may."""


class Leading(Protocol):
    """Things that are led, by name, by one process of all on a database."""

    def led(self, what: str) -> AbstractAsyncContextManager[Led | None]:
        """Lead ``what`` until left; None where another process does. Who dies leads nothing from that moment on.

        Entering raises `Unavailable`; leaving raises nothing.
        """
