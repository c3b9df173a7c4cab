"""A book for which there is no memory, or no room in the database: who brought it is told in a sentence, and the next
one is read.
"""

from __future__ import annotations

import pytest

from tests.outages.stand import Stand
from tests.stories.book import BOOK

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = "\n\n".join(
    f"Chapter {n}: Part {n} of the ledger\n\n" + f"Item {n} of the long ledger was entered and struck out again. " * 650
    for n in range(1, 200)
)
"""More than can be read in the memory that there is."""

FULL = (
    "create function full_disk() returns trigger language plpgsql as "
    "$$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$"
)


async def added(clubs: Stand, name: str, text: str) -> str:
    """What who brings a file is told of it in the end."""
    here = clubs.here
    return await here.answer(await here.peer.slash(here["Ana"], here.room, "book add", file=(name, text.encode())))


async def test_a_book_that_takes_too_much_memory_is_refused_in_a_sentence_and_the_next_one_is_read(
    clubs: Stand,
) -> None:
    worker = [line for line in clubs.program.log if "event=started worker=" in line]
    assert "within the limits of time and memory" in await added(clubs, "ledger.txt", LONG)
    assert "can be asked about" in await added(clubs, "harbour2.txt", f"{BOOK} And that was the end of it.")
    assert [line for line in clubs.program.log if "event=started worker=" in line] == worker
    assert any("reading a file failed: MemoryError" in line for line in clubs.program.log)


async def test_a_book_for_which_the_database_has_no_room_is_refused_on_its_way_and_waits_once_it_is_there(
    clubs: Stand,
) -> None:
    book = f"{BOOK} And that was the very end of it."
    before = "create trigger full_disk before insert on dogear.{} for each row execute function full_disk()"
    after = "drop trigger full_disk on dogear.{}"
    await clubs.database.run(FULL, before.format("upload_chunk"))
    assert "The database's disk is full" in await added(clubs, "harbour3.txt", book)
    await clubs.database.run(after.format("upload_chunk"), before.format("passage"))
    begun = len(clubs.program.log)
    it = await clubs.here.peer.slash(
        clubs.here["Ana"], clubs.here.room, "book add", file=("harbour3.txt", book.encode())
    )
    await clubs.program.says("code=database_full", begun)
    await clubs.database.run(after.format("passage"))
    assert "can be asked about" in await clubs.here.answer(it)
