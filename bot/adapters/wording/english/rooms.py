"""What stands around an answer in a room."""

from __future__ import annotations

LINES: dict[str, str] = {
    "up_to_end": "for everyone who has read to {place}",
    "up_to_in_progress": "for everyone who has read up to {place}",
    "up_to_nothing": "for everyone here, who have not all started",
    "club_place": "The club is at {place}.",
    "club_place_nothing": "The club has not started: not everyone here has read the beginning.",
    "pending": "{count} member has not said where they are | {count} members have not said where they are",
    "names_unmet": "Your question names something that not everyone here has met, so only you see this.",
    "set_my_place": "Set my place",
    "answer_privately": "Answer me privately",
    "stop": "Stop",
    "look_ahead": "Look ahead...",
    "you_asked": "You asked: {question}",
    "asked": "@{name} asked about {title} - {boundary}",
    "button": "[{label}: {command}]",
    "pending_set": "{pending}. [{label}: /progress]",
}
