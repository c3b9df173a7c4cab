"""`/club settings|preview|pause`, for admins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from zoneinfo import available_timezones

from bot.adapters.bulletins import weekly_bulletin
from bot.adapters.chat import render
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import costs, line
from bot.core.audience import cannot_tell
from bot.core.club_rooms import mute_room, pause_room, resume_room
from bot.core.club_settings import NOBODY, SETTINGS, settings_of
from bot.core.clubs import DEFAULT, change_setting, settings_listed
from bot.core.costs import club_costs
from bot.core.errors import Unavailable
from bot.core.rights import require_admin
from bot.core.rounds import room_of_posts, weekly_preview
from bot.core.weekly_post import weekly_holds

MOST: Final = 25
"""Choices that are shown under what is typed."""
_ATTEMPTS: Final = 5


async def settings(scene: Scene, name: str | None, value: str | None) -> Said:
    """Show the settings, or change one."""
    language = scene.language
    require_admin(scene.member)
    if name is not None and value is not None:
        changed = await change_setting(scene.house, scene.member, name, value)
        return said(line("setting_now", language, name=changed.name, value=changed.value))
    rows = []
    for setting in await settings_listed(scene.house):
        if name in (None, setting.name):
            told = line(f"setting_{setting.name}", language)
            if len(setting.choices) > 1:
                told = line("setting_choices", language, about=told, choices=", ".join(setting.choices))
            key = "setting_row_changed" if setting.changed else "setting_row"
            rows.append(
                line(key, language, name=setting.name, value=setting.value, default=setting.default, about=told)
            )
    return said(*rows, line("chat_settings_how", language))


async def values_typed(scene: Scene, typed: str, *, name: str) -> list[tuple[str, str]]:
    """What a setting may be, as its value is begun; (label, value)."""
    if not scene.member.admin or name not in SETTINGS:
        return []
    setting, wanted = SETTINGS[name], typed.strip().casefold()
    words: Iterable[str] = (*setting.choices, DEFAULT)
    if name == "time_zone":
        words = (DEFAULT, *sorted(available_timezones()))
    elif name == "weekly_time":
        words = (DEFAULT, *(f"{hour:02d}:00" for hour in range(24)))
    return [(word, word) for word in words if wanted in word.casefold()][:MOST]


async def organisers(scene: Scene, role: str | None, name: str | None) -> Said:
    """Let whoever has a role on the server, by its number, count as an admin; nobody by a role where it is None."""
    await change_setting(scene.house, scene.member, "organiser_role", role or NOBODY)
    language = scene.language
    if role is None:
        return said(line("chat_no_organisers", language))
    return said(line("chat_organisers", language, role=name), line("chat_admin_sees", language))


async def spent(scene: Scene) -> Said:
    """What the club has spent on models: today, this month, and on what."""
    return said(*costs.club_costs(await club_costs(scene.house, scene.member), scene.language))


async def preview(scene: Scene) -> Said:
    """The next weekly post as the room would be sent it now, for an admin who is a member, alone: made again where it
    does not hold any more once it is rendered. Raises `Unavailable` where everything changes too often.
    """
    require_admin(scene.member)
    for _ in range(_ATTEMPTS):
        room = await room_of_posts(scene.house)
        see = cannot_tell if room is None else await scene.client.see_in(room.key)
        seen = await weekly_preview(scene.house, scene.member, see)
        if seen is None:
            return said(line("preview_no_room", scene.language))
        bulletin = await weekly_bulletin(seen.room, seen.post, scene.language)
        head = line("preview", scene.language, week=seen.post.week.week, year=seen.post.week.year)
        spoken = Said((head,), after=(render.bulletin(bulletin, scene.language),))
        if await weekly_holds(scene.house, seen.room.key, see, seen.post, scene.member.id):
            return spoken
    raise Unavailable(line("preview_changed", scene.language), code="busy")


async def pause(scene: Scene, how_long: str | None, resume: bool) -> Said:
    """Say nothing in the room until it is resumed, or for so long."""
    language, room = scene.language, scene.in_room()
    if resume:
        resumed = await resume_room(scene.house, scene.quieting, room)
        return said(line("room_resumed", language, room=resumed.name))
    if how_long is None:
        paused = await pause_room(scene.house, scene.quieting, room)
        return said(line("chat_room_paused", language, room=paused.name))
    muted = await mute_room(scene.house, scene.quieting, room, how_long)
    zone = settings_of(await scene.house.rooms.settings()).time_zone
    assert muted.muted_until is not None
    until = f"{muted.muted_until.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}"
    return said(line("room_muted", language, room=muted.name, until=until))
