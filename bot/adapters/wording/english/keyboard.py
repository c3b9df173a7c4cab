"""The terminal club alone."""

from __future__ import annotations

LINES: dict[str, str] = {
    "only": "(for {name} alone)",
    "dm_how": "Say what: /dm QUESTION, or /dm /progress 12.",
    "as_how": "Say who: /as NAME, one word of at most {count} characters.",
    "as_now": "Speaking as {name}.",
    "as_spectator": "Speaking as {name}, who is no member yet: /join.",
    "say_command": "Say /ask QUESTION to ask in the room, /dm QUESTION to ask privately, or /help.",
    "no_command": "There is no command {name}: /help lists those there are.",
    "too_long": "That is too long: say it in at most {count} characters.",
}
