"""Setting up a club: rooms, settings, roles, pausing, away and handing over."""

from __future__ import annotations

LINES: dict[str, str] = {}
