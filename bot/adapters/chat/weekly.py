"""When the weekly post comes, seen and changed by an admin with buttons: its day, its time, the club's time zone, or
not at all. A button's subject is the room of the schedule that one came from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from bot.adapters.chat.parts import Button
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.schedule import CHOSEN
from bot.adapters.wording import line
from bot.core.club_settings import WEEKDAYS, ClubSettings, settings_of
from bot.core.clubs import change_setting
from bot.core.rights import require_admin

HOURS: Final = (8, 10, 12, 15, 17, 18, 19, 20, 21)
"""What is offered; any time of day can be said."""
ZONES: Final = (
    "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "America/Sao_Paulo", "UTC",
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "Africa/Lagos", "Asia/Dubai", "Asia/Kolkata",
    "Asia/Jakarta", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip
"""What is offered; any other can be said."""
_MEANT: Final = re.compile(r"(day|at|zone|post)-([0-9]{1,2})", re.ASCII)


def zone_label(zone: str) -> str:
    return zone.replace("_", " ")


async def weekly(scene: Scene, press: Press) -> Said:
    """Show when the post comes, after what was chosen; ``zone`` alone shows the time zones."""
    require_admin(scene.member)
    if press.value == "zone":
        return _zones(scene, press)
    setting = _setting(press.value)
    if setting is not None:
        await change_setting(scene.house, scene.member, *setting)
    return _shown(scene, press, settings_of(await scene.house.rooms.settings()))


def _setting(value: str) -> tuple[str, str] | None:
    """The setting that a button changes, and to what; None where it is nothing of ours."""
    found = _MEANT.fullmatch(value)
    number = 0 if found is None else int(found[2])
    match None if found is None else found[1]:
        case "day" if number < len(WEEKDAYS):
            return "weekly_day", WEEKDAYS[number]
        case "at" if number < 24:
            return "weekly_time", f"{number:02d}:00"
        case "zone" if number < len(ZONES):
            return "time_zone", ZONES[number]
        case "post" if number < 2:
            return "weekly", ("off", "on")[number]
    return None


def _zones(scene: Scene, press: Press) -> Said:
    language = scene.language
    buttons = [Button(replace(press, value=f"zone-{n}"), zone_label(zone)) for n, zone in enumerate(ZONES)]
    buttons.append(Button(replace(press, value=""), line("chat_weekly_back", language), begins=True))
    return said(line("chat_weekly_zone", language), buttons=buttons)


def _shown(scene: Scene, press: Press, now: ClubSettings) -> Said:
    language, days = scene.language, line("weekdays", scene.language).split(",")
    back = Button(replace(press, action=Action.SCHEDULE, value=""), line("chat_weekly_schedule", language))
    if not now.weekly:
        again = Button(replace(press, value="post-1"), line("chat_weekly_on", language))
        return said(line("chat_weekly_off_now", language), buttons=[again, back])
    time, zone = f"{now.weekly_time:%H:%M}", now.time_zone.key
    told = line("chat_weekly_now", language, day=days[now.weekly_day], time=time, zone=zone)
    buttons = [
        *(_button(press, f"day-{n}", name, n == now.weekly_day) for n, name in enumerate(days)),
        *(
            _button(press, f"at-{hour}", f"{hour:02d}:00", f"{hour:02d}:00" == time, begins=hour == HOURS[0])
            for hour in HOURS
        ),
        Button(replace(press, value="zone"), line("chat_weekly_zone_button", language), begins=True),
        Button(replace(press, value="post-0"), line("chat_weekly_off", language)),
        back,
    ]
    return said(told, line("chat_weekly_how", language), buttons=buttons)


def _button(press: Press, value: str, label: str, now: bool, *, begins: bool = False) -> Button:
    return Button(replace(press, value=value), f"{CHOSEN if now else ''}{label}", begins=begins)
