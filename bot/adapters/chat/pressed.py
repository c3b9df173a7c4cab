"""What buttons do that mean the same everywhere. A button carries its club, its subject and its person; the core asks
again who may.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from bot.adapters.chat import (
    books,
    map_review,
    members,
    memories,
    people,
    personal,
    places,
    rooms,
    schedule,
    settings,
    shelf,
    voting,
    weekly,
)
from bot.adapters.chat.asking import settled
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import conversations, line
from bot.core.club import BookId, QuestionId
from bot.core.ledger import Status
from bot.core.outcomes import NotAnswered
from bot.core.roster import Posted
from bot.core.spoiled import spoiled_me
from bot.core.verdicts import judge

Run = Callable[[Scene, Press], Awaitable[Said]]


def _alone(run: Callable[[Scene], Awaitable[Said]]) -> Run:
    async def ran(scene: Scene, pressed: Press) -> Said:
        del pressed
        return await run(scene)

    return ran


async def spoiled(scene: Scene, pressed: Press) -> Said:
    """Hide an answer wherever it stands, tell the admins which one it was, and say so where it could not be hidden."""
    house, language = scene.house, scene.language
    question, person = QuestionId(pressed.subject), scene.member.person
    found = await settled(scene, lambda: spoiled_me(house, question, person, scene.client.taken_down))
    if isinstance(found, NotAnswered):
        return said(conversations.not_answered(found, house.clock(), language))
    if found.new:
        for admin in found.admins:
            await scene.client.whispered(admin, line("spoiled_told", language, question=pressed.subject))
    if found.standing:
        return said(line("spoiled_standing", language, count=found.standing))
    return said(line("spoiled" if found.new else "spoiled_before", language))


async def stopping(scene: Scene, pressed: Press, count: int, posted: Posted | None) -> Said:
    """That ``count`` questions are being given up. Where that is none, and the one that was meant has no answer, then
    ``posted``, which bears the button, was left by a process that was killed before it could note it: it is taken away.
    """
    kept = None
    if not count and posted is not None and pressed.subject:
        kept = await scene.house.ledger.question(QuestionId(pressed.subject))
    if kept is not None and kept.record.status is Status.FAILED and kept.record.member == scene.member.id:
        assert posted is not None
        await scene.client.taken_down(posted)
    return members.stopping(scene, count)


async def useful(scene: Scene, pressed: Press) -> Said:
    """Keep whether an answer was useful."""
    said_so = pressed.action is Action.USEFUL
    question, person = QuestionId(pressed.subject), scene.member.person
    found = await settled(scene, lambda: judge(scene.house, question, person, said_so))
    if isinstance(found, NotAnswered):
        return said(conversations.not_answered(found, scene.house.clock(), scene.language))
    return said(conversations.verdict(found, scene.language))


async def _join(scene: Scene, pressed: Press) -> Said:
    """Join, in the room where the button stands: what is left elsewhere of somebody who left lets nobody in again."""
    del pressed
    scene.in_room()
    return await members.join(scene)


async def _undo(scene: Scene, pressed: Press) -> Said:
    return await places.undo(scene, BookId(pressed.subject))


async def _how(scene: Scene, pressed: Press) -> Said:
    """A step that is done by a command."""
    return said(line(f"chat_how_{pressed.action.value.replace('-', '_')}", scene.language))


DONE: Final[dict[Action, Run]] = {
    Action.STOP: _alone(members.stop),
    Action.JOIN: _join,
    Action.WHAT_IS_KEPT: _alone(personal.privacy),
    Action.SPOILED: spoiled,
    Action.USEFUL: useful,
    Action.NOT_USEFUL: useful,
    Action.UNDO: _undo,
    Action.CHOOSE_PLACE: places.chosen,
    Action.MEANS_FINISHED: places.habit,
    Action.MEANS_IN: places.habit,
    Action.SHOW_ME: personal.shown,
    Action.COUNT_ME: personal.shown,
    Action.FORGET: personal.forgotten,
    Action.KEEP: personal.kept,
    Action.ANNOUNCE: books.announced,
    Action.TAKE_BACK: books.taken_back,
    Action.RETRY_JOB: books.retried,
    Action.CANCEL_JOB: books.cancelled,
    Action.NOTES: memories.begun,
    Action.NO_NOTES: memories.given_up,
    Action.REPLACE: books.replace_asked,
    Action.REPLACE_SURE: books.replaced,
    Action.LEAVE_AS_IS: books.left_alone,
    Action.REMOVE_BOOK: books.removed,
    Action.KEEP_BOOK: books.left_there,
    Action.MAP: map_review.paged,
    Action.MAP_SECTION: map_review.section,
    Action.MAP_OK: map_review.confirmed,
    Action.SHOW_SECTION: map_review.words,
    Action.ACCEPT_SPOILERS: map_review.words_accepted,
    Action.KEEP_SHUT: map_review.kept_shut,
    **dict.fromkeys(map_review.MARKS, map_review.marked),
    Action.LIMIT: rooms.limit_chosen,
    Action.SCHEDULE: schedule.offered,
    Action.SET_SCHEDULE: schedule.chosen,
    Action.WEEKLY: weekly.weekly,
    Action.SETTING: settings.pressed,
    Action.VOTE: _alone(voting.ballot),
    Action.VOTE_FOR: voting.voted_for,
    Action.READ_NOW: voting.read_now,
    Action.DM_BOOK: shelf.dm_book,
    Action.PEOPLE: people.paged,
    Action.PERSON: people.person,
    Action.REMOVE: people.removed,
    Action.READMIT: people.readmitted,
    Action.SET_ASIDE: people.set_aside,
    Action.MAKE_ADMIN: people.admin_made,
    Action.TAKE_ADMIN: people.admin_unmade,
    Action.NOMINATE: _how,
    Action.ADD_BOOK: _how,
    Action.TALK_ROOM: _how,
}
"""What a button does in a club, and what is said of it to who pressed it, alone."""

IN_PLACE: Final = frozenset(
    (
        Action.MAP, Action.MAP_SECTION, *map_review.MARKS, Action.ACCEPT_SPOILERS, Action.KEEP_SHUT, Action.VOTE_FOR,
        Action.PEOPLE, Action.PERSON, Action.REMOVE, Action.READMIT, Action.SET_ASIDE, Action.MAKE_ADMIN,
        Action.TAKE_ADMIN, Action.LIMIT, Action.REPLACE, Action.REPLACE_SURE, Action.LEAVE_AS_IS,
        Action.REMOVE_BOOK, Action.KEEP_BOOK, Action.SCHEDULE, Action.SET_SCHEDULE, Action.WEEKLY, Action.SETTING,
    )
)  # fmt: skip
"""What these are answered with takes the place of the message they hung on, which is for one person alone."""
