"""What an admin does with a club, over the wire: its map, its people, its rooms, its votes, and another file."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio

from tests.discord.wire import BOOK, NAMES, TITLES, Club, Program, founded, labels, plain
from tests.peers.discord.peer import MANAGE_GUILD, MANAGE_MESSAGES, FakeDiscord
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")

WHO = "Who counted the boats in the evening?"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def crew(program: Program) -> Club:
    """Ida set it up and has finished chapter 1, Jo chapter 2; Kit has said no place."""
    return await founded(program.peer, Ida=1, Jo=2, Kit=None)


async def _did(club: Club, name: str, command: str, **options: Any) -> Interaction:
    """A command that was answered."""
    it = await club.peer.slash(club[name], club.room, command, **options)
    await club.answer(it)
    return it


async def _done(club: Club, it: Interaction) -> str:
    """What a pressed button was answered with, in the place of its message or after it."""
    await club.peer.until(lambda: any(kind in {"edit", "followup"} for _, kind, _ in it.timeline))
    number = it.followups[-1] if it.followups else it.original
    return plain(club.peer.world.messages[it.channel][number or ""]["content"])


async def _press(club: Club, name: str, it: Interaction, label: str) -> str:
    assert it.original
    return await _done(club, await club.peer.click(club[name], it.channel, it.original, label))


async def _choose(club: Club, name: str, it: Interaction, label: str) -> str:
    assert it.original
    return await _done(club, await club.peer.choose(club[name], it.channel, it.original, label))


async def test_an_admin_looks_over_the_map_and_sees_no_title_that_they_have_not_met(
    crew: Club, peer: FakeDiscord
) -> None:
    it = await _did(crew, "Ida", "book chapters")
    shown = plain(peer.message(it)["content"])
    assert TITLES[0] in shown
    assert TITLES[1] not in shown
    section = await _choose(crew, "Ida", it, "4: story, chapter 4")
    assert TITLES[3] not in section
    sure = await _press(crew, "Ida", it, "How it begins")
    assert "lies past where you are" in sure
    assert TITLES[3] not in sure


async def test_how_a_section_begins_is_shown_to_who_accepts_spoilers_alone(crew: Club, peer: FakeDiscord) -> None:
    it = await _did(crew, "Ida", "book chapters")
    await _choose(crew, "Ida", it, "4: story, chapter 4")
    assert it.original
    asked = await peer.click(crew["Ida"], crew.room, it.original, "How it begins")
    await crew.answer(asked)
    assert "Nothing was shown" in await _press(crew, "Ida", asked, "Do not show it")
    asked = await peer.click(crew["Ida"], crew.room, it.original, "How it begins")
    await crew.answer(asked)
    assert NAMES[3] in await _press(crew, "Ida", asked, "Show, I accept spoilers")
    assert asked.ephemeral


async def test_sections_are_marked_one_by_one_or_as_a_range_and_the_map_is_confirmed(
    crew: Club, peer: FakeDiscord
) -> None:
    it = await _did(crew, "Ida", "book chapters")
    await _choose(crew, "Ida", it, "4: story, chapter 4")
    await _choose(crew, "Ida", it, "5: story, chapter 5")
    assert "The chapter map was changed" in await _press(crew, "Ida", it, "Not part of the story")
    assert "3: story" in plain(peer.message(it)["content"])
    assert "4: story" not in plain(peer.message(it)["content"])
    await _choose(crew, "Ida", it, "3: story, chapter 3")
    await _choose(crew, "Ida", it, next(n for n in _options(peer, it) if n.startswith("5:")))
    assert "5: story, chapter 5" in await _press(crew, "Ida", it, "Part of the story")
    assert "The map is confirmed" in await _press(crew, "Ida", it, "The map is right")
    assert "The map is right" not in labels(peer.message(await _did(crew, "Ida", "book chapters")))


def _options(peer: FakeDiscord, it: Interaction) -> list[str]:
    rows = peer.message(it)["components"]
    return [o["label"] for row in rows for item in row["components"] if item["type"] == 3 for o in item["options"]]


async def test_the_next_book_is_nominated_voted_for_and_chosen(crew: Club, peer: FakeDiscord) -> None:
    await _did(crew, "Jo", "nominate", title="Kim")
    (told,) = crew.said(has="Jo nominated Kim")
    assert labels(told) == ["Vote for the next book"]
    await _did(crew, "Ida", "nominate", title="Emma")
    ballot = await peer.click(crew["Ida"], crew.room, told["id"], "Vote for the next book")
    assert "1: Kim" in await crew.answer(ballot)
    assert ballot.ephemeral
    assert "Your vote: Emma (2)." in await _press(crew, "Ida", ballot, "2: Emma")
    assert "Your vote: Kim (1), Emma (2)." in await _press(crew, "Ida", ballot, "1: Kim")
    assert "Your vote: Kim (1)." in await _press(crew, "Ida", ballot, "✓ 2: Emma")
    assert "closes at the end of 2999-01-31" in await crew.does("Ida", "club vote until", day="2999-01-31")
    assert "Only an admin" in await crew.does("Jo", "club vote close")
    it = await _did(crew, "Ida", "club vote close")
    assert "The next book is Kim" in plain(peer.message(it)["content"])
    assert labels(peer.message(it)) == ["Add its file"]
    assert len(crew.said(has="The next book is Kim")) == 1
    assert "There is no tie" in await crew.does("Ida", "club vote choose", number=1)


async def test_a_title_is_nominated_by_a_button_too(crew: Club, peer: FakeDiscord) -> None:
    await _did(crew, "Ida", "club finish")
    (told,) = await peer.until(lambda: crew.said(has="The club is done with"))
    it = await peer.click(crew["Kit"], crew.room, told["id"], "Nominate the next book")
    await peer.until(lambda: it.modal)
    sent = await peer.submit(crew["Kit"], it, book="Middlemarch")
    assert "1: Middlemarch" in await crew.answer(sent)
    assert "has finished Untitled already" in await crew.does("Ida", "club finish")
    assert "(finished)" not in await crew.does("Jo", "shelf")


async def test_a_member_is_set_aside_removed_and_let_in_again(crew: Club, peer: FakeDiscord) -> None:
    it = await _did(crew, "Ida", "club members")
    assert "Kit (member)" in _options(peer, it)
    await _choose(crew, "Ida", it, "Kit (member)")
    assert "does not count until they say where they are" in await _press(crew, "Ida", it, "Set aside")
    direct = peer.world.direct(crew["Kit"])["id"]
    await peer.until(lambda: crew.said(direct, "An admin has set you aside"))
    assert "Only an admin" in await crew.does("Jo", "club members", who=crew["Kit"])
    it = await _did(crew, "Ida", "club members", who=crew["Kit"])
    assert "Kit is removed" in await _press(crew, "Ida", it, "Remove from the club")
    assert "an admin removed you" in await crew.does("Kit", "join")
    it = await _did(crew, "Ida", "club members", who=crew["Kit"])
    assert "Kit may join again" in await _press(crew, "Ida", it, "Let them join again")
    assert "You joined" in await crew.does("Kit", "join")
    await crew.does("Kit", "progress", place="finished 2")


async def test_a_club_is_handed_over(crew: Club, peer: FakeDiscord) -> None:
    it = await _did(crew, "Ida", "club members", who=crew["Jo"])
    told = await _press(crew, "Ida", it, "Make an admin")
    assert "Integrations" in told
    direct = peer.world.direct(crew["Jo"])["id"]
    await peer.until(lambda: crew.said(direct, "you have been made an admin"))
    it = await _did(crew, "Jo", "club members", who=crew["Ida"])
    assert "no admin of the club any more" in await _press(crew, "Jo", it, "No admin any more")
    it = await _did(crew, "Jo", "club members", who=crew["Ida"])
    await _press(crew, "Jo", it, "Make an admin")


async def test_a_room_has_a_limit_of_its_own_and_a_book(crew: Club, peer: FakeDiscord) -> None:
    thread = await peer.add_thread(crew.room, "first chapter", [crew["Ida"], crew["Jo"]])
    assert "up to the end of chapter 1 at most" in await crew.does("Ida", "club room limit", place="1")
    it = await peer.slash(crew["Ida"], crew.room, "club room limit", focused="place", place="chapter")
    names = [choice["name"] for choice in await peer.until(lambda: it.choices)]
    assert "Finished chapter 4" in names
    assert not [name for name in names if any(title in name for title in TITLES)]
    assert "(with a limit)" in await crew.does("Jo", "club room list")
    message = await crew.asks("Jo", WHO, thread)
    assert "to the end of chapter 1" in plain(message["content"])
    assert "has no limit of its own any more" in await crew.does("Ida", "club room limit", place="off")
    assert "reads “Untitled” now" in await crew.does("Ida", "club room book", book="off")
    assert "no such book" in await crew.does("Ida", "club room book", book="99")


async def test_nothing_is_answered_in_a_room_that_was_removed_or_in_its_threads(crew: Club, peer: FakeDiscord) -> None:
    other = peer.world.add_channel(crew.guild, "annex")
    await peer.gateway.dispatch("CHANNEL_CREATE", peer.world.channels[other])
    await crew.does("Ida", "club setup", room=other)
    thread = await peer.add_thread(other, "within", [crew["Ida"], crew["Jo"]])
    await crew.asks("Jo", WHO, thread)
    assert "goes with it" in await crew.does("Ida", "club room remove", room=thread)
    assert "is the club's no more" in await crew.does("Ida", "club room remove", room=other)
    for room in (other, thread):
        before = len(crew.said(room))
        it = await peer.slash(crew["Jo"], room, "ask", question=WHO)
        await crew.answer(it)
        assert it.ephemeral
        assert len(crew.said(room)) == before


async def test_a_better_file_takes_the_place_of_the_book(crew: Club, peer: FakeDiscord) -> None:
    better = BOOK.replace("harbour wall", "harbour wall itself")
    it = await _did(crew, "Ida", "book add", file=("better.txt", better.encode()))
    assert "Let it replace “Untitled”" in labels(peer.message(it))
    asked = await peer.click(crew["Ida"], crew.room, it.original or "", "Let it replace “Untitled”")
    await crew.answer(asked, "take the place of")
    assert "Nothing was replaced" in await _press(crew, "Ida", asked, "Leave it as it is")
    it = await _did(crew, "Ida", "book replace", book="Untitled", file=("better.txt", better.encode()))
    asked = await peer.click(crew["Ida"], crew.room, it.original or "", "Let it replace “Untitled”")
    await crew.answer(asked, "take the place of")
    assert "has taken the place of" in await _press(crew, "Ida", asked, "Replace it")
    assert crew.said(has="has taken the place of")
    assert "chapter 1" in await crew.does("Ida", "progress")


async def test_what_is_not_announced_can_be_found_again_and_taken_back(crew: Club, peer: FakeDiscord) -> None:
    assert "Only an admin" in await crew.does("Kit", "book uploads")
    await _did(crew, "Ida", "book add", file=("second.txt", (BOOK + "\n\nThe end.").encode()))
    it = await _did(crew, "Ida", "book uploads")
    assert "is not announced" in plain(peer.message(it)["content"])
    (back,) = [label for label in labels(peer.message(it)) if label.startswith("Take back book")]
    assert "is taken back" in await _press(crew, "Ida", it, back)
    assert "Nothing is being uploaded" in await crew.does("Ida", "book uploads")


async def test_the_room_is_greeted_again_and_reports_are_for_admins(crew: Club, peer: FakeDiscord) -> None:
    before = len(crew.said(has="Hello."))
    assert "has been greeted" in await crew.does("Ida", "club welcome")
    assert len(crew.said(has="Hello.")) == before + 1
    assert "No answer has been reported" in await crew.does("Ida", "club reports")
    assert "Only an admin" in await crew.does("Kit", "club reports")
    assert "Only an admin" in await crew.does("Kit", "club welcome")


async def test_whoever_may_manage_the_server_sets_up_one_more_room(crew: Club, peer: FakeDiscord) -> None:
    other = peer.world.add_channel(crew.guild, "more")
    await peer.gateway.dispatch("CHANNEL_CREATE", peer.world.channels[other])
    assert "Whoever may manage" in await crew.does("Kit", "club setup", room=other)
    assert "is set up in the room more" in await crew.does("Kit", "club setup", room=other, rights=MANAGE_GUILD)


async def test_what_a_setting_may_be_is_offered(crew: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(crew["Ida"], crew.room, "club settings", focused="value", name="time_zone", value="berl")
    assert [choice["value"] for choice in await peer.until(lambda: it.choices)] == ["Europe/Berlin"]


async def test_a_room_is_quieted_by_who_moderates_it(crew: Club) -> None:
    assert "Only an admin of the club or a moderator" in await crew.does("Kit", "pause")
    assert "Paused" in await crew.does("Kit", "pause", rights=MANAGE_MESSAGES)
    assert "Nothing is answered in this room" in await crew.does("Jo", "ask", question=WHO)
    assert "answered again" in await crew.does("Kit", "pause", rights=MANAGE_MESSAGES, resume=True)


async def test_who_leaves_is_shown_nothing_any_more_and_may_join_again(crew: Club, peer: FakeDiscord) -> None:
    assert "You left the club" in await crew.does("Kit", "leave")
    assert "Only members" in await crew.does("Kit", "chapters")
    it = await peer.slash(crew["Kit"], crew.room, "ask", focused="book", question="Who?", book="")
    await peer.until(lambda: it.choices is not None)
    assert it.choices == []
    await crew.does("Kit", "join")
    await crew.does("Kit", "progress", place="finished 2")


async def test_the_next_book_is_switched_to_and_one_is_removed(crew: Club, peer: FakeDiscord) -> None:
    third = BOOK.replace("lantern", "lamp")
    await _did(crew, "Ida", "book add", file=("third.txt", third.encode()))
    rows = (await crew.does("Ida", "book list")).splitlines()
    number = max(int(row.split(":")[0]) for row in rows)
    for command in ("book switch", "book remove"):
        assert "Only an admin" in await crew.does("Kit", command, book=str(number))
    before = len(crew.said(has="The club reads “Untitled” now"))
    assert "The club reads “Untitled” now" in await crew.does("Ida", "book switch", book=str(number))
    assert len(crew.said(has="The club reads “Untitled” now")) == before + 1
    it = await _did(crew, "Ida", "book remove", book=str(number))
    assert "It cannot be undone" in await crew.answer(it)
    assert "Nothing was removed" in await _press(crew, "Ida", it, "Keep it")
    assert f"{number}:" in await crew.does("Ida", "book list")
    it = await _did(crew, "Ida", "book remove", book=str(number))
    assert "everything made from it is gone" in await _press(crew, "Ida", it, "Remove it")
    assert f"{number}:" not in await crew.does("Ida", "book list")


async def test_what_was_spent_and_who_organises_is_told_to_admins(crew: Club) -> None:
    assert "Nothing was spent on models" in await crew.does("Ida", "club spent")
    assert "Only an admin" in await crew.does("Kit", "club spent")
    assert "by a role any more" in await crew.does("Ida", "club organisers")
