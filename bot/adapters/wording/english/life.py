"""Welcome, finishing a book, and choosing the next."""

from __future__ import annotations

LINES: dict[str, str] = {}
