"""The schedule, reminders and the weekly club progress."""

from __future__ import annotations

LINES: dict[str, str] = {}
