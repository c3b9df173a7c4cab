"""Uploads and how far they are."""

from __future__ import annotations

LINES: dict[str, str] = {}
