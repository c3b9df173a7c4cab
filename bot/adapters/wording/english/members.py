"""Joining, leaving, and what is kept of a person."""

from __future__ import annotations

LINES: dict[str, str] = {
    "holding_back": "There now: {names}.",
    "joined": "{name} joined the club.",
    "joined_already": "{name}: a member already.",
    "was_removed": "{name}, an admin removed you from the club: you can join again once one readmits you.",
    "left": "{name} left the club.",
    "removed": "{name} is removed from the club, and joins again only after /club readmit {name}.",
    "readmitted": "{name} may join again.",
    "remove_how": "Say who: /club remove NAME.",
    "readmit_how": "Say who: /club readmit NAME.",
    "aside": "{name} was told, and does not count until they say where they are.",
    "aside_untold": "{name} does not count until they say where they are. No private message reaches them: tell them.",
    "aside_how": "Say who: /club aside NAME, of a member who has not said where they are.",
    "not_in_club": "{name}: not a member.",
    "members_only": "Only members can do that: /join first.",
    "members": "Members:",
    "listed": "  {name}",
    "listed_place": "  {name}: {place}",
    "listed_end_of": "the end of {chapter}",
    "listed_whole": "the end of the book",
    "listed_none": "no whole chapter yet",
    "may_club_see": "May the club see which chapter you have finished? Until you choose you are only counted.",
    "show_my_place": "Show my place to the club",
    "only_count_me": "Only count me",
    "shows_place": "The club may see the last chapter you have finished, nothing more exact: /privacy hide ends that.",
    "hides_place": "You are only counted: your name stands in no list of places. /privacy shows what can be inferred.",
    "shown_yes": "The club sees the last chapter you have finished: /privacy hide ends that. Where the club goes on "
    "without you while you are away, that can be told from it.",
    "shown_no": "The club does not see your place, you are only counted: /privacy show changes that.",
    "shown_unsaid": "You have not said whether the club may see your place, so you are only counted: /privacy show or "
    "/privacy hide.",
    "infer_alone": "What a room can still infer if you hide it: you are the only one who counts here, so where the "
    "club is, is where you are.",
    "infer_two": "What a room can still infer if you hide it: you are two here, so whenever the club is behind the "
    "other, they know that its place is yours.",
    "infer_all_shown": "What a room can still infer if you hide it: all others show theirs, so whenever the club is "
    "behind all of them, its place is yours, and everyone can tell.",
    "infer_one_hidden": "What a room can still infer if you hide it: all others but one show theirs, and whenever the "
    "club is behind that one and all of them, that one knows that its place is yours.",
    "infer_several_hidden": "What a room can still infer if you hide it: that one of those who hide theirs is where "
    "the club is, but not which.",
    "privacy_how": "Say /privacy, /privacy show or /privacy hide.",
    "kept": "Kept of you: your name, when you joined and were last here, what you chose, every place you said, as "
    "numbers and never as words of the book, and what you asked, with the places of the quotes that answered it. The "
    "host can read it. This keyboard's history is a file of its own.",
    "kept_how": "/export shows all of it, /export FILE writes it down, /forget me deletes it. A room names whole "
    "chapters, never the exact place, and never says whose place it is; what it is quoted may come from as far as the "
    "club's place inside a chapter.",
    "exported": "Everything that is kept of you is in {file}.",
    "file_there": "There is a file {file} already: name another.",
    "file_unwritable": "{file} cannot be written: name a file in a folder that is yours.",
    "forget_sure": "Delete your membership, every place you said and every question you asked, in every book of this "
    "club?",
    "forget_sure_everywhere": "Delete your membership, every place you said and every question you asked, in every "
    "club here that knows you?",
    "forget_how": "Say /forget me, or /forget everywhere for every club here that knows you.",
    "forget_it": "Delete all of it",
    "keep_it": "Keep it",
    "forgotten": "Nothing is kept of {name} any more.",
    "forgotten_clubs": "Deleted in {count} club. | Deleted in {count} clubs.",
    "forgotten_row": "Deleted: {what}.",
    "forgotten_name": "your name",
    "forgotten_positions": "{count} place you said | {count} places you said",
    "forgotten_questions": "{count} question | {count} questions",
    "forgotten_quote_tries": "{count} search for quoted words | {count} searches for quoted words",
    "forgotten_spoiled": "{count} report of a spoiler | {count} reports of spoilers",
    "forgotten_nominations": "your name at {count} nomination | your name at {count} nominations",
    "forgotten_votes": "{count} vote | {count} votes",
    "forgotten_settings_changed": "your name at {count} setting | your name at {count} settings",
    "forgotten_books_added": "your name at {count} book | your name at {count} books",
    "forgotten_schedule_set": "your name at {count} date | your name at {count} dates",
    "forgotten_pages": "{count} page of your edition | {count} pages of your edition",
    "forgotten_consents": "{count} consent to see ahead | {count} consents to see ahead",
    "forgotten_presses": "{count} press of a button | {count} presses of buttons",
    "forgotten_reminders": "{count} reminder | {count} reminders",
    "forgotten_weekly_places": "{count} place in a weekly post | {count} places in weekly posts",
    "forgotten_other": "{count} other entry | {count} other entries",
    "forgotten_tries": "For one day it is counted, under a code from which no name can be read, how often you searched "
    "and asked today.",
    "forgotten_removed": "One thing stays, under a code from which no name can be read: that an admin removed you "
    "from the club.",
    "kept_all": "Nothing was deleted.",
    "now_away": "Nothing was heard of you for {count} day, so your place does not count in the club for now. Any "
    "command brings you back. | Nothing was heard of you for {count} days, so your place does not count in the club "
    "for now. Any command brings you back.",
    "counts_again": "Welcome back: your place counts in the club again from now on.",
    "asked_where": "You have not said where you are in: {titles}. Until then you count there as having read nothing, "
    "and so does the club. Would you say it, where it is read? /progress 3, /progress in 3, /progress 45%, or "
    "/progress none.",
    "set_aside": "An admin has set you aside, since you have not said where you are: what the club is shown may be "
    "further on than you. /progress 3 makes you count.",
}
