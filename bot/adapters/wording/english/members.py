"""Joining, leaving, and what is kept of a person."""

from __future__ import annotations

LINES: dict[str, str] = {
    "joined": "{name} joined the club.",
    "joined_already": "{name}: a member already.",
    "left": "{name} left the club.",
    "not_in_club": "{name}: not a member.",
    "members_only": "Only members can do that: /join first.",
    "members": "Members: {names}.",
    "no_members": "Nobody has joined yet.",
    "kept": "Kept of you: your name, whether you joined, what a plain number means to you, and every place you said, "
    "as numbers and never as words of the book. Questions and answers are not kept by the club; this keyboard's "
    "history is a file of its own.",
    "kept_how": "/export shows all of it, /forget deletes it. A room never learns where one member is.",
    "export_member": "{name}: joined: {joined}; a plain number means: {plain}.",
    "export_place": "{title}: {understood} (offset {offset}; said: {said})",
    "yes": "yes",
    "no": "no",
    "not_said": "not said",
    "forget_sure": "Delete your membership and every place you said, in every book of this club?",
    "forget_it": "Delete all of it",
    "keep_it": "Keep it",
    "forgotten": "Nothing is kept of {name} any more.",
    "kept_all": "Nothing was deleted.",
}
