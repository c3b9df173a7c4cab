"""Everything that is kept of one person: as a file, and its end."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.club import Member, Person
from bot.core.clubhouse import Clubhouse
from bot.core.roles import handed_over
from bot.core.roster import Forgotten, Kept

FORMAT: Final = "dogear-export"
FORMAT_VERSION: Final = 1

Houses = Callable[[Person], Awaitable[Sequence[Clubhouse]]]
"""Every club that keeps anything of a person, joined or not."""

_ESCAPED: Final = re.compile("[|\x7f-\x9f\u2028\u2029]")
"""Characters that a chat or a terminal may take for more than themselves; JSON can do without them."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What was deleted of a person in one club, and who has become an admin there by it, or None."""

    house: Clubhouse
    forgotten: Forgotten
    admin: Member | None


async def export(house: Clubhouse, member: Member) -> str:
    """Everything that is kept of a member, as JSON of the format ``dogear-export``: rows by kind, times in ISO 8601.

    It holds no text of a book, and nothing of anybody else's place.
    """
    kept = await house.roster.kept(member.id) or Kept({}, {})
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "made_at": house.clock().isoformat(),
        "person": dict(kept.person),
        **{kind: [dict(row) for row in rows] for kind, rows in kept.rows.items()},
    }
    written = json.dumps(document, ensure_ascii=False, indent=2)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


async def forget(house: Clubhouse, member: Member, owner: Person | None = None) -> Erased:
    """Delete everything that is kept of a person in a club, at once.

    What stays for a day, under a code that tells no name, is how often they searched and asked; for good only that an
    admin removed them.
    """
    forgotten = await house.roster.forget(member.id, house.clock())
    house.turns.stop(member.id)
    return Erased(house, forgotten, await handed_over(house, member, owner))


async def forget_everywhere(houses: Houses, person: Person) -> tuple[Erased, ...]:
    """The same in every club that knows the person, whether they joined it or left."""
    erased = []
    for house in await houses(person):
        known = next((m for m in await house.roster.members() if m.person == person), None)
        if known is not None:
            erased.append(await forget(house, known))
    return tuple(erased)
