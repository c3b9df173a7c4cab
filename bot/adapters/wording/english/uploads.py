"""Uploads and how far they are."""

from __future__ import annotations

LINES: dict[str, str] = {
    "upload_author": "The file says it is by {author}.",
    "upload_no_author": "The file names no author.",
    "upload_right": "Is that the club's book? Nobody else has been told of it.",
    "upload_announce": "Announce it to the club",
    "upload_not_this": "Not this one: take it back",
    "upload_announced": "New in the club: “{title}”, {count} chapter. It is book {book}. | New in the club: “{title}”, "
    "{count} chapters. It is book {book}.",
    "upload_taken_back": "“{title}” is taken back, and nothing of it is left.",
    "upload_nothing_to_undo": "You have added no book that could be taken back.",
    "upload_cancelled": "That is cancelled, and nothing of the file is left.",
    "upload_cancelling": "That ends as soon as its worker looks, and leaves nothing.",
    "upload_done_already": "That is done: /book undo takes back what you added last, /book remove N removes a book.",
    "upload_retry": "/book retry {job} tries it again, /book cancel {job} forgets the file.",
    "upload_forget": "/book cancel {job} forgets it.",
    "uploads_none": "Nothing is being uploaded.",
    "upload_row": "{job}  {stage}, {percent}%",
    "upload_row_waits": "{job}  waiting",
    "upload_row_cancelling": "{job}  ending",
    "upload_row_failed": "{job}  failed: {sentence}",
    "stage_read": "reading the file",
    "stage_index": "indexing",
    "stage_embed": "making vectors",
    "stage_remember": "remembering chapters",
    "upload_room": "A book is being added: {stage}, {percent}%.",
    "upload_room_waits": "A book is being added: it waits for its turn.",
    "upload_room_done": "A book has been added: who brought it looks at it first.",
    "upload_room_failed": "A book could not be added.",
    "upload_room_cancelled": "The adding of a book was cancelled.",
}
