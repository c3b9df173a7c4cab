"""The chart of a club's weeks as a PNG: chapters by number alone, the same bytes for the same numbers.

Nothing is told by colour alone: the club's line is solid with discs, the schedule's dashed with open squares, and what
a member has read since the last time is hatched. Names that the built-in font cannot draw stand as the number that the
post gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.adapters.wording import line
from bot.core.weekly_post import Bar, WeeklyPost, WeekPoint

MOST_BARS: Final = 20
SCALE: Final = 2
"""Everything is drawn twice as large as it is laid out, for sharp screens."""
WIDTH: Final = 760
_MARGIN: Final = 28
_LEFT: Final = 64
_PLOT: Final = 230
_ROW: Final = 30
_NAMES: Final = 150
_MOST_LABELS: Final = 16

PAPER: Final = (255, 255, 255)
INK: Final = (38, 44, 56)
SOFT: Final = (104, 112, 126)
RULE: Final = (226, 229, 235)
CLUB: Final = (29, 90, 150)
CLUB_SOFT: Final = (128, 170, 212)
PLAN: Final = (176, 84, 20)

Point = tuple[float, float]


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size * SCALE)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@lru_cache(maxsize=512)
def _drawable(character: str) -> bool:
    """Whether the font has a form of its own for a character."""
    font = _font(14)
    return character == " " or bytes(font.getmask(character)) != bytes(font.getmask("\uffff"))


def drawn_name(number: int, name: str) -> str:
    """A member's name as the chart shows it: with the number of their bar, which stands alone where need be."""
    if not all(map(_drawable, name)):
        return str(number)
    short = name if len(name) <= 16 else name[:15].rstrip() + "…"
    return f"{number}  {short}"


@dataclass
class _Sheet:
    """A drawing whose lengths are in layout pixels."""

    image: Image.Image

    def __post_init__(self) -> None:
        self._draw = ImageDraw.Draw(self.image)

    def line(self, points: Sequence[Point], colour: tuple[int, int, int], width: float) -> None:
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.line(scaled, fill=colour, width=round(width * SCALE), joint="curve")

    def dashed(self, points: Sequence[Point], colour: tuple[int, int, int], width: float) -> None:
        """A line of dashes of 6 with gaps of 5, which go on over its corners."""
        drawn = 0.0
        for (x0, y0), (x1, y1) in pairwise(points):
            length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
            at = 0.0
            while at < length:
                left = 11 - drawn % 11
                on = drawn % 11 < 6
                step = min(length - at, left - 5 if on else left)
                if on and step > 0:
                    a, b = at / length, (at + step) / length
                    ends = [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (a, b)]
                    self.line(ends, colour, width)
                at += max(step, 0.01)
                drawn += max(step, 0.01)

    def box(self, corners: tuple[float, float, float, float], fill: tuple[int, int, int], radius: float = 0) -> None:
        left, top, right, bottom = (value * SCALE for value in corners)
        self._draw.rounded_rectangle((left, top, right, bottom), radius * SCALE, fill=fill)

    def hatched(self, corners: tuple[float, float, float, float], ink: tuple[int, int, int]) -> None:
        """Diagonal lines with a frame around them."""
        left, top, right, bottom = (round(value * SCALE) for value in corners)
        width, height = right - left, bottom - top
        if width <= 1:
            return
        tile = Image.new("RGB", (width + 1, height + 1), PAPER)
        pen = ImageDraw.Draw(tile)
        for x in range(-height, width + height, 6 * SCALE):
            pen.line(((x, height), (x + height, 0)), fill=ink, width=round(1.6 * SCALE))
        pen.rectangle((0, 0, width, height), outline=ink, width=SCALE)
        self.image.paste(tile, (left, top))

    def disc(self, at: Point, colour: tuple[int, int, int], radius: float) -> None:
        x, y = at[0] * SCALE, at[1] * SCALE
        size = radius * SCALE
        self._draw.ellipse((x - size, y - size, x + size, y + size), fill=colour, outline=PAPER, width=SCALE)

    def square(self, at: Point, colour: tuple[int, int, int], half: float) -> None:
        x, y = at[0] * SCALE, at[1] * SCALE
        size = half * SCALE
        self._draw.rectangle(
            (x - size, y - size, x + size, y + size), fill=PAPER, outline=colour, width=round(1.6 * SCALE)
        )

    def text(self, at: Point, text: str, size: int, colour: tuple[int, int, int] = INK, anchor: str = "ls") -> None:
        self._draw.text((at[0] * SCALE, at[1] * SCALE), text, font=_font(size), fill=colour, anchor=anchor)

    def width(self, text: str, size: int) -> float:
        return float(_font(size).getlength(text)) / SCALE


def chart_of(post: WeeklyPost, language: str = "en") -> bytes:
    """The chart of a weekly post, as the bytes of a PNG."""
    bars = post.bars[:MOST_BARS]
    members = 0 if not bars else 56 + _ROW * len(bars) + (18 if len(post.bars) > MOST_BARS else 0)
    height = 128 + _PLOT + 56 + members
    sheet = _Sheet(Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER))
    title = line("chart_title", language, title=_plain(post.book.title), week=post.week.week, year=post.week.year)
    sheet.text((_MARGIN, 44), _fitted(sheet, title, 20), 20)
    sheet.text((_MARGIN, 74), line("chart_weeks", language), 14, SOFT)
    _weeks(sheet, post, 128, language)
    if bars:
        _members(sheet, post, bars, 128 + _PLOT + 74, language)
    out = BytesIO()
    few = sheet.image.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _plain(text: str) -> str:
    """A title without what the font cannot draw; a title in another script is left out."""
    return "".join(c if _drawable(c) else "" for c in text).strip() or "Dogear"


def _fitted(sheet: _Sheet, text: str, size: int) -> str:
    while sheet.width(text, size) > WIDTH - 2 * _MARGIN and ":" in text[2:]:
        head, _, tail = text.rpartition(":")
        text = head.rstrip("… ")[:-1] + "…:" + tail
    return text


def _weeks(sheet: _Sheet, post: WeeklyPost, top: float, language: str) -> None:
    """The club's line and the schedule's, over the weeks."""
    points, total = post.points, max(1, len(post.chapter_map.chapters))
    bottom, right = top + _PLOT, WIDTH - _MARGIN - 12

    def x(index: int) -> float:
        return _LEFT + 14 + (right - _LEFT - 14) * (index / max(1, len(points) - 1) if len(points) > 1 else 0.5)

    def y(chapters: float) -> float:
        return bottom - (bottom - top) * chapters / total

    for mark in _marks(total):
        sheet.line(((_LEFT, y(mark)), (right + 12, y(mark))), RULE, 1)
        sheet.text((_LEFT - 10, y(mark)), str(mark), 12, SOFT, "rm")
    every = -(-len(points) // _MOST_LABELS)
    for index, point in enumerate(points):
        if index % every == 0:
            sheet.text((x(index), bottom + 18), str(point.week.week), 12, SOFT, "ms")
    sheet.text((_LEFT - 10, bottom + 18), line("chart_week", language), 12, SOFT, "rs")
    now = next(index for index, point in enumerate(points) if point.week == post.week)
    sheet.line(((x(now), top - 6), (x(now), bottom)), RULE, 2)
    plan = [(x(i), y(p.expected)) for i, p in enumerate(points) if p.expected is not None]
    club = [(x(i), y(p.club)) for i, p in enumerate(points) if p.club is not None]
    if post.scheduled:
        sheet.dashed(plan, PLAN, 2)
    sheet.line(club, CLUB, 3)
    for at in club:
        sheet.disc(at, CLUB, 6)
    for at in plan if post.scheduled else []:
        sheet.square(at, PLAN, 3.5)
    _label(sheet, club[-1], str(post.finished), CLUB)
    _legend(sheet, post, language)


def _label(sheet: _Sheet, at: Point, text: str, colour: tuple[int, int, int]) -> None:
    """A number beside the last disc, on paper of its own."""
    side = -1 if at[0] > WIDTH - 90 else 1
    wide = sheet.width(text, 15)
    left = at[0] + 12 if side > 0 else at[0] - 12 - wide
    sheet.box((left - 3, at[1] - 22, left + wide + 3, at[1] - 4), PAPER, 3)
    sheet.text((left, at[1] - 7), text, 15, colour)


def _legend(sheet: _Sheet, post: WeeklyPost, language: str) -> None:
    at, y = float(_MARGIN), 96.0
    sheet.line(((at, y), (at + 30, y)), CLUB, 3)
    sheet.disc((at + 15, y), CLUB, 6)
    words = line("chart_club", language)
    sheet.text((at + 40, y), words, 13, INK, "lm")
    if post.scheduled:
        at += 40 + sheet.width(words, 13) + 32
        sheet.dashed(((at, y), (at + 32, y)), PLAN, 2)
        sheet.square((at + 16, y), PLAN, 4)
        sheet.text((at + 42, y), line("chart_schedule", language), 13, INK, "lm")


def _marks(total: int) -> list[int]:
    """Round numbers of chapters for the lines across, the last chapter among them."""
    step = next(s * 10**e for e in range(6) for s in (1, 2, 5) if total / (s * 10**e) <= 6)
    marks = list(range(0, total, step))
    if len(marks) > 1 and total - marks[-1] < step * 0.6:
        marks.pop()
    return [*marks, total]


def _members(sheet: _Sheet, post: WeeklyPost, bars: Sequence[Bar], top: float, language: str) -> None:
    """A bar a member: solid until the last time, hatched since then."""
    total = max(1, len(post.chapter_map.chapters))
    sheet.text((_MARGIN, top - 14), line("chart_members", language), 14, SOFT)
    left, right = float(_MARGIN + _NAMES), float(WIDTH - _MARGIN - 64)
    if any(bar.before is not None and bar.chapters > bar.before for bar in bars):
        _bars_legend(sheet, right + 64, top - 19, language)
    for index, bar in enumerate(bars):
        y = top + _ROW * index
        until = min(bar.chapters, bar.chapters if bar.before is None else bar.before)
        solid = left + (right - left) * until / total
        end = left + (right - left) * bar.chapters / total
        sheet.text((_MARGIN, y + 11), drawn_name(index + 1, bar.name), 14, INK, "lm")
        sheet.box((left, y + 2, right, y + 20), RULE, 4)
        sheet.box((left, y + 2, max(solid, left + 2), y + 20), CLUB, 4 if solid - left > 8 else 0)
        sheet.hatched((solid, y + 2, end, y + 20), CLUB)
        sheet.text((right + 10, y + 11), f"{bar.chapters}/{total}", 13, INK, "lm")
    if len(post.bars) > len(bars):
        more = line("chart_left", language, count=len(post.bars) - len(bars))
        sheet.text((_MARGIN, top + _ROW * len(bars) + 12), more, 13, SOFT)


def _bars_legend(sheet: _Sheet, right: float, y: float, language: str) -> None:
    at = right
    for words, hatched in ((line("chart_since", language), True), (line("chart_before", language), False)):
        at -= sheet.width(words, 13)
        sheet.text((at, y), words, 13, INK, "lm")
        box = (at - 32, y - 7, at - 8, y + 7)
        if hatched:
            sheet.hatched(box, CLUB)
        else:
            sheet.box(box, CLUB, 3)
        at -= 52


def alt_of(post: WeeklyPost, language: str = "en") -> str:
    """What the chart shows, in words: the text that stands for it."""

    def told(rows: Sequence[tuple[WeekPoint, int]]) -> str:
        return ", ".join(line("chart_alt_week", language, chapters=n, week=point.week.week) for point, n in rows)

    club = told([(p, p.club) for p in post.points if p.club is not None])
    text = line("chart_alt", language, club=club)
    asked = [(p, p.expected) for p in post.points if p.expected is not None]
    changed = [row for before, row in zip([None, *asked], asked, strict=False) if before is None or before[1] != row[1]]
    return text + (line("chart_alt_schedule", language, schedule=told(changed)) if post.scheduled else "")
