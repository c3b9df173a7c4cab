"""Who speaks, who is a member, and what is kept of each: `/as`, `/join`, `/leave`, `/privacy`, `/export`, `/forget`."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.replies import Reply, clear
from bot.core.membership import joined

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

LONGEST_NAME: Final = 40


async def speak_as(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/as NAME`: the next lines are this member's. A new name is known from now on, and has not joined."""
    del private
    name = unicodedata.normalize("NFC", rest.lstrip("@"))
    one_word = len(name.split()) == 1 and name.isprintable() and "\ufffd" not in name
    if not one_word or len(name) > LONGEST_NAME or name.startswith("/"):
        return [clear(wording.line("as_how", count=LONGEST_NAME))]
    club.speaker = name
    member = await club.member()
    return [clear(wording.line("as_now" if member.joined else "as_spectator", name=name))]


async def join(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/join`."""
    del rest, private
    _, new = await joined(club.desk.roster, club.speaker)
    if not new:
        return [clear(wording.line("joined_already", name=club.speaker))]
    return [
        clear(wording.line("joined", name=club.speaker)),
        clear(wording.line("where_are_you"), only=club.speaker),
    ]


async def leave(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/leave`."""
    del rest, private
    member = await club.member()
    if not member.joined:
        return [clear(wording.line("not_in_club", name=club.speaker))]
    club.choices.pop(club.speaker, None)
    await club.desk.roster.leave(member.id)
    return [clear(wording.line("left", name=club.speaker))]


async def members(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club members`."""
    del private
    del rest
    names = [m.name for m in await club.desk.roster.members() if m.joined]
    return [clear(wording.line("members", names=", ".join(names)) if names else wording.line("no_members"))]


async def privacy(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/privacy`: what is kept of a member."""
    del rest, private
    return [clear(wording.line("kept"), wording.line("kept_how"), only=club.speaker)]


async def export(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/export`: everything that is kept of the speaker."""
    del rest, private
    member, roster = await club.member(), club.desk.roster
    means = member.plain_number or wording.line("not_said")
    lines = [
        wording.line(
            "export_member", name=member.name, joined=wording.line("yes" if member.joined else "no"), plain=means
        )
    ]
    for book in await roster.books():
        lines += [
            wording.line("export_place", title=book.title, understood=p.understood, offset=p.offset, said=p.said)
            for p in reversed(await roster.positions(member.id, book.id))
        ]
    return [clear(*lines, only=club.speaker)]


async def forget(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/forget`: asks once, and then deletes everything that is kept of the speaker."""
    del rest, private
    name = club.speaker

    async def forgotten() -> list[Reply]:
        await club.desk.roster.forget((await club.member()).id)
        return [clear(wording.line("forgotten", name=name), only=name)]

    async def kept() -> list[Reply]:
        return [clear(wording.line("kept_all"), only=name)]

    club.offer(forgotten, kept)
    labels = (wording.line("forget_it"), wording.line("keep_it"))
    rows = [wording.line("choice", number=n, label=label) for n, label in enumerate(labels, start=1)]
    return [clear(wording.line("forget_sure"), *rows, only=name)]
