"""Recaps, and cards of who is who."""

from __future__ import annotations

LINES: dict[str, str] = {
    "recap_private": "From what you have read, in its order",
    "recap_room": "From what everyone here has read, in its order",
    "recap_visit": "From what you have read since you were last here",
    "recap_chapter_private": "From the last chapter that you have finished, and what you have read since",
    "recap_chapter_room": "From the last chapter that everyone here has finished, and what all have read since",
    "nothing_to_recap": "There is nothing to tell of that yet.",
    "nothing_since": "You have read nothing new since you were last here.",
    "own_visit": "What is new since you were last here is told to you alone.",
    "who_private": "{name}, as far as you have read",
    "who_room": "{name}, as far as everyone here has read",
    "who_also": "Also called {names}.",
    "who_met": "First met in {first}, last seen in {last}.",
    "who_met_once": "Met in {first}.",
    "who_others": "Others who are called so: {names}.",
    "nobody_private": "Nobody is called that in what you have read so far.",
    "nobody_room": "Nobody is called that in what everyone here has read so far.",
    "several_names": "Several are called that. Say which: {names}.",
}
