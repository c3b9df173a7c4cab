"""Which of a bot's shards a process holds."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.errors import Refused


@dataclass(frozen=True, slots=True)
class Shards:
    """Which shards this process holds, of how many."""

    ids: tuple[int, ...]
    count: int

    @classmethod
    def said(cls, setting: str) -> Shards:
        """As it is written in DISCORD_SHARDS: ``0,1/4``. Raises `Refused`."""
        written, _, count = setting.partition("/")
        ids = tuple(int(number) for number in written.split(","))
        if not all(number < int(count) for number in ids):
            raise Refused("bad_setting", "DISCORD_SHARDS names a shard that is not there: 0,1/4 are two of four.")
        return cls(ids, int(count))
