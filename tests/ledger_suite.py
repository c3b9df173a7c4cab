"""What keeps questions must do this, the fake and the real one: subclassed with a `kept` fixture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from bot.core.club import BookId, Member, QuestionId
from bot.core.errors import Refused
from bot.core.ledger import Cited, KeptClaim, KeptQuestion, Ledger, Press, QuestionRecord, Report, Status, Verdicts
from bot.core.offsets import Span
from bot.core.roster import Posted
from tests.doors_suite import Any_
from tests.fakes.library import LANTERN
from tests.made_books import book_of, chapter

NOW = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)
ROOM = "chat:1"
CITED = (Cited(1, 4, Span(200, 240), 2), Cited(2, 0, Span(3, 9), None))
OTHER_BOOK = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


@dataclass
class KeptBooks:
    """The ledger of a club with a library, and that of another club."""

    library: Any_
    ledger: Ledger
    others: Ledger

    async def opened(self) -> tuple[Member, Member, BookId]:
        """Two members and a book."""
        book = await self.library.add(LANTERN)
        return await self.library.member("ana"), await self.library.member("ben"), book


def asked(member: Member, book: BookId, room: str | None = ROOM, ago: timedelta = timedelta()) -> QuestionRecord:
    return QuestionRecord(
        member=member.id,
        book=book,
        room=room,
        said="Who knocked?",
        boundary=250,
        audience=frozenset({member.id}),
        status=Status.ANSWERED,
        engine="quotes",
        asked_at=NOW - ago,
    )


class LedgerSuite:
    """Every test uses ledgers of the fixture `kept`: two clubs, one with a library."""

    async def test_a_question_is_kept_as_it_was_recorded_and_is_its_clubs_alone(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        before = await kept.ledger.asked(asked(ana, book))
        record = replace(
            asked(ana, book), citations=CITED, follows=before, cost=Decimal("0.012000"), seconds=1.5,
            audience=frozenset({ana.id, ben.id}),
        )  # fmt: skip
        number = await kept.ledger.asked(record)
        assert await kept.ledger.question(number) == KeptQuestion(number, record)
        assert await kept.ledger.questions(NOW, 1) == (KeptQuestion(number, record),)
        assert await kept.ledger.question(QuestionId(number + 7)) is None
        assert await kept.others.question(number) is None
        assert await kept.others.questions(NOW - minutes(9), 9) == ()
        assert list(await kept.others.nths_latest([(1, None)], NOW - minutes(9))) == [None]

    async def test_how_a_question_ended_is_noted_later(self, kept: KeptBooks) -> None:
        ana, _, book = await kept.opened()
        number = await kept.ledger.asked(replace(asked(ana, book), status=Status.FAILED))
        await kept.ledger.ended(number, Status.REFUSED, 2.5, Decimal("0.5"))
        found = await kept.ledger.question(number)
        assert found is not None
        assert (found.record.status, found.record.seconds, found.record.cost) == (Status.REFUSED, 2.5, Decimal("0.5"))

    async def test_claims_come_one_after_another_with_the_citations_that_are_new(self, kept: KeptBooks) -> None:
        ana, _, book = await kept.opened()
        number = await kept.ledger.asked(asked(ana, book))
        await kept.ledger.claimed(number, [KeptClaim(1, "Ana came.", (1,))], CITED[:1])
        await kept.ledger.claimed(number, [KeptClaim(2, "She went.", (1, 2)), KeptClaim(3, "So.", (2,))], CITED[1:])
        await kept.ledger.claimed(number, [KeptClaim(4, "And so on.", (1,))], ())
        await kept.ledger.claimed(QuestionId(number + 7), [KeptClaim(1, "Nowhere.", (1,))], CITED)
        await kept.others.claimed(number, [KeptClaim(9, "Not theirs.", (1,))], ())
        found = await kept.ledger.question(number)
        assert found is not None
        assert found.record.citations == CITED

    async def test_what_failed_or_was_withdrawn_does_not_count(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        for ago, status in enumerate(Status):
            await kept.ledger.asked(replace(asked(ana, book, ago=minutes(ago)), status=status))
        await kept.ledger.asked(asked(ben, book, ago=minutes(30)))
        wanted = [(1, ana.id), (2, ana.id), (3, ana.id), (4, ana.id), (1, ben.id), (4, None), (5, None)]
        times = [NOW, NOW - minutes(1), NOW - minutes(2), None, NOW - minutes(30), NOW - minutes(30), None]
        assert list(await kept.ledger.nths_latest(wanted, NOW - minutes(31))) == times
        since = [None if at is None or at <= NOW - minutes(2) else at for at in times]
        assert list(await kept.ledger.nths_latest(wanted, NOW - minutes(2))) == since

    async def test_turns_are_of_one_place_the_newest_first(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        other = await kept.library.add(OTHER_BOOK, file="other")
        old = await kept.ledger.asked(asked(ana, book, ago=minutes(9)))
        new = await kept.ledger.asked(replace(asked(ben, book, ago=minutes(3)), follows=old))
        mine = await kept.ledger.asked(asked(ana, book, room=None))
        for elsewhere in (
            asked(ana, other),
            asked(ana, book, room="chat:2"),
            asked(ben, book, room=None),
            asked(ana, book, ago=minutes(31)),
            replace(asked(ana, book), status=Status.STOPPED),
            replace(asked(ana, book), status=Status.WITHDRAWN),
            replace(asked(ana, book), status=Status.REFUSED),
        ):
            await kept.ledger.asked(elsewhere)
        since = NOW - minutes(30)
        room = await kept.ledger.turns(book, ROOM, ana.id, since, 9)
        assert [(turn.id, turn.room, turn.member, turn.follows) for turn in room] == [
            (new, ROOM, ben.id, old),
            (old, ROOM, ana.id, None),
        ]
        assert [turn.id for turn in await kept.ledger.turns(book, ROOM, ana.id, since, 1)] == [new]
        assert [turn.id for turn in await kept.ledger.turns(book, None, ana.id, since, 9)] == [mine]

    async def test_the_last_answer_is_a_rooms_or_ones_own(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        first = await kept.ledger.asked(asked(ana, book))
        second = await kept.ledger.asked(asked(ben, book))
        private = await kept.ledger.asked(asked(ben, book, room=None))
        await kept.ledger.asked(replace(asked(ben, book), status=Status.STOPPED))
        found = [
            await kept.ledger.last_answered(member, room)
            for member, room in ((None, ROOM), (ana.id, ROOM), (ben.id, None), (ana.id, None), (None, None))
        ]
        assert [one.id if one else None for one in found] == [second, first, private, None, None]

    async def test_where_an_answer_stands_is_noted_once_and_hidden_once(self, kept: KeptBooks) -> None:
        ana, _, book = await kept.opened()
        number = await kept.ledger.asked(asked(ana, book))
        here, there = Posted(ROOM, "m1"), Posted("dm:ana", "m2")
        for posted in (here, there, here):
            await kept.ledger.posted(number, posted)
        assert await kept.ledger.postings(number) == (here, there)
        await kept.ledger.hidden(number, here, NOW)
        assert await kept.ledger.postings(number) == (there,)
        assert await kept.ledger.question_at(here) == number
        assert await kept.ledger.question_at(Posted(ROOM, "m2")) is None
        assert await kept.others.question_at(here) is None

    async def test_a_press_counts_once_until_it_is_taken_back(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        number = await kept.ledger.asked(asked(ana, book))
        presses = [(ana.id, Press.PRIVATE), (ana.id, Press.PRIVATE), (ben.id, Press.PRIVATE), (ana.id, Press.SHARE)]
        assert [await kept.ledger.pressed(number, *press, NOW) for press in presses] == [True, False, True, True]
        await kept.ledger.press_taken_back(number, ana.id, Press.PRIVATE)
        assert await kept.ledger.pressed(number, ana.id, Press.PRIVATE, NOW)

    async def test_a_report_is_numbers_and_counts_each_member_once(self, kept: KeptBooks) -> None:
        ana, ben, book = await kept.opened()
        number = await kept.ledger.asked(replace(asked(ana, book), citations=CITED))
        later = await kept.ledger.asked(asked(ben, book, room=None))
        said = [(number, ana.id, NOW), (number, ana.id, NOW), (number, ben.id, NOW + minutes(1)), (later, ben.id, NOW)]
        assert [await kept.ledger.spoiled(*one) for one in said] == [True, False, True, True]
        first = Report(number, book, ROOM, 250, CITED, 2, NOW, seen=False)
        second = Report(later, book, None, 250, (), 1, NOW, seen=False)
        assert await kept.ledger.reports() == (first, second)
        await kept.ledger.report_seen(number, NOW)
        assert await kept.ledger.reports() == (replace(first, seen=True), second)
        assert await kept.others.reports() == ()

    async def test_what_is_said_of_an_answer_counts_once_for_each_member_and_can_be_changed(
        self, kept: KeptBooks
    ) -> None:
        ana, ben, book = await kept.opened()
        first = await kept.ledger.asked(asked(ana, book))
        later = await kept.ledger.asked(asked(ben, book, room=None))
        written = await kept.ledger.asked(replace(asked(ben, book), engine="claude"))
        said = [
            *((first, ana.id, True), (first, ana.id, True), (first, ana.id, False), (first, ben.id, True)),
            *((later, ben.id, True), (written, ana.id, False)),
        ]
        assert [await kept.ledger.judged(*one, NOW) for one in said] == [True, False, True, True, True, True]
        assert await kept.ledger.verdicts() == (Verdicts("claude", 1, 0, 1), Verdicts("quotes", 2, 2, 1))
        assert await kept.others.verdicts() == ()
        await kept.library.roster.forget(ben.id)
        assert await kept.ledger.verdicts() == (Verdicts("quotes", 1, 0, 1),)

    @pytest.mark.parametrize("gone", ["book", "member"])
    async def test_everything_of_a_book_or_a_member_goes_with_it(self, kept: KeptBooks, gone: str) -> None:
        ana, ben, book = await kept.opened()
        other = await kept.library.add(OTHER_BOOK, file="other")
        number = await kept.ledger.asked(replace(asked(ana, book), citations=CITED))
        stays = await kept.ledger.asked(replace(asked(ben, other), follows=number))
        await kept.ledger.posted(number, Posted(ROOM, "m1"))
        await kept.ledger.spoiled(number, ben.id, NOW)
        await kept.ledger.pressed(number, ben.id, Press.PRIVATE, NOW)
        await kept.ledger.judged(number, ben.id, True, NOW)
        if gone == "book":
            await kept.library.shelf.remove_book(book)
        else:
            await kept.library.roster.forget(ana.id)
        assert await kept.ledger.question(number) is None
        assert await kept.ledger.postings(number) == ()
        assert await kept.ledger.question_at(Posted(ROOM, "m1")) is None
        assert await kept.ledger.reports() == ()
        assert await kept.ledger.verdicts() == ()
        left = await kept.ledger.question(stays)
        assert left is not None
        assert left.record.follows is None
        counted_on = gone == "member"  # what a forgotten person asked counts for the club's limits for a day
        latest = await kept.ledger.nths_latest([(1, None), (2, None)], NOW - minutes(1))
        assert [at is not None for at in latest] == [True, counted_on]
        with pytest.raises(Refused, match="no such book any more"):
            await kept.ledger.asked(asked(ana, book))
        await kept.ledger.posted(number, Posted(ROOM, "m2"))
        assert not await kept.ledger.pressed(number, ben.id, Press.SHARE, NOW)
        assert not await kept.ledger.spoiled(number, ben.id, NOW)
        assert not await kept.ledger.judged(number, ben.id, False, NOW)
        await kept.ledger.ended(number, Status.ANSWERED, 1.0)
        assert await kept.ledger.question(number) is None
