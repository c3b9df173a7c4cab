"""What a member says becomes a position."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.club import BookId, Member, MemberId
from bot.core.errors import Refused
from bot.core.places import NotLocated, Unclear
from bot.core.ports import PositionRecord
from bot.core.progress import QUOTE_TRIES, Understood, locate_for_host, progress, undo
from tests.fakes.doors import FakeDoors
from tests.fakes.library import Library, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter, matter

LINES = (
    "The ferry brought three letters and a parcel to the island",
    "Nobody had mended the lamp since the autumn storms began",
    "Her brother counted seven gulls along the broken sea wall",
    "A kettle sang in the kitchen while the two of them talked",
    "They carried the long ladder up the hill before it rained",
    "No one on the quay remembered the name of the grey boat",
    "Twelve candles burned in the chapel for the drowned crew",
    "At last the bell rang out across the water and the fields",
)
TITLES = ("The Ferry", "The Lamp", "The Gulls", "The Kettle", "The Ladder", "The Quay", "The Candles", "The Bell")
FILLER = " ".join(["It went on like this for a while and nothing else was said."] * 6)

BOOK = book_of(*(chapter(n, f"{line}. {FILLER}", TITLES[n - 1]) for n, line in enumerate(LINES, start=1)))
PARTED = book_of(
    *(chapter(n, FILLER, parts=((f"Part {part}", part),)) for part in (1, 2) for n in (1, 2, 3)), title="Parted"
)


@dataclass
class Sitting:
    """One member with one book."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    book: BookId
    name: str = "ana"

    async def member(self) -> Member:
        return await self.library.member(self.name)

    async def say(self, said: str) -> Understood | NotLocated:
        library = self.library
        return await progress(library.doors, library.roster, await self.member(), self.book, said)

    async def undo(self) -> PositionRecord | None:
        return await undo(self.library.doors, self.library.roster, await self.member(), self.book)

    async def place(self) -> int | None:
        async with self.library.doors.opened() as door:
            member = await self.member()
            return (await door.positions_latest(self.book, [member.id])).get(member.id)

    async def history(self) -> list[PositionRecord]:
        return list(await self.library.roster.positions((await self.member()).id, self.book))


async def sitting(text: BookText = BOOK) -> Sitting:
    library = in_memory()
    return Sitting(library, await library.add(text))


def start(number: int, text: BookText = BOOK) -> int:
    return text.chapters[number - 1].span.start


def end(number: int, text: BookText = BOOK) -> int:
    return text.chapters[number - 1].span.end


def code(outcome: Understood | NotLocated) -> str:
    return outcome.code if isinstance(outcome, NotLocated) else "understood"


async def test_a_plain_number_counts_as_still_in_it_until_the_member_says_otherwise() -> None:
    ana = await sitting()
    first = await ana.say("3")
    assert isinstance(first, Understood)
    assert first.ask_habit
    assert await ana.place() == start(3)
    await ana.library.roster.plain_number_means((await ana.member()).id, "finished")
    second = await ana.say("3")
    assert isinstance(second, Understood)
    assert not second.ask_habit
    assert await ana.place() == end(3)


@pytest.mark.parametrize("said", ["finished 3", "in 3", "45%", "finished", "#3"])
async def test_the_habit_is_asked_for_after_a_plain_number_only(said: str) -> None:
    outcome = await (await sitting()).say(said)
    assert isinstance(outcome, Understood)
    assert not outcome.ask_habit


async def test_going_back_lowers_the_place_at_once() -> None:
    ana = await sitting()
    await ana.say("finished 5")
    outcome = await ana.say("back to 2")
    assert isinstance(outcome, Understood)
    assert outcome.before == end(5)
    assert await ana.place() == start(2)


async def test_the_history_is_only_appended_to() -> None:
    ana = await sitting()
    for said in ("finished 5", "back to 2", "none"):
        await ana.say(said)
    assert [p.offset for p in await ana.history()] == [0, start(2), end(5)]


async def test_undo_goes_back_to_the_place_before_by_appending_it() -> None:
    ana = await sitting()
    await ana.say("finished 2")
    await ana.say("finished 7")
    undone = await ana.undo()
    assert undone is not None
    assert (undone.offset, undone.understood) == (end(2), (await ana.history())[2].understood)
    assert await ana.place() == end(2)
    assert len(await ana.history()) == 3


async def test_undoing_the_first_place_goes_back_to_the_start() -> None:
    ana = await sitting()
    await ana.say("finished")
    undone = await ana.undo()
    assert undone is not None
    assert (undone.offset, undone.understood) == (0, "nothing yet, 0%")
    assert await ana.place() == 0


async def test_undo_said_again_goes_further_back_and_a_new_place_starts_from_there() -> None:
    ana = await sitting()
    for said in ("finished 2", "finished 3", "finished 7"):
        await ana.say(said)
    assert [(await ana.undo() or pytest.fail()).offset for _ in range(2)] == [end(3), end(2)]
    await ana.say("finished 5")
    assert [(await ana.undo() or pytest.fail()).offset for _ in range(2)] == [end(2), 0]
    assert await ana.undo() is None


async def test_an_undo_that_meets_a_change_of_the_map_is_refused() -> None:
    ana = await sitting()
    for said in ("finished 7", "finished 2"):
        await ana.say(said)
    kept = ana.library.shelf.of(ana.book)

    class Changing(FakeRoster):
        """The map is changed while the places are read, before the undone one is written."""

        async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
            places = await ana.library.roster.positions(member, book)
            kept.record = replace(kept.record, map_version=kept.record.map_version + 1)
            return places

    roster = Changing(ana.library.shelf, ana.library.club)
    with pytest.raises(Refused) as refused:
        await undo(ana.library.doors, roster, await ana.member(), ana.book)
    assert refused.value.code == "map_changed"
    assert await ana.place() == end(2)


async def test_there_is_nothing_to_undo_before_a_place_was_said() -> None:
    assert await (await sitting()).undo() is None


async def test_a_refused_statement_changes_nothing() -> None:
    ana = await sitting()
    await ana.say("finished 2")
    for said in ("99", "part 4 ch 1", "120%", "p. 12", "asdf qwer", "", "\x00", "the murderer was the gardener"):
        assert isinstance(await ana.say(said), NotLocated)
    assert len(await ana.history()) == 1


async def test_an_ambiguous_statement_keeps_the_smallest_place() -> None:
    ana = await sitting(PARTED)
    outcome = await ana.say("finished chapter 3")
    assert isinstance(outcome, Understood)
    assert isinstance(outcome.place, Unclear)
    assert [c.offset for c in outcome.place.candidates] == [end(3, PARTED), end(6, PARTED)]
    assert await ana.place() == end(3, PARTED)


async def test_quoted_words_give_the_place_where_they_end() -> None:
    ana = await sitting()
    assert code(await ana.say(f'"{LINES[1]}."')) == "understood"
    assert await ana.place() == BOOK.text.index(LINES[1]) + len(LINES[1]) + 2


async def test_words_quoted_in_part_give_no_more_than_what_was_read() -> None:
    ana = await sitting()
    assert code(await ana.say('"had mended the lamp since the autumn storms"')) == "understood"
    assert await ana.place() == BOOK.text.index(LINES[1])


async def test_fewer_than_seven_quoted_words_are_not_looked_for() -> None:
    ana = await sitting()
    assert code(await ana.say('"the lamp since the autumn storms"')) == "quote_too_short"
    assert code(await ana.say('"mended the lamp since the autumn storms"')) == "understood"


async def test_a_mistyped_quotation_is_found_by_its_longest_run_that_stands_once() -> None:
    ana = await sitting()
    outcome = await ana.say('"mended the lump since the autumn storms began"')
    assert isinstance(outcome, Understood)
    assert outcome.place.offset == BOOK.text.index(LINES[1]) + len(LINES[1]) + 2
    assert not getattr(outcome.place, "certain", True)


async def test_five_tries_a_day_are_given_to_each_member_in_each_book() -> None:
    ana = await sitting()
    for _ in range(QUOTE_TRIES):
        assert code(await ana.say('"seven words that stand nowhere in this book"')) == "quote_not_found"
    assert code(await ana.say(f'"{LINES[0]}"')) == "too_many_tries"
    assert code(await ana.say("finished 2")) == "understood"
    other_book = await ana.library.add(BOOK, file="another")
    assert code(await Sitting(ana.library, other_book).say(f'"{LINES[0]}"')) == "understood"
    assert code(await Sitting(ana.library, ana.book, "ben").say(f'"{LINES[0]}"')) == "understood"
    ana.library.roster.new_day()
    assert code(await ana.say(f'"{LINES[0]}"')) == "understood"


@pytest.mark.parametrize("before", [None, "finished 1", "finished 3"])
async def test_a_match_too_far_ahead_reads_the_same_as_a_miss(before: str | None) -> None:
    ahead, missed = await sitting(), await sitting()
    if before is not None:
        await ahead.say(before)
        await missed.say(before)
    assert await ahead.say(f'"{LINES[7]}"') == await missed.say('"seven words that stand nowhere in this book"')
    assert await ahead.history() == await missed.history()


async def test_what_stands_too_far_ahead_does_not_make_a_run_less_unique() -> None:
    """The near words are found whether or not the whole quotation stands further on."""
    shared = "brought three letters and a parcel to the island"
    told = book_of(*(chapter(n, f"{line}. {FILLER}") for n, line in enumerate((*LINES, f"She {shared}"), start=1)))
    untold = book_of(*(chapter(n, f"{line}. {FILLER}") for n, line in enumerate((*LINES, "Nothing"), start=1)))
    places = [(await (await sitting(text)).say(f'"She {shared}"'), text) for text in (told, untold)]
    offsets = [outcome.place.offset for outcome, _ in places if isinstance(outcome, Understood)]
    assert offsets == [told.text.index(LINES[0]) + len(LINES[0]) + 2] * 2


async def test_the_reach_of_quoted_words_grows_with_the_place() -> None:
    ana = await sitting()
    assert code(await ana.say(f'"{LINES[4]}"')) == "quote_not_found"
    await ana.say("finished 3")
    assert code(await ana.say(f'"{LINES[4]}"')) == "understood"


async def test_no_words_of_the_book_are_kept_in_the_history() -> None:
    ana = await sitting()
    await ana.say(f'"{LINES[1]}."')
    await ana.say("finished 2")
    await ana.say("finished The Lamp")
    await ana.say(f'back to "{LINES[0]}"')
    history = await ana.history()
    assert len(history) == 4
    kept = " ".join(f"{p.said} {p.understood}" for p in history).lower()
    assert not any(word in kept for word in ("lamp", "storms", "letters", "parcel"))


@pytest.mark.parametrize("said", ["finished 2\x00", "\x07finished\x002", "finished\n2\ud800"])
async def test_what_is_kept_of_a_statement_is_printable(said: str) -> None:
    ana = await sitting()
    await ana.say(said)
    assert all(p.said.isprintable() and p.said.encode() for p in await ana.history())


@pytest.mark.parametrize("said", ["The Gulls", "the gulls", "Chapter 3: The Gulls", "finished The Gulls", "THE GULLS!"])
async def test_the_title_of_a_reached_chapter_is_a_place(said: str) -> None:
    ana = await sitting()
    await ana.say("finished 5")
    assert code(await ana.say(said)) == "understood"
    assert await ana.place() == (end(3) if said.startswith("finished") else start(3))


async def test_the_title_of_a_chapter_not_reached_reads_as_any_words() -> None:
    ana = await sitting()
    await ana.say("finished 5")
    assert await ana.say("The Bell") == await ana.say("The Gallows")
    assert await ana.say("finished The Quay") == await ana.say("finished The Gallows")
    assert await ana.place() == end(5)


async def test_a_place_in_the_matter_after_the_story_is_the_end_of_the_story() -> None:
    text = book_of(chapter(1, FILLER), matter(SectionKind.NOTES, "Notes", FILLER))
    ana = await sitting(text)
    assert code(await ana.say(f"offset:{len(text.text)}")) == "understood"
    assert await ana.place() == text.body_end
    async with ana.library.doors.opened() as door:
        place = await locate_for_host(door, ana.book, f"offset:{len(text.text)}")
    assert getattr(place, "offset", None) == text.body_end


async def test_at_the_command_line_a_plain_number_is_a_finished_chapter() -> None:
    ana = await sitting()
    async with ana.library.doors.opened() as door:
        place = await locate_for_host(door, ana.book, "3")
    assert getattr(place, "offset", None) == end(3)
