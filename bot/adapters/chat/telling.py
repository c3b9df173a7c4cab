"""What completes `/who` in a chat."""

from __future__ import annotations

from bot.adapters.chat.scene import Scene
from bot.core.asked_in import PRIVATELY, Place
from bot.core.name_choices import names_offered


async def names_typed(scene: Scene, typed: str, *, private: bool) -> list[tuple[str, str]]:
    """Names that fit what is typed: those that everyone in the room has met, or, where only they will see the card,
    those that the member has; (label, name).
    """
    place = PRIVATELY if private or scene.room is None else Place(scene.room, scene.see)
    return [(name, name) for name in await names_offered(scene.house, scene.member.person, place, typed)]
