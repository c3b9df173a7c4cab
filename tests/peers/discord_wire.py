"""A piece as the JSON of a message, as it goes over the wire: what the checks and the page are fed with."""

from __future__ import annotations

from typing import Any, Final

from bot.adapters.discord.pieces import Piece

SUPPRESS_EMBEDS: Final = 1 << 2
EPHEMERAL: Final = 1 << 6
_STYLES: Final = {"primary": 1, "secondary": 2, "success": 3, "danger": 4}


def payload_of(piece: Piece, *, ephemeral: bool = False) -> dict[str, Any]:
    """The body of a message, with nobody called and no previews of links."""
    rows: list[dict[str, Any]] = []
    if piece.menu is not None:
        options = [{"label": choice.label, "value": choice.value} for choice in piece.menu.choices]
        menu = {"type": 3, "custom_id": piece.menu.press.custom_id, "options": options}
        rows.append({"type": 1, "components": [{**menu, "placeholder": piece.menu.placeholder}]})
    for row in piece.rows:
        buttons = [
            {"type": 2, "style": _STYLES[b.weight.value], "label": b.label, "custom_id": b.press.custom_id} for b in row
        ]
        rows.append({"type": 1, "components": buttons})
    files = [{"id": n, "filename": file.name, "description": file.alt} for n, file in enumerate(piece.files)]
    return {
        "content": piece.content,
        "components": rows,
        "attachments": files,
        "allowed_mentions": {"parse": []},
        "flags": SUPPRESS_EMBEDS | (EPHEMERAL if ephemeral else 0),
    }
