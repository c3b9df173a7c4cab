"""The file of a backup: whatever is changed in it, what is read is what was written, or a sentence."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.adapters.postgres.archive import Manifest, read, written
from bot.core.errors import Refused

ROWS = b"".join(b"%d\tof a club %d\n" % (number, number * number) for number in range(40))


async def _copied(take: Callable[[bytes], Awaitable[None]]) -> int:
    await take(ROWS)
    return 40


async def _made(file: Path) -> None:
    with written(file, overwrite=False) as archive:
        await archive.table("club", ("id", "name"), _copied)
        archive.finish(Manifest("2031-03-01", "1", "0022", "17.0", archive.tables, {}))


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    file = tmp_path / "a.backup"
    asyncio.run(_made(file))
    return file


def _read(file: Path) -> bytes | None:
    try:
        with read(file) as archive:
            return b"".join(archive.chunks("club"))
    except Refused:
        return None


def test_with_any_bit_of_it_changed_a_backup_is_refused_or_read_as_it_was(backup: Path) -> None:
    whole, refused = backup.read_bytes(), 0
    assert _read(backup) == ROWS
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        backup.write_bytes(changed)
        found = _read(backup)
        assert found in (ROWS, None)
        refused += found is None
    assert refused > len(whole) / 2


def test_cut_anywhere_a_backup_is_refused(backup: Path) -> None:
    whole = backup.read_bytes()
    for length in range(0, len(whole), 5):
        backup.write_bytes(whole[:length])
        assert _read(backup) is None


def test_what_is_no_file_is_never_replaced_by_a_backup(tmp_path: Path) -> None:
    pipe = tmp_path / "a.backup"
    os.mkfifo(pipe)
    with pytest.raises(Refused, match="is no file"), written(pipe, overwrite=True):
        raise AssertionError
    assert pipe.is_fifo()
