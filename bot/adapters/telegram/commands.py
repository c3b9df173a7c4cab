"""The commands: parsed here, done by the core, said to one person."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from bot.adapters.chat import (
    books,
    club_admin,
    map_review,
    members,
    memories,
    people,
    personal,
    places,
    rooms,
    schedule,
    settings,
    shelf,
    voting,
)
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.telegram import zones
from bot.adapters.wording import line
from bot.core.privacy import show_place
from bot.core.rights import require_member

Run = Callable[[Scene, str], Awaitable[Said]]
_PAGES: Final = re.compile(r"(\d{1,5})\s+(\S.*)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command. ``admin`` says that who may administer the club is asked of Telegram
    before it: always, or only where words follow.
    """

    run: Run
    admin: bool = False
    admin_with_words: bool = False

    def asks(self, rest: str) -> bool:
        return self.admin or (self.admin_with_words and bool(rest))


def _alone(run: Callable[[Scene], Awaitable[Said]]) -> Run:
    async def ran(scene: Scene, rest: str) -> Said:
        del rest
        return await run(scene)

    return ran


def _how(key: str) -> Run:
    async def ran(scene: Scene, rest: str) -> Said:
        del rest
        return said(line(key, scene.language))

    return ran


def first_word(rest: str) -> tuple[str, str]:
    """The first word, in lower case, and what follows it."""
    word, _, after = rest.strip().partition(" ")
    return word.lower(), after.strip()


async def _privacy(scene: Scene, rest: str) -> Said:
    word, _ = first_word(rest)
    if word in ("show", "hide"):
        require_member(scene.member)
        await show_place(scene.house, scene.member, word == "show")
        return said(line("shows_place" if word == "show" else "hides_place", scene.language))
    return await personal.privacy(scene)


async def _forget(scene: Scene, rest: str) -> Said:
    return await personal.forget_asked(scene, first_word(rest)[0] == "everywhere")


async def _remind(scene: Scene, rest: str) -> Said:
    return await members.reminded(scene, first_word(rest)[0] != "off")


async def _pages(scene: Scene, rest: str) -> Said:
    found = _PAGES.fullmatch(rest.strip())
    if found is None:
        return said(line("telegram_pages_how", scene.language))
    return await places.paged(scene, int(found[1]), found[2])


async def _settings(scene: Scene, rest: str) -> Said:
    name, value = first_word(rest)
    shown = await settings.settings(scene, name or None, value or None)
    return await zones.asked_too(scene, shown, name) if value else shown


async def _schedule(scene: Scene, rest: str) -> Said:
    return await schedule.schedule(scene, rest or None)


async def _pause(scene: Scene, rest: str) -> Said:
    return await club_admin.pause(scene, rest or None, resume=False)


async def _resume(scene: Scene, rest: str) -> Said:
    del rest
    return await club_admin.pause(scene, None, resume=True)


async def _choose(scene: Scene, rest: str) -> Said:
    number = rest.strip()
    return await voting.tie_decided(scene, int(number) if re.fullmatch(r"\d{1,4}", number, re.ASCII) else 0)


def _admin(run: Run) -> Command:
    return Command(run, admin=True)


COMMANDS: Final[dict[str, Command]] = {
    "progress": Command(places.progress),
    "where": Command(_alone(places.where)),
    "join": Command(_alone(members.join)),
    "leave": Command(_alone(members.leave)),
    "stop": Command(_alone(members.stop)),
    "privacy": Command(_privacy),
    "export": Command(_alone(personal.exported)),
    "forget": Command(_forget),
    "shelf": Command(_alone(shelf.listed)),
    "chapters": Command(_alone(shelf.chapters)),
    "members": _admin(_alone(people.people)),
    "schedule": Command(_schedule, admin_with_words=True),
    "vote": Command(_alone(voting.ballot)),
    "nominate": Command(voting.nominated),
    "remind": Command(_remind),
    "pages": Command(_pages),
    "pause": _admin(_pause),
    "book": _admin(_how("telegram_book_how")),
    "book list": Command(_alone(shelf.listed)),
    "book chapters": _admin(_alone(map_review.review)),
    "book switch": _admin(books.switch),
    "book remove": _admin(books.remove),
    "book add": _admin(_how("telegram_book_add")),
    "book replace": _admin(_how("telegram_book_add")),
    "book uploads": _admin(_alone(books.underway)),
    "book memory": _admin(memories.standing),
    "club": _admin(_how("telegram_club_how")),
    "club settings": _admin(_settings),
    "club schedule": _admin(_schedule),
    "club preview": _admin(_alone(club_admin.preview)),
    "club members": _admin(_alone(people.people)),
    "club pause": _admin(_pause),
    "club resume": _admin(_resume),
    "club finish": _admin(_alone(voting.finished)),
    "club welcome": _admin(_alone(voting.welcomed)),
    "club reports": _admin(_alone(rooms.reported)),
    "club spent": _admin(_alone(club_admin.spent)),
    "club room": _admin(_how("telegram_room_how")),
    "club room list": _admin(_alone(rooms.listed)),
    "club room book": _admin(rooms.reads),
    "club room limit": _admin(rooms.limited),
    "club room remove": _admin(_alone(rooms.removed)),
    "club vote": _admin(_how("telegram_vote_how")),
    "club vote close": _admin(_alone(voting.vote_closed)),
    "club vote until": _admin(voting.vote_closes),
    "club vote choose": _admin(_choose),
}
"""Commands that are said to one person, by their words. `/ask`, `/recap`, `/who`, `/help`, `/start`, `/club setup` and
files go ways of their own.
"""


def command_of(name: str, rest: str) -> tuple[Command, str] | None:
    """The command with the most words, and what follows them; None where there is none of this name."""
    if name not in COMMANDS:
        return None
    found, left = name, rest
    while True:
        word, after = first_word(left)
        if not word or f"{found} {word}" not in COMMANDS:
            return COMMANDS[found], left
        found, left = f"{found} {word}", after
