"""What any roster must do about people, the fake and the real one: subclassed with a `library` fixture by each."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.core.club import Role
from bot.core.ports import PositionRecord
from tests.doors_suite import Any_
from tests.fakes.library import LANTERN

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


class RosterSuite:
    """Every test uses the fixture `library`, an empty club."""

    async def test_a_member_is_found_by_number(self, library: Any_) -> None:
        ana = await library.member("ana")
        assert await library.roster.member(ana.id) == ana
        await library.roster.forget(ana.id)
        assert await library.roster.member(ana.id) is None

    async def test_who_joins_is_known_to_have_joined_then_and_joining_again_changes_nothing(
        self, library: Any_
    ) -> None:
        await library.shelf.club_named("club")
        ana = await library.roster.member_known("ana")
        for at in (NOON, NOON + timedelta(days=1)):
            await library.roster.join(ana.id, at)
        joined = await library.roster.member_known("ana")
        assert (joined.joined, joined.joined_at, joined.seen_at) == (True, NOON, NOON)

    async def test_a_sign_of_life_ends_being_away_and_says_whether_it_did(self, library: Any_) -> None:
        roster, ana = library.roster, await library.member("ana")
        await roster.seen(ana.id, NOON)
        assert await roster.away(ana.id, NOON + timedelta(days=21), NOON)
        assert (await roster.member_known("ana")).away
        assert await roster.seen(ana.id, NOON + timedelta(days=22))
        assert not await roster.seen(ana.id, NOON + timedelta(days=21))
        back = await roster.member_known("ana")
        assert (back.away, back.seen_at) == (False, NOON + timedelta(days=22))

    async def test_nobody_is_away_who_gave_a_sign_meanwhile_or_has_left(self, library: Any_) -> None:
        roster, ana = library.roster, await library.member("ana")
        await roster.seen(ana.id, NOON + timedelta(hours=1))
        assert not await roster.away(ana.id, NOON + timedelta(days=21), NOON)
        await roster.leave(ana.id)
        assert not await roster.away(ana.id, NOON + timedelta(days=99), NOON + timedelta(days=99))
        assert not (await roster.member_known("ana")).away

    async def test_only_who_is_pending_is_set_aside_and_a_place_ends_it(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        ana, ben = await library.member("ana"), await library.place("ben", book, 10)
        eve = await library.roster.member_known("eve")
        assert await library.roster.set_aside(ana.id, NOON)
        assert not await library.roster.set_aside(ben.id, NOON)
        assert not await library.roster.set_aside(eve.id, NOON)
        assert [m.aside for m in await library.roster.members()] == [True, False, False]
        await library.place("ana", book, 0)
        assert not (await library.roster.member_known("ana")).aside

    async def test_members_are_asked_of_every_book_once(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        own = await library.add(replace(LANTERN, title="The Harbour"), file="own")
        ana = await library.member("ana")
        await library.roster.asked_where(ana.id, [book], NOON)
        await library.roster.asked_where(ana.id, [own, book], NOON)
        assert (await library.roster.member_known("ana")).asked_where == {book, own}
        await library.roster.leave(ana.id)
        await library.roster.join(ana.id, NOON)
        assert (await library.roster.member_known("ana")).asked_where == frozenset()

    async def test_being_aside_can_be_ended(self, library: Any_) -> None:
        ana = await library.member("ana")
        await library.roster.set_aside(ana.id, NOON)
        assert await library.roster.set_aside(ana.id, None)
        assert not (await library.roster.member_known("ana")).aside

    async def test_who_was_removed_joins_again_only_once_readmitted(self, library: Any_) -> None:
        roster, ana = library.roster, await library.member("ana")
        await roster.removed(ana.id, NOON)
        await roster.join(ana.id, NOON)
        gone = await roster.member_known("ana")
        assert (gone.joined, gone.removed) == (False, True)
        await roster.removed(ana.id, None)
        assert not (await roster.member_known("ana")).joined
        await roster.join(ana.id, NOON)
        assert (await roster.member_known("ana")).joined

    async def test_being_forgotten_does_not_undo_being_removed(self, library: Any_) -> None:
        roster, ana = library.roster, await library.member("ana")
        await roster.removed(ana.id, NOON)
        assert (await roster.forget(ana.id)).stays_removed
        again = await roster.member_known("ana")
        assert (again.id == ana.id, again.removed) == (False, True)
        await roster.removed(again.id, None)
        assert not (await roster.forget(again.id)).stays_removed
        assert not (await roster.member_known("ana")).removed
        assert not (await roster.member_known("ben")).removed

    async def test_being_forgotten_gives_no_new_tries_with_quoted_words_that_day(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        roster, ana = library.roster, await library.member("ana")
        assert [await roster.quote_tries(ana.id, book) for _ in range(3)] == [1, 2, 3]
        for before in (3, 4):
            await roster.forget((await roster.member_known("ana")).id)
            again = await library.member("ana")
            assert await roster.quote_tries(again.id, book) == before + 1
        assert await roster.quote_tries((await library.member("ben")).id, book) == 1

    async def test_tries_with_quoted_words_are_of_the_day_before_by_the_clock_that_is_given(
        self, library: Any_
    ) -> None:
        book = await library.add(LANTERN)
        roster, ana = library.roster, await library.member("ana")
        hours = (0, 1, 24, 25, 48)
        tries = [await roster.quote_tries(ana.id, book, NOON + timedelta(hours=h)) for h in hours]
        assert tries == [1, 2, 2, 2, 2]
        await roster.forget(ana.id, NOON + timedelta(hours=48))
        again = await library.member("ana")
        assert await roster.quote_tries(again.id, book, NOON + timedelta(hours=48, minutes=1)) == 3

    async def test_what_a_person_says_of_themselves_is_kept(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        roster, ana = library.roster, await library.member("ana")
        assert (ana.shown, ana.reminded, ana.reachable, ana.asked_where, ana.dm_book) == (
            None,
            False,
            True,
            frozenset(),
            None,
        )
        await roster.shown(ana.id, True)
        await roster.reminded(ana.id, True)
        await roster.reachable(ana.id, False)
        await roster.asked_where(ana.id, [book], NOON)
        await roster.dm_book(ana.id, book)
        ana = await roster.member_known("ana")
        assert (ana.shown, ana.reminded, ana.reachable, ana.asked_where, ana.dm_book) == (
            True,
            True,
            False,
            {book},
            book,
        )
        await roster.shown(ana.id, False)
        await roster.dm_book(ana.id, None)
        ana = await roster.member_known("ana")
        assert (ana.shown, ana.dm_book) == (False, None)

    async def test_what_is_kept_of_a_person_is_told_and_then_deleted(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        roster, ana = library.roster, await library.place("ana", book, 90)
        await library.place("ben", book, 70)
        await roster.quote_tries(ana.id, book)
        kept = await roster.kept(ana.id)
        assert kept is not None
        assert (kept.person["name"], kept.person["person"], kept.person["role"]) == ("ana", "ana", "member")
        (position,) = kept.rows["positions"]
        assert (position["book"], position["offset"], position["understood"]) == (LANTERN.title, 90, "x")
        counts = (await roster.forget(ana.id)).counts
        assert {kind: count for kind, count in counts.items() if count} == {"positions": 1, "quote_tries": 1}
        assert await roster.kept(ana.id) is None
        assert await roster.positions(ana.id, book) == ()
        assert not (await roster.forget(ana.id)).counts
        assert [m.name for m in await roster.members()] == ["ben"]

    async def test_a_position_says_when_it_was_said(self, library: Any_) -> None:
        book = await library.add(LANTERN)
        ana = await library.member("ana")
        await library.roster.position_appended(PositionRecord(ana.id, book, 5, "offset", "5", "five", at=NOON))
        assert [p.at for p in await library.roster.positions(ana.id, book)] == [NOON]

    async def test_who_leaves_is_no_admin_when_they_come_back(self, library: Any_) -> None:
        ana = await library.member("ana")
        await library.roster.role_given(ana.id, Role.ADMIN)
        await library.roster.leave(ana.id)
        assert not (await library.member("ana")).admin
