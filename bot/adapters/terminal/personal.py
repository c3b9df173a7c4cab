"""What is kept of the speaker: `/privacy`, `/export` and `/forget`."""

from __future__ import annotations

import asyncio
import os
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.replies import Reply, clear, numbered
from bot.adapters.wording import people as said
from bot.core.personal import Erased, export, forget, forget_everywhere
from bot.core.privacy import Privacy, show_place
from bot.core.privacy import privacy as chosen_privacy

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_WAYS: Final = ("show", "hide")


async def privacy_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/privacy`: what is kept, who sees it, and what can be inferred; `/privacy show` and `/privacy hide`."""
    del private
    name, way = club.speaker, rest.lower()
    seen = await chosen_privacy(club.desk.house, await club.member())
    if not way:
        lines = [wording.line("kept"), *said.privacy(seen), wording.line("kept_how")]
        return [clear(*lines, only=name)]
    if way not in _WAYS:
        return [clear(wording.line("privacy_how"), only=name)]
    if way == "hide" and seen.shown and seen.inference is not None:
        club.offer(partial(_shown, club, shown=False), partial(_shown, club, shown=True))
        labels = (wording.line("only_count_me"), wording.line("show_my_place"))
        return [clear(said.inference(seen.inference), *numbered(labels), only=name)]
    return await _shown(club, shown=way == "show")


async def place_choices(club: TerminalClub) -> list[str]:
    """Ask whether the club may see the speaker's place, and say what it can infer in any case."""
    seen: Privacy = await chosen_privacy(club.desk.house, await club.member())
    club.offer(partial(_shown, club, shown=True), partial(_shown, club, shown=False))
    labels = (wording.line("show_my_place"), wording.line("only_count_me"))
    lines = [wording.line("may_club_see"), *numbered(labels)]
    return lines if seen.inference is None else [*lines, said.inference(seen.inference)]


async def _shown(club: TerminalClub, *, shown: bool) -> list[Reply]:
    await show_place(club.desk.house, await club.member(), shown)
    return [clear(wording.line("shows_place" if shown else "hides_place"), only=club.speaker)]


async def export_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/export` prints everything that is kept of the speaker; `/export FILE` writes it."""
    del private
    written = await export(club.desk.house, await club.member())
    if not rest:
        return [clear(*written.splitlines(), only=club.speaker)]
    file = Path(os.path.expanduser(rest))  # noqa: ASYNC240, PTH111 - the keyboard's own file
    try:
        with file.open("x", encoding="utf-8") as out:  # noqa: ASYNC230
            out.write(written + "\n")
    except FileExistsError:
        return [clear(wording.line("file_there", file=file), only=club.speaker)]
    except (OSError, ValueError):
        return [clear(wording.line("file_unwritable", file=file), only=club.speaker)]
    return [clear(wording.line("exported", file=file), only=club.speaker)]


async def forget_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/forget me` and `/forget everywhere`: asks once, and then deletes everything that is kept of the speaker."""
    del private
    name, what = club.speaker, rest.lower() or "me"
    if what not in {"me", "everywhere"}:
        return [clear(wording.line("forget_how"), only=name)]
    everywhere = what == "everywhere"

    async def kept() -> list[Reply]:
        return [clear(wording.line("kept_all"), only=name)]

    club.offer(partial(_forgotten, club, everywhere=everywhere), kept, anyone=True)
    labels = (wording.line("forget_it"), wording.line("keep_it"))
    sure = wording.line("forget_sure_everywhere" if everywhere else "forget_sure")
    return [clear(sure, *numbered(labels), only=name)]


async def _forgotten(club: TerminalClub, *, everywhere: bool) -> list[Reply]:
    name, house = club.speaker, club.desk.house
    if everywhere:
        erased = await forget_everywhere(club.desk.houses, name)
    else:
        erased = (await forget(house, await club.member()),)
    club.stop(name)
    club.joined.discard(name)
    await asyncio.to_thread(shutil.rmtree, club.charts, ignore_errors=True)  # they bear names
    club.opened = False  # an admin may have gone with them: see to it before the next line
    lines = said.erased([one.forgotten for one in erased])
    return [clear(wording.line("forgotten", name=name), *lines, only=name), *_heirs(club, erased)]


def _heirs(club: TerminalClub, erased: tuple[Erased, ...]) -> list[Reply]:
    """Who has become an admin of this club by it, told alone; other clubs' are told there."""
    return [
        clear(wording.line("admin_inherited", name=one.admin.name), only=one.admin.name)
        for one in erased
        if one.admin is not None and one.house.club == club.desk.club
    ]
