"""`/club settings|schedule|preview|members|pause`: for admins, but for the list of members and the schedule."""

from __future__ import annotations

from bot.adapters.bulletins import weekly_bulletin
from bot.adapters.chat import render
from bot.adapters.chat.places import book_here
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import line, schedules
from bot.adapters.wording import people as said_of
from bot.core import membership
from bot.core.audience import cannot_tell
from bot.core.club_rooms import mute_room, pause_room, resume_room
from bot.core.club_settings import settings_of
from bot.core.clubs import change_setting, settings_listed
from bot.core.rights import require_admin, require_member
from bot.core.rounds import room_of_posts, weekly_preview
from bot.core.scheduling import schedule_seen, set_schedule


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
            if setting.choices:
                told = line("setting_choices", language, about=told, choices=", ".join(setting.choices))
            key = "setting_row_changed" if setting.changed else "setting_row"
            rows.append(
                line(key, language, name=setting.name, value=setting.value, default=setting.default, about=told)
            )
    return said(*rows, line("chat_settings_how", language))


async def schedule(scene: Scene, what: str | None) -> Said:
    """Show the schedule, or set it; setting it is told to the room."""
    language, room = scene.language, scene.in_room()
    if what is None:
        require_member(scene.member)
        seen = await schedule_seen(scene.house, room)
        rows = schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today, language)
        return said(*rows, *schedules.due(seen.due, seen.chapter_map, seen.today, language))
    seen = await set_schedule(scene.house, scene.member, room, scene.see, what)
    if not seen.schedule.milestones:
        return said(line("schedule_off", language, title=seen.book.title))
    rows = schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today, language)
    return said(*rows, *schedules.spread(seen.schedule.spread, language))


async def preview(scene: Scene) -> Said:
    """The next weekly post as the room would be sent it now, for an admin who is a member, alone."""
    require_admin(scene.member)
    room = await room_of_posts(scene.house)
    see = cannot_tell if room is None else await scene.client.see_in(room.key, scene.house)
    seen = await weekly_preview(scene.house, scene.member, see)
    if seen is None:
        return said(line("preview_no_room", scene.language))
    bulletin = await weekly_bulletin(seen.room, seen.post, scene.plain_language)
    head = line("preview", scene.language, week=seen.post.week.week, year=seen.post.week.year)
    return Said((head,), after=(render.bulletin(bulletin, scene.language),))


async def members(scene: Scene) -> Said:
    """The members by name, with the last whole chapter of those who show their place."""
    book = await book_here(scene)
    seen = await membership.members_listed(scene.house, scene.member, None if book is None else book.id)
    rows = [said_of.listed(m, seen.chapter_map, scene.language) for m in seen.members]
    return said(line("members", scene.language), *rows)


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
