"""What is kept of a person: `/privacy`, `/export` and `/forget`."""

from __future__ import annotations

from typing import Final

from bot.adapters.chat.parts import Button, File, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, inherited
from bot.adapters.wording import line
from bot.adapters.wording import people as said_of
from bot.core.club import Member
from bot.core.personal import Erased, export, forget, forget_everywhere
from bot.core.privacy import privacy as chosen_privacy
from bot.core.privacy import show_place

_EVERYWHERE: Final = "everywhere"
_HERE: Final = "me"


async def place_choices(scene: Scene, member: Member) -> tuple[list[str], list[Button]]:
    """Ask whether the club may see a member's place, and say what it can infer in any case."""
    seen = await chosen_privacy(scene.house, member, scene.see)
    lines = [line("may_club_see", scene.language)]
    if seen.inference is not None:
        lines.append(said_of.inference(seen.inference, scene.language))
    return lines, _shown_buttons(scene)


def _shown_buttons(scene: Scene) -> list[Button]:
    person, club = number_of(scene.member.person), scene.house.club
    return [
        Button(Press(Action.SHOW_ME, club, person=person), line("show_my_place", scene.language)),
        Button(Press(Action.COUNT_ME, club, person=person), line("only_count_me", scene.language)),
    ]


async def shown(scene: Scene, press: Press) -> Said:
    """Let the club see the place, or only count it."""
    show = press.action is Action.SHOW_ME
    await show_place(scene.house, scene.member, show)
    return said(line("shows_place" if show else "hides_place", scene.language))


async def privacy(scene: Scene) -> Said:
    """What is kept, who sees it, and what can be inferred; to who has not joined, what is kept of members."""
    if not scene.member.joined:
        return said(line("chat_kept_of_members", scene.language), line("chat_kept_how", scene.language))
    seen = await chosen_privacy(scene.house, scene.member, scene.see)
    lines = [line("chat_kept", scene.language), *said_of.privacy(seen, scene.language)]
    return said(*lines, line("chat_kept_how", scene.language), buttons=_shown_buttons(scene))


async def exported(scene: Scene) -> Said:
    """Everything that is kept, as a file."""
    written = await export(scene.house, scene.member)
    file = File("dogear-export.json", written.encode(), line("chat_export_alt", scene.language))
    return said(line("chat_exported", scene.language), files=[file])


async def forget_asked(scene: Scene, everywhere: bool) -> Said:
    """Ask once whether everything is to be deleted."""
    language, person = scene.language, number_of(scene.member.person)
    value = _EVERYWHERE if everywhere else _HERE
    buttons = [
        Button(Press(Action.FORGET, scene.house.club, 0, person, value), line("forget_it", language), Weight.GRAVE),
        Button(Press(Action.KEEP, scene.house.club, 0, person), line("keep_it", language)),
    ]
    sure = line("forget_sure_everywhere" if everywhere else "forget_sure", language)
    return said(sure, buttons=buttons)


async def forgotten(scene: Scene, press: Press) -> Said:
    """Delete everything that is kept of them, and take down their messages."""
    erased: tuple[Erased, ...]
    name = scene.member.name
    if press.value == _EVERYWHERE:
        erased = await forget_everywhere(scene.client.clubs.houses, scene.member.person)
    else:
        erased = (await forget(scene.house, scene.member, await scene.owner()),)
    for one in erased:
        for posted in one.forgotten.postings:
            await scene.client.taken_down(posted)
        await inherited(scene.client, one.admin)
    lines = said_of.erased([one.forgotten for one in erased], scene.language)
    return said(line("forgotten", scene.language, name=name), *lines)


async def kept(scene: Scene, press: Press) -> Said:
    """Nothing is deleted."""
    del press
    return said(line("kept_all", scene.language))
