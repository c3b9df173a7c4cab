"""Confirming and changing the chapter map."""

from __future__ import annotations

LINES: dict[str, str] = {}
