"""What people do with a club, written once: run on every platform where it means the same."""

from __future__ import annotations

from tests.stories.book import BOOK, NAMES, TITLES
from tests.stories.over_the_wire import OverTheWire

AHEAD = "Look ahead..."
SHOW = "Show it, I accept spoilers"
AGAIN = "That was done already"


class Stories:
    """One story each; a platform gives the fixture ``told``, a club that is shared by all of them."""

    async def test_the_answer_in_a_room_is_covered_and_reaches_to_the_lowest_place(self, told: OverTheWire) -> None:
        question = "Who carried the lantern?"
        seen = await told.asks("Ana", question)
        assert (
            seen.words.splitlines()[0] == "Ana asked about Untitled, for everyone who has read to the end of chapter 2"
        )
        assert NAMES[0] in seen.words
        assert NAMES[2] not in seen.words
        assert question not in seen.clear
        assert not any(name in seen.clear for name in NAMES)

    async def test_a_private_answer_reaches_to_the_own_place_and_the_room_sees_nothing(self, told: OverTheWire) -> None:
        before = len(told.standing())
        seen = await told.asks_alone("Ana", "Who counted all boats?", NAMES[2])
        assert NAMES[3] not in seen.words
        assert {"Share with the room", AHEAD, "This spoiled me"} <= set(seen.buttons)
        assert len(told.standing()) == before

    async def test_a_place_is_told_to_its_member_alone_and_the_clubs_by_its_chapter(self, told: OverTheWire) -> None:
        before = len(told.standing())
        assert "finished chapter 3" in await told.says("Ana", "progress finished 3")
        assert "The club is at the end of chapter 2" in await told.says("Ana", "where", "The club is")
        assert len(told.standing()) == before

    async def test_who_joins_counts_as_nothing_read_until_they_say_where_they_are(self, told: OverTheWire) -> None:
        await told.comes("Lea")
        assert "Only members can do that" in await told.says("Lea", "progress finished 3", "Only members")
        assert "You joined the club" in await told.says("Lea", "join", "You joined")
        assert "who have not all started" in (await told.asks("Ana", "Who was awake for all to see?")).words
        assert "finished chapter 3" in await told.says("Lea", "progress finished 3", "Noted")
        assert "to the end of chapter 2" in (await told.asks("Lea", "Who asked for the lantern at first?")).words
        assert "You left the club" in await told.says("Lea", "leave", "You left")

    async def test_a_place_is_chosen_taken_back_and_counted_by_the_habit_of_who_says_it(
        self, told: OverTheWire
    ) -> None:
        await told.comes("Eve")
        await told.says("Eve", "join", "You joined")
        asked = await told.wants_alone("Eve", "progress 2", "Finished it, or still in it?")
        again = await told.presses("Eve", asked, "Finished it", "finished chapter 2")
        assert "Undone." in (await told.presses("Eve", again, "Undo", "Undone.")).words
        assert "finished chapter 3" in await told.says("Eve", "progress 3", "finished chapter 3")
        assert "You left the club" in await told.says("Eve", "leave", "You left")

    async def test_a_rooms_answer_is_asked_again_privately_by_each_who_presses_and_once(
        self, told: OverTheWire
    ) -> None:
        question = "Who mended the rope that held the ferry?"
        seen = await told.asks("Bo", question)
        alone = await told.presses("Ana", seen, "Answer me privately", NAMES[2])
        assert NAMES[3] not in alone.words
        assert "already" in (await told.presses("Ana", seen, "Answer me privately", "already")).words
        assert NAMES[2] not in (await told.presses("Bo", seen, "Answer me privately", NAMES[1])).words

    async def test_a_private_question_is_shared_under_the_rooms_own_boundary(self, told: OverTheWire) -> None:
        question = "Who was told nothing of the boathouse?"
        alone = await told.asks_alone("Ana", question, NAMES[2])
        assert not told.standing(question)
        await told.presses("Ana", alone, "Share with the room", question)
        seen = await told.answered(question)
        assert "to the end of chapter 2" in seen.words
        assert NAMES[2] not in seen.words

    async def test_where_nothing_is_being_answered_there_is_nothing_to_stop(self, told: OverTheWire) -> None:
        assert "Nothing is being answered for you" in await told.says("Ana", "stop", "Nothing is being answered")

    async def test_an_answer_that_spoiled_somebody_is_taken_away(self, told: OverTheWire) -> None:
        question = "Who came to a different number?"
        seen = await told.asks("Bo", question)
        assert "The answer is hidden" in (await told.presses("Bo", seen, "This spoiled me", "hidden")).words
        assert not told.standing(question)
        assert "question" in await told.says("Ana", "club reports", "question")

    async def test_an_answer_is_useful_or_not_and_one_may_think_again(self, told: OverTheWire) -> None:
        question = "Who mended whose rope?"
        seen, heard = await told.asks("Ana", question), []
        for name, label in (("Bo", "Useful"), ("Bo", "Useful"), ("Bo", "Not useful"), ("Ana", "Useful")):
            heard.append((await told.presses(name, seen, label)).words.split(".")[0])
        assert heard == ["Noted as useful", "You said so already", "Noted as not useful", "Noted as useful"]
        assert [one.words for one in told.standing(question)] == [seen.words]

    async def test_looking_ahead_is_two_presses_each_of_them_once_and_for_one_person(self, told: OverTheWire) -> None:
        before = len(told.standing())
        asked = await told.asks_alone("Bo", "Who had to mend the rope that held the ferry to its post?")
        first = await told.presses("Bo", asked, AHEAD, "further on")
        assert "The book may answer it further on." in first.words
        assert "chapter" not in first.words
        assert first.buttons == (SHOW,)
        second = await told.presses("Bo", first, SHOW, "past where you are")
        assert any(name in second.words for name in NAMES[2:])
        assert second.buttons == ()
        for under, label in ((asked, AHEAD), (first, SHOW)):
            assert AGAIN in (await told.presses("Bo", under, label, AGAIN)).words
        assert len(told.standing()) == before

    async def test_a_recap_in_the_room_is_covered_and_of_what_all_have_read(self, told: OverTheWire) -> None:
        seen = await told.wants("Ana", "recap", "From what everyone here has read, in its order")
        assert "for everyone who has read to the end of chapter 2" in seen.words.splitlines()[0]
        assert NAMES[1] in seen.words
        assert not any(name in seen.clear for name in NAMES)
        assert not any(name in seen.words for name in NAMES[2:])

    async def test_what_is_new_since_the_last_visit_is_told_alone_even_in_a_room(self, told: OverTheWire) -> None:
        seen = await told.wants_alone("Ana", "recap since my last visit", "is told to you alone")
        assert "Share with the room" not in seen.buttons
        assert not told.standing("recap since my last visit")

    async def test_who_somebody_is_is_told_to_the_room_that_has_met_them_and_else_to_who_asks(
        self, told: OverTheWire
    ) -> None:
        seen = await told.wants("Ana", "who Bettina", f"{NAMES[1]}, as far as everyone here has read")
        assert "Met in ch. 2." in seen.words
        alone = await told.wants_alone("Ana", f"who {NAMES[2]}", f"{NAMES[2]}, as far as you have read")
        assert NAMES[3] not in alone.words
        answers = [
            (await told.wants_alone("Ana", f"who {name}", "Nobody is called that")).words.replace(name, "NAME")
            for name in (NAMES[4], "Zebulon Quick")
        ]
        assert answers[0] == answers[1]
        assert not told.standing(f"who {NAMES[2]}")
        assert not told.standing("Nobody is called that")

    async def test_what_a_member_sees_of_books_and_chapters_has_no_title_that_they_have_not_met(
        self, told: OverTheWire
    ) -> None:
        assert "Untitled (read now)" in await told.says("Bo", "shelf", "Untitled")
        chapters = await told.says("Bo", "chapters", TITLES[0])
        assert f"Chapter 2: {TITLES[1]}" in chapters
        assert not any(title in chapters for title in TITLES[2:])
        assert "· Ana" in await told.says("Bo", "members", "Members")

    async def test_a_file_that_is_no_book_is_refused_in_a_sentence_and_can_be_forgotten(
        self, told: OverTheWire
    ) -> None:
        assert "no book that I can read" in (await told.uploads("Ana", "song.mp3", b"la", "no book")).words
        seen = await told.uploads("Ana", "empty.epub", b"no archive at all", "")
        assert "Forget the file" in seen.buttons
        assert "nothing of the file is left" in (await told.presses("Ana", seen, "Forget the file", "nothing")).words

    async def test_a_book_that_is_taken_back_was_never_named_to_the_room(self, told: OverTheWire) -> None:
        named = len(told.standing("Untitled"))
        other = BOOK.replace("harbour wall", "harbour quay")
        seen = await told.uploads("Ana", "wrong.txt", other.encode(), "Nobody else has been told of it")
        gone = await told.presses("Ana", seen, "Not this one: take it back", "is taken back")
        assert "is taken back" in gone.words
        assert len(told.standing("Untitled")) == named
        assert not told.standing("wrong")

    async def test_what_is_kept_can_be_read_and_deleted(self, told: OverTheWire) -> None:
        await told.comes("Una")
        assert "Kept of you" not in await told.says("Una", "privacy", "Kept of a member")
        await told.says("Una", "join", "You joined")
        assert "Kept of you" in await told.says("Una", "privacy", "Kept of you")
        sure = await told.wants_alone("Una", "forget", "Delete your membership")
        done = await told.presses("Una", sure, "Delete all of it", "Nothing is kept of Una")
        assert "Nothing is kept of Una" in done.words
        assert "Only members can do that" in await told.says("Una", "where", "Only members")
