"""What looks ahead must do this, the fake and the real one: subclassed with a `kept` fixture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pytest

from bot.core.ahead import Ahead, LookAhead, Step, UnreadPassage, chosen
from bot.core.club import BookId, Member, QuestionId
from bot.core.errors import Refused
from bot.core.ledger import Ledger, QuestionRecord, Status
from bot.core.terms import term_id
from tests.doors_suite import Any_
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, end_of

NOW = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)
NO_BOOK = BookId(0)
TERMS = [term_id("lantern"), term_id("keeper"), term_id("nowhere")]


@dataclass
class Looking:
    """A club with a library, and what is kept of looking ahead there and in another club.

    ``minutes_pass`` lets choices lapse.
    """

    library: Any_
    ledger: Ledger
    ahead: Ahead
    others: Ahead
    minutes_pass: Callable[[], Awaitable[None]]
    book: BookId = NO_BOOK

    async def reader(self, name: str, chapters: int) -> Member:
        """A member who has finished so many chapters of `LANTERN`."""
        self.book = await self.library.add(LANTERN, HashEmbedder())
        member: Member = await self.library.place(name, self.book, end_of(LANTERN, chapters) if chapters else 0)
        return member

    async def asked(
        self, member: Member, room: str | None = None, status: Status = Status.REFUSED, said: str = "Who did it?"
    ) -> QuestionId:
        record = QuestionRecord(member.id, self.book, room, said, 9, frozenset({member.id}), status, "quotes", NOW)
        return await self.ledger.asked(record)

    async def choice(self, member: Member, question: QuestionId, step: Step = Step.WHETHER) -> LookAhead:
        look = await chosen(self.ahead, question, member.id, step, NOW)
        assert look is not None
        return look

    async def used(self, look: LookAhead, ahead: Ahead | None = None) -> list[int]:
        """The ordinals of the unread passages that it tells of."""
        async with (ahead or self.ahead).opened(look) as door:
            return [int(n) for n in (await door.looked_ahead(TERMS, [])).ordinals]

    async def read(self, look: LookAhead) -> tuple[UnreadPassage, ...]:
        async with self.ahead.opened(look) as door:
            unread = await door.looked_ahead(TERMS, [])
            return await door.read_ahead([0, *unread.ordinals.tolist(), 99])

    async def refuses(self, look: LookAhead, ahead: Ahead | None = None) -> None:
        with pytest.raises(Refused) as refused:
            await self.used(look, ahead)
        assert refused.value.code == "no_look_ahead"


class AheadSuite:
    """Every test uses the fixture `kept`: two clubs, one with a library."""

    async def test_the_unread_body_is_told_by_numbers_alone(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        look = await kept.choice(ana, await kept.asked(ana))
        vector = HashEmbedder().embed_question("the gold of the keeper")
        async with kept.ahead.opened(look) as door:
            unread = await door.looked_ahead(TERMS, [vector])
        assert len(unread.ordinals) == 2  # no introduction, no notes, nothing read
        assert unread.counts.tolist() == [[0, 0, 0], [1, 1, 0]]
        assert unread.similarities[1] > unread.similarities[0]
        assert (unread.lengths > 5).all()

    async def test_without_a_vector_nothing_is_similar(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 2)
        async with kept.ahead.opened(await kept.choice(ana, await kept.asked(ana))) as door:
            unread = await door.looked_ahead([], [])
        assert np.isnan(unread.similarities).all()
        assert unread.counts.shape == (1, 0)

    async def test_who_has_finished_has_nothing_ahead(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 3)
        assert await kept.used(await kept.choice(ana, await kept.asked(ana))) == []

    async def test_the_second_step_shows_unread_sentences_and_no_sealed_ones(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 2)
        question = await kept.asked(ana)
        await kept.used(await kept.choice(ana, question))
        (passage,) = await kept.read(await kept.choice(ana, question, Step.ANSWER))
        assert passage.chapter == 3
        assert passage.text == LANTERN.text[passage.span.start : passage.span.end]
        assert passage.text.endswith("put the brass lantern out.")
        assert "confessed" in passage.text
        assert "".join(sentence.text[0] for sentence in passage.sentences)[-3:] == "CHA"

    async def test_of_a_passage_that_was_begun_only_the_rest_is_shown(self, kept: Looking) -> None:
        await kept.reader("ana", 2)
        at = LANTERN.text.index("He had poisoned")
        ana = await kept.library.place("ana", kept.book, at)
        question = await kept.asked(ana)
        await kept.used(await kept.choice(ana, question))
        (passage,) = await kept.read(await kept.choice(ana, question, Step.ANSWER))
        assert passage.text.startswith("He had poisoned")
        assert passage.span.start == at

    async def test_a_step_is_chosen_once_and_again_when_it_was_given_up(self, kept: Looking) -> None:
        ana, ben = await kept.reader("ana", 1), await kept.library.member("ben")
        question = await kept.asked(ana)
        first = await kept.choice(ana, question)
        assert await kept.ahead.chosen(question, ana.id, Step.WHETHER, NOW) is None
        assert await kept.ahead.chosen(QuestionId(question + 7), ana.id, Step.WHETHER, NOW) is None
        assert await kept.ahead.chosen(question, ben.id, Step.WHETHER, NOW) is not None
        assert await kept.ahead.chosen(question, ana.id, Step.ANSWER, NOW) is not None
        await kept.ahead.given_up(first.run, NOW)
        await kept.refuses(first)
        await kept.used(await kept.choice(ana, question))

    async def test_a_choice_is_used_once(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        look = await kept.choice(ana, await kept.asked(ana))
        await kept.used(look)
        await kept.refuses(look)

    async def test_what_was_not_committed_was_not_used(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        look = await kept.choice(ana, await kept.asked(ana))
        with pytest.raises(ZeroDivisionError):
            async with kept.ahead.opened(look) as door:
                await door.looked_ahead(TERMS, [])
                raise ZeroDivisionError
        assert await kept.used(look)

    async def test_a_choice_lapses_after_minutes(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        look = await kept.choice(ana, await kept.asked(ana))
        await kept.minutes_pass()
        await kept.refuses(look)

    async def test_nothing_is_read_in_the_first_step_nor_twice_nor_without_the_numbers(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        question = await kept.asked(ana)
        with pytest.raises(Refused, match="looked up ahead"):
            await kept.read(await kept.choice(ana, question))
        second = await kept.asked(ana)
        await kept.used(await kept.choice(ana, second))
        look = await kept.choice(ana, second, Step.ANSWER)
        with pytest.raises(Refused, match="looked up ahead"):
            async with kept.ahead.opened(look) as door:
                await door.read_ahead([1, 2])
        with pytest.raises(Refused, match="looked up ahead"):
            async with kept.ahead.opened(look) as door:
                await door.looked_ahead(TERMS, [])
                await door.read_ahead([1, 2])
                await door.read_ahead([1, 2])

    async def test_the_second_step_needs_the_first(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        question = await kept.asked(ana)
        await kept.choice(ana, question)  # chosen, and never done
        await kept.refuses(await kept.choice(ana, question, Step.ANSWER))

    @pytest.mark.parametrize("what", ["room", "stopped", "somebody else's", "left", "another member", "other question"])
    async def test_only_a_private_question_of_a_joined_member_is_looked_ahead_at(
        self, kept: Looking, what: str
    ) -> None:
        ana, ben = await kept.reader("ana", 1), await kept.library.member("ben")
        room, status = ("lounge" if what == "room" else None), Status.STOPPED if what == "stopped" else Status.ANSWERED
        look = await kept.choice(ben if what == "somebody else's" else ana, await kept.asked(ana, room, status))
        if what == "left":
            await kept.library.roster.leave(ana.id)
        elif what == "another member":
            look = await forged(kept, ben, look.question, look)
        elif what == "other question":
            look = await forged(kept, ana, await kept.asked(ana), look)
        await kept.refuses(look)

    async def test_what_goes_with_a_book_a_member_or_a_club_cannot_be_looked_ahead_at(self, kept: Looking) -> None:
        ana = await kept.reader("ana", 1)
        look = await kept.choice(ana, await kept.asked(ana))
        await kept.refuses(look, kept.others)
        await kept.library.shelf.remove_book(kept.book)
        await kept.refuses(look)


async def forged(kept: Looking, member: Member, question: QuestionId, look: LookAhead) -> LookAhead:
    """A choice that names another member or question than its run does."""

    class OneRun:
        async def chosen(self, question: QuestionId, member: object, step: Step, at: datetime) -> object:
            del question, member, step, at
            return look.run

    made = await chosen(OneRun(), question, member.id, look.step, NOW)  # type: ignore[arg-type]
    assert made is not None
    return made
