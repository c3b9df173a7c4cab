"""Looking ahead, on every platform: two buttons, and what is said of either to who pressed it, alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from bot.adapters.ahead import ahead_lines
from bot.adapters.chat.marked import bold
from bot.adapters.chat.parts import Button, Content, Look, Part, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import conversations, line, people
from bot.core.ahead import Step
from bot.core.club import MemberId, QuestionId
from bot.core.looking_ahead import Foreseen, ShownAhead, ToldAhead, look_ahead
from bot.core.notices import CountsAgain
from bot.core.outcomes import NotAnswered

STEPS: Final = {Action.LOOK_AHEAD: Step.WHETHER, Action.LOOK_ANSWER: Step.ANSWER}

Send = Callable[[Content], Awaitable[None]]
"""Sends something to who pressed, alone, without covers: an ephemeral reply, or a direct message."""


async def looked(scene: Scene, pressed: Press, send: Send) -> None:
    """Do what one of the two buttons means. What could not be sent may be pressed for again."""
    back = [Part(people.notice(CountsAgain(), scene.language))] if scene.back else []

    async def show(foreseen: Foreseen) -> None:
        parts, buttons = rendered(foreseen, scene.member.id, scene.language), []
        if isinstance(foreseen, ToldAhead):
            again = Press(Action.LOOK_ANSWER, pressed.club, pressed.subject, pressed.person)
            buttons.append(Button(again, line("ahead_show", scene.language), Weight.GRAVE))
        await send(Content((*back, *parts), tuple(buttons)))

    step, person = STEPS[pressed.action], scene.member.person
    outcome = await look_ahead(scene.house, QuestionId(pressed.subject), person, step, show)
    if isinstance(outcome, NotAnswered):
        sentence = conversations.not_answered(outcome, scene.house.clock(), scene.language)
        await send(Content((*back, Part(sentence))))


def rendered(foreseen: Foreseen, member: MemberId, language: str) -> list[Part]:
    """What is foreseen, for one member. Raises `SpoilerLeak` for anybody else."""
    first, *more = ahead_lines(foreseen, member, language)
    look = Look.QUOTED if isinstance(foreseen, ShownAhead) else Look.SMALL
    return [Part(bold(foreseen.said)), Part(first), *(Part(one, look=look) for one in more)]
