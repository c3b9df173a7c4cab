"""What members are told alone, kept: fits the ``Tell`` port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.core.club import Member
from bot.core.notices import Notice


@dataclass
class FakeTell:
    """Delivers to everyone but those in ``deaf``, and keeps what it delivered; ``meanwhile`` is called before that."""

    deaf: set[str] = field(default_factory=set)
    told: list[tuple[str, Notice]] = field(default_factory=list)
    tried: int = 0
    meanwhile: Callable[[Member], object] | None = None

    async def tell(self, member: Member, notice: Notice) -> bool:
        self.tried += 1
        if self.meanwhile is not None:
            self.meanwhile(member)
        if member.name in self.deaf:
            return False
        self.told.append((member.name, notice))
        return True
