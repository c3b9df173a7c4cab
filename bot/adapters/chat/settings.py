"""`/club settings`: what the club has set, one setting with what it does, and changing it, by words or by buttons.

A button's subject is the setting, by its place in their order from 1; its value is what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from zoneinfo import available_timezones

from bot.adapters.chat.parts import Button, Menu
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.schedule import CHOSEN
from bot.adapters.chat.weekly import HOURS, ZONES, zone_label
from bot.adapters.wording import line
from bot.core.club_settings import SETTINGS
from bot.core.clubs import DEFAULT, SettingSeen, change_setting, settings_listed
from bot.core.errors import Refused
from bot.core.rights import require_admin

MOST: Final = 25
"""Choices that are shown under what is typed."""
DAYS: Final = (7, 14, 21, 28, 42)
_HEADED: Final = (("time_zone", "chat_settings_times"), ("away_after_days", "chat_settings_members"),
                  ("member_questions_hour", "chat_settings_costs"))  # fmt: skip
"""Where a heading stands in the list, before which setting."""
_NUMBERS: Final = {name: n for n, name in enumerate(SETTINGS, 1)}


async def settings(scene: Scene, name: str | None, value: str | None) -> Said:
    """Show the settings, or one of them, or change one."""
    require_admin(scene.member)
    if name is None:
        return await _listed(scene)
    _require_here(scene, name)
    if value is None:
        return await _one(scene, name)
    changed = await change_setting(scene.house, scene.member, name, value)
    return said(line("setting_now", scene.language, name=changed.name, value=changed.value))


async def pressed(scene: Scene, press: Press) -> Said:
    """A setting was chosen, or what it is to be."""
    require_admin(scene.member)
    number = press.subject or (int(press.value) if press.value.isdecimal() else 0)
    name = next((name for name, n in _NUMBERS.items() if n == number), None)
    if name is None or name in scene.client.unset:
        return await _listed(scene)
    words = {value: words for words, value in _offered(name)} if press.subject else {}
    if press.value in words:
        await change_setting(scene.house, scene.member, name, words[press.value])
    return await _one(scene, name)


def _require_here(scene: Scene, name: str) -> None:
    if name not in SETTINGS or name in scene.client.unset:
        raise Refused("unknown_setting", line("chat_no_setting", scene.language))


async def _here(scene: Scene) -> list[SettingSeen]:
    return [one for one in await settings_listed(scene.house) if one.name not in scene.client.unset]


async def _listed(scene: Scene) -> Said:
    language, rows = scene.language, []
    found, headed = await _here(scene), dict(_HEADED)
    for one in found:
        if one.name in headed:
            rows.append(line(headed[one.name], language))
        key = "chat_setting_changed" if one.changed else "chat_setting"
        rows.append(line(key, language, name=one.name, value=one.value, default=one.default))
    press = _press(scene, "")
    menu = Menu(press, line("chat_settings_choose", language), tuple((o.name, str(_NUMBERS[o.name])) for o in found))
    return said(*rows, line("chat_settings_how", language), menu=menu)


async def _one(scene: Scene, name: str) -> Said:
    language = scene.language
    one = next(seen for seen in await _here(scene) if seen.name == name)
    about = line(f"setting_{name}", language)
    key = "setting_row_changed" if one.changed else "setting_row"
    row = line(key, language, name=name, value=one.value, default=one.default, about=about)
    offered = _offered(name)
    buttons = [
        Button(_press(scene, value, name), f"{CHOSEN if words == one.value else ''}{zone_label(words)}")
        for words, value in offered
        if len(offered) > 1 or one.changed
    ]
    buttons.append(Button(_press(scene, ""), line("chat_settings_all", language)))
    return said(row, line("chat_setting_how", language, name=name), buttons=buttons)


def _offered(name: str) -> list[tuple[str, str]]:
    """What a setting may be by a button: in words, and the button's value."""
    setting = SETTINGS[name]
    if name == "time_zone":
        return [(zone, f"z{n}") for n, zone in enumerate(ZONES)]
    if name == "weekly_time":
        return [(f"{hour:02d}:00", f"t{hour}") for hour in HOURS]
    if name == "away_after_days":
        return [(str(days), f"n{days}") for days in DAYS]
    if len(setting.choices) > 1:
        return [(choice, choice) for choice in setting.choices]
    return [(setting.default, "default")]


def _press(scene: Scene, value: str, name: str = "") -> Press:
    return Press(Action.SETTING, scene.house.club, _NUMBERS.get(name, 0), number_of(scene.member.person), value)


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
