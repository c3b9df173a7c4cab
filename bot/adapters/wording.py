"""The one catalogue of sentences: a domain value or an error becomes plain words, the same on every platform.

``CATALOGUE`` maps a language to its lines; a line with a count has two forms, ``one | other``. Nothing here adds
markup or looks into a book: quotes and titles stand in a line only where they are handed over with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.core.boundary import Boundary
from bot.core.chapters import Chapter, ChapterMap, chapter_name, place_name
from bot.core.club import Audience
from bot.core.errors import DogearError, Refused, SpoilerLeak, Unavailable
from bot.core.reading import Located, NotLocated, Unclear, candidate_label

ENGLISH: Final[Mapping[str, str]] = {
    # answers
    "refused_private": "Nothing in what you have read so far answers that.",
    "refused_room": "Nothing in what everyone here has read so far answers that.",
    "closest_private": "The closest passages in what you have read",
    "closest_room": "The closest passages in what everyone here has read",
    "citation": '[{n}] {place}: "{quote}"',
    "outside_chapters": "outside the chapters",
    "not_answered": "Nothing is being answered for you.",
    "stopped": "Stopped.",
    "ask_how": "Ask something: /ask QUESTION.",
    # places
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
    # rooms
    "up_to_end": "for everyone who has read to {place}",
    "up_to_in_progress": "for everyone who has read up to {place}",
    "up_to_nothing": "for everyone here, who have not all started",
    "club_place": "The club is at {place}.",
    "club_place_nothing": "The club has not started: not everyone here has read the beginning.",
    "pending": "{count} member has not said where they are | {count} members have not said where they are",
    "names_unmet": "Your question names something that not everyone here has met, so only you see this.",
    "set_my_place": "Set my place",
    "answer_privately": "Answer me privately",
    "stop": "Stop",
    "look_ahead": "Look ahead...",
    "you_asked": "You asked: {question}",
    "asked": "@{name} asked about {title} - {boundary}",
    "button": "[{label}: {command}]",
    "pending_set": "{pending}. [{label}: /progress]",
    # the keyboard
    "only": "(for {name} alone)",
    "dm_how": "Say what: /dm QUESTION, or /dm /progress 12.",
    "as_how": "Say who: /as NAME, one word of at most {count} characters.",
    "as_now": "Speaking as {name}.",
    "as_spectator": "Speaking as {name}, who is no member yet: /join.",
    "say_command": "Say /ask QUESTION to ask in the room, /dm QUESTION to ask privately, or /help.",
    "no_command": "There is no command {name}: /help lists those there are.",
    "not_yet": "{name} is not in this version yet.",
    "too_long": "That is too long: say it in at most {count} characters.",
    "everyone_admin": "At this keyboard everyone is an admin: whoever speaks may use /book and /club.",
    # members
    "joined": "{name} joined the club.",
    "joined_already": "{name}: a member already.",
    "left": "{name} left the club.",
    "not_in_club": "{name}: not a member.",
    "members_only": "Only members can do that: /join first.",
    "members": "Members: {names}.",
    "no_members": "Nobody has joined yet.",
    "club_how": "Say /club members.",
    "kept": "Kept of you: your name, whether you joined, what a plain number means to you, and every place you said, "
    "as numbers and never as words of the book. Questions and answers are not kept by the club; this keyboard's "
    "history is a file of its own.",
    "kept_how": "/export shows all of it, /forget deletes it. A room never learns where one member is.",
    "export_member": "{name}: joined: {joined}; a plain number means: {plain}.",
    "export_place": "{title}: {understood} (offset {offset}; said: {said})",
    "yes": "yes",
    "no": "no",
    "not_said": "not said",
    "forget_sure": "Delete your membership and every place you said, in every book of this club?",
    "forget_it": "Delete all of it",
    "keep_it": "Keep it",
    "forgotten": "Nothing is kept of {name} any more.",
    "kept_all": "Nothing was deleted.",
    # books
    "no_book": "The club has no book yet: /book add FILE.",
    "no_such_book": "The club has no such book: /book list shows those it has.",
    "no_file": "There is no file {file}: check the path.",
    "book_how": "Say /book add FILE, /book list, /book switch N, /book remove N or /book chapters.",
    "quotation_mark": "A quotation mark is missing its partner.",
    "book_added": "“{title}” can be asked about: {count} chapter. It is book {book}. | “{title}” can be asked about: "
    "{count} chapters. It is book {book}.",
    "book_there": "The club has this file already: it is book {book}, “{title}”.",
    "book_switch": "/book switch {book} makes it the club's current book.",
    "book_row": "{mark} {book}  {title}",
    "book_now": "The club reads “{title}” now.",
    "book_gone": "“{title}” and everything made from it is gone.",
    "chapter_row": "#{ordinal}  {name}  {title}",
    # the screen
    "covered": "covered: F2 shows it",
    "shown_page": "-- F2 shows more ({page} of {pages}), Escape covers it --",
    "shown": "-- F2 or Escape covers it again --",
    "nothing_covered": "Nothing is covered.",
    "no_longer_holds": "That was answered for people further on: ask again.",
    "toolbar": "{name}  ·  {title}  ·  F2: covered text  ·  Ctrl-D: end",
    "reading_file": "Reading",
    "indexing_file": "Indexing",
    "vectors": "Vectors",
    "welcome": "The terminal club: you and your friends at one keyboard, reading “{title}”.",
    "welcome_how": "/join, then /progress 3, then /ask a question. /as NAME speaks as someone else.",
    "welcome_covered": "What a chat would cover is covered here too: F2 shows the last answer. /help.",
    "ending": "Ending what is still being done ...",
    # faults
    "leak": "Something was stopped because it may tell more than you have read. Nothing was shown.",
    "fault": "Something went wrong, and nothing was changed.",
}

CATALOGUE: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH}


def line(key: str, language: str = "en", **values: object) -> str:
    """The line ``key`` with its values; a language without a catalogue, or without the line, reads in English.

    ``count`` chooses between the two forms of a line that has two. Raises ``KeyError`` for an unknown key or value.
    """
    one, _, other = CATALOGUE.get(language, ENGLISH).get(key, ENGLISH[key]).partition(" | ")
    return (other if other and values.get("count") != 1 else one).format_map(values)


def refusal(audience: Audience, language: str = "en") -> str:
    """The one fixed refusal: the same whether the answer comes later, never, or was cut."""
    return line("refused_private" if audience.private else "refused_room", language)


def closest(audience: Audience, language: str = "en") -> str:
    """The heading over quotes that no model chose."""
    return line("closest_private" if audience.private else "closest_room", language)


def cited_chapter(chapter: Chapter | None, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where a quote stands, in short: "ch. 6", "part 2, ch. 3"."""
    if chapter is None:
        return line("outside_chapters", language)
    return chapter_name(chapter, chapter_map).replace("chapter ", "ch. ")


def understood(place: Located | Unclear, before: int | None, language: str = "en") -> str:
    """What a member's statement was taken for; ``before`` is their offset until now, or None."""
    if isinstance(place, Unclear):
        return line("choose", language, understood=place.understood)
    key = "went_back" if before is not None and place.offset < before else "noted"
    return line(key if place.certain else "noted_unsure", language, understood=place.understood)


def choices(place: Unclear, chapter_map: ChapterMap) -> tuple[str, ...]:
    """The candidates of an ambiguous statement, in order, by numbers only."""
    return tuple(candidate_label(candidate, chapter_map) for candidate in place.candidates)


def boundary_line(boundary: Boundary, chapter_map: ChapterMap, language: str = "en") -> str:
    """For whom a reply in a room is: "for everyone who has read to the end of chapter 6"."""
    place = place_name(boundary.offset, chapter_map)
    if place.startswith("the end"):
        return line("up_to_end", language, place=place)
    return line("up_to_nothing" if place == "nothing yet" else "up_to_in_progress", language, place=place)


def member_place(offset: int | None, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where a member is, told to that member; ``offset`` is None where they never said."""
    if offset is None:
        return line("no_place", language)
    place = place_name(offset, chapter_map)
    key = "your_place_nothing" if place == "nothing yet" else "your_place"
    return line(key, language, place=place, percent=chapter_map.percent(offset))


def club_place(boundary: Boundary, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where the club is: the boundary of its room, no more exactly than by chapter."""
    place = place_name(boundary.offset, chapter_map)
    return line("club_place_nothing" if place == "nothing yet" else "club_place", language, place=place)


def pending(count: int, language: str = "en") -> str:
    """How many members have no place yet, without names; empty where all have."""
    return line("pending", language, count=count) if count else ""


def sentence(error: DogearError | NotLocated, language: str = "en") -> str:
    """An error in one plain sentence, for the person who met it; no book text, and no detail of a guard."""
    if isinstance(error, NotLocated | Refused | Unavailable):
        return error.message
    return line("leak" if isinstance(error, SpoilerLeak) else "fault", language)
