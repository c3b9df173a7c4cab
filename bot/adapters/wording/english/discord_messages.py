"""Messages on Discord: what is said nowhere else, and what is said differently there."""

from __future__ import annotations

from typing import Final

IN_PLACE_OF: Final[dict[str, str]] = {
    "asked": "{name} asked about {title}, {boundary}",
    "you_asked": "{question}",
    "pending_set": "{pending}.",
    "chat_admin_sees": "Discord shows /club and /book to whoever may manage the server. For others it is set there: "
    "Server Settings, Integrations, and this bot.",
}
"""Lines of other areas as they are said on Discord."""
