"""Looking ahead, asking again, and whether an answer was useful."""

from __future__ import annotations

LINES: dict[str, str] = {
    "ahead_likely": "The book may answer it further on. That is a guess from words, and nothing was looked up for you.",
    "ahead_unlikely": "Nothing further on looks like an answer. That is a guess from words: it may be wrong.",
    "ahead_warning": "What comes next shows sentences from past where you are, to you alone, once.",
    "ahead_show": "Show it, I accept spoilers",
    "ahead_shown": "From past where you are, the closest to your question",
    "ahead_nothing": "Nothing past where you are comes close to your question.",
    "ahead_button": "[{label}: /ahead]",
    "ahead_show_button": "[{label}: /ahead show]",
    "ahead_how": "Say /ahead, and then /ahead show.",
    "nothing_ahead": "There is no private answer of yours to look ahead from: /dm QUESTION.",
    "retry": "Ask again",
    "retry_button": "[{label}: /retry]",
    "nothing_to_retry": "Nothing that you asked here is without an answer: /ask QUESTION.",
    "unmoved": "Nothing more has been read since, so the answer would be the same: /progress says where you are.",
    "useful_noted": "Noted as useful. The host sees how many say so, and not who.",
    "not_useful_noted": "Noted as not useful. The host sees how many say so, and not who.",
    "useful_before": "You said so already.",
    "useful_how": "Say /useful, or /useful no, of the last answer that you can see.",
    "forgotten_looked_ahead": "{count} look ahead | {count} looks ahead",
    "forgotten_verdicts": "{count} word on an answer | {count} words on answers",
}
