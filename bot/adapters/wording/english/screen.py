"""The terminal club on a screen."""

from __future__ import annotations

LINES: dict[str, str] = {
    "covered": "covered: F2 shows it",
    "shown_page": "-- F2 shows more ({page} of {pages}), Escape covers it --",
    "shown": "-- F2 or Escape covers it again --",
    "nothing_covered": "Nothing is covered.",
    "no_longer_holds": "That was answered for people further on: ask again.",
    "toolbar": "{name}  ·  {title}  ·  F2: covered text  ·  Ctrl-D: end",
    "reading_file": "Reading",
    "indexing_file": "Indexing",
    "vectors": "Vectors",
    "notes": "Notes",
    "welcome": "The terminal club: you and your friends at one keyboard, reading “{title}”.",
    "welcome_how": "/join, then /progress 3, then /ask a question. /as NAME speaks as someone else.",
    "welcome_covered": "What a chat would cover is covered here too: F2 shows the last answer. /help.",
    "ending": "Ending what is still being done ...",
}
