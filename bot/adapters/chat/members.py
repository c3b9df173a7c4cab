"""`/join`, `/leave` and `/stop`, and the books that may be spoken of."""

from __future__ import annotations

from bot.adapters.chat import personal
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, gone
from bot.adapters.wording import line
from bot.core import membership
from bot.core.asked_in import known_to
from bot.core.conversation import stop as stopped
from bot.core.membership import Joining


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
    count = await stopped(scene.house, scene.member.person)
    return said(line("chat_stopping" if count else "not_answered", scene.language))


async def book_titles(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """The books that may be spoken of there: who brought one that is not announced sees it privately alone."""
    if not (scene.member.joined or scene.member.admin):
        return []
    books = known_to(scene.member, await scene.house.roster.books())
    wanted = typed.strip().casefold()
    return [(b.title, str(b.id)) for b in books if wanted in f"{b.id} {b.title}".casefold()]
