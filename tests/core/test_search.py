"""Evidence for a question: found under the boundary that holds when it is found."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.core.audience import everyone_in
from bot.core.boundary import Boundary
from bot.core.club import Audience, BookId, MemberId, private_to
from bot.core.errors import Refused, SpoilerLeak, Unavailable
from bot.core.ports import EmbeddingModel, PositionRecord, Vectors
from bot.core.quotes import closest_quotes
from bot.core.retrieve import query_for
from bot.core.search import LONGEST_QUESTION, Asked, Found, Searching, boundary_of, find, question_of
from tests.conftest import STRESS
from tests.fakes.doors import FakeDoors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter
from tests.noninterference.twins import Twins, twins

Fake = Library[FakeShelf, FakeRoster, FakeDoors]
DOWN = Unavailable("The embedder is not there: start it.", code="embedder_down")
INSIDE = LANTERN.text.index("A gull had broken") + 5
"""In the middle of a sentence of chapter 2."""


async def club(offset: int, embedder: HashEmbedder | None = None) -> tuple[Fake, Asked]:
    """A club whose one member has read the lantern book up to ``offset``, and a question of theirs."""
    library = in_memory()
    book = await library.add(LANTERN, embedder)
    ana = await library.place("ana", book, offset)
    return library, Asked(book, "Who carried the brass lantern?", private_to(ana.id))


def readers(asked: Asked) -> frozenset[MemberId]:
    """The members of a fixed audience."""
    assert isinstance(asked.audience, Audience)
    return asked.audience.members


async def room(*offsets: int) -> tuple[Fake, Asked]:
    """A club whose members ana, ben, ... are at these offsets, and a question in its room."""
    library = in_memory()
    book = await library.add(LANTERN)
    for name, offset in zip(("ana", "ben", "cat"), offsets, strict=False):
        await library.place(name, book, offset)
    return library, Asked(book, "Who carried the brass lantern?", everyone_in("room"))


def happens(library: Fake, opening: int, change: Callable[[], None]) -> None:
    """Let ``change`` happen once, just before transaction number ``opening`` from now on."""
    at = library.doors.opened_so_far + opening
    library.doors.before_opening = lambda number: change() if number == at else None


def moves(library: Fake, asked: Asked, opening: int, offset: int) -> None:
    """Let the member go to ``offset`` just before transaction number ``opening`` from now on."""
    at = library.doors.opened_so_far + opening
    (member,) = readers(asked)

    def move(number: int) -> None:
        if number == at:
            library.roster.append(PositionRecord(member, asked.book, offset, "offset", "", ""))

    library.doors.before_opening = move


def shown(found: Found) -> object:
    """Everything of a search that could reach a person."""
    passages = [(e.passage, e.found_by) for e in found.evidence]
    return passages, found.candidates, found.unmet_names, found.boundary.offset


@given(st.integers(0, LANTERN.body_end), st.sampled_from(["Who is Ana Wren?", "Marrable poison gold", "the bell", "?"]))
async def test_nothing_is_found_past_the_boundary(offset: int, question: str) -> None:
    embedder = HashEmbedder(32, window_words=20)
    library, asked = await club(offset, embedder)
    found = await find(Searching(library.doors, embedder), replace(asked, question=question), 8)
    assert found.boundary.offset == offset
    for evidence in found.evidence:
        assert evidence.passage.revealed_at <= offset
        assert evidence.passage.text == evidence.passage.span.of(LANTERN.text)
        assert all(s.revealed_at <= offset for s in evidence.passage.sentences)


@settings(max_examples=60 * STRESS)
@given(twins(), st.booleans())
async def test_a_search_is_the_same_for_books_equal_up_to_the_boundary(pair: Twins, vectors: bool) -> None:
    assume(pair.boundary < pair.first.body_end)  # there the sealed matter opens, and twins differ
    embedder = HashEmbedder(64) if vectors else None
    seen = []
    for text in (pair.first, pair.second):
        library = in_memory()
        book = await library.add(text, embedder)
        ana = await library.place("ana", book, pair.boundary)
        seen.append(
            [
                shown(await find(Searching(library.doors, embedder), Asked(book, question, private_to(ana.id)), 8))
                for question in (
                    "What did Ana Wren open?",
                    "Tamsin Quillet, or Corwin Ash?",
                    "what just happened",
                    "of",
                )
            ]
        )
    assert seen[0] == seen[1]


@pytest.mark.parametrize("moved_to", [0, 150, end_of(LANTERN, 2)])
async def test_when_a_position_changes_meanwhile_the_search_is_made_again_under_the_new_one(moved_to: int) -> None:
    library, asked = await club(end_of(LANTERN, 1))
    moves(library, asked, opening=2, offset=moved_to)
    found = await find(Searching(library.doors), asked, 8)
    assert found.boundary.offset == moved_to
    assert max((e.passage.revealed_at for e in found.evidence), default=0) <= moved_to
    fresh, again = await club(moved_to)
    assert shown(found) == shown(await find(Searching(fresh.doors), again, 8))


async def test_positions_that_never_rest_make_the_search_give_up() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    (member,) = readers(asked)
    steps = count(100)

    def restless(_number: int) -> None:
        library.roster.append(PositionRecord(member, asked.book, next(steps), "offset", "", ""))

    library.doors.before_opening = restless
    with pytest.raises(Unavailable) as raised:
        await find(Searching(library.doors), asked, 8)
    assert raised.value.code == "busy"


async def test_a_book_removed_meanwhile_is_refused() -> None:
    library, asked = await club(INSIDE)
    at = library.doors.opened_so_far + 2

    def remove(number: int) -> None:
        if number == at:
            library.shelf.kept.clear()

    library.doors.before_opening = remove
    with pytest.raises(Refused) as raised:
        await find(Searching(library.doors), asked, 8)
    assert raised.value.code == "unknown_book"


async def test_vectors_that_another_model_replaces_meanwhile_are_not_mixed() -> None:
    library, asked = await club(INSIDE, HashEmbedder(32))
    at = library.doors.opened_so_far + 2

    def begin_again(number: int) -> None:
        if number == at:
            kept = library.shelf.of(asked.book)
            kept.vectors = {}
            kept.record = replace(kept.record, embedder=HashEmbedder(64).model)

    library.doors.before_opening = begin_again
    found = await find(Searching(library.doors, HashEmbedder(32)), asked, 8)
    assert all("vector" not in c.found_by for c in found.candidates)


async def boundary_now(library: Fake, asked: Asked) -> Boundary:
    async with library.doors.opened() as door:
        return await boundary_of(door, asked)


CHANGES = {
    "joins": (("ana",), ("join", "cat"), {"ana", "cat"}, 0),
    "joins again with an old place": (("ana", "ben"), ("join", "ben"), {"ana", "ben"}, 150),
    "leaves": (("ana", "ben"), ("leave", "ben"), {"ana"}, end_of(LANTERN, 2)),
    "goes back": (("ana", "ben"), ("go", "ben"), {"ana", "ben"}, 40),
}
"""Who reads (ana to chapter 2, ben to 150), what happens to whom, the audience after it and its boundary."""


async def changing(case: str) -> tuple[Fake, Asked, Callable[[], None], frozenset[MemberId], int]:
    """A club, a question in its room, what happens, and the audience and the boundary after that."""
    present, (what, name), after, offset = CHANGES[case]
    library, asked = await room(end_of(LANTERN, 2), 150)
    people = {person: await library.roster.member_known(person) for person in ("ana", "ben", "cat")}
    if "ben" not in present or what == "join":
        await library.roster.leave(people["ben"].id)
    change = {
        "join": lambda: library.roster.mark(people[name].id, joined=True),
        "leave": lambda: library.roster.mark(people[name].id, joined=False),
        "go": lambda: library.roster.append(PositionRecord(people[name].id, asked.book, 40, "offset", "", "")),
    }[what]
    return library, asked, change, frozenset(people[person].id for person in after), offset


@pytest.mark.parametrize("case", CHANGES)
async def test_when_the_room_changes_meanwhile_the_search_is_made_again_for_who_is_there(case: str) -> None:
    library, asked, change, members, offset = await changing(case)
    happens(library, 2, change)
    found = await find(Searching(library.doors), asked, 8)
    assert found.boundary.audience == Audience(members, "room")
    assert found.boundary.offset == offset
    assert max((e.passage.revealed_at for e in found.evidence), default=0) <= offset
    assert await boundary_now(library, asked) == found.boundary


@pytest.mark.parametrize("case", CHANGES)
async def test_the_boundary_is_another_once_the_room_has_changed(case: str) -> None:
    library, asked, change, members, offset = await changing(case)
    boundary = (await find(Searching(library.doors), asked, 8)).boundary
    change()
    again = await boundary_now(library, asked)
    assert again != boundary
    assert (again.audience.members, again.offset) == (members, offset)


async def test_the_audience_is_another_when_somebody_joins_who_has_read_further() -> None:
    library, asked = await room(150, LANTERN.body_end)
    ben = await library.roster.member_known("ben")
    await library.roster.leave(ben.id)
    boundary = (await find(Searching(library.doors), asked, 8)).boundary
    await library.roster.join(ben.id)
    again = await boundary_now(library, asked)
    assert again.offset == boundary.offset
    assert again.audience != boundary.audience


async def test_who_leaves_meanwhile_is_shown_nothing_even_alone() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    (member,) = readers(asked)
    happens(library, 2, lambda: library.roster.mark(member, joined=False))
    found = await find(Searching(library.doors), asked, 8)
    assert (found.boundary.offset, found.evidence) == (0, ())


async def test_a_fixed_limit_narrows_and_never_widens() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    for limit, offset in ((100, 100), (10**6, end_of(LANTERN, 2))):
        found = await find(Searching(library.doors), replace(asked, limit=limit), 8)
        assert found.boundary.offset == offset


async def test_a_book_that_is_not_there_is_refused() -> None:
    library, asked = await club(0)
    with pytest.raises(Refused, match="no such book"):
        await find(Searching(library.doors), replace(asked, book=BookId(99)), 8)


async def test_the_passage_that_straddles_the_boundary_is_scored_on_its_read_sentences_alone() -> None:
    embedder = HashEmbedder(64, window_words=500)
    library, asked = await club(INSIDE, embedder)
    unread = "gull broken north window kettle kitchen knuckles causeway"
    found = await find(Searching(library.doors, embedder), replace(asked, question=unread), 8)
    (own,) = (e.passage for e in found.evidence if e.passage.chapter == 2)
    assert own.text.endswith("bolted from within.")
    (scored,) = (c for c in found.candidates if c.ordinal == own.ordinal)
    assert scored.text == 0.0
    assert "vector" not in scored.found_by  # its one piece is not wholly read, and so has no say


async def test_the_read_part_of_the_straddling_passage_is_found_by_its_words() -> None:
    library, asked = await club(INSIDE)
    found = await find(Searching(library.doors), replace(asked, question="Who bolted the stair door?"), 8)
    assert found.evidence[0].passage.chapter == 2
    assert "text" in found.evidence[0].found_by


class Watching(HashEmbedder):
    """Embeds only while no transaction is open: one that waited for it would wait for ever."""

    def __init__(self, doors: FakeDoors) -> None:
        super().__init__(32)
        self._doors = doors

    def _vector(self, text: str) -> Vectors:
        until = time.monotonic() + 5
        while self._doors.open:
            assert time.monotonic() < until, "a transaction is open while text is embedded"
            time.sleep(0.001)
        return super()._vector(text)


class Preferring:
    """A reranker that likes passages with ``word``, and looks whether a transaction is open."""

    def __init__(self, doors: FakeDoors, word: str, broken: bool = False) -> None:
        self._doors, self._word, self._broken = doors, word, broken
        self.read: list[str] = []

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        assert question
        self.read += passages
        assert not self._doors.open
        if self._broken:
            raise DOWN
        return [float(self._word in passage) for passage in passages]


async def test_no_transaction_waits_for_an_embedder_or_a_reranker() -> None:
    library, asked = await club(INSIDE, HashEmbedder(32))
    embedder = Watching(library.doors)
    found = await find(Searching(library.doors, embedder, Preferring(library.doors, "bolted")), asked, 8)
    assert {e.passage.chapter for e in found.evidence} == {1, 2}
    assert embedder.embedded == 1


async def test_a_reranker_has_the_last_word_on_the_order() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    for word, number in (("bolted", 2), ("quay", 1)):
        found = await find(Searching(library.doors, reranker=Preferring(library.doors, word)), asked, 1)
        assert [e.passage.chapter for e in found.evidence] == [number]
        assert [c.ordinal for c in found.candidates] == [e.passage.ordinal for e in found.evidence]


async def test_a_rerankers_score_is_what_quotes_are_chosen_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.quotes.QUOTES", 1)
    library, asked = await club(end_of(LANTERN, 2))
    for word, number in (("bolted", 2), ("quay", 1)):
        found = await find(Searching(library.doors, reranker=Preferring(library.doors, word)), asked, 8)
        scores = [c.score for c in found.candidates]
        assert scores == sorted(scores, reverse=True)
        assert [float(np.mean(scores)), float(np.std(scores))] == pytest.approx([0, 1])
        quotes = closest_quotes(query_for("stair", "en"), found.evidence, found.candidates, "en")
        assert [quote.evidence.passage.chapter for quote in quotes] == [number]


async def test_a_reranker_never_reads_what_a_broken_door_lets_through() -> None:
    library = in_memory(honours=False)
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, end_of(LANTERN, 1))
    reranker = Preferring(library.doors, "gold")
    with pytest.raises(SpoilerLeak):
        await find(Searching(library.doors, reranker=reranker), Asked(book, "Marrable gold", private_to(ana.id)), 8)
    assert reranker.read == []


async def test_a_reranker_that_fails_leaves_the_order_as_it_is() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    plain = await find(Searching(library.doors), asked, 8)
    broken = await find(Searching(library.doors, reranker=Preferring(library.doors, "", broken=True)), asked, 8)
    assert shown(broken) == shown(plain)


async def test_vectors_of_another_model_are_not_searched() -> None:
    library, asked = await club(INSIDE, HashEmbedder(32))
    plain, plainly = await club(INSIDE)
    found = await find(Searching(library.doors, HashEmbedder(64)), asked, 8)
    assert shown(found) == shown(await find(Searching(plain.doors), plainly, 8))
    assert all("vector" not in c.found_by for c in found.candidates)


class Failing(HashEmbedder):
    """Fails at one of its methods."""

    def __init__(self, method: str) -> None:
        self._fails = ""
        super().__init__(32)
        self._known = EmbeddingModel("hash-stub", 32, HashEmbedder(32).model.sha256)
        self._fails = method

    def __getattribute__(self, name: str) -> object:
        if name == object.__getattribute__(self, "__dict__").get("_fails"):
            raise DOWN
        return super().__getattribute__(name)


@pytest.mark.parametrize("method", ["model", "embed_question"])
async def test_without_its_embedder_a_question_is_searched_by_text(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    library, asked = await club(INSIDE, HashEmbedder(32))
    found = await find(Searching(library.doors, Failing(method)), asked, 8)
    assert [e.passage.chapter for e in found.evidence if "text" in e.found_by] == [1]
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert told
    assert all("embedder_down" in line and "lantern" not in line for line in told)


async def test_a_mistyped_name_finds_its_passages_and_says_so() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    found = await find(Searching(library.doors), replace(asked, question="wat did osvin do"), 8)
    named = [e.passage.text for e in found.evidence if "name" in e.found_by]
    assert named
    assert all("Oswin" in text for text in named)
    assert found.unmet_names == ()


async def test_a_name_that_comes_later_is_as_one_that_never_comes() -> None:
    library, asked = await club(end_of(LANTERN, 2))
    later = await find(Searching(library.doors), replace(asked, question="Is Marrable a captain?"), 8)
    never = await find(Searching(library.doors), replace(asked, question="Is Ottoline a captain?"), 8)
    assert later.unmet_names == ("Marrable",)
    assert never.unmet_names == ("Ottoline",)
    assert [e.passage for e in later.evidence] == [e.passage for e in never.evidence]
    assert [replace(c) for c in later.candidates] == list(never.candidates)


async def test_a_name_met_in_the_passage_being_read_is_met() -> None:
    text = book_of(
        chapter(1, "It was night. The stranger was Captain Marrable. Nobody spoke. " + "Rain fell on. " * 9 + "End.")
    )
    library = in_memory()
    book = await library.add(text)
    for words, unmet in (("It was night.", ("Marrable",)), ("Captain Marrable. N", ())):
        ana = await library.place("ana", book, text.text.index(words) + len(words))
        found = await find(Searching(library.doors), Asked(book, "Who is Marrable?", private_to(ana.id)), 8)
        assert found.unmet_names == unmet


@pytest.mark.parametrize(
    "question",
    [
        "the", "who is it", "?", "…", "12", "老人は誰", "Кто такая Ана?", "مَن هي آنا؟", "🕯️", "a" * LONGEST_QUESTION,
        "lan\x00tern\x1b[2J", "lantern\ud800", "\u202elantern", "%' or 1=1 --", "lantern " * 100, "e\u0301te\u0301",
    ],
)  # fmt: skip
async def test_any_question_is_searched(question: str) -> None:
    embedder = HashEmbedder(32)
    library, asked = await club(INSIDE, embedder)
    for searching in (Searching(library.doors, embedder), Searching(library.doors)):
        found = await find(searching, replace(asked, question=question), 8)
        assert len(found.evidence) == 2


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("", "question_empty"),
        (" \n\t\x00\x1f ", "question_empty"),
        ("\ud800", "question_empty"),
        ("why " * 300, "question_too_long"),
        ("x" * 10_000, "question_too_long"),
    ],
)
async def test_a_question_that_is_none_or_too_long_is_refused_in_a_sentence(question: str, code: str) -> None:
    library, asked = await club(INSIDE)
    with pytest.raises(Refused) as raised:
        await find(Searching(library.doors), replace(asked, question=question), 8)
    assert raised.value.code == code
    assert raised.value.message.endswith(".")


@given(st.text(max_size=40))
def test_a_question_is_one_printable_line(said: str) -> None:
    try:
        question = question_of(said)
    except Refused:
        return
    assert question == question_of(question)
    assert "\n" not in question
    assert question.encode()


async def test_control_characters_do_not_join_or_hide_words() -> None:
    assert question_of(" Who\x00is\r\nAna\u2028Wren? ") == "Who is Ana Wren?"
    assert question_of("caf\u0065\u0301") == "caf\u00e9"


async def test_at_most_the_asked_number_of_passages_are_found() -> None:
    library, asked = await club(LANTERN.body_end)
    for limit in (1, 2, 5, 50):
        found = await find(Searching(library.doors), asked, limit)
        assert len(found.evidence) == min(limit, 5)
        assert len(found.candidates) == len(found.evidence)


async def test_each_step_says_how_long_it_took() -> None:
    library, asked = await club(INSIDE)
    seconds = (await find(Searching(library.doors), asked, 8)).seconds
    assert set(seconds) == {"embed", "retrieve", "total"}
    assert np.isclose(seconds["embed"] + seconds["retrieve"], seconds["total"])
