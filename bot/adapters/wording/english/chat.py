"""What is said on chat platforms, and not at a keyboard."""

from __future__ import annotations

from typing import Final

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
    "chat_kept_of_members": "Kept of a member: the name, when they joined and were last here, what they chose, every "
    "place they said, as numbers and never as words of the book, and what they asked, with the places of the quotes "
    "that answered it. The host can read it.",
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
    "chat_how_nominate": "Say /nominate with a title, or the number of a book on the club's shelf.",
    "chat_book_finished": "{book}: {title} (finished)",
    "chat_all_books": "all that the club has finished, and what it reads now",
    "chat_dm_choose": "What direct messages to me are about",
    "chat_dm_again": "What you say to me alone is about it from now on: say it again. /shelf changes that.",
    "chat_which_club": "You are in several clubs. About which book? It is remembered.",
    "chat_several_without_books": "You are in several clubs, and none of them has a book yet: say it in a room of the "
    "one you mean.",
    "chat_welcomed": "The room has been greeted.",
    "chat_look_over": "Were its chapters recognised rightly? Places are counted by them: /book chapters shows them "
    "to an admin who has joined, by number and length, and changes them.",
    "chat_map_head": "The chapter map of “{title}”, page {page} of {pages} ({count} section): | The chapter map of "
    "“{title}”, page {page} of {pages} ({count} sections):",
    "chat_map_row": "{number}: {what} ({characters:,} characters): {title}",
    "chat_map_choose": "Choose a section to change it, or to see how it begins",
    "chat_map_up_to": "... or all sections up to",
    "chat_map_between": "and all between it and",
    "chat_map_before": "Before",
    "chat_map_after": "After",
    "chat_map_back": "Back to the map",
    "chat_map_right": "The map is right",
    "chat_map_story": "Part of the story",
    "chat_map_not_story": "Not part of the story",
    "chat_map_starts": "The story starts here",
    "chat_map_ends": "The story ends here",
    "chat_map_words": "How it begins",
    "chat_person_choose": "Choose somebody",
    "chat_person_how": "What is to be done?",
    "chat_person_admin": "admin",
    "chat_person_joined": "member",
    "chat_person_removed": "removed",
    "chat_more": "More",
    "chat_no_such_person": "That person is not known to the club any more.",
    "chat_set_aside": "Set aside",
    "chat_make_admin": "Make an admin",
    "chat_take_admin": "No admin any more",
    "chat_readmit": "Let them join again",
    "chat_remove": "Remove from the club",
    "chat_admin_told": "{name}, you have been made an admin of the club: /help shows what admins can do.",
    "chat_admin_sees": "Whoever manages the server lets them see /club and /book.",
    "chat_room": "· {room}",
    "chat_room_reads": "· {room}: “{title}”",
    "chat_room_limited": "(with a limit)",
    "chat_room_quiet": "(quiet)",
    "chat_room_removed": "The room {room} is the club's no more, and nothing is answered in it or its threads.",
    "chat_branch": "This is a thread of the room {room} and goes with it: /club pause keeps it quiet.",
    "chat_no_own_book": "off: what the club reads",
    "chat_organisers": "Whoever has the role {role} on this server counts as an admin of the club now.",
    "chat_no_organisers": "Nobody counts as an admin of the club by a role any more.",
    "chat_no_limit": "no limit (off)",
    "chat_replace": "Let it replace “{title}”",
    "chat_upload_stop": "Cancel",
    "chat_upload_retry": "Try {job} again",
    "chat_upload_cancel": "Cancel {job}",
    "chat_upload_waits": "Book {book}, “{title}”, is not announced.",
    "chat_upload_announce": "Announce book {book}",
    "chat_upload_back": "Take back book {book}",
    "continued": "continued ({number})",
    "useful": "Useful",
    "not_useful": "Not useful",
    "chat_reference": "{sentence} Reference: {reference}.",
}

IN_PLACE_OF: Final[dict[str, str]] = {
    "listed": "· {name}",
    "listed_place": "· {name}: {place}",
    "schedule_row": "· {chapter} by {day}",
    "schedule_row_past": "· {chapter} by {day} (past)",
    "upload_row": "{job}: {stage}, {percent}%",
    "upload_row_waits": "{job}: waiting",
    "upload_row_cancelling": "{job}: ending",
    "upload_row_failed": "{job}: failed. {sentence}",
    "ballot_row": "{n}: {title}",
    "ballot_row_shelf": "{n}: {title} (on the shelf)",
    "ballot_decide": "An admin chooses: /club vote choose.",
    "vote_how": "Press every book you would gladly read, and again to take it back. The book with the most votes is "
    "next. You can vote anew until it is closed.",
    "no_ballot": "Nothing is nominated yet: /nominate with a title.",
    "no_book": "The club has no book yet: an admin says /book add with its file.",
    "no_such_book": "The club has no such book: /shelf shows those it has.",
    "map_unconfirmed": "Is that right?",
    "removed": "{name} is removed from the club, and joins again only once an admin lets them.",
    "shows_place": "The club may see the last chapter you have finished, nothing more exact: /privacy changes that.",
    "shown_yes": "The club sees the last chapter you have finished: /privacy changes that. Where the club goes on "
    "without you while you are away, that can be told from it.",
    "shown_no": "The club does not see your place, you are only counted: /privacy changes that.",
    "shown_unsaid": "You have not said whether the club may see your place, so you are only counted: /privacy changes "
    "that.",
    "week_no_bars": "Nobody shows their place to the club: /privacy changes that.",
    "reminder": "“{title}”: {chapter} is due {when}, and you have not finished it yet. /remind ends these.",
    "room_reads_nothing": "The room {room} reads what the club reads, which has no book yet: /book add.",
    "room_quiet": "Nothing is answered in this room for now: /ask with private, or a direct message to me, still is.",
}
"""Lines of other areas as they are said in a chat: alignment by spaces and commands of the keyboard are not for it."""

REFUSALS: Final[dict[str, str]] = {
    "no_book": "The club has no book yet: an admin says /book add with its file.",
    "unknown_book": "The club has no such book: /shelf shows those it has.",
    "unknown_room": "The club is not set up in this room: an admin says /club setup.",
    "no_ballot": "Nothing is nominated yet: /nominate with a title.",
    "no_title": "Say which book: its title, or the number of one that /shelf shows.",
    "map_changed": "The book or its chapter map was changed meanwhile: look at it again.",
}
"""What is refused under these codes, as it is said in a chat."""
