"""Telegram knows no time zones: an admin picks one when the weekly post is set."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.adapters.chat.parts import Button
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.weekly import ZONES, zone_label
from bot.adapters.wording import line
from bot.core.clubs import change_setting

ZONE: Final = "time_zone"


def offered(scene: Scene) -> tuple[Button, ...]:
    """A button for each zone, for the person of the scene."""
    club, person = scene.house.club, number_of(scene.member.person)
    return tuple(
        Button(Press(Action.TIME_ZONE, club, person=person, value=str(n)), zone_label(zone))
        for n, zone in enumerate(ZONES)
    )


async def unset(scene: Scene) -> bool:
    """Whether nobody has chosen the club's time zone."""
    return ZONE not in await scene.house.rooms.settings()


async def asked_too(scene: Scene, spoken: Said, setting: str) -> Said:
    """What was said, and the question for the zone where the weekly post is set and nobody has chosen one."""
    if not setting.startswith("weekly") or not await unset(scene):
        return spoken
    return replace(spoken, lines=(*spoken.lines, line("telegram_zone", scene.language)), buttons=offered(scene))


async def chosen(scene: Scene, press: Press) -> Said:
    """A zone was picked."""
    if not press.value.isdecimal() or int(press.value) >= len(ZONES):
        return said(line("chat_not_any_more", scene.language))
    changed = await change_setting(scene.house, scene.member, ZONE, ZONES[int(press.value)])
    return said(line("setting_now", scene.language, name=changed.name, value=changed.value))
