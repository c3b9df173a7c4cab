"""Answers, and what is said where there is none."""

from __future__ import annotations

LINES: dict[str, str] = {
    "refused_private": "Nothing in what you have read so far answers that.",
    "refused_room": "Nothing in what everyone here has read so far answers that.",
    "closest_private": "The closest passages in what you have read",
    "closest_room": "The closest passages in what everyone here has read",
    "claim": "{text} {numbers}",
    "model_failed": "No answer could be written just now, so here is what the book itself says.",
    "citation": '[{n}] {place}: "{quote}"',
    "outside_chapters": "outside the chapters",
    "not_answered": "Nothing is being answered for you.",
    "stopped": "Stopped.",
    "ask_how": "Ask something: /ask QUESTION.",
}
