"""Who may do what, who sees what, and what time ends, on a simulated Discord that checks rights as it does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord import SetupError

from bot.adapters.chat.parts import Button, Content, Part
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.rates import Rates
from bot.adapters.discord.client import Dogear
from bot.adapters.discord.keys import person_key, room_key
from bot.core.ledger import QuestionRecord, Status
from tests.adapters.discord.simulated import CLUB, Simulated, Slow, answer_of, simulated
from tests.fakes.doors import FakeDoors

ASKED = "Who stood on the quay?"
FIRST, SECOND = "ferry came late", "kettle in the kitchen"
HIDDEN: dict[str, bool] = {"view_channel": False}
SEES: dict[str, bool] = {"view_channel": True}


@pytest.mark.parametrize("denied", ["send_messages", "view_channel"])
async def test_where_the_bot_may_not_write_who_asked_is_told_alone_and_nothing_is_written_anywhere(denied: str) -> None:
    async with simulated() as it:
        room = await it.channel("silent", bot={denied: False})
        before = it.everything_said()
        told = answer_of(await it.bo.slash(room, "ask", question=ASKED))
        assert "I may not write in this channel" in told
        assert FIRST not in told
        assert it.everything_said() == before


async def test_a_room_that_cannot_be_written_in_still_answers_privately() -> None:
    async with simulated() as it:
        room = await it.channel("silent", bot={"send_messages": False})
        assert FIRST in answer_of(await it.bo.slash(room, "ask", question=ASKED, private=True))
        assert "the end of chapter 1" in answer_of(await it.bo.slash(room, "progress"))


async def test_without_the_right_to_attach_files_an_export_still_comes_to_who_asked() -> None:
    async with simulated() as it:
        room = await it.channel("plain", bot={"attach_files": False, "embed_links": False})
        result = await it.bo.slash(room, "export")
        assert result.response is not None
        assert [file.filename for file in result.response.attachments] == ["dogear-export.json"]


ADMINS = ("club settings", "club pause", "club preview")


@pytest.mark.parametrize("command", ADMINS)
async def test_an_admins_command_is_refused_to_others_and_done_for_who_may_manage_the_server(command: str) -> None:
    async with simulated() as it:
        assert command.split(maxsplit=1)[0] not in it.bo.available_commands(it.room)
        await it.opened_to(it.bo)
        assert "Only an admin" in answer_of(await it.bo.slash(it.room, command))
        assert "Only an admin" not in answer_of(await it.ana.slash(it.room, command))


async def test_a_member_sees_the_commands_of_members_and_none_of_admins() -> None:
    async with simulated() as it:
        seen = {name.split()[0] for name in it.bo.available_commands(it.room)}
        assert seen >= {"ask", "shelf", "chapters", "members", "schedule", "vote", "nominate", "remind", "pages"}
        assert not seen & {"club", "book", "pause"}
        assert {"club", "book"} <= {name.split()[0] for name in it.ana.available_commands(it.room)}


async def test_who_has_the_organisers_role_counts_as_an_admin_for_as_long() -> None:
    async with simulated() as it:
        role = it.guild.create_role("readers-in-chief")
        lea = it.guild.add_member(it.env.create_user("lea"), roles=[role])
        await it.opened_to(role)
        assert "Only an admin" in answer_of(await lea.slash(it.room, "club settings"))
        told = answer_of(await it.ana.slash(it.room, "club organisers", role=role))
        assert "readers-in-chief" in told
        assert "Integrations" in told
        assert "weekly\\_day" in answer_of(await lea.slash(it.room, "club settings"))
        await it.ana.slash(it.room, "club organisers")
        assert "Only an admin" in answer_of(await lea.slash(it.room, "club settings"))


async def test_everybodys_role_makes_nobody_an_organiser() -> None:
    async with simulated() as it:
        told = answer_of(await it.ana.slash(it.room, "club organisers", role=it.guild.default_role))
        assert "That role is everybody's" in told


async def test_who_moderates_sees_one_command_that_quiets_a_room() -> None:
    async with simulated() as it:
        mods = it.guild.create_role("mods", permissions=discord.Permissions(manage_messages=True))
        lea = it.guild.add_member(it.env.create_user("lea"), roles=[mods])
        assert "Paused" in answer_of(await lea.slash(it.room, "pause"))
        assert "answered again" in answer_of(await lea.slash(it.room, "pause", resume=True))


async def test_whoever_may_manage_the_server_counts_as_an_admin_only_while_they_may() -> None:
    async with simulated() as it:
        await it.house.roster.leave((await it.house.roster.members())[0].id)
        mods = it.guild.create_role("mods")
        lea = it.guild.add_member(it.env.create_user("lea"), roles=[mods])
        await it.opened_to(mods)
        assert "Only an admin" in answer_of(await lea.slash(it.room, "club settings"))


@pytest.mark.parametrize("command", ["ask", "progress", "where", "chapters", "members", "schedule", "shelf", "vote"])
async def test_who_has_not_joined_is_shown_nothing_of_the_book(command: str) -> None:
    async with simulated() as it:
        options: dict[str, Any] = {"question": ASKED} if command == "ask" else {}
        told = answer_of(await it.eve.slash(it.room, command, **options))
        assert "Only members" in told
        assert FIRST not in told
        assert not it.said_in(it.room)[1:]
        assert await it.eve.autocomplete(it.room, "progress", "place", "chap") == []


async def test_each_person_sees_their_own_private_answer_and_nobody_elses() -> None:
    async with simulated() as it:
        await it.ana.slash(it.room, "ask", question=ASKED, private=True)
        await it.bo.slash(it.room, "ask", question=ASKED, private=True)
        seen = {
            who.name: [m.content for m in it.room.history(viewer=who) if m.flags.ephemeral and FIRST in m.content]
            for who in (it.ana, it.bo, it.eve)
        }
        assert [len(answers) for answers in seen.values()] == [1, 1, 0]
        assert SECOND in seen["ana"][0]
        assert SECOND not in seen["bo"][0]


async def test_what_everybody_sees_of_a_room_is_the_same_and_covered() -> None:
    async with simulated() as it:
        await it.ana.slash(it.room, "ask", question=ASKED)
        seen = [[m.content for m in it.room.history(viewer=who) if FIRST in m.content] for who in (it.bo, it.eve)]
        assert seen[0] == seen[1] != []
        assert SECOND not in seen[0][0]
        assert FIRST not in "".join(seen[0][0].split("||")[::2])


async def test_in_a_channel_that_some_see_those_alone_count() -> None:
    async with simulated() as it:
        ahead = await it.channel("ahead", everyone=HIDDEN, ana=SEES, bot=SEES)
        await it.ana.slash(ahead, "ask", question=ASKED)
        assert "to the end of chapter 2" in it.said_in(ahead)[-1]
        with pytest.raises(SetupError):
            ahead.history(viewer=it.bo)
        await it.ana.slash(it.room, "ask", question=ASKED)
        assert "to the end of chapter 1" in it.said_in(it.room)[-1]


async def test_without_the_members_intent_who_sees_a_channel_is_not_asked() -> None:
    async with simulated(members=False) as it:
        ahead = await it.channel("ahead", everyone=HIDDEN, ana=SEES, bot=SEES)
        await it.ana.slash(ahead, "ask", question=ASKED)
        assert "to the end of chapter 1" in it.said_in(ahead)[-1]


async def test_a_button_works_for_whom_it_is_for_after_the_program_has_begun_anew() -> None:
    async with simulated() as it:
        result = await it.bo.slash(it.room, "progress", place="finished 1")
        assert result.response is not None
        await it.env.restart_bot(it.anew())
        assert "Undone." in answer_of(await it.bo.click(result.response, label="Undo"))


async def test_who_leaves_the_server_is_out_of_the_club_at_once() -> None:
    async with simulated() as it:
        it.guild.remove_member(it.bo)
        await it.env.settle()
        assert [m.joined for m in await it.house.roster.members() if m.person.endswith(str(it.bo.id))] == [False]
        await it.ana.slash(it.room, "ask", question=ASKED)
        assert "to the end of chapter 2" in it.said_in(it.room)[-1]


def _slowed(it: Simulated) -> Slow:
    """From now on answers take as long as they are made to."""
    doors = it.house.searching.doors
    assert isinstance(doors, FakeDoors)
    slow = Slow(doors, it.env)
    it.clubs.house = replace(it.house, searching=replace(it.house.searching, doors=slow))
    return slow


@pytest.mark.parametrize("private", [True, False])
async def test_what_takes_longer_than_an_interaction_lives_ends_with_a_word_and_is_said_nowhere(private: bool) -> None:
    async with simulated() as it:
        slow = _slowed(it)
        result = await it.bo.slash(it.room, "ask", question=ASKED, private=private)
        assert answer_of(result) == "Looking ..."
        before = it.everything_said()
        await it.env.advance_time(14 * 60 + 1)
        assert "took too long" in answer_of(result)
        slow.open.set()
        await it.env.advance_time(120)
        assert it.everything_said() == before
        assert FIRST not in answer_of(result)


async def test_what_is_owed_for_a_direct_message_is_known_to_every_process_until_it_is_answered() -> None:
    async with simulated() as it:
        slow, owed = _slowed(it), it.clubs.replies
        await it.bo.send_dm(ASKED)
        await it.env.settle()
        ((key, reply),) = owed.replies.items()
        assert key.startswith("discord:written:")
        slow.open.set()
        await it.env.settle()
        assert it.bo.member is not None
        direct = await it.bo.member.create_dm()
        assert reply.token == str(direct.id)
        assert [m.content async for m in direct.history() if FIRST in m.content]
        assert not owed.replies


async def test_who_is_too_quick_is_told_so_alone_and_everybody_else_is_heard() -> None:
    async with simulated() as it:
        bot = it.env.bot
        assert isinstance(bot, Dogear)
        bot.rates = Rates(3)
        for _ in range(3):
            assert "the end of chapter 1" in answer_of(await it.bo.slash(it.room, "where"))
        assert "the limit for each person is 3 a minute" in answer_of(await it.bo.slash(it.room, "where"))
        assert "the end of chapter 2" in answer_of(await it.ana.slash(it.room, "where"))


@pytest.mark.parametrize("own", [True, False])
async def test_whose_stop_it_is_may_press_it_however_quick_they_are(own: bool) -> None:
    async with simulated() as it:
        client = it.env.bot
        assert isinstance(client, Dogear)
        client.rates = Rates(1)
        await it.bo.slash(it.room, "where")
        stop = Press(Action.STOP, CLUB, 0, (it.bo if own else it.ana).id)
        posted = await client.posted_in(
            room_key(it.guild.id, it.room.id), Content((Part("Half of it"),), (Button(stop, "Stop"),)), "key"
        )
        assert posted is not None
        message = next(m for m in it.room.history() if str(m.id) == posted.message)
        told = answer_of(await it.bo.click(message, label="Stop"))
        assert ("is 1 a minute" in told) is not own


async def test_who_writes_more_than_can_be_followed_is_told_so_once_and_nothing_more_is_answered() -> None:
    async with simulated() as it:
        bot = it.env.bot
        assert isinstance(bot, Dogear)
        bot.rates = Rates(1)
        for _ in range(4):
            sent = await it.bo.send_dm(ASKED)
        told = [message.content async for message in sent.channel.history()]
        assert len([said for said in told if FIRST in said]) == 1
        assert len([said for said in told if "the limit for each person is 1 a minute" in said]) == 1


@pytest.mark.parametrize(
    ("by", "status", "left"),
    [("bo", Status.FAILED, False), ("bo", Status.ANSWERED, True), ("ana", Status.FAILED, True)],
    ids=["of a question that was never answered", "of one that was", "of another's"],
)
async def test_stop_takes_away_what_a_process_left_there_that_was_killed(by: str, status: Status, left: bool) -> None:
    async with simulated() as it:
        client = it.env.bot
        assert isinstance(client, Dogear)
        asker = next(m for m in await it.house.roster.members() if m.person == person_key(getattr(it, by).id))
        (book,) = [book.id for book in await it.house.roster.books()]
        kept = QuestionRecord(asker.id, book, None, ASKED, 0, frozenset(), status, "quotes", it.house.clock())
        stop = Press(Action.STOP, CLUB, await it.house.ledger.asked(kept), it.bo.id)
        posted = await client.posted_in(
            room_key(it.guild.id, it.room.id), Content((Part("Half of it"),), (Button(stop, "Stop"),)), "key"
        )
        assert posted is not None
        message = next(m for m in it.room.history() if str(m.id) == posted.message)
        await it.bo.click(message, label="Stop")
        assert ("Half of it" in it.said_in(it.room)) is left
