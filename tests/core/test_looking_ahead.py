"""Looking ahead: two presses, one member, once; and nothing of it is anything else afterwards."""

from __future__ import annotations

import ast
import asyncio
import copy
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.adapters.ahead import ahead_lines
from bot.core.ahead import LookAhead, RunId, Step, chosen
from bot.core.asked_in import Asking, Place
from bot.core.club import BookId, MemberId, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_in_room, ask_privately, share_with_room
from bot.core.errors import SpoilerLeak
from bot.core.looking_ahead import Foreseen, ShownAhead, ToldAhead, look_ahead
from bot.core.outcomes import Delivered, NotAnswered, Why
from bot.core.personal import export
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

ROOM = "lounge"
POISONED = "Who poisoned the keeper for the sake of gold?"
ELSEWHERE = "What is the price of zinc in Bolivia?"


@dataclass
class Club:
    """A club in memory that reads `LANTERN`: `ben` has finished two chapters of three. ``shown`` is what was shown."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    house: Clubhouse
    clock: FakeClock
    book: BookId
    shown: list[Foreseen] = field(default_factory=list)

    async def dm(self, said: str, person: str = "ben", **more: bool) -> QuestionId:
        (outcome,) = await ask_privately(self.house, Asking(person, said, **more), FakePosts())  # type: ignore[arg-type]
        assert isinstance(outcome, Delivered)
        return outcome.question

    async def look(self, question: QuestionId, step: Step, person: str = "ben") -> Foreseen | NotAnswered:
        async def show(foreseen: Foreseen) -> None:
            self.shown.append(foreseen)

        return await look_ahead(self.house, question, person, step, show)

    async def both(self, question: QuestionId) -> tuple[ToldAhead, ShownAhead]:
        told, shown = await self.look(question, Step.WHETHER), await self.look(question, Step.ANSWER)
        assert isinstance(told, ToldAhead)
        assert isinstance(shown, ShownAhead)
        return told, shown


@pytest.fixture
async def club() -> Club:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.place("ben", book, end_of(LANTERN, 2))
    await library.place("ana", book, LANTERN.body_end)
    house = house_of(library, clock)
    await house.rooms.room_added(ROOM, "Lounge")
    return Club(library, house, clock, book)


async def test_the_first_press_says_whether_and_the_second_shows_it(club: Club) -> None:
    told, shown = await club.both(await club.dm(POISONED))
    assert told.likely
    assert any("poisoned the keeper for the sake of the gold" in quote.text for quote in shown.quotes)
    for quote in shown.quotes:
        assert quote.span.start >= end_of(LANTERN, 2)
        assert quote.text == LANTERN.text[quote.span.start : quote.span.end]
        assert (quote.chapter, quote.whole) == (3, True)
    assert club.shown == [told, shown]


async def test_what_the_book_says_nothing_of_is_not_found_ahead(club: Club) -> None:
    told, shown = await club.both(await club.dm(ELSEWHERE))
    assert not told.likely
    assert shown.quotes == ()


async def test_who_has_finished_is_told_of_nothing_further_on(club: Club) -> None:
    await club.library.place("ben", club.book, LANTERN.body_end)
    told, shown = await club.both(await club.dm(POISONED))
    assert not told.likely
    assert shown.quotes == ()


async def test_neither_sealed_matter_nor_what_was_read_is_shown(club: Club) -> None:
    _, shown = await club.both(await club.dm("Who was hanged at Exeter, and who drowned himself, as readers know?"))
    text = " ".join(quote.text for quote in shown.quotes)
    assert "Exeter" not in text and "every reader" not in text and "ferry" not in text


async def test_a_recap_has_nothing_ahead(club: Club) -> None:
    assert await club.look(await club.dm("/recap"), Step.WHETHER) == NotAnswered(Why.NO_SUCH_QUESTION)


async def test_a_question_that_follows_another_is_looked_up_with_it(club: Club) -> None:
    await club.dm(POISONED.replace("poisoned", "asked about"))
    _, alone = await club.both(await club.dm("What would people in Zanzibar say?"))
    _, followed = await club.both(await club.dm("What would people in Zanzibar say?", follows=True))
    assert alone.quotes == ()
    assert followed.quotes


async def test_an_earlier_question_that_ones_place_covers_no_more_is_not_looked_up_with_it(club: Club) -> None:
    await club.dm(POISONED.replace("poisoned", "asked about"))
    question = await club.dm("What would people in Zanzibar say?", follows=True)
    await club.library.place("ben", club.book, end_of(LANTERN, 1))
    _, shown = await club.both(question)
    assert shown.quotes == ()


@pytest.mark.parametrize("step", Step)
async def test_a_second_press_of_either_does_nothing_more(club: Club, step: Step) -> None:
    question = await club.dm(POISONED)
    for one in (Step.WHETHER, Step.ANSWER):
        await club.look(question, one)
    assert await club.look(question, step) == NotAnswered(Why.AGAIN)
    assert len(club.shown) == 2


async def test_the_second_press_without_the_first_shows_nothing_and_may_be_made_after_it(club: Club) -> None:
    question = await club.dm(POISONED)
    with pytest.raises(Exception, match="looked up ahead"):
        await club.look(question, Step.ANSWER)
    assert club.shown == []
    await club.both(question)


async def test_a_press_of_which_nothing_was_shown_may_be_made_again(club: Club) -> None:
    question = await club.dm(POISONED)

    async def broken(foreseen: Foreseen) -> None:
        raise RuntimeError("the message could not be sent")

    with pytest.raises(RuntimeError):
        await look_ahead(club.house, question, "ben", Step.WHETHER, broken)
    await club.both(question)


async def test_only_who_asked_privately_looks_ahead(club: Club) -> None:
    mine = await club.dm(POISONED)
    (outcome,) = await ask_in_room(club.house, ROOM, Asking("ben", "Who knocked?"), FakePosts())
    assert isinstance(outcome, Delivered)
    await club.library.roster.member_known("eve")
    for question, person, why in (
        (mine, "ana", Why.NO_SUCH_QUESTION),
        (mine, "eve", Why.MEMBERS_ONLY),
        (mine, "nobody", Why.MEMBERS_ONLY),
        (outcome.question, "ben", Why.NO_SUCH_QUESTION),
        (QuestionId(99), "ben", Why.NO_SUCH_QUESTION),
    ):
        for step in Step:
            assert await club.look(question, step, person) == NotAnswered(why)
    assert club.shown == []
    assert club.house.ahead.runs == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("gone", ["left", "removed", "replaced"])
async def test_nothing_is_shown_once_its_member_or_its_book_has_gone_even_meanwhile(club: Club, gone: str) -> None:
    question = await club.dm(POISONED)
    await club.look(question, Step.WHETHER)
    ben = await club.library.roster.member_known("ben")
    opened = club.library.doors.opened_so_far

    async def go() -> None:
        if gone == "left":
            await club.library.roster.leave(ben.id)
        elif gone == "removed":
            await club.library.shelf.remove_book(club.book)
        else:
            kept = club.library.shelf.of(club.book)
            kept.record = replace(kept.record, map_version=kept.record.map_version + 1)

    left = {"left": Why.MEMBERS_ONLY, "removed": Why.BOOK_GONE, "replaced": Why.BOOK_GONE}

    def going(number: int) -> None:
        if number == opened + 3:  # the last look before it is shown
            coroutine = go()
            with pytest.raises(StopIteration):
                coroutine.send(None)

    club.library.doors.before_opening = going
    assert await club.look(question, Step.ANSWER) == NotAnswered(left[gone])
    club.library.doors.before_opening = lambda _: None
    assert len(club.shown) == 1
    if gone != "replaced":
        again = Why.MEMBERS_ONLY if gone == "left" else Why.NO_SUCH_QUESTION
        assert await club.look(question, Step.ANSWER) == NotAnswered(again)


async def test_nobody_who_is_stopped_is_shown_anything(club: Club) -> None:
    question = await club.dm(POISONED)

    async def stopped(foreseen: Foreseen) -> None:
        del foreseen
        club.house.turns.stop()
        await asyncio.sleep(0)

    assert await look_ahead(club.house, question, "ben", Step.WHETHER, stopped) == NotAnswered(Why.STOPPED)
    await club.both(question)


async def test_what_was_shown_is_context_for_nothing_and_shared_with_nobody(club: Club) -> None:
    """Whatever is asked, shared or exported afterwards is as it is where nobody looked ahead, but for the record."""

    async def seen(looks: bool) -> tuple[list[object], str]:
        library, clock = in_memory(), FakeClock()
        book = await library.add(LANTERN)
        ben = await library.roster.member_known("ben")
        await library.roster.join(ben.id, clock.now)
        await library.place("ben", book, end_of(LANTERN, 2))
        house = house_of(library, clock)
        await house.rooms.room_added(ROOM, "Lounge")
        here = Club(library, house, clock, book)
        question = await here.dm(POISONED)
        if looks:
            await here.both(question)
        posts = FakePosts()
        outcomes = [
            *await ask_privately(house, Asking("ben", "And why did he do it?", follows=True), posts),
            *await ask_privately(house, Asking("ben", "What of the gold?", reply_to=question), posts),
            *await ask_in_room(house, ROOM, Asking("ben", "And then?"), posts),
            *await share_with_room(house, question, "ben", Place(ROOM), posts),
        ]
        kept = await house.ledger.questions(clock.now.replace(year=2000), 99)
        return [*outcomes, *kept, [p.seen for p in posts.made]], await export(house, await library.member("ben"))

    assert await seen(looks=True) == await seen(looks=False)


async def test_what_one_looked_ahead_at_is_shown_to_nobody_else(club: Club) -> None:
    told, shown = await club.both(await club.dm(POISONED))
    ben, ana = await club.library.member("ben"), await club.library.member("ana")
    for foreseen in (told, shown):
        assert ahead_lines(foreseen, ben.id)
        with pytest.raises(SpoilerLeak):
            ahead_lines(foreseen, ana.id)


async def test_the_first_press_names_no_place_and_no_word_of_the_book(club: Club) -> None:
    first = [ahead_lines((await club.both(await club.dm(said)))[0], MemberId(1)) for said in (POISONED, "the gold?")]
    assert first[0] == first[1]
    said = " ".join(first[0]).casefold()
    assert not any(word in said for word in ("chapter", "poison", "gold", "marrable", "bell", "3"))


async def test_quotes_from_further_on_are_cited_by_chapter(club: Club) -> None:
    _, shown = await club.both(await club.dm(POISONED))
    heading, *lines = ahead_lines(shown, shown.member)
    assert heading == "From past where you are, the closest to your question:"
    assert lines[0].startswith('[1] ch. 3: "')


def test_nobody_else_can_make_a_look_ahead() -> None:
    with pytest.raises(SpoilerLeak):
        LookAhead(MemberId(1), QuestionId(1), Step.ANSWER, RunId(1))
    with pytest.raises(SpoilerLeak):
        LookAhead(MemberId(1), QuestionId(1), Step.ANSWER, RunId(1), object())


async def test_a_look_ahead_is_not_copied_changed_or_kept(club: Club) -> None:
    look = await chosen(club.house.ahead, await club.dm(POISONED), MemberId(1), Step.WHETHER, club.clock.now)
    assert look is not None
    for wrong in (
        lambda: replace(look, step=Step.ANSWER),
        lambda: replace(look),
        lambda: pickle.dumps(look),
        lambda: copy.copy(look),
        lambda: look.__setstate__([]),
    ):
        with pytest.raises(SpoilerLeak):
            wrong()
    with pytest.raises(AttributeError):
        look.step = Step.ANSWER  # type: ignore[misc]


ROOT = Path(__file__).parents[2] / "bot"
LOOKS = {"core/ahead.py", "core/looking_ahead.py", "adapters/postgres/ahead.py"}
"""The only modules that know a `LookAhead`."""
SEES = {
    *LOOKS,
    "adapters/ahead.py",
    "adapters/chat/looking.py",
    "adapters/terminal/looking.py",
    "measure/ahead.py",
}
"""The only modules that know what is foreseen, or what is unread: beside those, the private renderers."""
FORESEEN = {
    "ToldAhead", "ShownAhead", "QuoteAhead", "Foreseen", "UnreadPassage", "UnreadPassages", "UnreadSentence",
    "ahead_lines", "look_ahead", "looked_ahead", "read_ahead", "may_answer",
}  # fmt: skip
ADMITTED = {
    "Boundary", "boundary_for", "narrowed", "boundary_of", "Evidence", "Passage", "ReadSentence", "Answer", "Citation",
    "Claim", "Refusal", "Quote", "Asked", "Matter", "Showing", "deliver", "growing", "find", "Turn",
}  # fmt: skip
"""What stands for something that was admitted under a boundary, and what makes it."""


def _named(path: Path) -> set[str]:
    """Every name in a module: used, imported, or an attribute."""
    tree = ast.parse(path.read_text("utf-8"))
    return {
        name
        for node in ast.walk(tree)
        for name in (
            [node.id] if isinstance(node, ast.Name)
            else [node.attr] if isinstance(node, ast.Attribute)
            else [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom)
            else []
        )
    }  # fmt: skip


def _modules() -> Iterator[tuple[str, set[str]]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), _named(path)


def test_a_look_ahead_is_known_to_the_modules_that_look_and_to_no_other() -> None:
    assert {module for module, names in _modules() if "LookAhead" in names} == LOOKS
    assert {module for module, names in _modules() if names & FORESEEN} <= SEES


def test_what_is_foreseen_never_meets_what_was_admitted_under_a_boundary() -> None:
    """Where both are known, one could be made of the other: the terminal's and the chats' renderers know one each."""
    met = {module: names & ADMITTED for module, names in _modules() if names & (FORESEEN | {"LookAhead"})}
    assert {module: names for module, names in met.items() if names} == {}
    assert len(met) >= len(LOOKS) + 1


def test_a_look_ahead_is_made_in_one_place() -> None:
    calls = [
        module.relative_to(ROOT).as_posix()
        for module in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LookAhead"
    ]
    assert calls == ["core/ahead.py"]
    assert [module for module, names in _modules() if "_CHOSEN" in names] == ["core/ahead.py"]
