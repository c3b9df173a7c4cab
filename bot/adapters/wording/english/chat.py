"""What is said on chat platforms, and not at a keyboard."""

from __future__ import annotations

LINES: dict[str, str] = {
    "chat_no_room": "Say that in a room of the club.",
    "chat_joined": "You joined the club.",
    "chat_joined_already": "You are a member already.",
    "chat_left": "You left the club.",
    "chat_stopping": "Stopping.",
    "chat_finished": "Finished {chapter}",
    "chat_in": "Still in {chapter}",
    "chat_kept": "Kept of you: your name, when you joined and were last here, what you chose, every place you said, "
    "as numbers and never as words of the book, and what you asked, with the places of the quotes that answered it. "
    "The host can read it.",
    "chat_kept_how": "/export gives you all of it, /forget deletes it. A room names whole chapters, never the exact "
    "place, and never says whose place it is.",
    "chat_export_alt": "everything that is kept of you",
    "chat_exported": "Everything that is kept of you is in this file.",
    "chat_settings_how": "Change one with /club settings name value; the value default sets it back.",
    "chat_room_paused": "Paused: nothing is answered or posted in the room {room} until an admin says /club pause "
    "with resume. What is asked privately is answered.",
    "chat_book": "{book}: {title}",
    "chat_book_now": "{book}: {title} (read now)",
    "chat_not_a_book": "That is no book that I can read: EPUB, PDF and plain text (.epub, .pdf, .txt) are.",
    "chat_not_yours": "That button is for somebody else.",
    "chat_upload_again": "Try again",
    "chat_upload_drop": "Forget the file",
    "chat_not_any_more": "That button does nothing in this version.",
    "chat_how_add_book": "An admin says /book add with the book's file.",
    "chat_how_talk_room": "An admin says /club setup in another channel: it becomes a room of the club.",
    "continued": "continued ({number})",
    "useful": "Useful",
    "not_useful": "Not useful",
}
