"""The one rule that makes a boundary.

Only `boundary_for` and `narrowed` construct a `Boundary`; a test walks the code to hold that. A boundary that was
stored loads as a plain offset and is good for comparison and audit only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from itertools import repeat
from typing import Final, NoReturn

from bot.core.club import Audience, BookId, MemberId
from bot.core.errors import SpoilerLeak

_THE_RULE: Final = object()


@dataclass(frozen=True, slots=True)
class Boundary:
    """The offset in one book (code points) up to which text may be shown to one audience.

    Raises `SpoilerLeak` when constructed anywhere but in this module, by `dataclasses.replace` and unpickling too.
    """

    book: BookId
    offset: int
    audience: Audience
    _made_by: InitVar[object] = None

    def __post_init__(self, _made_by: object) -> None:
        if _made_by is not _THE_RULE:
            raise SpoilerLeak("a boundary was made outside boundary_for and narrowed")
        if self.offset < 0:
            raise SpoilerLeak(f"a boundary cannot be negative: {self.offset}")

    def __copy__(self) -> Boundary:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Boundary:
        return self

    def __reduce__(self) -> NoReturn:
        raise SpoilerLeak("a boundary cannot be stored: keep its offset")

    def __setstate__(self, state: object) -> NoReturn:
        raise SpoilerLeak("a boundary cannot be loaded: it is made by boundary_for")

    def admits(self, revealed_at: int) -> bool:
        """Whether something revealed at ``revealed_at`` may be shown. The one comparison of the whole program."""
        return revealed_at <= self.offset


def boundary_for(book: BookId, audience: Audience, positions: Mapping[MemberId, int]) -> Boundary:
    """The most restrictive position of everyone who will see the reply.

    ``positions`` maps members to offsets in ``book``; who is missing counts as 0, and so does an audience of nobody.
    """
    offset = min(map(positions.get, audience.members, repeat(0)), default=0)
    return Boundary(book, max(0, offset), audience, _THE_RULE)


def narrowed(boundary: Boundary, limit: int) -> Boundary:
    """The same boundary under a further limit (an offset). It never widens."""
    return Boundary(boundary.book, max(0, min(boundary.offset, limit)), boundary.audience, _THE_RULE)
