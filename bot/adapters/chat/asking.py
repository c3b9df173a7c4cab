"""Asking, as every platform does it: what was written or pressed becomes one call of the core."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from bot.adapters.chat.parts import Button
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import conversations, line
from bot.core.asked_in import Asking, Place
from bot.core.club import QuestionId
from bot.core.conversation import (
    Outcome,
    Posts,
    answer_me_privately,
    ask_in_room,
    ask_privately,
    share_with_room,
)
from bot.core.errors import DogearError
from bot.core.outcomes import NotAnswered, Why
from bot.core.retrying import retry, to_retry

SETTLES: Final = 0.5
"""Seconds after which what stands whole in a room is written down as answered."""
TRIES: Final = 3
T = TypeVar("T")

Ask = Callable[[Scene, Posts], Awaitable[tuple[Outcome, ...]]]


def asked(question: str, book: str | None = None, *, private: bool = False, reply_to: QuestionId | None = None) -> Ask:
    """A question for the room where they speak, or privately; what is no room of the club is answered privately."""

    async def run(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        asking = Asking(scene.member.person, question, book, reply_to=reply_to)
        if private or scene.room is None:
            return await ask_privately(scene.house, asking, posts)
        return await ask_in_room(scene.house, scene.room, asking, posts, scene.see)

    return run


def asked_again_privately(question: QuestionId) -> Ask:
    """ "Answer me privately", under a room's answer."""

    async def run(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        return await settled(scene, lambda: answer_me_privately(scene.house, question, scene.member.person, posts))

    return run


def shared(question: QuestionId) -> Ask:
    """ "Share with the room", under a private answer: the question is asked again for the room of the scene."""

    async def run(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        place, person = Place(scene.in_room(), scene.see), scene.member.person
        return await settled(scene, lambda: share_with_room(scene.house, question, person, place, posts))

    return run


def retried(question: QuestionId) -> Ask:
    """ "Ask again", under what has no answer: in the room of the scene where it was asked there, else privately."""

    async def run(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        return await retry(scene.house, question, scene.member.person, Place(scene.room, scene.see), posts)

    return run


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What somebody in a scene asks, since when. ``said`` is None where another button stands that asks it again."""

    scene: Scene
    said: str | None
    since: datetime

    async def retry_buttons(self) -> list[Button]:
        """A button that asks the same again, where it has ended without an answer."""
        scene = self.scene
        if self.said is None:
            return []
        try:
            found = [
                await to_retry(scene.house, scene.member.person, room, self.said, self.since)
                for room in {scene.room, None}
            ]
        except DogearError:  # nothing can be kept now, so nothing is there to ask again
            return []
        question = max((one for one in found if one is not None), default=None)
        if question is None:
            return []
        press = Press(Action.RETRY, scene.house.club, question, number_of(scene.member.person))
        return [Button(press, line("retry", scene.language))]


def under_way(scene: Scene, said: str | None = None) -> UnderWay:
    """What somebody asks from now on."""
    return UnderWay(scene, said, scene.house.clock())


async def settled(scene: Scene, do: Callable[[], Awaitable[T]]) -> T:
    """Do what a button under an answer means; again a moment later, a few times, where there is no such question. An
    answer is whole in a room just before it is written down as such, and somebody may press at once.
    """
    lost = NotAnswered(Why.NO_SUCH_QUESTION)
    for _ in range(TRIES):
        found = await do()
        if found not in (lost, (lost,)):
            return found
        await scene.client.pause(SETTLES)
    return await do()


def sentences(scene: Scene, outcomes: tuple[Outcome, ...]) -> list[str]:
    """What is said to who asked of whatever came to no answer."""
    now, language = scene.house.clock(), scene.language
    return [conversations.not_answered(o, now, language) for o in outcomes if isinstance(o, NotAnswered)]
