"""What a club can set: each setting with its default and what it may be; the catalogue says what each does."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.core.errors import Refused

NOBODY: Final = "none"
"""The role that nobody has."""
_LONGEST_NUMBER: Final = 20
CLOCK: Final = ("time_zone", "weekly", "weekly_day", "weekly_time")
"""The settings that say when a club's posts and rounds are due."""
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """A club's settings, every one with a value.

    ``weekly_time`` is local to ``time_zone``; ``weekly_day`` counts from Monday, 0. Limits are questions; 0 is none
    at all. ``organiser_role`` is a role on the platform's server, as it is named there by number, or None.
    ``memory`` says whether a model keeps notes of the books that are added: ``ask``, ``always`` or ``never``.
    """

    language: str = "en"
    time_zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    weekly: bool = True
    weekly_day: int = 6
    weekly_time: datetime.time = datetime.time(18, 0)
    away_after_days: int = 21
    spectators: str = "covered"
    names: bool = False
    organiser_role: str | None = None
    member_questions_hour: int = 30
    member_questions_day: int = 150
    club_questions_hour: int = 300
    club_questions_day: int = 1500
    memory: str = "ask"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name, what it is unless it is changed (as it is written), and what reads a value for it."""

    name: str
    default: str
    read: Callable[[str], Any]
    choices: tuple[str, ...] = ()


def settings_of(values: Mapping[str, str]) -> ClubSettings:
    """The settings of a club that has changed ``values``; what cannot be read any more is at its default."""
    known: dict[str, Any] = {}
    for name, value in values.items():
        if name in SETTINGS:
            try:
                known[name] = SETTINGS[name].read(value)
            except Refused:
                continue
    return ClubSettings(**known)


def checked(name: str, value: str) -> str:
    """``value`` as it is stored for the setting ``name``.

    Raises `Refused` with one sentence for an unknown setting or a value that it cannot take.
    """
    setting = SETTINGS.get(name)
    if setting is None:
        raise Refused("unknown_setting", f"There is no setting {name}: settings are {', '.join(SETTINGS)}.")
    written = value.strip().lower() if name != "time_zone" else value.strip()
    setting.read(written)
    return written


def _one_of(name: str, *choices: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in choices:
            raise Refused("bad_setting", f"{name} is one of {', '.join(choices)}.")
        return value

    return read


def _switch(name: str) -> Callable[[str], bool]:
    read_word = _one_of(name, "on", "off")
    return lambda value: read_word(value) == "on"


def _number(name: str, least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value[:9]) <= most):
            raise Refused("bad_setting", f"{name} is a number from {least} to {most}.")
        return int(value)

    return read


def _time_zone(value: str) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        place = value.replace(" ", "_").casefold()
        near = sorted(zone for zone in available_timezones() if zone.rpartition("/")[2].casefold() == place)
        how = "time_zone is a name such as Europe/Berlin or America/New_York."
        if near:
            how = f"time_zone is a name of two parts: {value} may be {near[0]}."
        raise Refused("bad_setting", how) from None


def _weekday(value: str) -> int:
    return WEEKDAYS.index(_one_of("weekly_day", *WEEKDAYS)(value))


def _role(value: str) -> str | None:
    """A role by its number, alone or as it is mentioned ("<@&1234>"), which platforms write in no other way."""
    number = value.removeprefix("<@&").removesuffix(">")
    if value == NOBODY:
        return None
    if not (number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER):
        raise Refused("bad_setting", "organiser_role is a role of the server, or none.")
    return number


def _time(value: str) -> datetime.time:
    try:
        return datetime.time.fromisoformat(value).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        raise Refused("bad_setting", "weekly_time is a time of day such as 18:00.") from None


SETTINGS: Final[dict[str, Setting]] = {
    setting.name: setting
    for setting in (
        Setting("language", "en", _one_of("language", "en"), ("en",)),
        Setting("time_zone", "UTC", _time_zone),
        Setting("weekly", "on", _switch("weekly"), ("on", "off")),
        Setting("weekly_day", "sunday", _weekday, WEEKDAYS),
        Setting("weekly_time", "18:00", _time),
        Setting("away_after_days", "21", _number("away_after_days", 1, 365)),
        Setting("spectators", "covered", _one_of("spectators", "covered", "strict"), ("covered", "strict")),
        Setting("names", "off", _switch("names"), ("on", "off")),
        Setting("organiser_role", NOBODY, _role, (NOBODY,)),
        Setting("member_questions_hour", "30", _number("member_questions_hour", 0, 10_000)),
        Setting("member_questions_day", "150", _number("member_questions_day", 0, 100_000)),
        Setting("club_questions_hour", "300", _number("club_questions_hour", 0, 100_000)),
        Setting("club_questions_day", "1500", _number("club_questions_day", 0, 1_000_000)),
        Setting("memory", "ask", _one_of("memory", "ask", "always", "never"), ("ask", "always", "never")),
    )
}
"""Every setting of a club, in the order in which they are listed."""
