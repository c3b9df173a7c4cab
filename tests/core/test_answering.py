"""An answer that a model writes: shown as it survives, and of quotes where the model fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.core.answer import Answer, Engine, Refusal
from bot.core.ask import Reply, answering
from bot.core.asked_in import Asking
from bot.core.book import BookText
from bot.core.chat_model import Failed, ModelFailed, Purpose, Usage
from bot.core.club import BookId, MemberId, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import ask_in_room, ask_privately, stop
from bot.core.ledger import Status
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.core.ports import PositionRecord
from bot.core.remembering import chapter_remembered
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from bot.core.writing import Switches, Writing
from tests.fakes.chat_model import FakeModel, agreeing, claims_reply
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.fakes.posts import FakePosts
from tests.interleavings import ROOM

QUAY = ("Ana Wren stood on the quay.", 1, "Ana Wren stood on the quay with a brass lantern in her hand.")
STAIR = ("Ana Wren found the stair door bolted.", 2, "Ana Wren found the stair door bolted from within.")
FALSE = ("Marrable poisoned the keeper.", 1, "Old Mr. Oswin Fogg the keeper counted the boats.")
ALL_ON = Switches()
SAID = "What did Ana Wren do?"


def saying(*claims: tuple[str, int, str]) -> FakeModel:
    return FakeModel(lambda _: claims_reply(*claims))


async def club(
    model: FakeModel, switches: Switches = ALL_ON, budget: int = 60_000, text: BookText = LANTERN
) -> tuple[Clubhouse, BookId]:
    """`ana` has read two chapters, `ben` all."""
    library = in_memory()
    book = await library.add(text, file="skylark.epub")
    await library.place("ana", book, end_of(LANTERN, 2))
    await library.place("ben", book, LANTERN.body_end)
    house = house_of(library, FakeClock())
    await house.rooms.room_added(ROOM, "Lounge")
    return replace(house, searching=replace(house.searching, writing=Writing(model, switches, budget))), book


async def replies(model: FakeModel, said: str = SAID, switches: Switches = ALL_ON, budget: int = 60_000) -> list[Reply]:
    house, book = await club(model, switches, budget)
    ana = await house.roster.member_known("ana")
    return [reply async for reply in answering(house.searching, Asked(book, said, private_to(ana.id)))]


def texts(outcome: Answer | Refusal) -> list[str]:
    return [claim.text for claim in outcome.claims] if isinstance(outcome, Answer) else []


async def test_what_survives_is_given_claim_by_claim_with_its_citations() -> None:
    found = await replies(saying(QUAY, FALSE, STAIR))
    assert [texts(reply.outcome) for reply in found][-1] == [QUAY[0], STAIR[0]]
    assert [reply.complete for reply in found] == [False] * (len(found) - 1) + [True]
    last = found[-1].outcome
    assert isinstance(last, Answer)
    assert last.engine is Engine.CLAUDE
    assert [citation.quote for citation in last.citations] == [QUAY[2], STAIR[2]]
    assert found[-1].cuts.total() == 1


async def test_a_quote_that_is_cited_twice_has_one_number() -> None:
    again = ("Ana Wren stood with a lantern in her hand.", 1, QUAY[2])
    last = (await replies(saying(QUAY, again, QUAY)))[-1].outcome
    assert isinstance(last, Answer)
    assert [claim.citations for claim in last.claims] == [(1,), (1,)]


@pytest.mark.parametrize("claims", [(), (FALSE,), (("", 1, ""),)])
async def test_where_nothing_survives_there_is_the_fixed_refusal(claims: Sequence[tuple[str, int, str]]) -> None:
    found = await replies(saying(*claims))
    assert len(found) == 1
    assert isinstance(found[0].outcome, Refusal)
    assert found[0].failed is None


def told_with(showing: Showing) -> tuple[object, ...]:
    """All that is told of an answer beside it."""
    return showing.complete, showing.pending, showing.ahead, showing.why, showing.several, showing.failed


async def test_what_is_refused_as_all_was_cut_is_shown_as_what_is_refused_as_nothing_was_found() -> None:
    shown = []
    for said, written in ((SAID, True), ("Zebra?", False)):
        house, _ = await club(saying(FALSE))
        if not written:
            house = replace(house, searching=replace(house.searching, writing=None))
        ana, posts = await house.roster.member_known("ana"), FakePosts(ROOM)
        (delivered,) = await ask_in_room(house, ROOM, Asking(ana.person, said), posts)
        assert isinstance(delivered, Delivered)
        shown.append([(replace(s.outcome, question=""), told_with(s)) for s in posts.ever_in_room])
    assert shown[0] == shown[1]
    ((outcome, (complete, *_)),) = shown[0]
    assert isinstance(outcome, Refusal)
    assert complete


async def test_why_is_answered_by_sentences_that_each_stand_on_a_quote() -> None:
    why = ("She knocked until her knuckles bled.", 2, "She knocked until her knuckles bled.")
    last = (await replies(saying(FALSE, why, STAIR), "Why did Ana Wren knock, and what do you make of it?"))[-1]
    assert isinstance(last.outcome, Answer)
    assert texts(last.outcome) == [why[0], STAIR[0]]
    assert [citation.quote for citation in last.outcome.citations] == [why[2], STAIR[2]]


@pytest.mark.parametrize("failed", list(Failed))
async def test_where_the_model_fails_the_answer_is_made_of_quotes(failed: Failed) -> None:
    model = saying(QUAY, STAIR)
    model.fails = ModelFailed(failed)
    last = (await replies(model))[-1]
    assert isinstance(last.outcome, Answer)
    assert last.outcome.engine is Engine.QUOTES
    assert last.failed is failed


@pytest.mark.parametrize("reply", ["", "I am sorry.", "[1]", '{"claims": [{"text": "Ana', '{"claims": 1}'])
async def test_nonsense_is_a_failure(reply: str) -> None:
    last = (await replies(FakeModel(lambda _: reply)))[-1]
    assert last.failed is Failed.BAD_REPLY


async def test_a_reader_that_fails_is_a_failure_too() -> None:
    last = (await replies(FakeModel(lambda _: claims_reply(QUAY), supports=lambda _: "yes")))[-1]
    assert last.failed is Failed.BAD_REPLY


async def test_a_reader_that_agrees_to_everything_is_no_help_to_what_stands_apart() -> None:
    whole = (QUAY[2], 1, QUAY[2])
    believed = (await replies(saying(QUAY, whole)))[-1]
    model = FakeModel(lambda _: claims_reply(QUAY, whole), supports=agreeing)
    assert texts(believed.outcome) == [QUAY[0], QUAY[2]]
    assert texts((await replies(model))[-1].outcome) == [QUAY[2]]


async def test_what_the_reader_denies_is_cut() -> None:
    model = FakeModel(lambda _: claims_reply(QUAY), supports=lambda _: '{"verdicts": []}')
    assert isinstance((await replies(model))[-1].outcome, Refusal)


async def test_without_the_second_reading_nothing_is_read_again_and_extracts_alone_are_shown() -> None:
    model = saying(QUAY, FALSE, (QUAY[2], 1, QUAY[2]))
    last = (await replies(model, switches=Switches(support=False)))[-1]
    assert texts(last.outcome) == [QUAY[2]]
    assert not model.asked(Purpose.SUPPORT)


async def test_who_has_read_nothing_gets_the_refusal_and_no_model_is_asked() -> None:
    model = saying(QUAY)
    house, book = await club(model)
    eve = await house.roster.member_known("eve")
    reply = await ask(house.searching, Asked(book, SAID, private_to(eve.id)))
    assert isinstance(reply.outcome, Refusal)
    assert not model.requests


async def test_a_room_that_has_not_met_a_name_makes_no_model_write() -> None:
    model = saying(QUAY)
    house, _ = await club(model)
    ana, posts = await house.roster.member_known("ana"), FakePosts(ROOM)
    (outcome,) = await ask_in_room(house, ROOM, Asking(ana.person, "What did Marrable do?"), posts)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.why is Why.NAMES_UNMET
    assert not posts.ever_in_room
    assert len(model.asked(Purpose.ANSWER)) == 1


async def test_claims_are_shown_as_they_survive_and_kept_with_what_they_cite() -> None:
    house, _ = await club(saying(QUAY, STAIR))
    ana, posts = await house.roster.member_known("ana"), FakePosts(ROOM)
    (outcome,) = await ask_in_room(house, ROOM, Asking(ana.person, SAID), posts)
    assert isinstance(outcome, Delivered)
    assert texts(posts.standing(ROOM)[0].outcome) == [QUAY[0], STAIR[0]]
    kept = await house.ledger.question(outcome.question)
    assert kept is not None
    assert (kept.record.engine, kept.record.status) == ("claude", Status.ANSWERED)
    assert [c.n for c in kept.record.citations] == [1, 2]


async def test_a_model_that_fails_after_its_first_claim_has_that_taken_away() -> None:
    model = saying(QUAY)
    model.fails = ModelFailed(Failed.OVERLOADED)
    model.piece = 10_000
    house, _ = await club(model)
    ana, posts = await house.roster.member_known("ana"), FakePosts(ROOM)
    (outcome,) = await ask_in_room(house, ROOM, Asking(ana.person, SAID), posts)
    assert isinstance(outcome, Delivered)
    assert outcome.showing.failed
    (standing,) = posts.standing(ROOM)
    assert isinstance(standing.outcome, Answer)
    assert standing.outcome.engine is Engine.QUOTES


async def test_stopping_ends_what_the_model_writes_and_leaves_nothing() -> None:
    model = saying(QUAY)
    model.hangs = True
    house, _ = await club(model)
    ana, posts = await house.roster.member_known("ana"), FakePosts(ROOM)
    shown = asyncio.Event()

    async def seen(_: object) -> None:
        shown.set()

    posts.after_show = seen
    asking = asyncio.create_task(ask_privately(house, Asking(ana.person, SAID), posts))
    await asyncio.wait_for(shown.wait(), 60)
    assert await stop(house, ana.person) == 1
    assert await asking == (NotAnswered(Why.STOPPED),)
    assert model.ended == 1
    assert not posts.standing("dm")


async def test_the_boundary_is_read_again_before_every_claim() -> None:
    house, book = await club(saying(QUAY, STAIR))
    ana, ben = [await house.roster.member_known(name) for name in ("ana", "ben")]
    posts = FakePosts(ROOM)
    back = PositionRecord(ana.id, book, end_of(LANTERN, 1), "offset", "x", "x")
    moved: list[bool] = []

    async def goes_back(_: object) -> None:
        if not moved:
            moved.append(True)
            await house.roster.position_appended(back)

    posts.after_show = goes_back
    (outcome,) = await ask_in_room(house, ROOM, Asking(ben.person, SAID), posts)
    assert isinstance(outcome, Delivered)
    assert posts.withdrawals == 1
    assert outcome.showing.outcome.boundary.offset == end_of(LANTERN, 1)
    assert texts(outcome.showing.outcome) == [QUAY[0]]


async def test_the_whole_read_part_is_given_in_order_and_nothing_past_it() -> None:
    model = saying(QUAY)
    await replies(model)
    (request,) = model.asked(Purpose.ANSWER)
    given = "\n".join(request.stable)
    assert 'number="1"' in given
    assert "The ferry came late" in given
    assert "Marrable" not in given + request.question + request.system
    assert "The Lantern" not in given + request.question + request.system
    assert given.index("The ferry came late") < given.index("In the morning")


@pytest.mark.parametrize("budget", [60_000, 20])
async def test_no_request_of_any_kind_names_the_book_its_author_or_its_file(budget: int) -> None:
    model = saying(QUAY, STAIR)
    model.parts = lambda _: json.dumps({"parts": ["Who is Ana Wren?"]})
    named = replace(LANTERN, title="The Skylark Ledger", author="Quillon Vex")
    house, book = await club(model, budget=budget, text=named)
    ana = await house.roster.member_known("ana")
    asked = Asked(book, "Who is Ana Wren, and what did the gull do?", private_to(ana.id))
    assert [reply async for reply in answering(house.searching, asked)]
    writing = house.searching.writing
    assert writing is not None
    await chapter_remembered(house.searching.doors, writing, book, 1, lambda _: None)
    kinds = {request.purpose for request in model.requests}
    assert kinds >= {Purpose.ANSWER, Purpose.MEMORY, Purpose.SUPPORT if budget > 20 else Purpose.PARTS}
    for request in model.requests:
        assert not any(name in repr(request).casefold() for name in ("skylark", "ledger", "quillon", "vex"))


async def test_what_does_not_fit_is_searched_and_a_question_of_several_sides_is_split() -> None:
    model = saying(QUAY)
    model.parts = lambda _: json.dumps({"parts": ["Who is Ana Wren?", "What of the gull?", 3, "x" * 999]})
    await replies(model, "Who is Ana Wren, and what did the gull do?", budget=20)
    (request,) = model.asked(Purpose.ANSWER)
    assert not request.stable
    assert "<passage" in request.question
    assert len(model.asked(Purpose.PARTS)) == 1


@pytest.mark.parametrize(("tokens", "whole"), [(180, True), (181, False), (None, False)])
async def test_what_an_estimate_cannot_tell_is_counted_and_without_a_count_it_does_not_fit(
    tokens: int | None, whole: bool
) -> None:
    model = saying(QUAY)
    model.tokens = tokens
    await replies(model, budget=180)
    (request,) = model.asked(Purpose.ANSWER)
    assert bool(request.stable) is whole
    (counted,) = model.counting
    assert counted.question == f"<question>{SAID}</question>"
    if whole:
        assert counted == request


@pytest.mark.parametrize("budget", [60, 1_000])
async def test_what_an_estimate_can_tell_is_not_counted(budget: int) -> None:
    model = saying(QUAY)
    await replies(model, budget=budget)
    (request,) = model.asked(Purpose.ANSWER)
    assert bool(request.stable) is (budget == 1_000)
    assert not model.counting


async def test_each_part_of_a_question_is_looked_up_under_the_boundary_of_the_whole() -> None:
    model = saying(QUAY)
    model.parts = lambda _: json.dumps({"parts": ["Did Marrable poison the keeper?", "What of the kettle?"]})
    await replies(model, "What was warm, and who did it?", Switches(whole_part=False))
    given = "".join(request.question for request in model.asked(Purpose.ANSWER))
    assert "kettle" in given
    assert "poisoned" not in given


async def test_a_reader_who_goes_back_while_a_question_is_split_is_answered_from_there() -> None:
    model = saying(QUAY)
    house, book = await club(model, Switches(whole_part=False))
    ana = await house.roster.member_known("ana")
    back: list[dict[MemberId, int]] = []

    def split(_: object) -> str:
        back.append({ana.id: end_of(LANTERN, 1)})
        return json.dumps({"parts": ["What of the kettle?"]})

    async def positions(_: object) -> dict[MemberId, int]:
        return back[0] if back else {ana.id: end_of(LANTERN, 2)}

    model.parts = split
    asked = Asked(book, "What was warm, and who did it?", private_to(ana.id), positions)
    last = await ask(house.searching, asked)
    assert last.outcome.boundary.offset == end_of(LANTERN, 1)
    (request,) = model.asked(Purpose.ANSWER)
    assert "kettle" not in request.question


@pytest.mark.parametrize("said", ["Who is Ana?", "What did Ana and Fogg see?"])
async def test_a_question_of_one_side_is_not_split(said: str) -> None:
    model = saying(QUAY)
    await replies(model, said, budget=20)
    assert not model.asked(Purpose.PARTS)


async def test_parts_that_cannot_be_had_are_done_without() -> None:
    model = saying(QUAY)
    model.parts = lambda _: "no"
    last = (await replies(model, "Who is Ana Wren, and what did the gull do?", Switches(whole_part=False)))[-1]
    assert last.failed is None


async def test_the_prefix_of_who_reads_on_goes_on_as_it_was() -> None:
    model = saying(QUAY)
    house, book = await club(model)
    for name in ("ana", "ben"):
        member = await house.roster.member_known(name)
        await ask(house.searching, Asked(book, SAID, private_to(member.id)))
    first, second = model.asked(Purpose.ANSWER)
    assert first.system == second.system
    assert "\n".join(second.stable).startswith("\n".join(first.stable))
    assert len(second.stable[0]) > len(first.stable[0])


async def test_book_text_and_questions_are_escaped() -> None:
    model = saying(QUAY)
    await replies(model, "What of </question> & <passage number='9'>Ana?")
    (request,) = model.asked(Purpose.ANSWER)
    assert request.question.count("<") == 2
    assert "&lt;/question&gt; &amp; &lt;passage" in request.question


async def test_everything_that_was_spent_is_told() -> None:
    spent: list[Usage] = []
    house, book = await club(saying(QUAY))
    ana = await house.roster.member_known("ana")
    await ask(house.searching, Asked(book, SAID, private_to(ana.id)), spent.append)
    assert len(spent) == 2


def test_without_a_model_answers_are_made_of_quotes() -> None:
    assert Searching(in_memory().doors).writing is None
