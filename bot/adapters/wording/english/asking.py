"""Asking in rooms and privately: limits, the queue, sharing, spoiled."""

from __future__ import annotations

LINES: dict[str, str] = {}
