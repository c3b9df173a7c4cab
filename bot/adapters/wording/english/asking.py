"""Asking in rooms and privately: limits, the queue, sharing, spoiled."""

from __future__ import annotations

LINES: dict[str, str] = {
    "book_replaced": "That book was replaced or removed while your question was being answered: ask again.",
    "no_such_question": "There is no such question to ask again: ask it in words.",
    "muted_for": "Nothing is answered in this room for another {wait}: ask privately.",
    "minutes": "{count} minute | {count} minutes",
    "hours": "{count} hour | {count} hours",
    "limit_member_hour": "The limit for a member is {most} in an hour: your next question is free in {wait}.",
    "limit_member_day": "The limit for a member is {most} in a day: your next question is free in {wait}.",
    "limit_club_hour": "The limit for the whole club is {most} in an hour: the next question is free in {wait}.",
    "limit_club_day": "The limit for the whole club is {most} in a day: the next question is free in {wait}.",
    "limit_none": "No questions are answered in this club: its admins have set that.",
    "queue_full": "As many of your questions are waiting as may wait: wait for an answer, or stop them.",
    "queued": "It waits its turn: number {place}.",
    "pressed_before": "That was done already.",
    "share_unmet": "Your question names something that not everyone here has met, so the room was not asked.",
    "share": "Share with the room",
    "share_button": "[{label}: /share]",
    "nothing_to_share": "There is no private answer of yours to share: /dm QUESTION.",
    "nothing_to_answer": "Nothing has been answered in this room yet: /ask QUESTION.",
    "about_book": "About “{title}”:",
    "asked_option": "Say /ask --book N QUESTION or --book all, and --follow where it follows your last question.",
    "dm_book_now": "Your private questions are about “{title}” now.",
    "this_spoiled_me": "This spoiled me",
    "nothing_spoiled": "Nothing that you can see has been answered yet.",
    "spoiled": "The answer is hidden wherever it stood. An admin and the host are told which one it was, by numbers "
    "alone.",
    "spoiled_standing": "The answer could not be hidden everywhere: {count} message still stands, which only an "
    "administrator there can delete. | The answer could not be hidden everywhere: {count} messages still stand, which "
    "only an administrator there can delete.",
    "spoiled_before": "You said so already: the answer is hidden.",
    "spoiled_told": "An answer was reported as a spoiler: question {question}. /club reports lists such answers by "
    "numbers.",
    "no_reports": "No answer has been reported as a spoiler.",
    "report": "question {question}: book {book}, {chapters}, {passages}, reported by {count} member, {said_at} | "
    "question {question}: book {book}, {chapters}, {passages}, reported by {count} members, {said_at}",
    "report_chapters": "chapter {list} | chapters {list}",
    "report_no_chapter": "no chapter",
    "report_passages": "passage {list} | passages {list}",
    "report_no_passage": "no passage",
}
