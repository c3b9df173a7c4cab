"""Questions that follow others: which do, and that an earlier one is used only where the boundary covers it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.answer import Answer
from bot.core.asked_in import Asking
from bot.core.boundary import boundary_for
from bot.core.club import Audience, BookId, MemberId, QuestionId, private_to
from bot.core.conversation import answer_me_privately, ask_in_room, ask_privately
from bot.core.following import LINKED, Following, Turn, followed, is_follow_up
from bot.core.outcomes import Delivered
from bot.core.retrieve import EARLIER, query_for
from bot.core.search import Asked, Searching, find
from bot.core.terms import term_id, terms
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.ledger_suite import NOW

ROOM = "lounge"
ANA, BEN = MemberId(1), MemberId(2)
BOOK = BookId(1)


@pytest.mark.parametrize(
    "question",
    [
        "and why did he do that?", "Why did he push her?", "Why?", "And then?", "What about the gull?",
        "who else was it", "Did she drown?", "How about Ana Wren?", "“But why was the door bolted?”",
        "Where does he live?",
        "Really?",
        "What happened after that?", "Who was with them?", "What does its motto mean?", "how did they get there?",
        "What else?", "Tell me more", "Was that why?",
    ],
)  # fmt: skip
def test_a_question_that_leans_on_another_is_known_as_one(question: str) -> None:
    assert is_follow_up(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who is Ana Wren?", "What happened to the letter?", "Why did Marrable poison him?", "老人は誰", "?!", "",
        "Where was the rope that the minister owed?", "Why was there only one clog?", "What does Ana owe him?",
        "How many people must an island have to keep its packet boat and its school?", "What do I know of the keeper?",
        "Who found the lantern?", "gull", "What is Andrew doing?", "Sowerby?", "Is the butler dead?",
    ],
)  # fmt: skip
def test_a_question_that_stands_alone_is_none(question: str) -> None:
    assert not is_follow_up(question)


def turn(number: int, boundary: int = 100, room: str | None = ROOM, member: MemberId = ANA, book: BookId = BOOK,
         follows: int | None = None) -> Turn:  # fmt: skip
    before = None if follows is None else QuestionId(follows)
    return Turn(QuestionId(number), member, book, room, f"question {number}", boundary, NOW, before)


ROOM_AT_200 = boundary_for(BOOK, Audience(frozenset({ANA, BEN}), ROOM), {ANA: 300, BEN: 200})
ANA_AT_300 = boundary_for(BOOK, private_to(ANA), {ANA: 300})
UNCOVERED = (
    turn(1, boundary=201), turn(2, room="elsewhere"), turn(3, room=None), turn(4, room=None, member=BEN),
    turn(5, book=BookId(2)),
)  # fmt: skip
UNCOVERED_ALONE = (
    turn(1, boundary=301, room=None), turn(2), turn(4, room=None, member=BEN), turn(5, room=None, book=BookId(2)),
)  # fmt: skip


def numbers(turns: tuple[Turn, ...]) -> list[int]:
    return [int(t.id) for t in turns]


def test_the_newest_that_the_boundary_covers_is_followed() -> None:
    following = Following((*UNCOVERED, turn(7, boundary=200), turn(8)))
    assert numbers(followed("And why?", following, ROOM_AT_200)) == [7]
    assert followed("Who is Ana?", following, ROOM_AT_200) == ()
    assert numbers(followed("Who is Ana?", replace(following, said=True), ROOM_AT_200)) == [7]
    assert followed("And why?", None, ROOM_AT_200) == ()
    alone = Following((*UNCOVERED_ALONE, turn(7, boundary=300, room=None)))
    assert numbers(followed("And why?", alone, ANA_AT_300)) == [7]


def test_a_reply_follows_what_it_replies_to_or_nothing() -> None:
    turns = (turn(7), turn(8), turn(9, boundary=201))
    assert numbers(followed("Who?", Following(turns, of=QuestionId(8)), ROOM_AT_200)) == [8]
    assert followed("And why?", Following(turns, of=QuestionId(9)), ROOM_AT_200) == ()
    assert followed("And why?", Following(turns, of=QuestionId(99)), ROOM_AT_200) == ()


def test_a_follow_up_of_a_follow_up_is_read_with_both_and_a_ring_ends() -> None:
    turns = tuple(turn(n, follows=n - 1) for n in range(9, 0, -1))
    assert numbers(followed("Why?", Following(turns), ROOM_AT_200)) == [9, 8, 7]
    assert LINKED == 3
    gap = (turn(9, follows=8), turn(8, boundary=201, follows=7), turn(7))
    assert numbers(followed("Why?", Following(gap), ROOM_AT_200)) == [9]
    ring = (turn(2, follows=1), turn(1, follows=2))
    assert numbers(followed("Why?", Following(ring), ROOM_AT_200)) == [2, 1]


TURNS = st.lists(
    st.builds(
        turn,
        st.integers(1, 9),
        st.integers(0, 400),
        st.sampled_from([ROOM, None, "elsewhere"]),
        st.sampled_from([ANA, BEN]),
        st.sampled_from([BOOK, BookId(2)]),
        st.none() | st.integers(1, 9),
    ),
    unique_by=lambda t: t.id,
    max_size=9,
)


@given(TURNS, st.booleans(), st.none() | st.integers(1, 9), st.booleans())
def test_what_the_boundary_does_not_cover_is_as_if_it_had_never_been_asked(
    turns: list[Turn], said: bool, of: int | None, private: bool
) -> None:
    boundary = ANA_AT_300 if private else ROOM_AT_200

    def covered(one: Turn) -> bool:
        here = one.room is None and one.member == ANA if private else one.room == ROOM
        return here and one.book == BOOK and one.boundary <= boundary.offset

    full = Following(tuple(turns), said, None if of is None else QuestionId(of))
    bare = replace(full, turns=tuple(filter(covered, turns)))
    found = followed("And why?", full, boundary)
    assert found == followed("And why?", bare, boundary)
    assert all(map(covered, found))


def test_words_of_an_earlier_question_count_less_than_ones_own() -> None:
    query = query_for("And why did the gull knock?", "en", earlier=["Who broke the window?", "Who knocked first?"])
    own, last, before = (term_id(next(iter(terms(word, "en")))) for word in ("gull", "window", "first"))
    assert (query.terms[own], query.terms[last], query.terms[before]) == (1.0, EARLIER, EARLIER**2)
    assert query.terms[term_id(next(iter(terms("knock", "en"))))] == 1.0
    assert query_for("Who?", "en") == query_for("Who?", "en", earlier=[])


@pytest.mark.parametrize("embedder", [None, HashEmbedder(64)])
async def test_a_follow_up_finds_what_its_own_words_do_not(embedder: HashEmbedder | None) -> None:
    library = in_memory()
    book = await library.add(LANTERN, embedder)
    ana = await library.place("ana", book, LANTERN.body_end)
    asked = Asked(book, "And why did he do that?", private_to(ana.id))
    earlier = Turn(QuestionId(1), ana.id, book, None, "Who poisoned the keeper for gold?", 0, NOW)
    searching = Searching(library.doors, embedder)
    alone = await find(searching, asked, 8)
    led = await find(searching, replace(asked, following=Following((earlier,))), 8)
    assert "poisoned" in led.evidence[0].passage.text
    assert led.followed == (earlier,)
    assert alone.followed == ()
    assert [c.text for c in alone.candidates] != [c.text for c in led.candidates]


@pytest.mark.parametrize("reply", [False, True])
async def test_an_earlier_question_from_further_on_leaves_no_trace_in_the_room(reply: bool) -> None:
    seen = []
    for asked_before in (False, True):
        library, clock = in_memory(), FakeClock()
        book = await library.add(LANTERN)
        for name in ("ana", "ben"):
            await library.place(name, book, LANTERN.body_end)
        house, posts = house_of(library, clock), FakePosts()
        await house.rooms.room_added(ROOM, "Lounge")
        if asked_before:
            await ask_in_room(house, ROOM, Asking("ana", "Who poisoned the keeper for gold?"), FakePosts())
            await ask_privately(house, Asking("ana", "Who listened to the confession?"), FakePosts())
        clock.passes(minutes=1)
        await library.place("ben", book, end_of(LANTERN, 2))
        asking = Asking(
            "ben", "And what was that about the keeper and the stair?", reply_to=QuestionId(1) if reply else None
        )
        (one,) = await ask_in_room(house, ROOM, asking, posts)
        assert isinstance(one, Delivered)
        kept = await house.ledger.question(one.question)
        assert kept is not None
        seen.append((one.showing.outcome, one.showing.ahead, one.showing.why, kept.record))
    assert seen[0] == seen[1]
    assert isinstance(seen[0][0], Answer)


async def test_an_earlier_question_that_is_too_old_is_not_followed_unless_it_is_replied_to() -> None:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.place("ana", book, LANTERN.body_end)
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    await ask_in_room(house, ROOM, Asking("ana", "Who poisoned the keeper?"), FakePosts())
    clock.now += timedelta(minutes=31)
    follows = []
    for reply_to in (None, QuestionId(1)):
        (one,) = await ask_in_room(house, ROOM, Asking("ana", "And why?", reply_to=reply_to), FakePosts())
        assert isinstance(one, Delivered)
        kept = await house.ledger.question(one.question)
        follows.append(None if kept is None else kept.record.follows)
    assert follows == [None, QuestionId(1)]


async def test_who_is_answered_alone_is_answered_with_what_the_rooms_question_followed() -> None:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    for name in ("ana", "ben"):
        await library.place(name, book, LANTERN.body_end)
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    await ask_in_room(house, ROOM, Asking("ana", "Who poisoned the keeper for gold?"), FakePosts())
    (second,) = await ask_in_room(house, ROOM, Asking("ben", "And why did he do that?"), FakePosts())
    assert isinstance(second, Delivered)
    (alone,) = await answer_me_privately(house, second.question, "ana", FakePosts())
    assert isinstance(alone, Delivered)
    kept = await house.ledger.question(alone.question)
    assert kept is not None
    assert (kept.record.room, kept.record.follows) == (None, QuestionId(1))
