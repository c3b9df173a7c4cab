"""Draws the pictures of the README: messages of Discord as a person sees them, with every cover in place.

    python -m tests.peers.discord_pictures docs/images

It needs ``chromium``. The words are those of the sample book.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from bot.adapters.bulletins import Bulletin, Line, Picture, weekly_lines
from bot.adapters.chart import alt_of, chart_of
from bot.adapters.discord import render
from bot.adapters.discord.pieces import Piece
from bot.adapters.discord.views import view_of
from bot.core.club import BookId, ClubId, MemberId
from bot.core.ports import BookRecord
from bot.core.schedule import Milestone, due_on
from bot.core.weekly import week_of
from bot.core.weekly_post import Bar, WeeklyPost, WeekPoint
from tests.adapters.discord.shown import MAP, boundary, in_room, privately
from tests.peers.discord_page import page_of
from tests.peers.discord_wire import payload_of

TITLE: Final = "A Turn Owing"
QUESTION: Final = "What are turns?"
QUOTES: Final = (
    "If you mend my wall I owe you a turn, and when your chimney smokes I come and sweep it, and the turn is paid",
    "he gave me to understand that opening gates was a turn, that there were fourteen gates",
)
WIDTH: Final = 760
_SUNDAY: Final = date(2026, 12, 6)


def answered() -> list[dict[str, Any]]:
    """An answer in a room, and the same question answered to one member alone."""
    room = render.in_room(in_room(QUESTION, QUOTES, title=TITLE))
    alone = render.to_asker(privately(QUESTION, QUOTES, title=TITLE))
    return [*asyncio.run(_sent(room)), *asyncio.run(_sent(alone, ephemeral=True))]


async def _sent(pieces: Iterable[Piece], *, ephemeral: bool = False) -> list[dict[str, Any]]:
    """The pieces as they are sent, with the buttons that this version answers."""
    sent = []
    for piece in pieces:
        view = view_of(piece)
        components = [] if view is None else view.to_components()
        sent.append({**payload_of(piece, ephemeral=ephemeral), "components": components})
    return sent


def weekly() -> tuple[list[dict[str, Any]], Mapping[str, bytes]]:
    """The post of a week, and its chart."""
    post = _post()
    chart = Picture(chart_of(post), "week-2026-49.png", alt_of(post))
    quote = Line(f'[1] ch. 6: "{QUOTES[0]}"', covered=True)
    heading = Line("From the part that everyone has newly read, for everyone who has read to the end of chapter 6:")
    sent = Bulletin("discord:1/2", "weekly", (*weekly_lines(post), heading, quote), chart)
    return asyncio.run(_sent(render.bulletin(sent))), {chart.name: chart.png}


def _post() -> WeeklyPost:
    book = BookRecord(BookId(3), ClubId(5), TITLE, "en", "ready", 140_000, 0, 140_000, 14, None)
    milestones = [Milestone(2 * n, _SUNDAY + timedelta(days=7 * (n - 4))) for n in range(1, 8)]
    weeks = [week_of(_SUNDAY + timedelta(days=7 * n)) for n in range(-3, 4)]
    points = tuple(WeekPoint(w, (0, 2, 5, 6)[n] if n < 4 else None, 2 * n + 2) for n, w in enumerate(weeks))
    return WeeklyPost(
        week=week_of(_SUNDAY),
        day=_SUNDAY,
        book=book,
        boundary=boundary(),
        chapter_map=MAP,
        bars=(Bar("ana", 8, before=6), Bar("ben", 6, before=5), Bar("chiara", 7, before=7)),
        places={MemberId(1): 80_000},
        due=due_on(milestones, _SUNDAY),
        scheduled=True,
        points=points,
        highlights=(),
        talk=None,
        waiting=0,
        reached=boundary().offset,
        moved=True,
    )


def drawn(payloads: Sequence[Mapping[str, Any]], files: Mapping[str, bytes] | None = None) -> bytes:
    """The page as a PNG of few colours, cut to what stands on it."""
    with TemporaryDirectory() as folder:
        page, picture = Path(folder, "page.html"), Path(folder, "page.png")
        page.write_text(page_of(payloads, files=files, width=WIDTH), encoding="utf-8")
        chromium = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        size = f"--window-size={WIDTH},1200"
        subprocess.run([*chromium, size, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True)
        whole = Image.open(picture).convert("RGB")
    paper = Image.new("RGB", whole.size, whole.getpixel((whole.width - 1, whole.height - 1)))
    lowest = max(
        y
        for y in range(whole.height)
        if whole.crop((0, y, whole.width, y + 1)) != paper.crop((0, y, paper.width, y + 1))
    )
    cut = whole.crop((0, 0, whole.width, min(whole.height, lowest + 16)))
    out = BytesIO()
    cut.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def main(folder: Path) -> None:
    """Write both pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "discord-answer.png").write_bytes(drawn(answered()))
    (folder / "discord-week.png").write_bytes(drawn(*weekly()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
