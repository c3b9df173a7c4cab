"""What any door must do, the fake and the real one: subclassed with a `library` fixture by each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from bot.core.book import BookText, PageMark
from bot.core.boundary import Boundary, boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import Refused, SpoilerLeak
from bot.core.folding import folded
from bot.core.statements import folded_title
from bot.core.terms import term_id, terms
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, Library, end_of
from tests.made_books import book_of, chapter

READER = MemberId(1)
OTHER_BOOK = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")
EMBEDDER = HashEmbedder(dimension=32, window_words=20)
Any_ = Library[Any, Any, Any]


def at(book: BookId, offset: int) -> Boundary:
    return boundary_for(book, private_to(READER), {READER: offset})


def after(words: str, book: BookText = LANTERN) -> int:
    """The offset at the end of ``words``."""
    return book.text.index(words) + len(words)


class DoorsSuite:
    """Every test opens doors of the fixture `library`, an empty club."""

    async def test_the_door_shows_the_clubs_books_and_the_one_that_is_read(self, library: Any_) -> None:
        first = await library.add(LANTERN)
        async with library.doors.opened() as door:
            assert await door.current_book() == await door.book(first)
        second = await library.add(OTHER_BOOK, file="other")
        await library.roster.switch_book(second)
        async with library.doors.opened() as door:
            assert [b.id for b in await door.books()] == [first, second]
            assert await door.current_book() == await door.book(second)

    async def test_a_member_is_found_by_number_and_as_a_person_and_nobody_is_made_known(self, library: Any_) -> None:
        ana = await library.member("ana")
        async with library.doors.opened() as door:
            assert await door.member(ana.id) == await door.member_of_person("ana") == ana
            assert await door.member(MemberId(10**9)) is None
            assert await door.member_of_person("bob") is None
            assert [m.person for m in await door.members()] == ["ana"]

    async def test_everything_that_is_admitted_is_revealed_by_the_boundary(self, library: Any_) -> None:
        book = await library.add(LANTERN, EMBEDDER)
        words = [term_id(term) for term in terms(LANTERN.text, "en")]
        for offset in (0, 1, end_of(LANTERN, 1) - 9, end_of(LANTERN, 1), end_of(LANTERN, 2), LANTERN.body_end):
            boundary = at(book, offset)
            async with library.doors.opened() as door:
                admitted = await door.passages_admitted(boundary)
                assert max(admitted.revealed, default=0) <= offset
                known = set(admitted.ordinals.tolist())
                near = await door.passages_nearest(boundary, EMBEDDER.embed_question("lantern"))
                assert set(near.ordinals.tolist()) == known
                matching = await door.passages_matching(boundary, words)
                assert {o for counts in matching for o in counts.ordinals.tolist()} == known
                for passage in await door.passages_read(boundary, range(99)):
                    assert passage.text == passage.span.of(LANTERN.text)
                    assert all(s.text == s.span.of(LANTERN.text) for s in passage.sentences)
                    assert all(s.revealed_at <= offset for s in passage.sentences)
                assert all(name.revealed_at <= offset for name in await door.names_met(boundary))
                assert all(title.revealed_at <= offset for title in await door.titles_met(boundary))

    async def test_at_the_end_of_the_book_everything_is_admitted(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            read = await door.passages_read(at(book, LANTERN.body_end), range(99))
            assert "Marrable did it" in read[0].text
            assert "hanged at Exeter" in read[-1].text
            assert len((await door.passages_admitted(at(book, LANTERN.body_end))).ordinals) == len(read)

    async def test_nothing_is_admitted_at_the_start(self, library: Any_) -> None:
        book = await library.add(LANTERN, EMBEDDER)
        async with library.doors.opened() as door:
            boundary = at(book, 0)
            assert len((await door.passages_admitted(boundary)).ordinals) == 0
            assert len((await door.passages_nearest(boundary, EMBEDDER.embed_question("lantern"))).ordinals) == 0
            assert await door.passages_matching(boundary, [term_id("lantern")]) == ()
            assert await door.passages_read(boundary, range(99)) == ()
            assert await door.passage_straddling(boundary) is None
            assert await door.names_met(boundary) == ()
            assert await door.titles_met(boundary) == ()

    async def test_the_passage_that_straddles_the_boundary_is_its_read_sentences(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        offset = after("from within.") + 20
        async with library.doors.opened() as door:
            part = await door.passage_straddling(at(book, offset))
            assert part is not None
            assert part.chapter == 2
            assert part.text.endswith("bolted from within.")
            assert part.text == part.span.of(LANTERN.text)
            assert part.ordinal not in (await door.passages_admitted(at(book, offset))).ordinals.tolist()

    async def test_nothing_straddles_a_boundary_at_a_chapters_end(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            assert await door.passage_straddling(at(book, end_of(LANTERN, 2))) is None
            assert await door.passage_straddling(at(book, end_of(LANTERN, 1))) is None

    async def test_a_wider_second_boundary_in_one_transaction_raises(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        with pytest.raises(SpoilerLeak):
            async with library.doors.opened() as door:
                await door.names_met(at(book, 100))
                await door.passages_read(at(book, 50), [0])
                await door.titles_met(at(book, 51))

    async def test_a_boundary_past_the_story_raises(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        with pytest.raises(SpoilerLeak):
            async with library.doors.opened() as door:
                await door.names_met(at(book, LANTERN.body_end + 1))

    async def test_a_title_is_met_at_the_end_of_its_heading(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        heading = LANTERN.chapters[1].title_revealed_at
        async with library.doors.opened() as door:
            met = await door.titles_met(at(book, heading))
            assert [t.title for t in met] == ["Chapter 1: The Ferry", "Chapter 2: The Bolted Door"]
            assert [t.chapter for t in met] == [1, 2]
            assert [t.title for t in await door.titles_met(at(book, heading - 1))] == ["Chapter 1: The Ferry"]

    async def test_names_are_met_in_the_order_in_which_they_stand(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            met = await door.names_met(at(book, end_of(LANTERN, 2)))
        assert {"Mr. Oswin Fogg", "Ana Wren"} <= {name.name for name in met}
        assert [name.revealed_at for name in met] == sorted(name.revealed_at for name in met)
        assert not any("Marrable" in name.name for name in met)

    async def test_counts_and_lengths_are_those_of_the_text(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            boundary = at(book, end_of(LANTERN, 1))
            (passage,) = await door.passages_read(boundary, [1])
            counted = terms(passage.text, "en")
            assert (await door.passages_admitted(boundary)).lengths.tolist() == [counted.total()]
            (found,) = await door.passages_matching(boundary, [term_id("wren"), term_id("marrabl")])
            assert found.term == term_id("wren")
            assert found.counts.tolist() == [counted["wren"]]

    async def test_similarity_is_that_of_the_closest_window(self, library: Any_) -> None:
        book = await library.add(LANTERN, EMBEDDER)
        question = EMBEDDER.embed_question("the kettle in the kitchen")
        async with library.doors.opened() as door:
            boundary = at(book, end_of(LANTERN, 2))
            near = await door.passages_nearest(boundary, question)
            for passage in await door.passages_read(boundary, near.ordinals.tolist()):
                windows = [w.of(passage.text) for w in EMBEDDER.windows(passage.text)]
                value = near.values[near.ordinals.tolist().index(passage.ordinal)]
                assert value == pytest.approx(np.max(EMBEDDER.embed_passages(windows) @ question), abs=0.005)

    async def test_of_the_straddling_passage_only_pieces_that_are_wholly_read_are_near(self, library: Any_) -> None:
        long = book_of(chapter(1, " ".join(f"On day {n} the ferry came to the quay." for n in range(100))))
        book = await library.add(long, HashEmbedder(32))
        question = HashEmbedder(32).embed_question("the ferry")
        for reached, held in (("day 8 ", []), ("day 35 ", [0])):
            async with library.doors.opened() as door:
                boundary = at(book, after(reached, long))
                assert (await door.passages_admitted(boundary)).ordinals.tolist() == []
                assert (await door.passages_nearest(boundary, question)).ordinals.tolist() == held

    async def test_a_book_is_known_by_numbers_without_a_boundary(self, library: Any_) -> None:
        book = await library.add(LANTERN, EMBEDDER)
        async with library.doors.opened() as door:
            record = await door.book(book)
            chapter_map = await door.chapter_map(book)
        assert (record.characters, record.body_end, record.chapters) == (len(LANTERN.text), LANTERN.body_end, 3)
        assert record.embedder == EMBEDDER.model
        assert record.status == "ready"
        assert [(c.start, c.end) for c in chapter_map.chapters] == [
            (s.span.start, s.span.end) for s in LANTERN.chapters
        ]
        assert not chapter_map.has_pages

    async def test_a_book_that_is_not_there_is_refused(self, library: Any_) -> None:
        async with library.doors.opened() as door:
            with pytest.raises(Refused, match="no such book"):
                await door.book(BookId(4711))

    async def test_those_who_joined_are_present_as_far_as_an_audience_asks(self, library: Any_) -> None:
        async with library.doors.opened() as door:
            assert await door.present() == ()
        ana, eve = await library.member("ana"), await library.member("eve")
        await library.roster.member_known("bob")
        assert await library.roster.away(eve.id, datetime(2099, 1, 1, tzinfo=UTC), datetime(2098, 1, 1, tzinfo=UTC))
        async with library.doors.opened() as door:
            present = {p.id: p for p in await door.present()}
            members = {m.id: m for m in await door.members() if m.joined}
        assert present.keys() == members.keys() == {ana.id, eve.id}
        assert all(
            (p.person, p.away, p.aside, p.joined) == (m.person, m.away, m.aside, True)
            for p, m in ((present[i], members[i]) for i in members)
        )
        assert present[eve.id].away

    async def test_what_is_foreseen_is_told_the_same(self, library: Any_) -> None:
        book, ana = await library.add(LANTERN), await library.member("ana")
        for member, room, of in ((ana.id, "room", book), (ana.id, None, book), (MemberId(9999), "no room", book)):
            async with library.doors.opened() as door:
                apart = await door.member(member), await door.room(room or ""), await door.book(of)
            async with library.doors.opened() as door:
                await door.foreseen(member, room, of)
                assert (await door.member(member), await door.room(room or ""), await door.book(of)) == apart
        async with library.doors.opened() as door:
            await door.foreseen(ana.id, None, BookId(9999))
            with pytest.raises(Refused):
                await door.book(BookId(9999))

    async def test_where_those_present_are_is_told_the_same_however_it_was_read(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        ana = await library.place("ana", book, 40)
        await library.place("ana", book, 90)
        bob, eve = await library.member("bob"), await library.place("eve", book, 70)
        await library.roster.leave(eve.id)
        ids = [ana.id, bob.id, eve.id]
        async with library.doors.opened() as door:
            apart = await door.positions_latest(book, ids)
        async with library.doors.opened() as door:
            assert {p.id for p in await door.present(book)} == {ana.id, bob.id}
            assert await door.present() == await door.present(book)
            assert await door.positions_latest(book, ids[:2]) == await door.positions_latest(book, ids) == apart
        assert apart == {ana.id: 90}

    async def test_the_last_position_of_each_member_counts(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        ana = await library.place("ana", book, 300)
        await library.place("ana", book, 200)
        ben = await library.member("ben")
        async with library.doors.opened() as door:
            assert await door.positions_latest(book, [ana.id, ben.id]) == {ana.id: 200}

    async def test_who_has_joined_is_read_in_the_transaction(self, library: Any_) -> None:
        ana, ben = await library.member("ana"), await library.member("ben")
        eve = await library.roster.member_known("eve")
        async with library.doors.opened() as door:
            assert {m.id for m in await door.members() if m.joined} == {ana.id, ben.id}
        await library.roster.join(eve.id)
        await library.roster.leave(ana.id)
        async with library.doors.opened() as door:
            assert {m.id for m in await door.members() if m.joined} == {ben.id, eve.id}

    async def test_who_left_is_nowhere_until_they_join_again(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        ana = await library.place("ana", book, 300)
        await library.roster.leave(ana.id)
        async with library.doors.opened() as door:
            assert await door.positions_latest(book, [ana.id]) == {}
        await library.roster.join(ana.id)
        async with library.doors.opened() as door:
            assert await door.positions_latest(book, [ana.id]) == {ana.id: 300}

    async def test_quoted_words_are_found_up_to_the_last_sentence_wholly_matched(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        whole, inside = "Nobody answered her", "the kettle in the kitchen was still"
        async with library.doors.opened() as door:
            runs = [folded(run) for run in ("She knocked until her knuckles bled.", whole, inside, "not in this book")]
            found = dict(await door.quote_offsets(book, runs))
        assert found == {
            0: LANTERN.text.index("Nobody answered"),
            1: LANTERN.text.index("Nobody answered"),
            2: LANTERN.text.index("The kettle"),
        }

    async def test_quoted_words_are_not_found_in_sealed_matter(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            assert (
                await door.quote_offsets(book, [folded("The keeper drowned himself"), folded("hanged at Exeter")]) == ()
            )

    async def test_words_that_stand_twice_give_two_places(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        async with library.doors.opened() as door:
            assert len(await door.quote_offsets(book, [folded("the brass lantern"), folded("Ana Wren")])) == 3

    async def test_a_title_is_found_as_people_say_it_once_it_is_reached(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        reached = LANTERN.chapters[2].title_revealed_at
        async with library.doors.opened() as door:
            assert await door.title_chapters(book, reached, "the bell") == (3,)
            assert await door.title_chapters(book, reached, folded_title("Chapter 3: The Bell")) == (3,)
            assert await door.title_chapters(book, reached - 1, "the bell") == ()

    async def test_pages_are_found_by_their_labels(self, library: Any_) -> None:
        paged = replace(LANTERN, pages=(PageMark("XI", 5), PageMark("12", 300), PageMark("12", 400)))
        book = await library.add(paged)
        async with library.doors.opened() as door:
            assert await door.page_offsets(book, "12") == (300, 400)
            assert await door.page_offsets(book, "xi") == (5,)
            assert (await door.chapter_map(book)).has_pages
