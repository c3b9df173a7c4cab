"""The soak's own rules: what is lost, double or leaking is found, and what is as it should be is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot.core.club import BookId, ClubId, MemberId
from tests.load.stand import Room
from tests.soak import checks
from tests.soak.checks import AWAY, WEEK, Kept
from tests.soak.clubs import Club
from tests.soak.deeds import ANSWERED, Deed, Deeds
from tests.soak.processes import level, over_time
from tests.soak.seen import ALONE, ROOM, STOP, Message, Sight

ENDS = {2: 100, 3: 150, 4: 200}


@dataclass
class Seen:
    """What stands in the only room, and what the only person was told alone."""

    room: list[Message] = field(default_factory=list)
    person: list[Message] = field(default_factory=list)

    def in_room(self, _: Room) -> list[Message]:
        return self.room

    def alone(self, *_: object) -> list[Message]:
        return self.person


def club(platform: str = "discord") -> Club:
    room = Room(platform, "1", ["ana", "silent"], "2")
    return Club(room, ClubId(1), BookId(1), {"ana": MemberId(1)}, "silent", 5.0, ENDS, ["ana"])


def message(text: str, *labels: str) -> Message:
    message.made = getattr(message, "made", 0) + 1  # type: ignore[attr-defined]
    return Message(str(message.made), text, labels, {})  # type: ignore[attr-defined]


def kept(posts: dict[str, int] | None = None, rounds: int = 1, places: list[int] | None = None, books: int = 1) -> Kept:
    return Kept(Counter(posts or {}), rounds, {1: places or []}, books)


def deeds(seen: Seen, *made: Deed) -> Deeds:
    found = Deeds(cast("Any", None), cast(Sight, seen), list(made))
    for deed in made:
        if deed.kind == "ask":
            found.in_room[deed.number] = found.in_room.get(deed.number, 0) + 1
        if deed.kind == "ask alone":
            found.alone[deed.number, deed.person] = found.alone.get((deed.number, deed.person), 0) + 1
    return found


def did(kind: str, number: int = 0, chapter: int = 0, came: str = ANSWERED) -> Deed:
    return Deed(kind, club(), "ana", 1.0, number, chapter, came=came)


def words(found: list[tuple[float, str]]) -> list[str]:
    return [what.split(":")[0] for _, what in found]


def test_what_came_to_nothing_is_lost() -> None:
    assert checks.lost(deeds(Seen(), did("where"))) == []
    assert words(checks.lost(deeds(Seen(), did("where", came="")))) == ["lost"]


def test_an_answer_that_stands_more_often_than_it_was_asked_for_is_double() -> None:
    answer, alone = message("Who ... on day 3?", ROOM), message("Who ... on day 4?", ALONE)
    asked = (did("ask", 3), did("ask alone", 4))
    assert checks.double_answers(deeds(Seen([answer], [alone]), *asked), [club()]) == []
    twice = deeds(Seen([answer, answer], [alone, alone]), *asked)
    assert words(checks.double_answers(twice, [club()])) == ["double", "double"]


def test_a_place_that_was_confirmed_is_in_the_database_in_its_order() -> None:
    said = deeds(Seen(), did("progress", chapter=3), did("progress", chapter=2))
    assert checks.places(said, club(), kept(places=[100, 150, 200, 100])) == []
    assert words(checks.places(said, club(), kept(places=[100, 150]))) == ["lost"]


@pytest.mark.parametrize(
    ("platform", "posts", "came", "wrong"),
    [
        ("discord", {"posted": 1}, 1, []),
        ("discord", {"made": 1}, 1, ["lost"]),
        ("discord", {"due": 1}, 0, ["lost"]),
        ("discord", {"posted": 1}, 2, ["double"]),
        ("telegram", {"posted": 1}, 1, []),
        ("telegram", {"posted": 1}, 0, ["lost"]),
        ("telegram", {"made": 1}, 0, []),
        ("telegram", {"made": 1}, 1, []),
        ("telegram", {"made": 1}, 2, ["double"]),
    ],
)
def test_a_weekly_post_comes_once_and_on_telegram_may_be_missing_where_its_process_died(
    platform: str, posts: dict[str, int], came: int, wrong: list[str]
) -> None:
    sight = cast(Sight, Seen([message(f"{WEEK} a book")] * came))
    assert words(checks.posts(sight, club(platform), kept(posts))) == wrong


@pytest.mark.parametrize(
    ("platform", "rounds", "came", "wrong"),
    [
        ("discord", 2, 1, []),
        ("discord", 2, 2, ["double"]),
        ("discord", 1, 0, ["lost"]),
        ("telegram", 1, 1, []),
        ("telegram", 1, 2, ["double"]),
        ("telegram", 2, 2, []),
        ("telegram", 2, 0, ["lost"]),
    ],
)
def test_who_was_silent_is_told_once_and_on_telegram_again_where_a_round_was_begun_again(
    platform: str, rounds: int, came: int, wrong: list[str]
) -> None:
    sight = cast(Sight, Seen(person=[message(f"{AWAY} 21 days")] * came))
    assert words(checks.notices(sight, club(platform), kept(rounds=rounds))) == wrong


def test_a_file_that_was_answered_as_added_is_a_book() -> None:
    one = club()
    added = Deed("upload", one, "ana", 1.0, came=ANSWERED)
    assert checks.uploads(deeds(Seen(), added), one, kept(books=2)) == []
    assert words(checks.uploads(deeds(Seen(), added), one, kept(books=1))) == ["lost"]


@pytest.mark.parametrize(
    ("words", "came"),
    [
        ("Noted: finished chapter 2.", ""),
        ("The club is at the end of chapter 2.", ""),
        ("Who carried the lantern on day 4?", ""),
        ("I was stopped in the middle of what you asked for last.", "told"),
    ],
)
def test_the_reply_to_something_else_is_none_to_a_question(words: str, came: str) -> None:
    asked = Deed("ask", club("telegram"), "ana", 1.0, 3)
    seen = deeds(Seen(person=[message(words)]), asked)
    seen.look(9.0)
    assert asked.came == came


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("progress", "Noted: finished chapter 2, 39%."),
        ("where", "The club is at the end of chapter 2.\nYou are at the end of chapter 3, 59% of the book."),
        ("upload", "“Untitled” can be asked about: 5 chapters."),
    ],
)
def test_the_reply_to_what_was_done_is_known(kind: str, words: str) -> None:
    made = Deed(kind, club("telegram"), "ana", 1.0, chapter=2)
    deeds(Seen(person=[message(words)]), made).look(9.0)
    assert made.came == ANSWERED


def test_what_says_in_a_room_for_ever_that_it_goes_on_is_found() -> None:
    assert checks.hanging_in_rooms(cast(Sight, Seen([message("Done.", ROOM)])), club()) == []
    assert len(checks.hanging_in_rooms(cast(Sight, Seen([message("Half", STOP)])), club())) == 1


def test_what_grows_without_end_has_not_levelled_off() -> None:
    minutes = range(31)
    assert level("flat", [(m, 100.0 + m % 2) for m in minutes], share=0.1, more=1).levelled
    assert level("warm", [(m, min(100.0, 50 + 20 * m)) for m in minutes], share=0.1, more=1).levelled
    assert not level("leaks", [(m, 100.0 + 2 * m) for m in minutes], share=0.1, more=1).levelled


def test_what_was_measured_is_told_over_time() -> None:
    assert over_time([(60.0 * minute, float(minute)) for minute in range(12)]) == [2.0, 7.0, 10.5]


def test_what_hangs_in_a_group_on_telegram_is_stopped_by_who_asked_and_nothing_else_is() -> None:
    here, seen = club("telegram"), Seen([message("Who came on day 7?", STOP), message("Who came on day 8?", ROOM)])
    asked = Deed("ask", here, "ana", 1.0, number=7)
    ((of, person, hangs),) = checks.to_be_stopped(deeds(seen, asked), [here])
    assert (of, person, hangs.number) == (here, "ana", 7)
    assert not checks.to_be_stopped(deeds(seen, Deed("ask", club(), "ana", 1.0, number=7)), [club()])
