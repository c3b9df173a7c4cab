"""Setting up a club in a room, and its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.core.club import ClubId, Member, Person, Role, Room
from bot.core.club_rooms import name_of
from bot.core.club_settings import SETTINGS, Setting, checked, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.ports import Directory
from bot.core.rights import NO_RIGHTS, ServerRights, acting, require_admin
from bot.core.roles import has_admin

DEFAULT: Final = "default"
"""The word that sets a setting back."""


@dataclass(frozen=True, slots=True)
class Founding:
    """A person who sets up a club in a room. ``server`` is the platform's server or chat, which may hold several;
    ``rights`` are theirs there.
    """

    server: str
    name: str
    room: str
    room_name: str
    person: Person
    person_name: str
    rights: ServerRights = NO_RIGHTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", name_of(self.name))
        object.__setattr__(self, "room_name", name_of(self.room_name))


@dataclass(frozen=True, slots=True)
class SetUp:
    """A club that stands in a room, and its admin who set it up; ``new`` says whether the room was none of its own."""

    club: ClubId
    room: Room
    admin: Member
    new: bool


@dataclass(frozen=True, slots=True)
class SettingSeen:
    """A setting as it stands: its value and its default as they are written, and what it may be (empty: anything)."""

    name: str
    value: str
    default: str
    choices: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return self.value != self.default


async def club_set_up(directory: Directory, house_of: Callable[[ClubId], Clubhouse], founding: Founding) -> SetUp:
    """Set up the club of this name in a room: the person becomes its admin, and the room is the club's.

    A club that is there already gets one more room, from an admin alone. Raises `Refused` where the room belongs to a
    club already.
    """
    if await directory.club_of_room(founding.room) is not None:
        raise Refused("room_taken", "A club is set up in this room already: another club needs another room.")
    house = house_of(await directory.club_named(founding.name, founding.server))
    return await set_up_in(
        house, founding.room, founding.room_name, founding.person, founding.person_name, founding.rights
    )


async def set_up_in(
    house: Clubhouse, room: str, room_name: str, person: Person, person_name: str, rights: ServerRights = NO_RIGHTS
) -> SetUp:
    """Make a room the club's (or give it a new name). Who sets up a club without an admin becomes one; else they must
    be one, or have the rights of one by their server: raises `Refused`.
    """
    member = await house.roster.member_known(person, person_name)
    governed = await has_admin(house)
    if governed:
        member = acting(member, rights, settings_of(await house.rooms.settings()))
        require_admin(member)
    known = await house.rooms.room(room)
    added = await house.rooms.room_added(room, name_of(room_name))
    if not governed:
        await house.roster.role_given(member.id, Role.ADMIN)
        member = await house.roster.member_known(person, person_name)
    return SetUp(house.club, added, member, known is None)


async def settings_listed(house: Clubhouse) -> tuple[SettingSeen, ...]:
    """Every setting of the club, in order, with what it is now."""
    values = await house.rooms.settings()
    return tuple(_seen(setting, values.get(setting.name, setting.default)) for setting in SETTINGS.values())


async def change_setting(house: Clubhouse, by: Member, name: str, said: str) -> SettingSeen:
    """Change a setting, or set it back to its default with the word "default".

    Raises `Refused` with one sentence for an unknown setting, a value it cannot take, or where ``by`` is no admin.
    """
    require_admin(by)
    name = name.strip().lower()
    if name not in SETTINGS:
        checked(name, said)
    setting = SETTINGS[name]
    value = setting.default if said.strip().lower() == DEFAULT else checked(name, said)
    await house.rooms.setting_changed(name, value, by.id, house.clock())
    return _seen(setting, value)


def _seen(setting: Setting, value: str) -> SettingSeen:
    return SettingSeen(setting.name, value, setting.default, setting.choices)
