"""Where somebody is."""

from __future__ import annotations

LINES: dict[str, str] = {
    "noted": "Noted: {understood}.",
    "noted_unsure": "Noted: {understood}. Is that right?",
    "went_back": "Noted: {understood}. That is further back than before, and counts from now on.",
    "choose": "Which one? {understood}.",
    "finished_or_in": "Finished it, or still in it?",
    "finished_it": "Finished it",
    "still_in_it": "Still in it",
    "undo": "Undo",
    "undone": "Undone. {place}",
    "nothing_to_undo": "There is nothing to undo.",
    "choice": "  {number}  {label}",
    "choose_number": "Choose a number from 1 to {count}.",
    "where_are_you": "Where are you? Say /progress 3, /progress in 3, /progress 45%, or /progress none.",
    "no_place": "You have not said where you are yet.",
    "your_place": "You are at {place}, {percent}% of the book.",
    "your_place_nothing": "You have read nothing yet.",
}
