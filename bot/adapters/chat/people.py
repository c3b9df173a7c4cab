"""Who is in the club, and what an admin does about it: remove, readmit, set aside, make an admin or no longer one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.adapters.chat.parts import Button, Menu, Weight
from bot.adapters.chat.places import book_here
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, gone
from bot.adapters.wording import line
from bot.adapters.wording import people as said_of
from bot.core import membership
from bot.core.club import Member, Person
from bot.core.errors import Refused
from bot.core.notices import Notice
from bot.core.rights import require_admin, require_insider
from bot.core.roles import admin_given, admin_taken, member_of

PAGE: Final = 25
"""People of one menu."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """`Tell` as a platform tells one person something alone."""

    scene: Scene

    async def tell(self, member: Member, notice: Notice) -> bool:
        """Whether it reached them."""
        return await self.scene.client.whispered(member, said_of.notice(notice, self.scene.language))


async def people(scene: Scene) -> Said:
    """The members by name, with the last whole chapter of those who show their place; an admin may choose one."""
    require_insider(scene.member)
    language, lines = scene.language, []
    if scene.member.joined:
        book = await book_here(scene)
        seen = await membership.members_listed(scene.house, scene.member, None if book is None else book.id)
        lines = [line("members", language), *(said_of.listed(m, seen.chapter_map, language) for m in seen.members)]
    everyone = await scene.house.roster.members()
    admins = ", ".join(m.name for m in everyone if m.admin and not m.removed)
    if admins:
        lines.append(line("admins", language, names=admins))
    return await _choice(scene, lines, everyone, 0) if scene.member.admin else said(*lines)


async def _choice(scene: Scene, lines: Sequence[str], everyone: Sequence[Member], page: int) -> Said:
    """A menu of people, for an admin: a page of them, the first after the last."""
    pages = max(1, -(-len(everyone) // PAGE))
    shown = everyone[PAGE * (page % pages) : PAGE * (page % pages + 1)]
    choices = tuple((_label(scene, one), str(one.id)) for one in shown)
    language = scene.language
    menu = Menu(_press(scene, Action.PERSON), line("chat_person_choose", language), choices) if choices else None
    more = Press(Action.PEOPLE, scene.house.club, 0, number_of(scene.member.person), str(page % pages + 1))
    buttons = [] if pages == 1 else [Button(more, line("chat_more", language))]
    return said(*lines, buttons=buttons, menu=menu)


async def paged(scene: Scene, press: Press) -> Said:
    """The next people to choose from."""
    require_admin(scene.member)
    everyone = await scene.house.roster.members()
    return await _choice(scene, [line("chat_person_choose", scene.language)], everyone, int(press.value or 0))


def _press(scene: Scene, action: Action, value: str = "", subject: int = 0) -> Press:
    return Press(action, scene.house.club, subject, number_of(scene.member.person), value)


def _states(scene: Scene, one: Member) -> str:
    """What an admin may know of somebody: nothing of a place, which they show or do not."""
    states = (
        ("chat_person_admin", one.admin),
        ("chat_person_removed", one.removed),
        ("chat_person_joined", one.joined and not one.admin),
    )
    return ", ".join(line(key, scene.language) for key, holds in states if holds)


def _label(scene: Scene, one: Member) -> str:
    states = _states(scene, one)
    return f"{one.name} ({states})" if states else one.name


async def person(scene: Scene, press: Press) -> Said:
    """One of them, chosen from the menu, and what may be done."""
    return _person(scene, await _chosen(scene, press.value))


async def person_named(scene: Scene, who: Person, name: str) -> Said:
    """One of them, named by who they are on the platform, and what may be done."""
    require_admin(scene.member)
    return _person(scene, await member_of(scene.house, who, name))


async def _chosen(scene: Scene, number: str | int) -> Member:
    require_admin(scene.member)
    found = next((m for m in await scene.house.roster.members() if str(m.id) == str(number)), None)
    if found is None:
        raise Refused("no_such_member", line("chat_no_such_person", scene.language))
    return found


def _person(scene: Scene, one: Member) -> Said:
    language, itself = scene.language, one.person == scene.member.person
    offered = (
        (Action.SET_ASIDE, "chat_set_aside", Weight.PLAIN, one.joined),
        (Action.MAKE_ADMIN, "chat_make_admin", Weight.PLAIN, one.joined and not one.admin),
        (Action.TAKE_ADMIN, "chat_take_admin", Weight.PLAIN, one.admin),
        (Action.READMIT, "chat_readmit", Weight.MAIN, one.removed),
        (Action.REMOVE, "chat_remove", Weight.GRAVE, not one.removed and not itself),
    )
    buttons = [
        Button(_press(scene, action, subject=one.id), line(key, language), weight)
        for action, key, weight, fits in offered
        if fits
    ]
    return said(_label(scene, one), line("chat_person_how", language), buttons=buttons)


async def removed(scene: Scene, press: Press) -> Said:
    """End somebody's membership until they are readmitted."""
    one = await _chosen(scene, press.subject)
    ended = await membership.remove(scene.house, scene.member, one, await scene.owner())
    await gone(scene, ended.admin)
    return said(line("removed", scene.language, name=one.name))


async def readmitted(scene: Scene, press: Press) -> Said:
    """Let somebody join again."""
    one = await _chosen(scene, press.subject)
    await membership.readmit(scene.house, scene.member, one)
    return said(line("readmitted", scene.language, name=one.name))


async def set_aside(scene: Scene, press: Press) -> Said:
    """Let somebody not count who has said no place; they are told."""
    one = await _chosen(scene, press.subject)
    told = await membership.set_aside(scene.house, scene.member, one, Whisper(scene))
    return said(line("aside" if told else "aside_untold", scene.language, name=one.name))


async def admin_made(scene: Scene, press: Press) -> Said:
    """Hand over: somebody is an admin too, and is told."""
    one = await _chosen(scene, press.subject)
    await admin_given(scene.house, scene.member, one)
    await scene.client.whispered(one, line("chat_admin_told", scene.language, name=one.name))
    return said(line("admin_given", scene.language, name=one.name), line("chat_admin_sees", scene.language))


async def admin_unmade(scene: Scene, press: Press) -> Said:
    """Somebody is no admin any more, whoever it is: not the last one."""
    one = await _chosen(scene, press.subject)
    await admin_taken(scene.house, scene.member, one)
    return said(line("admin_taken", scene.language, name=one.name))
