"""One plain sentence for every value a person can meet."""

from __future__ import annotations

from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bot.adapters import wording
from bot.core.boundary import Boundary, boundary_for
from bot.core.chapters import Chapter, ChapterMap
from bot.core.club import Audience, BookId, MemberId, private_to
from bot.core.errors import DogearError, FileRefused, Refused, SpoilerLeak, Unavailable
from bot.core.reading import Found, PlainNumber, locate, parse, standing

TWO_PARTS = ChapterMap(
    1000,
    100,
    900,
    tuple(Chapter(i, (i - 1) % 4 + 1, ((i + 3) // 4,), 100 * i, 100 * i + 100) for i in range(1, 9)),
)
ROOM = Audience(frozenset({MemberId(1), MemberId(2)}), room="lounge")


def at(offset: int) -> Boundary:
    return boundary_for(BookId(1), ROOM, {MemberId(1): offset, MemberId(2): 900})


def place(said: str, current: int | None = None) -> Any:
    return locate(parse(said), TWO_PARTS, Found(), standing(PlainNumber.FINISHED, current, TWO_PARTS))


def test_the_refusals_are_fixed() -> None:
    assert wording.refusal(private_to(MemberId(1))) == "Nothing in what you have read so far answers that."
    assert wording.refusal(ROOM) == "Nothing in what everyone here has read so far answers that."


def test_quotes_are_headed_as_what_they_are() -> None:
    assert wording.closest(private_to(MemberId(1))) == "The closest passages in what you have read"
    assert wording.closest(ROOM) == "The closest passages in what everyone here has read"


def test_a_place_is_repeated_as_it_was_understood() -> None:
    assert wording.understood(place("part 1 ch 2"), None) == "Noted: finished part 1, chapter 2, 25%."
    assert "further back" in wording.understood(place("part 1 ch 2"), 800)
    assert wording.understood(place("6"), None).endswith("Is that right?")
    assert wording.line("finished_or_in") == "Finished it, or still in it?"


def test_an_ambiguous_place_is_asked_about_by_numbers() -> None:
    unclear = place("2")
    assert wording.understood(unclear, None).startswith("Which one? 2 places fit")
    assert wording.choices(unclear, TWO_PARTS) == (
        "Part 1, chapter 2 (25 % of the book)",
        "Part 2, chapter 2 (75 % of the book)",
    )


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        (0, "for everyone here, who have not all started"),
        (100, "for everyone here, who have not all started"),
        (300, "for everyone who has read to the end of part 1, chapter 2"),
        (301, "for everyone who has read up to part 1, chapter 3, in progress"),
        (399, "for everyone who has read up to part 1, chapter 3, in progress"),
        (900, "for everyone who has read to the end of the book"),
    ],
)
def test_a_boundary_is_named_by_chapter_and_never_more_exactly(offset: int, said: str) -> None:
    assert wording.boundary_line(at(offset), TWO_PARTS) == said


def test_a_member_who_never_said_a_place_is_not_one_who_has_read_nothing() -> None:
    assert wording.member_place(None, TWO_PARTS) == "You have not said where you are yet."
    assert wording.member_place(0, TWO_PARTS) == "You have read nothing yet."
    assert wording.member_place(350, TWO_PARTS) == "You are at part 1, chapter 3, in progress, 31% of the book."


def test_the_club_is_placed_by_its_boundary() -> None:
    assert wording.club_place(300, TWO_PARTS) == "The club is at the end of part 1, chapter 2."
    assert wording.club_place(301, TWO_PARTS) == wording.club_place(399, TWO_PARTS)
    assert wording.club_place(0, TWO_PARTS).startswith("The club has not started")


def test_members_without_a_place_are_counted_and_not_named() -> None:
    assert wording.pending(2) == "2 members have not said where they are"
    assert wording.pending(1) == "1 member has not said where they are"
    assert wording.pending(0) == ""


def test_an_error_is_told_in_its_own_sentence_and_a_guard_in_a_fixed_one() -> None:
    assert wording.sentence(FileRefused("drm", "The file is protected.")) == "The file is protected."
    assert wording.sentence(Unavailable("Run dogear doctor.")) == "Run dogear doctor."
    assert wording.sentence(place("99")).startswith("The book ends before that")
    assert wording.sentence(SpoilerLeak("book 1: 12 > 9")) == wording.sentence(SpoilerLeak("book 2: 99 > 1"))
    assert "12" not in wording.sentence(DogearError("row 12"))


def test_another_language_falls_back_to_english_line_by_line() -> None:
    assert wording.line("stop", "eo") == "Stop"
    with pytest.raises(KeyError):
        wording.line("no such line")


@pytest.mark.parametrize(("language", "key"), [(lang, key) for lang, own in wording.CATALOGUE.items() for key in own])
def test_every_line_takes_its_english_values_and_no_others(language: str, key: str) -> None:
    def fields(text: str) -> set[str]:
        return {field for _, field, _, _ in Formatter().parse(text) if field}

    assert fields(wording.CATALOGUE[language][key]) <= fields(wording.CATALOGUE["en"][key])
    values = dict.fromkeys(fields(wording.CATALOGUE["en"][key]), 2)
    assert "{" not in wording.line(key, language, **values)


def test_what_is_refused_in_other_words_is_refused_somewhere() -> None:
    core = "\n".join(file.read_text("utf-8") for file in (Path(__file__).parents[2] / "bot/core").glob("*.py"))
    codes = {code for said in wording.REFUSALS.values() for code in said}
    assert {code for code in codes if f'"{code}"' not in core} == set()
    error = Refused("no_book", "The club has no book yet: /book add FILE.")
    assert "/book add with its file" in wording.sentence(error, "en@discord")
    assert wording.sentence(error) == error.message
