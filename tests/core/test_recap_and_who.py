"""Recaps and cards as members get them: under the boundary of the place, of what was read alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.answer import Answer, Refusal
from bot.core.asked_in import PRIVATELY, Asking, Place
from bot.core.club import BookId, MemberId, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import Outcome, answer_me_privately, ask_in_room, ask_privately, share_with_room
from bot.core.errors import SpoilerLeak
from bot.core.name_choices import names_offered
from bot.core.outcomes import Delivered, NotAnswered, Why
from bot.core.ports import Door, PositionRecord
from bot.core.recap import FEWEST, MOST, divided, most_telling, recap
from bot.core.search import Asked, Searching
from bot.core.wanted import Recap, Scope, Who
from bot.core.who import who
from tests.conftest import STRESS
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import Library, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.made_books import book_of, chapter
from tests.noninterference.twins import Twins, twins

ROOM = "lounge"
HARBOUR = book_of(
    chapter(
        1,
        "The ferry came late to Saltmouth, and Ana Wren stood on the quay with a brass lantern. "
        "Mr. Oswin Fogg was an old man with a grey beard who kept the light of the harbour. "
        "It rained. He asked Ana Wren for her letter. “It is lost,” said Ana Wren.",
    ),
    chapter(
        2,
        "In the morning Mr. Fogg was found dead beside the cold lamp of his own light. "
        "Ana Wren wept for the old man, and went down to the harbour without a word to anybody there. "
        "Her cousin Isolde Wren, a nurse from Exeter, arrived by the ferry in the evening of that day.",
    ),
    chapter(
        3,
        "A stranger came to the light, and Isolde Wren knew him at once by the scar on his hand. "
        "It was Captain Marrable, alias Corwin Ash, who had poisoned the keeper for his gold. "
        "Corwin Ash confessed before noon, and Ana Wren put the brass lantern out for good.",
    ),
    title="The Harbour",
)


@dataclass
class Club:
    """A club in memory that reads `HARBOUR`: `ana` has finished it, `ben` has finished two chapters of three."""

    library: Library[Any, Any, Any]
    house: Clubhouse
    clock: FakeClock
    book: BookId

    async def room(self, person: str, said: str, posts: FakePosts | None = None) -> Outcome:
        (outcome,) = await ask_in_room(self.house, ROOM, Asking(person, said), posts or FakePosts())
        return outcome

    async def alone(self, person: str, said: str, posts: FakePosts | None = None) -> Outcome:
        (outcome,) = await ask_privately(self.house, Asking(person, said), posts or FakePosts())
        return outcome

    async def says(self, person: str, offset: int) -> None:
        """Say a place, at the club's time."""
        member = await self.library.roster.member_known(person)
        record = PositionRecord(member.id, self.book, offset, "offset", "x", "x", at=self.clock())
        await self.library.roster.position_appended(record)


@pytest.fixture
async def club() -> Club:
    library, clock = in_memory(), FakeClock()
    book = await library.add(HARBOUR)
    await library.place("ana", book, HARBOUR.body_end)
    await library.place("ben", book, end_of(HARBOUR, 2))
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    return Club(library, house, clock, book)


def answer(outcome: Outcome) -> Answer:
    assert isinstance(outcome, Delivered)
    assert isinstance(outcome.showing.outcome, Answer)
    return outcome.showing.outcome


def chapters(told: Answer) -> list[int | None]:
    return [citation.chapter for citation in told.citations]


async def test_a_recap_in_a_room_tells_what_everyone_has_read_in_order(club: Club) -> None:
    posts = FakePosts()
    told = answer(await club.room("ana", "/recap", posts))
    assert told.boundary.offset == end_of(HARBOUR, 2)
    assert chapters(told) == sorted(c for c in chapters(told) if c is not None)
    assert set(chapters(told)) == {1, 2}
    assert all(c.quote in HARBOUR.text and c.span.end <= end_of(HARBOUR, 2) for c in told.citations)
    assert len(told.citations) == FEWEST
    shown = [len(s.outcome.claims) for s in posts.ever_in_room if isinstance(s.outcome, Answer)]
    assert shown == list(range(1, len(told.claims) + 1))
    (kept,) = await club.house.ledger.questions(club.clock.now.replace(year=2000), 9)
    assert (kept.record.said, kept.record.room, len(kept.record.citations)) == ("/recap", ROOM, len(told.claims))


async def test_the_last_chapter_is_the_last_that_was_finished_and_what_was_read_since(club: Club) -> None:
    assert set(chapters(answer(await club.alone("ana", "/recap last chapter")))) == {3}
    assert set(chapters(answer(await club.room("ana", "/recap last chapter")))) == {2}
    await club.says("ben", HARBOUR.text.index("It was Captain"))
    assert set(chapters(answer(await club.alone("ben", "/recap last chapter")))) == {2, 3}


async def test_what_is_new_since_the_last_visit_is_told_alone_wherever_it_is_asked(club: Club) -> None:
    for place, days in ((end_of(HARBOUR, 1), 5), (end_of(HARBOUR, 2), 0)):
        await club.says("ben", place)
        club.clock.passes(days=days)
    club.clock.passes(minutes=3)
    for asked in (club.alone, club.room):
        posts = FakePosts()
        outcome = await asked("ben", "/recap since my last visit", posts)
        assert set(chapters(answer(outcome))) == {2}
        assert isinstance(outcome, Delivered)
        assert outcome.showing.why is Why.OWN_VISIT
        assert posts.ever_in_room == []
        question = outcome.showing.question
    shared = await share_with_room(club.house, question, "ben", Place(ROOM), FakePosts())
    assert shared == (NotAnswered(Why.NO_SUCH_QUESTION),)
    club.clock.passes(days=2)
    nothing = await club.alone("ben", "/recap since my last visit")
    assert isinstance(nothing, Delivered)
    assert isinstance(nothing.showing.outcome, Refusal)


async def test_a_rooms_recap_is_made_again_for_who_is_further_and_shared_under_the_rooms_boundary(club: Club) -> None:
    asked = await club.room("ben", "/recap")
    assert isinstance(asked, Delivered)
    (alone,) = await answer_me_privately(club.house, asked.showing.question, "ana", FakePosts())
    assert 3 in chapters(answer(alone))
    own = await club.alone("ana", "/recap last chapter")
    assert isinstance(own, Delivered)
    (shared,) = await share_with_room(club.house, own.showing.question, "ana", Place(ROOM), FakePosts())
    assert set(chapters(answer(shared))) == {2}


async def test_who_has_read_nothing_is_told_nothing(club: Club) -> None:
    await club.says("ben", 0)
    for said in ("/recap", "/recap last chapter", "/recap visit", "/who Ana Wren"):
        outcome = await club.alone("ben", said)
        assert isinstance(outcome, Delivered)
        assert isinstance(outcome.showing.outcome, Refusal)


async def test_a_card_has_the_names_met_and_where_and_sentences_that_tell(club: Club) -> None:
    told = answer(await club.room("ana", "/who fogg"))
    assert told.card is not None
    assert told.card.names == ("Mr. Oswin Fogg", "Mr. Fogg")
    assert (told.card.first, told.card.last, told.card.others) == (1, 2, ())
    quotes = [c.quote for c in told.citations]
    assert quotes[0].startswith("Mr. Oswin Fogg was an old man")
    assert any("found dead" in quote for quote in quotes)
    early = answer(await _at(club, end_of(HARBOUR, 1), "/who fogg"))
    assert early.card is not None
    assert (early.card.names, early.card.last) == (("Mr. Oswin Fogg",), 1)


async def _at(club: Club, offset: int, said: str) -> Outcome:
    await club.says("ben", offset)
    return await club.alone("ben", said)


async def test_a_later_identity_joins_two_cards_only_past_the_sentence_that_says_so(club: Club) -> None:
    said = "It was Captain Marrable, alias Corwin Ash, who had poisoned the keeper for his gold."
    past = HARBOUR.text.index(said) + len(said) + 1
    joined = answer(await _at(club, past, "/who Marrable"))
    assert joined.card is not None
    assert set(joined.card.names) == {"Captain Marrable", "Corwin Ash"}
    assert said in [c.quote for c in joined.citations]
    before = await _at(club, past - 3, "/who Marrable")
    assert isinstance(before, Delivered)
    assert isinstance(before.showing.outcome, Refusal)


async def test_a_name_that_comes_later_is_as_one_that_never_comes_on_a_card(club: Club) -> None:
    for asked in (club.alone, club.room):
        seen = []
        for name in ("Marrable", "Quillet"):
            posts = FakePosts()
            outcome = await asked("ben", f"/who {name}", posts)
            assert isinstance(outcome, Delivered)
            assert posts.ever_in_room == []
            assert isinstance(outcome.showing.outcome, Refusal)
            seen.append((outcome.showing.why, outcome.showing.outcome.boundary.offset))
        assert seen[0] == seen[1]


async def test_whom_the_room_has_not_met_is_told_to_who_asked_alone(club: Club) -> None:
    posts = FakePosts()
    outcome = await club.room("ana", "/who Corwin Ash", posts)
    assert answer(outcome).card is not None
    assert isinstance(outcome, Delivered)
    assert outcome.showing.why is Why.NAMES_UNMET
    assert posts.ever_in_room == []
    assert posts.standing("dm") == [outcome.showing]


async def test_a_name_that_several_bear_offers_those_that_were_met(club: Club) -> None:
    posts = FakePosts()
    for asked, person in ((club.room, "ana"), (club.alone, "ben")):
        outcome = await asked(person, "/who Wren", posts)
        assert outcome == NotAnswered(Why.SEVERAL_NAMES, names=("Ana Wren", "Isolde Wren"))
    assert posts.ever_in_room == []
    one = answer(await _at(club, end_of(HARBOUR, 1), "/who Wren"))
    assert one.card is not None
    assert one.card.names == ("Ana Wren",)


async def test_a_slip_of_the_pen_is_taken_for_a_name_that_was_met(club: Club) -> None:
    told = answer(await club.alone("ben", "/who Isolda"))
    assert told.card is not None
    assert told.card.names == ("Isolde Wren",)


async def test_names_are_offered_under_the_boundary_of_the_place(club: Club) -> None:
    offered = await names_offered(club.house, "ana", Place(ROOM), "")
    assert {"Ana Wren", "Mr. Oswin Fogg", "Mr. Fogg", "Isolde Wren"} <= set(offered)
    assert not {"Captain Marrable", "Corwin Ash"}.intersection(offered)
    assert await names_offered(club.house, "ana", Place(ROOM), "marr") == ()
    assert await names_offered(club.house, "ana", PRIVATELY, "marr") == ("Captain Marrable",)
    assert await names_offered(club.house, "ben", PRIVATELY, "marr") == ()
    assert await names_offered(club.house, "nobody", PRIVATELY, "") == ()
    room = await club.house.rooms.room(ROOM)
    assert room is not None
    await club.house.rooms.room_paused(room.id, club.clock.now)
    assert await names_offered(club.house, "ana", Place(ROOM), "") == ()


async def test_a_door_that_shows_too_much_tells_nothing() -> None:
    library = in_memory(honours=False)
    book = await library.add(HARBOUR)
    await library.place("ben", book, end_of(HARBOUR, 1))
    searching = Searching(library.doors)
    ben = private_to((await library.roster.member_known("ben")).id)
    with pytest.raises(SpoilerLeak):
        await recap(searching, Asked(book, "/recap", ben), Recap())
    with pytest.raises(SpoilerLeak):
        await who(searching, Asked(book, "/who Ana Wren", ben), Who("Ana Wren"))


@given(st.lists(st.integers(0, 40), max_size=60), st.integers(1, MOST))
def test_a_stretch_is_divided_into_parts_that_keep_every_passage_in_order(chapter_of: list[int], most: int) -> None:
    passages = [(n, number) for n, number in enumerate(sorted(chapter_of))]
    groups = divided(passages, most)
    assert [ordinal for group in groups for ordinal in group] == [ordinal for ordinal, _ in passages]
    assert len(groups) <= most
    assert all(groups)


def test_of_a_long_part_the_most_telling_passages_are_read_or_some_at_even_distances() -> None:
    assert most_telling(range(10), {3: 0.9, 7: 0.8}, 2) == [3, 7]
    assert most_telling(range(10), {}, 3) == [0, 3, 6]
    assert most_telling([1, 2], {1: 0.1}, 3) == [1, 2]


NAMES = ("Ana Wren", "Wren", "Fogg", "Ferrier", "Tamsin Quillet", "Corwin Ash")


async def _told(pair: Twins, which: int, boundary: int) -> list[str]:
    library, embedder = in_memory(), HashEmbedder()
    book = await library.add((pair.first, pair.second)[which], embedder)

    async def positions(door: Door) -> dict[MemberId, int]:
        del door
        return {MemberId(-1): boundary}

    seen = []
    asked = Asked(book, "/recap", private_to(MemberId(-1)), positions)
    for searching in (Searching(library.doors), Searching(library.doors, embedder)):
        for since in (None, boundary // 2):
            seen += [await recap(searching, replace(asked, since=since), Recap(scope)) for scope in Scope]
        seen += [await who(searching, asked, Who(name)) for name in NAMES]
    for reply in seen:
        reach = [c.span.end for c in reply.outcome.citations] if isinstance(reply.outcome, Answer) else []
        assert max(reach, default=0) <= boundary
    return [str((reply.outcome, reply.choices, reply.found.unmet_names, reply.found.evidence)) for reply in seen]


@settings(max_examples=6 * STRESS)
@given(twins())
async def test_recaps_and_cards_are_the_same_for_books_equal_up_to_the_boundary(pair: Twins) -> None:
    assert await _told(pair, 0, pair.boundary) == await _told(pair, 1, pair.boundary)


async def test_who_somebody_is_is_answered_by_their_card_where_no_model_writes(club: Club) -> None:
    asked, named = answer(await club.room("ana", "Who is Mr. Fogg?")), answer(await club.room("ana", "/who Mr. Fogg"))
    assert asked.card == named.card is not None
    assert asked.citations == named.citations
    assert asked.question == "Who is Mr. Fogg?"


@pytest.mark.parametrize("question", ["Who is Corwin Ash?", "Who is Zebedee Quill?"])
async def test_who_was_not_met_has_no_card_and_is_asked_for_as_any_question_is(club: Club, question: str) -> None:
    posts = FakePosts()
    outcome = await club.room("ben", question, posts)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.why is Why.NAMES_UNMET
    assert posts.ever_in_room == []
    told = outcome.showing.outcome
    assert isinstance(told, Refusal) or told.card is None
