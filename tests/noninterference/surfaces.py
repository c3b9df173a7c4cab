"""The one registry of surfaces: everything that shows anything, and what is done to it for each pair of twins.

A test fails when a command, a function of the door or a command-line verb exists that is named neither here nor
among the exceptions. Lines are typed by `you`, who stands at the boundary, in a room where nobody is behind.
"""

from __future__ import annotations

from typing import Final

QUESTIONS: Final = (
    "What happened to the letter?",
    "Who is Tamsin Quillet?",
    "Who is Corwin Ash, and where is Isolde Wren?",
    "What did Ana Wren open?",
    "who was ana wrenn and mr fogg",
    "What just happened?",
    "poison murderer drowned gardener",
    "the",
    "xyzzy?",
    "Ist es die Lampe?",
    "老人",
)

PLACES: Final = (
    "1", "2", "3", "5", "99", "0", "#1", "#2", "#9", "in 2", "finished 2", "part 2 chapter 1", "part 1", "part 2 ch 1",
    "10%", "45%", "98%", "100%", "101%", "-3%", "p. 12", "finished", "none", "same", "+1", "back to 1", "offset:999999",
    "the murderer", "Division an alibi", "Chapter 2: Poison", "poison", "the heiress", "asdf qwer", "undo", "",
)  # fmt: skip

LIFE: Final = (
    "/club welcome", "/club vote", "/club nominate Corwin Ash", "/club nominate The Murderer", "/club nominate 1",
    "/club vote", "/club vote 1 2", "/club vote 9", "/club vote until 2999-01-31", "/club vote", "/club vote close",
    "/club vote close 2", "/club vote", "/club finish", "/club finish", "/dm /progress finished", "/club welcome",
)  # fmt: skip
"""Greeting, nominating, voting and finishing."""

SETUP: Final = (
    "/club setup", "/club settings", "/club settings weekly", "/club settings weekly off",
    "/club settings weekly maybe", "/club settings nonsense 1", "/club settings spectators strict",
    "/club settings spectators default", "/club room", "/club room add annex", "/club room book 1",
    "/club room limit 1", "1", "/where", "/ask What happened to the letter?", "/club room limit in 2", "1",
    "/club room limit 45%", "/where", "/club room limit 99", "/club room limit p. 12", "/club room limit poison",
    "/club room limit Chapter 2: Poison", "/club room limit the murderer was dead and the gardener was alive",
    "/club room limit off", "/club room book 99", "/club room book off", "/club pause", "/where", "/dm /where",
    "/ask What happened?", "/book chapters", "/club resume", "/club mute soon", "/club mute 2h",
    "/ask What happened?", "/progress 2", "/club resume", "/club admin", "/club admin ana", "/club admin you off",
    "/club admin nobody", "/as ana", "/club admin you", "/club admin ana off", "/club pause",
    "/club settings names on", "/club room limit 1", "/as you", "/club room remove",
)  # fmt: skip
"""Rooms, settings, limits, pauses and admins."""

WEEKS: Final = (
    "/club schedule", "/club schedule 1 by 2031-03-20", "/where", "/club schedule 2 chapters a week",
    "/club schedule end by 2031-05-01", "/club schedule 99 by tomorrow", "/club schedule the murderer by tomorrow",
    "/club schedule Chapter 2: Poison by tomorrow", "/where", "/privacy show", "/club preview", "/club remind",
    "/club remind on", "/clock +8d", "/club preview", "/club schedule", "/club schedule off", "/club remind off",
)  # fmt: skip
"""The schedule, previews, reminders, and a week that passes."""

PEOPLE: Final = (
    "/as eve", "/join", "1", "/club aside eve", "/as you", "/where", "/club aside eve", "/where", "/club members",
    "/ask What happened to the letter?", "/club aside ana", "/as eve", "/progress 1", "/where", "/as you", "/where",
    "/club remove eve", "/where", "/as eve", "/join", "/where", "/club members", "/export", "/privacy", "/as you",
    "/club remove you", "/club remove nobody", "/club readmit eve", "/club readmit eve", "/club aside", "/club remove",
    "/club readmit",
)  # fmt: skip
"""Members who are set aside, removed and readmitted."""

FOLLOWING: Final = (
    "And what happened to it then?", "--follow Who opened it?", "Why?", "What about Tamsin Quillet?",
    "--book 1 What did Ana Wren open?", "--book all And who is Corwin Ash?", "--book 99 Who?", "--book all",
    "--nonsense",
)  # fmt: skip
"""Questions that follow others, and books that are named."""

NAMED: Final = (
    "Ana Wren", "wren", "ana wrenn", "mr fogg", "Ferrier", "Tamsin Quillet", "Corwin Ash", "Isolde Wren", "Lady Harrow",
    "xyzzy",
)  # fmt: skip
"""Whose card is asked for: met or not, or never."""

SCOPES: Final = ("", "so far", "last chapter", "since my last visit", "the murderer")
"""What recaps are asked of."""

AGAIN: Final[dict[str, tuple[str, ...]]] = {
    "/private": (
        "/private", "/ask What happened to the letter?", "/private", "/private", "/ask And what then?", "/private",
        "/ask Who is Corwin Ash?", "/private",
    ),
    "/share": (
        "/share", "/dm What happened to the letter?", "/share", "/share", "/dm Who is Corwin Ash?", "/share",
        "/dm What did Ana Wren open?", "1", "/dm And then?", "/dm /share",
    ),
    "/ahead": (
        "/ahead", "/ahead x", "/dm Who is Tamsin Quillet?", "/ahead show", "/ahead", "/ahead", "/ahead show",
        "/ahead show", "/dm What happened to the letter?", "/dm /ahead", "/ahead show", "/dm And what then?",
        "/dm --follow Who was it?", "/ask And then?", "/share", "/where", "/progress", "/club reports", "/privacy",
        "/export",
    ),
    "/retry": (
        "/retry", "/dm /retry", "/dm Who is Corwin Ash?", "/retry", "/progress none", "/dm What did Ana Wren open?",
        "/retry", "/ask What did Ana Wren open?", "/retry", "/dm /retry", "/retry",
    ),
    "/useful": (
        "/useful", "/useful maybe", "/ask What did Ana Wren open?", "/useful", "/useful", "/useful no",
        "/dm What just happened?", "/useful no", "/dm /useful", "/club reports", "/export",
    ),
    "/spoiled": (
        "/spoiled", "/ask What did Ana Wren open?", "/as ana", "/spoiled", "/spoiled", "/as you", "/spoiled",
        "/dm What just happened?", "/spoiled", "/club reports", "/as ana", "/club reports", "/as you",
    ),
}  # fmt: skip
"""What is done with an answer that is there."""

LOOKED_AHEAD: Final = frozenset(("/ahead", "/ahead show", "/dm /ahead"))
"""What is answered to these stands outside the master test: looking ahead is a member's explicit, private choice. What
follows it does not, nor what is kept of it.
"""

TYPED: Final[dict[str, tuple[str, ...]]] = {
    "/ask": (*(f"/ask {q}" for q in (*QUESTIONS, *FOLLOWING)), "/ask"),
    "/dm": (
        *(f"/dm {q}" for q in (*QUESTIONS, *FOLLOWING)),
        *("/dm", "/dm /where", "/dm /progress", "/dm /ask", "/dm /nonsense", "/dm /book 1", "/dm /book 99"),
    ),
    "/recap": (
        *(f"/recap {scope}" for scope in SCOPES),
        "/private",
        *(f"/dm /recap {scope}" for scope in SCOPES),
        "/share",
        "/ask And then?",
        "/clock +1d",
        "/dm /recap visit",
        "/progress 2",
        "/dm /recap visit",
    ),
    "/who": (
        *(f"/who {name}" for name in NAMED),
        "/who",
        "1",
        *(f"/dm /who {name}" for name in NAMED),
        "1",
        "/share",
        "/dm /who Ana Wren",
        "/share",
        "/who Fogg",
        "/private",
        "/spoiled",
    ),
    **AGAIN,
    "/progress": tuple(f"/progress {p}" for p in PLACES),
    "/stop": ("/stop", "/dm /stop"),
    "/privacy": (
        "/privacy",
        "/privacy show",
        "/club members",
        "/privacy hide",
        "2",
        "/privacy hide",
        "1",
        "/privacy x",
    ),
    "/export": ("/export", "/progress 2", "/ask Who is Corwin Ash?", "/export", "/export /nowhere/at/all"),
    "/forget": (
        "/forget",
        "2",
        "/forget me",
        "1",
        "/export",
        "/forget everywhere",
        "1",
        "/where",
        "/forget x",
        "/forget",
        "1",
    ),
    "/where": (
        "/where",
        "/dm /where",
        "/privacy show",
        "/club settings names on",
        "/where",
        "/club settings names off",
    ),
    "/join": ("/join", "/leave", "/join", "1", "/leave", "/join", "/progress 2", "1", "/club members"),
    "/leave": ("/leave", "/ask What happened?", "/progress 2", "/join"),
    "/as": ("/as", "/as you"),
    "/book": (
        "/book list",
        "/book chapters",
        *("/book chapters show 1", "2", "/book chapters show 99", "/book chapters ok", "/book chapters"),
        *("/book chapters story 99", "/book chapters starts 1..2", "/book chapters x", "/book replace nowhere"),
        "/book switch 999999",
        "/book remove 999999",
        "/book",
        '/book "',
        "/book jobs",
        "/book undo",
        "/book cancel 999999",
        "/book retry 999999",
        "/book cancel x",
        "/book announce 999999",
        *("/book memory 1", "/book memory 1 on", "/book jobs", "/book memory 1 off", "/book memory 999999"),
    ),
    "/club": ("/club members", "/club", "/club spent", *PEOPLE, *WEEKS, *LIFE, *SETUP),
    "/clock": ("/clock", "/clock soon", "/clock +0d", "/privacy show", "/clock +1d", "/clock +2w"),
    "/room": ("/room", "/room annex", "/where", "/room nowhere", "/room main"),
    "/help": ("/help",),
}
"""Every command of the terminal club, and lines for each."""

COMPLETED: Final = (
    "/", "/p", "/progress ", "/progress c", "/progress p", "/progress t", "/as ", "/book ", "/club ", "/club s",
    "/club settings ", "/club settings weekly_day ", "/club settings nonsense ", "/club room ", "/club room book ",
    "/club room limit ", "/club admin ", "/club admin ana ", "/club mute ", "/room ", "/recap ", "/recap l",
    "/who ", "/who a", "/who t", "/who qu", "/who wren",
)  # fmt: skip
"""What is typed when a completion is asked for."""

COMMAND_LINE: Final = frozenset({"ask", "passages", "position", "recap", "try", "who"})
"""Verbs of the command line that answer under a boundary: the same use cases, with stated readers."""

HOST_ONLY: Final = frozenset(
    {"book", "db", "doctor", "eval", "bench", "reports", "run", "spent", "worker", "health", "backup", "restore"}
)
"""Verbs of the host, who holds the file: no surface of a chat."""

DOOR: Final[dict[str, str]] = {
    "passages_admitted_v1": "{book}, {boundary}",
    "passages_nearest_v1": "{book}, {boundary}, cast('{vector}' as halfvec)",
    "passages_matching_v1": "{book}, {boundary}, array[{terms}]",
    "passages_read_v1": "{book}, {boundary}, (select array_agg(n) from generate_series(0, 999) n)",
    "passage_straddling_v1": "{book}, {boundary}",
    "names_met_v1": "{book}, {boundary}",
    "titles_met_v1": "{book}, {boundary}",
    "memory_read_v1": "{book}, {boundary}",
    "chapter_map_v1": "{book}",
    "pages_counted_v1": "{book}",
    "page_offsets_v1": "{book}, '12'",
    "title_chapters_v1": "{book}, {boundary}, 'the murderer'",
    "section_map_v1": "{book}",
    "club_named_v1": "'club', 'host'",
    "club_of_room_v1": "'terminal'",
    "clubs_of_person_v1": "'you'",
    "clubs_that_know_v1": "'you'",
    "clubs_v1": "",
    "server_moved_v1": "'terminal:1', 'terminal:2'",
    "once_first_v1": "'key', timestamptz '2100-01-01', timestamptz '2000-01-01'",
    "reply_owed_v1": "'key', 'app', 'token', false, 'process', timestamptz '2000-01-01'",
    "reply_paid_v1": "'key'",
    "replies_owed_v1": "'app', timestamptz '2100-01-01'",
    "inbox_came_v1": "'update:1', 'body', timestamptz '2000-01-01'",
    "inbox_waiting_v1": "'update', timestamptz '1999-01-01', timestamptz '2100-01-01'",
    "inbox_begun_v1": "'update:1', timestamptz '2100-01-01', timestamptz '2000-01-01'",
    "job_of_file_v1": "repeat('0', 64)",
    "clubs_due_v1": "timestamptz '2100-01-01'",
    "clubs_due_v2": "timestamptz '2100-01-01'",
    "clubs_changed_v1": "timestamptz '2000-01-01'",
    "club_clocks_v1": "",
    "clubs_without_post_v1": "array[1, 2], 2026, 49",
    "clubs_without_round_v1": "array[1, 2], date '2026-12-06'",
    "spending_reserved_v1": "'answer', 'claude', 5, timestamptz '2031-01-01', 9, 9, 9, 9",
    "spending_settled_v1": "1, 1, 2, 3, 4, 5, true, timestamptz '2031-01-01'",
    "host_spent_v1": "'day', date '2031-01-01'",
}
"""Every function of the door, and arguments for each. Those that find a club return ids, or when its posts are due."""

OUTSIDE: Final = {
    "quote_offsets_v1": "finding quoted words: seven or more, five tries a day, no further than 25 points ahead",
    "section_shown_v1": "an admin who accepts spoilers sees how a section begins: private, once a consent, and kept",
    "looked_ahead_v1": "a member's choice to look ahead: private, once a question and step, and kept; it tells numbers",
    "read_ahead_v1": "the second step of looking ahead: sentences of the unread body, once, to that member alone",
}
"""What stands outside the master test, and why (DESIGN, section 5)."""
