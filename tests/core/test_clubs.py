"""Setting up a club that is known, and its settings."""

from __future__ import annotations

import pytest

from bot.adapters import wording
from bot.core.club import Member, Role
from bot.core.club_settings import SETTINGS
from bot.core.clubhouse import Clubhouse
from bot.core.clubs import SettingSeen, change_setting, set_up_in, settings_listed
from bot.core.errors import Refused
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory


@pytest.fixture
def house() -> Clubhouse:
    return house_of(in_memory(), FakeClock())


async def admin_of(house: Clubhouse) -> Member:
    return (await set_up_in(house, "chat:1", "lounge", "chat:ana", "Ana")).admin


async def test_who_sets_up_a_club_is_its_admin_without_joining_it(house: Clubhouse) -> None:
    made = await set_up_in(house, "chat:1", "  the\nlounge ", "chat:ana", "Ana")
    assert (made.room.key, made.room.name, made.new) == ("chat:1", "the lounge", True)
    assert (made.admin.name, made.admin.person, made.admin.role) == ("Ana", "chat:ana", Role.ADMIN)
    assert not made.admin.joined


async def test_setting_up_again_gives_the_room_a_new_name_and_nobody_else_a_role(house: Clubhouse) -> None:
    await admin_of(house)
    made = await set_up_in(house, "chat:1", "parlour", "chat:ana", "Ana")
    assert (made.room.name, made.new) == ("parlour", False)
    with pytest.raises(Refused, match="Only an admin"):
        await set_up_in(house, "chat:2", "annex", "chat:ben", "Ben")
    assert [room.name for room in await house.rooms.rooms()] == ["parlour"]
    assert [m.name for m in await house.roster.members() if m.admin] == ["Ana"]


async def test_every_setting_is_listed_with_its_default_and_explained(house: Clubhouse) -> None:
    listed = await settings_listed(house)
    assert [seen.name for seen in listed] == list(SETTINGS)
    assert not any(seen.changed for seen in listed)
    for seen in listed:
        about = wording.line(f"setting_{seen.name}")
        assert about[0].isupper()
        assert about.endswith(".")


async def test_a_setting_is_changed_and_set_back(house: Clubhouse) -> None:
    admin = await admin_of(house)
    changed = await change_setting(house, admin, "Weekly_Day", " Monday ")
    assert changed == SettingSeen("weekly_day", "monday", "sunday", SETTINGS["weekly_day"].choices)
    assert changed.changed
    assert await house.rooms.settings() == {"weekly_day": "monday"}
    assert changed in await settings_listed(house)
    for back in ("default", "sunday"):
        await change_setting(house, admin, "weekly_day", "monday")
        assert not (await change_setting(house, admin, "weekly_day", back)).changed
        assert await house.rooms.settings() == {"weekly_day": "sunday"}


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("colour", "red", "There is no setting colour: settings are "),
        ("colour", "default", "There is no setting colour: settings are "),
        ("names", "perhaps", "names is one of on, off."),
        ("time_zone", "new york", "time_zone is a name of two parts: new york may be America/New_York."),
        ("time_zone", "Mars/Olympus", "time_zone is a name such as Europe/Berlin or America/New_York."),
        ("away_after_days", "0", "away_after_days is a number from 1 to 365."),
    ],
)
async def test_a_setting_that_cannot_be_is_refused_in_a_sentence(
    house: Clubhouse, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        await change_setting(house, await admin_of(house), name, value)
    assert refused.value.message.startswith(sentence)
    assert await house.rooms.settings() == {}


async def test_only_an_admin_changes_a_setting(house: Clubhouse) -> None:
    await admin_of(house)
    with pytest.raises(Refused, match="Only an admin"):
        await change_setting(house, await house.roster.member_known("ben"), "names", "on")
    assert await house.rooms.settings() == {}
