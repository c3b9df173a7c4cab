"""`/join`, `/leave`, `/stop` and `/remind`."""

from __future__ import annotations

from bot.adapters.chat import personal
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, gone
from bot.adapters.wording import line
from bot.core import membership
from bot.core.conversation import stop as stopped
from bot.core.membership import Joining
from bot.core.scheduling import remind


async def join(scene: Scene) -> Said:
    """Become a member; then comes the place, and whether the club may see it."""
    language, name = scene.language, scene.member.name
    joined = await membership.join(scene.house, scene.member.person, name)
    if joined.outcome is Joining.REMOVED:
        return said(line("was_removed", language, name=name))
    new = joined.outcome is Joining.NEW
    lines = [line("chat_joined" if new else "chat_joined_already", language)]
    buttons = []
    if joined.ask_where:
        lines.append(line("where_are_you", language))
        press = Press(Action.SET_PLACE, scene.house.club)
        buttons.append(Button(press, line("set_my_place", language), Weight.MAIN))
    if joined.ask_shown:
        asked, choose = await personal.place_choices(scene, joined.member)
        lines += asked
        buttons += choose
    return said(*lines, buttons=buttons)


async def leave(scene: Scene) -> Said:
    """Stop being a member."""
    if not scene.member.joined:
        return said(line("not_in_club", scene.language, name=scene.member.name))
    left = await membership.leave(scene.house, scene.member, await scene.owner())
    await gone(scene, left.admin)
    return said(line("chat_left", scene.language))


async def stop(scene: Scene) -> Said:
    """Give up what is being answered for them, and what waits; it says so itself."""
    return stopping(scene, await stopped(scene.house, scene.member.person))


def stopping(scene: Scene, count: int) -> Said:
    """That ``count`` questions of theirs are being given up."""
    return said(line("chat_stopping" if count else "not_answered", scene.language))


async def reminded(scene: Scene, on: bool) -> Said:
    """Be reminded of what is due, or of nothing any more."""
    await remind(scene.house, scene.member, on)
    return said(line("remind_on" if on else "remind_off", scene.language))
