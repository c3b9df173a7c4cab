"""`/club organisers|preview|spent|pause`, for admins."""

from __future__ import annotations

from typing import Final

from bot.adapters.bulletins import weekly_bulletin
from bot.adapters.chat import render
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import costs, line
from bot.core.audience import cannot_tell
from bot.core.club_rooms import mute_room, pause_room, resume_room
from bot.core.club_settings import NOBODY, settings_of
from bot.core.clubs import change_setting
from bot.core.costs import club_costs
from bot.core.errors import Unavailable
from bot.core.rights import require_admin
from bot.core.rounds import room_of_posts, weekly_preview
from bot.core.weekly_post import weekly_holds

_ATTEMPTS: Final = 5


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
