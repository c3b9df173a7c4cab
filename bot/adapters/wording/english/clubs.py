"""Setting up a club: rooms, settings, roles, pausing, away and handing over."""

from __future__ import annotations

LINES: dict[str, str] = {
    "first_room": "main",
    "setup_done": "The club is set up in the room {room}; an admin of it: {name}.",
    "setup_book": "Next comes the book: /book add FILE.",
    "setup_next": "Everybody says /join, and /progress to say where they are. All the rest is set: "
    "/club settings shows it.",
    "setup_spectators": "Who sees the room and never joined is not counted: answers are covered for them. "
    "/club settings spectators strict counts them as having read nothing.",
    "club_how": "Say /club members, welcome, nominate, vote, finish, setup, settings, room, pause, resume, "
    "mute, spent or admin: /help.",
    "settings_how": "Change one with /club settings NAME VALUE; the value default sets it back.",
    "setting_row": "{name}: {value} - {about}",
    "setting_row_changed": "{name}: {value} (else {default}) - {about}",
    "setting_choices": "{about} One of {choices}.",
    "setting_now": "{name} is {value} now.",
    "setting_language": "The language in which the bot speaks.",
    "setting_time_zone": "The time zone of the club's times, such as Europe/Berlin.",
    "setting_weekly": "Whether the club's progress is posted every week.",
    "setting_weekly_day": "The day on which it is posted.",
    "setting_weekly_time": "The time of day at which it is posted, such as 18:00.",
    "setting_away_after_days": "After so many days without a sign a member is told, and counts no longer until they "
    "come back.",
    "setting_spectators": "Who sees a room and never joined: covered lets them uncover answers, strict counts them as "
    "having read nothing.",
    "setting_names": "Whether a room may be told who holds it back.",
    "setting_organiser_role": "A role of the server, by its number, whose holders count as admins of the club.",
    "setting_member_questions_hour": "Questions a member may ask in an hour.",
    "setting_member_questions_day": "Questions a member may ask in a day.",
    "setting_club_questions_hour": "Questions the club may ask in an hour.",
    "setting_club_questions_day": "Questions the club may ask in a day.",
    "room_how": "Say /club room add NAME, remove, book N, book off, limit PLACE or limit off.",
    "room_added": "The club has the room {room} now: /room {room} goes there.",
    "room_there": "The club has the room {room} already: /room {room} goes there.",
    "room_removed": "The room {room} is the club's no more. Now in the room {now}.",
    "room_last": "A club at a keyboard has one room at least: /club room add NAME makes another.",
    "room_reads": "The room {room} reads “{title}” now.",
    "room_reads_nothing": "The room {room} reads what the club reads, which has no book yet: /book add FILE.",
    "room_limited": "The room {room} is told of “{title}” up to {place} at most.",
    "room_limited_nothing": "The room {room} is told nothing of “{title}”.",
    "room_unlimited": "The room {room} has no limit of its own any more.",
    "room_which": "Which one?",
    "room_paused": "Paused: nothing is answered or posted in the room {room} until an admin says /club resume. What is "
    "asked privately is answered.",
    "room_muted": "Muted until {until}: until then nothing is answered or posted in the room {room}. What is asked "
    "privately is answered.",
    "room_resumed": "The room {room} is answered again.",
    "room_quiet": "Nothing is answered in this room for now: ask privately with /dm QUESTION.",
    "mute_how": "Say for how long: /club mute 2h.",
    "rooms_row": "{mark} {room}",
    "room_now": "In the room {room}.",
    "no_such_room": "The club has no such room: /room shows those it has.",
    "admins": "Admins: {names}.",
    "admin_how": "Say who: /club admin NAME, or /club admin NAME off.",
    "admin_given": "{name}: an admin of the club now.",
    "admin_taken": "{name}: no admin of the club any more.",
    "admin_inherited": "{name}, you are an admin of the club now, for it had no other left: /help shows what admins "
    "can do.",
    "admin_commands": "Admins alone use {commands}.",
}
