"""Messages on Discord: what is said nowhere else, and what is said differently there."""

from __future__ import annotations

from typing import Final

IN_PLACE_OF: Final[dict[str, str]] = {
    "asked": "{name} asked about {title}, {boundary}",
    "you_asked": "{question}",
    "listed": "· {name}",
    "listed_place": "· {name}: {place}",
    "schedule_row": "· {chapter} by {day}",
    "schedule_row_past": "· {chapter} by {day} (past)",
    "pending_set": "{pending}.",
    "room_quiet": "Nothing is answered in this room for now: /ask with private, or a direct message to me, still is.",
}
"""Lines of other areas as they are said on Discord: alignment by spaces and commands of the keyboard are not for it."""
