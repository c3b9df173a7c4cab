"""The terminal club over a real database: commands, choices, completions and stopping."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from bot.adapters import wording
from bot.adapters.terminal.club import COMMANDS
from bot.adapters.terminal.completions import completions, fits
from bot.adapters.terminal.covers import Covers
from bot.adapters.terminal.desk import Progress
from bot.adapters.terminal.pipe import answered
from bot.core.ask import Reply as AskReply
from bot.core.book import SectionKind
from bot.core.club import BookId
from bot.core.errors import SpoilerLeak, Unavailable
from bot.core.places import Located
from bot.core.progress import locate_for_host
from bot.core.remarking import NotStory
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from bot.ingest.pipeline import index_book
from tests.databases import Databases
from tests.made_books import book_of, chapter, matter
from tests.noninterference.world import NOW, World, world_of

PROSE = " ".join(
    ["The ferry came in at noon, and the old harbour master took the rope. He said nothing at all about the lamp."] * 3
)
PARTS = ((("One", 1),), (("Two", 2),))
BOOK = book_of(
    matter(SectionKind.ESSAY, "Introduction", "The lamp was his own."),
    *(
        chapter(n, PROSE, f"The {word} Bell", PARTS[part])
        for part, words in enumerate((("First", "Second", "Third"), ("Fourth", "Fifth")))
        for n, word in enumerate(words, start=1)
    ),
    title="The Harbour",
)


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, BOOK, None) as made:
        await made.club.desk.roster.switch_book(made.book)
        yield made


async def typed(world: World, *lines: str) -> list[str]:
    return [await world.typed(line) for line in lines]


def end_of(chapter_ordinal: int) -> int:
    return BOOK.chapters[chapter_ordinal - 1].span.end


async def test_a_plain_number_is_asked_about_once_and_counts_as_the_smaller_until_then(world: World) -> None:
    seen = await typed(world, "/join", "/progress part 1 ch 3", "1", "/progress part 1 ch 2")
    assert "still in it?" in seen[1]
    assert "finished part 1, chapter 3" in seen[2]
    assert "still in it?" not in seen[3]
    assert "finished part 1, chapter 2" in seen[3]


async def test_choosing_among_chapters_never_says_more_than_was_chosen(world: World) -> None:
    seen = await typed(world, "/join", "/progress 2", "2", "2")
    assert "Which one? 2 places fit" in seen[1]
    assert "in part 2, chapter 2 (at its start)" in seen[2]
    assert "still in it?" in seen[2]
    assert "in part 2, chapter 2 (at its start)" in seen[3]
    member = await world.club.member()
    latest = (await world.club.desk.roster.positions(member.id, world.book))[0]
    assert latest.offset == end_of(4)


@pytest.mark.parametrize("before", [("/progress finished 1", "2"), ("/progress 2", "2", "1")])
async def test_a_place_that_was_offered_is_none_once_the_chapters_are_numbered_anew(
    world: World, before: tuple[str, ...]
) -> None:
    await typed(world, "/join", *before[:-1])
    member = await world.club.member()
    was = (await world.club.desk.roster.positions(member.id, world.book))[0]
    await world.club.desk.house.changes.mark(world.book, NotStory(2, 2), NOW)
    assert "say it again" in await world.typed(before[-1])
    now = (await world.club.desk.roster.positions(member.id, world.book))[0]
    assert now.offset <= was.offset


async def test_a_choice_is_the_speakers_own_and_out_of_range_is_said(world: World) -> None:
    seen = await typed(world, "/join", "/progress finished 1", "3", "/as ana", "2", "/as you", "2", "2")
    assert "Choose a number from 1 to 2." in seen[2]
    assert "Say /ask QUESTION" in seen[4]
    assert "finished part 2, chapter 1" in seen[6]
    assert "Say /ask QUESTION" in seen[7]


async def test_undo_says_where_that_leaves_the_member(world: World) -> None:
    seen = await typed(world, "/join", "/progress finished #2", "/progress finished #4", "/progress undo")
    assert "You are at the end of part 1, chapter 2" in seen[3]


async def test_a_place_is_told_to_its_member_alone_and_the_clubs_by_chapter(world: World) -> None:
    await world.place("ana", end_of(4))
    await world.place("you", end_of(1) + 30)
    seen = await typed(world, "/where", "/dm /where")
    assert seen[0].splitlines()[0] == "The club is at part 1, chapter 2, in progress."
    assert seen[0].splitlines()[1] == "(for you alone)"
    assert "The club" not in seen[1]


async def test_members_without_a_place_are_counted_in_the_open_and_not_named(world: World) -> None:
    await world.place("you", end_of(2))
    seen = await typed(world, "/as ana", "/join", "/as you", "/ask Who took the rope?")
    assert "for everyone here, who have not all started" in seen[3]
    assert "1 member has not said where they are. [Set my place: /progress]" in seen[3]
    assert "ana" not in seen[3]


async def test_who_has_read_further_than_the_room_is_offered_a_private_answer(world: World) -> None:
    await world.place("ana", end_of(1))
    await world.place("you", end_of(4))
    offer = "(for you alone)\n[Answer me privately: /dm Who took the rope?]"
    assert (await world.typed("/ask Who took the rope?")).endswith(offer)
    await world.typed("/as ana")
    assert "Answer me privately" not in await world.typed("/ask Who took the rope?")


async def test_everything_that_is_kept_of_a_member_is_shown_and_deleted(world: World) -> None:
    seen = await typed(
        world, "/join", "/progress finished #2", "/export", "/forget", "2", "/export", "/forget", "1", "/export"
    )
    assert "finished part 1, chapter 2" in seen[2]
    assert seen[5] == seen[2]
    assert "Nothing is kept of you any more." in seen[7]
    assert "Deleted: your name, 1 place you said." in seen[7]
    after = json.loads(seen[8].partition("\n")[2])
    assert after["person"]["joined_at"] is None
    assert not any(after[kind] for kind in after.keys() - {"format", "version", "made_at", "person"})
    assert await world.club.desk.roster.members() != ()


@pytest.mark.parametrize("name", ["", "two words", "x" * 41, "a\u200bb\u2028", "/as", "\ufffd"])
async def test_a_name_that_is_no_name_is_asked_for_again(world: World, name: str) -> None:
    assert (await world.typed(f"/as {name}")).startswith("Say who: /as NAME")
    assert world.club.speaker == "you"


async def test_commands_are_known_in_capitals_and_after_any_space(world: World) -> None:
    assert "you joined the club." in await world.typed("  /JOIN  ")
    assert (await world.typed("/as\t@Ana")).startswith("Speaking as Ana")


async def test_every_place_that_is_offered_can_be_said_and_means_one_place(world: World) -> None:
    await world.place("you", end_of(2))
    offered = [c.text for c in await completions(world.club, "/progress ")]
    assert {"finished", "none", "undo", "finished part 2, chapter 2"} <= set(offered)
    async with world.club.desk.doors.opened() as door:
        for text in set(offered) - {"undo"}:
            if "Bell" not in text:
                assert isinstance(await locate_for_host(door, world.book, text), Located), text


async def test_no_title_is_offered_that_the_speaker_has_not_met(world: World) -> None:
    await world.place("ana", BOOK.body_end)
    await world.place("you", end_of(2))
    offered = " ".join(c.text for c in await completions(world.club, "/progress "))
    assert "The Second Bell" in offered
    assert "The Third Bell" not in offered
    assert "Introduction" not in offered
    assert await completions(world.club, "/progress third") == []


async def test_who_left_is_shown_no_title_and_no_answer(world: World) -> None:
    await world.place("you", BOOK.body_end)
    asked = ("/book chapters", "/dm /book chapters", "/where", "/dm /where", "/progress", "/dm Who took the rope?")
    met = "\n".join(await typed(world, *asked))
    assert "The Fifth Bell" in met
    assert "harbour master" in met
    assert await completions(world.club, "/progress fifth")
    await world.typed("/leave")
    left = "\n".join(await typed(world, *asked, "/progress the fifth bell"))
    await world.typed("/as eve")
    never = "\n".join(await typed(world, *asked, "/progress the fifth bell"))
    for seen in (left, never):
        assert "Bell" not in seen
        assert "harbour master" not in seen
        assert "100%" not in seen
    assert left.replace("you", "eve") == never.replace("you", "eve")
    for speaker in ("you", "eve"):
        await world.typed(f"/as {speaker}")
        assert not [c for c in await completions(world.club, "/progress ") if "Bell" in c.text]
    again = await typed(world, "/as you", "/join", "/book chapters")
    assert "The Fifth Bell" in again[2]


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_choice_offered_before_leaving_says_no_place(world: World, elsewhere: bool) -> None:
    await typed(world, "/join", "/progress 2")
    member = await world.club.member()
    roster = world.club.desk.roster
    before = await roster.positions(member.id, world.book)
    if elsewhere:  # from another surface
        await roster.leave(member.id)
    else:
        await world.typed("/leave")
    assert await world.typed("2") == wording.line("say_command" if not elsewhere else "members_only")
    assert await roster.positions(member.id, world.book) == before


@pytest.mark.parametrize("change", ["joins", "goes back", "leaves"])
async def test_who_joins_while_an_answer_is_made_is_counted_before_it_is_sent(
    world: World, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    await world.place("you", end_of(2))
    await world.place("ana", end_of(1) if change == "leaves" else end_of(2))
    roster = world.club.desk.roster
    ana, eve = await roster.member_known("ana"), await roster.member_known("eve")
    made = []

    async def slowly(searching: Searching, asked: Asked, _: object) -> AsyncGenerator[AskReply, None]:
        reply = await ask(searching, asked)
        made.append(reply.outcome.boundary.offset)
        if len(made) == 1 and change == "joins":
            await roster.join(eve.id)
        elif len(made) == 1 and change == "leaves":
            await roster.leave(ana.id)
        elif len(made) == 1:
            await world.place("ana", 0)
        yield reply

    monkeypatch.setattr("bot.core.delivery.replying", slowly)
    shown = await world.typed("/ask Who took the rope?")
    if change == "leaves":
        assert made == [end_of(1), end_of(2)]
        assert "harbour master" in shown
    else:
        assert made == [end_of(2), 0]
        assert "harbour master" not in shown
        assert "for everyone here, who have not all started" in shown
    assert ("1 member has not said" in shown) is (change == "joins")


@pytest.fixture
async def covers(world: World) -> Covers:
    """What the key can show after `you` and `ana` were answered, two chapters in."""
    await world.place("you", end_of(2))
    await world.place("ana", end_of(2))
    made = Covers()
    made.keep(await world.club.handle("/ask Who took the rope?"))
    assert any("harbour master" in line for line in made.lines)
    return made


async def shown_by_key(covers: Covers) -> str:
    await covers.turn(100, 40)
    return covers.shown(100, 40)


@pytest.mark.parametrize("line", ["/where", "/as ana", "/progress finished #3", "/join", "/as nobody at all"])
async def test_the_key_shows_an_answer_while_it_holds(world: World, covers: Covers, line: str) -> None:
    covers.keep(await world.club.handle(line))
    await covers.check()
    assert "harbour master" in await shown_by_key(covers)


@pytest.mark.parametrize(
    "lines", [["/as bob"], ["/as bob", "/join"], ["/progress in #1"], ["/leave"], ["/forget", "1"]]
)
async def test_the_key_shows_no_answer_to_those_it_was_not_for(world: World, covers: Covers, lines: list[str]) -> None:
    for line in lines:
        await world.club.handle(line)
    assert (await shown_by_key(covers)).startswith("That was answered for people further on: ask again.")
    assert covers.lines == ()


@pytest.mark.parametrize("lines", [["/as bob", "/as you"], ["/progress in #1", "/progress undo"], ["/leave", "/join"]])
async def test_what_was_dropped_does_not_come_back(world: World, covers: Covers, lines: list[str]) -> None:
    for line in lines:
        covers.keep(await world.club.handle(line))
        await covers.check()
    assert (await shown_by_key(covers)).startswith("Nothing is covered.")


async def test_the_key_shows_no_answer_about_a_book_that_is_put_away(world: World, covers: Covers) -> None:
    other, _ = await world.shelf.store_book(world.club.desk.club, index_book(BOOK), "another", "Another")
    await world.club.handle(f"/book switch {other}")
    await covers.check()
    await world.club.handle(f"/book switch {world.book}")
    assert (await shown_by_key(covers)).startswith("Nothing is covered.")


@pytest.mark.parametrize("line", ["/dm Who took the rope?", "/dm xyzzy?", "/dm /ask Who took the rope?"])
async def test_after_a_private_answer_the_key_has_nothing_to_show(world: World, covers: Covers, line: str) -> None:
    covers.keep(await world.club.handle(line))
    assert (await shown_by_key(covers)).startswith("Nothing is covered.")


async def test_a_private_answer_repeats_its_question(world: World) -> None:
    await world.place("you", end_of(2))
    shown = (await world.typed("/dm Who took the {rope}?")).splitlines()
    assert shown[:2] == ["(for you alone)", "You asked: Who took the {rope}?"]


async def test_who_is_a_member_or_none_is_told_so(world: World) -> None:
    seen = await typed(world, "/leave", "/join", "/join")
    assert [line.splitlines()[0] for line in seen[::2]] == ["you: not a member.", "you: a member already."]


async def test_every_book_that_lacks_vectors_gets_them_the_current_one_first(world: World) -> None:
    club = world.club
    other, _ = await world.shelf.store_book(club.desk.club, index_book(BOOK), "another", "Another")
    await club.desk.roster.switch_book(other)
    filled: list[BookId] = []
    told: list[tuple[str, float]] = []

    async def fill(book: BookId, progress: Progress) -> None:
        filled.append(book)
        await asyncio.sleep(0)
        progress("embed", 0.4)

    object.__setattr__(club.desk, "fill", fill)
    club.show_progress = lambda stage, done: told.append((stage, done))
    await club.fill_all()
    await asyncio.gather(*club.filling.values())
    assert filled == [other, world.book]
    assert told == [("embed", done) for done in (0.0, 0.4, 1.0)] * 2


async def test_places_are_offered_that_fit_what_is_typed(world: World) -> None:
    await world.place("you", end_of(3))
    fitting = [c.text for c in await completions(world.club, "/progress fin 2 1")]
    assert fitting == ["finished part 2, chapter 1"]
    assert [c.text for c in await completions(world.club, "/book s")] == ["switch "]
    assert [c.text for c in await completions(world.club, "/book switch ")] == [str(world.book)]
    assert [c.text for c in await completions(world.club, "/as y")] == ["you"]
    assert await completions(world.club, "/ask Who") == []


def test_what_is_typed_fits_the_beginnings_of_words_in_order() -> None:
    assert fits("", "finished")
    assert fits("5", "chapter #5")
    assert fits("#5", "finished chapter 3 (#5)")
    assert not fits("3 2", "part 2, chapter 3")
    assert not fits("art", "part 2, chapter 3")


async def test_an_answer_that_is_being_made_can_be_stopped(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.place("you", end_of(2))
    begun = asyncio.Event()

    async def slow(searching: Searching, asked: Asked, _: object) -> AsyncGenerator[AskReply, None]:
        begun.set()
        await asyncio.sleep(60)
        yield await ask(searching, asked)

    monkeypatch.setattr("bot.core.delivery.replying", slow)
    asking = asyncio.ensure_future(world.typed("/ask Who took the rope?"))
    await begun.wait()
    assert await world.typed("/stop") == ""
    assert await asking == "(for you alone)\nStopped."
    assert "Nothing is being answered" in await world.typed("/stop")


async def test_a_guard_shows_one_fixed_sentence(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await world.place("you", end_of(2))

    async def leaking(searching: Searching, asked: Asked, _: object) -> AsyncGenerator[AskReply, None]:
        if asked.book:
            raise SpoilerLeak(f"book {asked.book}: 99 > 12")
        yield await ask(searching, asked)

    monkeypatch.setattr("bot.core.delivery.replying", leaking)
    shown = await world.typed("/ask Who took the rope?")
    assert shown == "Something was stopped because it may tell more than you have read. Nothing was shown."
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


async def test_a_fault_is_one_sentence_and_a_trace_in_the_log(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    words = "Ana stood on the quay."

    async def broken(*_: object) -> None:
        raise ZeroDivisionError(words)

    monkeypatch.setattr("bot.adapters.terminal.club.TerminalClub.handle", broken)
    (reply,) = await answered(world.club, "/where")
    assert reply.lines[0].text == "Something went wrong, and nothing was changed."
    logged = caplog.records[0].getMessage()
    assert "in broken" in logged and logged.endswith("ZeroDivisionError")
    assert words not in logged
    assert caplog.records[0].exc_info is None


async def test_vectors_that_cannot_be_filled_in_are_told_and_not_raised(world: World) -> None:
    async def fill(book: BookId, progress: Progress) -> None:
        progress("embed", 0.5)
        raise Unavailable(f"The embedder is gone: see dogear doctor ({book}).")

    object.__setattr__(world.club.desk, "fill", fill)
    await world.club.fill(world.book)
    await asyncio.sleep(0.05)
    assert world.club.trouble.startswith("The embedder is gone")
    assert world.club.filling == {}


async def test_help_lists_every_command_and_says_who_may_do_what(world: World) -> None:
    lines = (await world.typed("/help")).splitlines()
    assert len(lines) == len(COMMANDS) + 1
    assert all(line.startswith(name) for line, name in zip(lines, COMMANDS, strict=False))
    assert lines[-1].startswith("Admins alone use ")
