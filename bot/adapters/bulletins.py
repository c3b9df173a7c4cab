"""What a room is sent of its own accord: lines, of which some are covered, and a picture with its words."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol

from bot.adapters import wording
from bot.adapters.answers import citation_line
from bot.adapters.chart import MOST_BARS, alt_of, chart_of
from bot.adapters.wording import line, lives, schedules
from bot.core.ballots import Ballot
from bot.core.club import Room
from bot.core.life import ClubFinished
from bot.core.weekly_post import Bar, WeeklyPost

_BAR: Final = 20
"""Characters of a bar."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line; ``covered`` ones hold text of the book, and are shown behind a cover."""

    text: str
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, the name of its file, and ``alt``, which says what it shows."""

    png: bytes
    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Bulletin:
    """What is sent to ``room`` (its key). ``key`` is the same whenever the same is sent again: a platform that can
    refuse a second message of one key does so.
    """

    room: str
    key: str
    lines: tuple[Line, ...]
    picture: Picture | None = None


class Post(Protocol):
    """Sends what a room is told."""

    async def post(self, bulletin: Bulletin) -> bool:
        """Whether it was delivered. Whatever is covered is shown behind a cover, under a first line that is not."""


async def weekly_bulletin(room: Room, post: WeeklyPost, language: str = "en") -> Bulletin:
    """A weekly post as a room is sent it, with its chart; drawn beside whatever else goes on."""
    png = await asyncio.to_thread(chart_of, post, language)
    week = f"{post.week.year}-{post.week.week:02d}"
    picture = Picture(png, f"week-{week}.png", alt_of(post, language))
    return Bulletin(room.key, f"weekly:{room.key}:{week}", tuple(weekly_lines(post, language)), picture)


def news_bulletin(room: Room, news: ClubFinished | Ballot, language: str = "en") -> Bulletin:
    """That the club has finished a book, or what came of a vote, as a room is sent it: nothing of a book's text."""
    what = f"finished:{news.book.id}" if isinstance(news, ClubFinished) else f"ballot:{news.id}"
    return Bulletin(room.key, f"{what}:{room.key}", tuple(Line(text) for text in lives.news(news, language)))


def weekly_lines(post: WeeklyPost, language: str = "en") -> list[Line]:
    """The lines of a weekly post: numbers in clear, quotes and names covered, each under "up to chapter N"."""
    heading = line("week_heading", language, title=post.book.title, week=post.week.week, year=post.week.year)
    lines = [heading, wording.club_place(post.reached, post.chapter_map, language)]
    if waiting := wording.pending(post.waiting, language):
        lines.append(waiting + ".")
    lines += _bars(post, language)
    if post.scheduled:
        over = post.finished == len(post.chapter_map.chapters)
        due = [line("due_all_behind", language)] if over else None
        lines += due or schedules.due(post.due, post.chapter_map, post.day, language)
    if not post.moved:
        lines.append(line("week_still" if post.reached else "week_not_begun", language))
    shown = [Line(text) for text in lines]
    up_to = wording.boundary_line(post.boundary, post.chapter_map, language)
    if post.highlights:
        shown.append(Line(line("week_quotes", language, boundary=up_to)))
        shown += [Line(citation_line(quote, post.chapter_map), covered=True) for quote in post.highlights]
    if post.talk is not None:
        shown.append(Line(line("week_talk", language, boundary=up_to)))
        shown.append(Line(schedules.talk(post.talk, language), covered=True))
    return shown


def _bars(post: WeeklyPost, language: str) -> list[str]:
    if not post.bars:
        return [line("week_no_bars", language)]
    shown = post.bars[:MOST_BARS]
    width = max(len(bar.name) for bar in shown)
    rows = [_bar(n, bar, width, len(post.chapter_map.chapters), language) for n, bar in enumerate(shown, start=1)]
    left = len(post.bars) - len(shown)
    return [*rows, *([line("week_bars_left", language, count=left)] if left else [])]


def _bar(number: int, bar: Bar, width: int, total: int, language: str) -> str:
    filled = _BAR * bar.chapters // max(1, total)
    drawn = "█" * filled + "░" * (_BAR - filled)
    more = bar.chapters - bar.before if bar.before is not None else 0
    key = "week_bar_more" if more > 0 else "week_bar_less"
    moved = line(key, language, count=abs(more)) if more else ""
    name = bar.name.ljust(width)
    return line("week_bar", language, n=number, name=name, bar=drawn, chapters=bar.chapters, all=total, more=moved)
