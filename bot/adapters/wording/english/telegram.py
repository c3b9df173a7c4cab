"""What is said on Telegram: its commands, what is said nowhere else, and what is said differently there."""

from __future__ import annotations

from typing import Final

LINES: dict[str, str] = {
    "telegram_about_ask": "Ask about the book: answered from what everyone here has read",
    "telegram_about_recap": "What has been read, in quotes; also: last chapter, since my last visit",
    "telegram_about_who": "Who somebody is, as far as everyone here has read: /who NAME",
    "telegram_about_progress": "Say how far you have read: 12, in 12, 45%, p. 120, finished, undo",
    "telegram_about_where": "Where the club is, and where you are",
    "telegram_about_join": "Become a member of the club",
    "telegram_about_leave": "Stop being a member of the club",
    "telegram_about_stop": "Stop the answer that is being made for you",
    "telegram_about_shelf": "The books of the club, and which one our private chat is about",
    "telegram_about_chapters": "The chapters by number, with the titles you have met",
    "telegram_about_members": "Who is in the club",
    "telegram_about_schedule": "When what is to be read",
    "telegram_about_vote": "Vote for the next book",
    "telegram_about_nominate": "Nominate the next book: /nominate TITLE",
    "telegram_about_remind": "Tell me before a chapter is due: on or off",
    "telegram_about_pages": "Let pages of your edition count: /pages 143 and how that page begins",
    "telegram_about_book": "The books of the club, for administrators of the group",
    "telegram_about_book_admins": "Books: add, replace, switch N, remove N, chapters, uploads, memory N",
    "telegram_about_club": "The club, for administrators of the group",
    "telegram_about_club_admins": "The club: setup, settings, schedule, preview, members, room, vote, pause, resume",
    "telegram_about_privacy": "What is kept of you, and who sees your place",
    "telegram_about_export": "Everything that is kept of you, as a file",
    "telegram_about_forget": "Delete everything that is kept of you",
    "telegram_about_help": "Every command there is",
    "telegram_help": "In our private chat every word is a question, answered as far as you have read. In a group I "
    "answer commands and replies to me, and keep nothing else that is said.",
    "telegram_open": "{name}, that is for you alone: it goes on in our private chat.",
    "telegram_open_button": "Open the private chat",
    "telegram_private_alone": "That works in our private chat alone.",
    "telegram_told_privately": "That is in our private chat.",
    "telegram_nobody": "I answer people. Whoever writes as the group or as a channel is nobody I can know: write as "
    "yourself.",
    "telegram_several_clubs": "You are in several clubs: say it in the group of the one you mean.",
    "telegram_which_club": "For which club?",
    "telegram_which_room": "In which room?",
    "telegram_no_club": "No club is set up here: an administrator of the group says /club setup.",
    "telegram_no_club_of_yours": "You are in no club: say /join in a club's group.",
    "telegram_administers_none": "I know of no club whose group you administer: say it in the club's group.",
    "telegram_topic": "topic {number}",
    "telegram_setup_where": "Say that in the club's group, or in the topic that is to be its room.",
    "telegram_setup_rights": "An administrator of this group can set up a club here: ask one of them.",
    "telegram_setup_book": "Next comes the book: send me its file in our private chat, or here with /book add as its "
    "caption. If you read along, say /join as well: setting a club up makes nobody a member.",
    "telegram_privacy_mode": "In groups I see commands and replies to me, and nothing else that is said. Who is in the "
    "group I cannot see: the club is whoever says /join.",
    "telegram_sees_all": "Telegram tells me all that is said here. I look for commands and replies to me, and pass "
    "over the rest: none of it is kept. Who is in the group I cannot see: the club is whoever says /join.",
    "telegram_no_rights": "I am no administrator here, so nobody tells me who leaves the group: who leaves says /leave "
    "first. As an administrator, with no rights at all, I am told; Telegram then tells me all that is said here too, "
    "and I pass over what is not for me.",
    "telegram_hello": "Hello. I answer a book club's questions from what everybody in the club has read, and from "
    "nothing beyond it. An administrator of the group says /club setup; /help shows the rest.",
    "telegram_start": "Hello. Every word here is a question about your club's book, answered as far as you have read. "
    "/progress says where you are, /help shows the rest.",
    "telegram_start_clubless": "Hello. I answer a book club's questions from what its members have read, and from "
    "nothing beyond it. Say /join in your club's group, or add me to a group: an administrator of it says /club setup.",
    "telegram_was_stopped": "I was stopped in the middle of what you asked for last. A file that had come is still "
    "read: /book uploads and /book list show it. A question is answered only where its answer stands. Whatever else it "
    "was may be done or not: look with /where, or say it again.",
    "telegram_turned_away": "Telegram does not take TELEGRAM_TOKEN: copy the bot's token from @BotFather again.",
    "telegram_unreachable": "Telegram cannot be reached: check the network, and TELEGRAM_API_BASE where it is set.",
    "telegram_conflict": "Another program asks Telegram for this bot's messages: end it, or give each its own bot. "
    "Dogear goes on trying.",
    "telegram_restarting": "I am being restarted. A file goes on being read: /book list shows its book once it is "
    "there. Whatever else it was, say it again in a minute.",
    "telegram_withdrawn": "This does not stand any more.",
    "telegram_no_link": "That link is none of mine: press the button in the group again.",
    "telegram_old_link": "That link is too old, or somebody else's: press the button again, or ask here.",
    "telegram_used_link": "That link was used already: ask here.",
    "telegram_place_examples": "12, in 12, part 2 ch 3, 45%, finished, none",
    "telegram_ask_how": "Say what you want to know after /ask, such as: /ask Who came in?",
    "telegram_no_command": "There is no such command: /help shows those there are.",
    "telegram_only_words": "I read words, and files of books from a group's administrators: EPUB, PDF and plain text.",
    "telegram_book_how": "Administrators of the group say /book switch N, /book remove N, /book chapters, /book "
    "uploads, /book memory N, and /book add as the caption of a file; /shelf shows the books.",
    "telegram_room_how": "Say /club room list, book N, limit PLACE, limit off or remove, in the room that is meant.",
    "telegram_vote_how": "Say /club vote close, /club vote until 2026-12-20 or /club vote choose N.",
    "telegram_pages_how": "Say a page of your edition and its first words: /pages 143 and then they went down to the",
    "telegram_book_add": "Send me the file here in our private chat, or in the group with /book add as its caption: "
    "EPUB, PDF or plain text.",
    "telegram_club_how": "Administrators of the group say /club setup, settings, schedule, preview, members, welcome, "
    "finish, reports, spent, room, vote, pause and resume.",
    "telegram_upload_rights": "A file for a club comes from an administrator of its group, and you are none now: first "
    "set up a club with /club setup in the group.",
    "telegram_too_large": "That file is larger than the {most} MB that I can fetch from Telegram: the host adds it "
    "with dogear book add FILE, or runs a Bot API server of their own.",
    "telegram_no_download": "The file could not be fetched from Telegram: send it again.",
    "telegram_may_not_write": "I may not write in this group or topic: I need to be able to send messages there.",
    "telegram_zone": "Which time zone are the club's times in? Telegram does not tell me. Any other can be said: /club "
    "settings time_zone Europe/Madrid.",
}

IN_PLACE_OF: Final[dict[str, str]] = {
    "asked": "{name} asked about {title}, {boundary}",
    "you_asked": "{question}",
    "pending_set": "{pending}.",
    "room_quiet": "Nothing is answered in this room for now: our private chat still is.",
    "chat_settings_how": "Press one to see what it does, or change it in words: /club settings NAME VALUE.",
    "chat_room_paused": "Paused: nothing is answered or posted in the room {room} until an administrator says /club "
    "resume. What is asked privately is answered.",
    "chat_how_add_book": "An administrator of the group sends me the book's file in our private chat.",
    "chat_how_talk_room": "An administrator of the group says /club setup in another topic or group.",
    "ballot_decide": "An administrator chooses: /club vote choose N.",
    "no_book": "The club has no book yet: an administrator of the group sends me its file in our private chat.",
}
"""Lines of other areas as they are said on Telegram."""

REFUSALS: Final[dict[str, str]] = {
    "no_book": "The club has no book yet: an administrator of the group sends me its file in our private chat.",
    "admins_only": "Only an administrator of the club's group can do that: ask one of them.",
    "unknown_room": "The club is not set up here: an administrator of the group says /club setup.",
}
"""What is refused under these codes, as it is said on Telegram."""
