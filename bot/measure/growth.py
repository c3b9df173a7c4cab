"""How figures grow from a size to ten times that: as a table, and as a picture on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from rich.table import Table

NAMES: Final = {
    "opened_seconds": "open the database, s",
    "first_look_seconds": "first look at every club, s",
    "missed_seconds": "noting what all missed, s",
    "look_ms": "later look, ms",
    "clubs_due_ms": "ask who is due, ms",
    "tick_ms": "weekly tick of one club, ms",
    "boundary_p50_ms": "boundary lookup p50, ms",
    "boundary_p95_ms": "boundary lookup p95, ms",
    "search_p50_ms": "search in a book p50, ms",
    "search_p95_ms": "search in a book p95, ms",
    "process_megabytes": "memory of the process, MB",
    "triggers_megabytes": "of it, for triggers, MB",
    "database_megabytes": "database, MB",
}
_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 760, 26, 250, 120, 56


def scale_table(value: Mapping[str, Any]) -> Table:
    """The figures of both sizes side by side, and their ratio."""
    from rich.table import Table

    small, large = value["sizes"]
    table = Table(title="How it grows")
    for name in ("", f"{small['clubs']:,} clubs", f"{large['clubs']:,} clubs", "times"):
        table.add_column(name, justify="left" if not name else "right")
    for key, named in NAMES.items():
        table.add_row(named, f"{small[key]:,}", f"{large[key]:,}", f"{value['growth'].get(key, '')}")
    return table


def growth_plot(value: Mapping[str, Any]) -> str:
    """An SVG: a bar a figure, as long as it grows; ten times as many clubs is the line that none should pass."""
    small, large = value["sizes"]
    grown = [(NAMES[key], value["growth"][key]) for key in NAMES if key in value["growth"]]
    most = max(20.0, *(times for _, times in grown))
    height = _TOP + _ROW * len(grown) + 40
    span = _WIDTH - _LEFT - _RIGHT

    def x(times: float) -> float:
        return _LEFT + span * max(0.0, log10(max(times, 0.5) / 0.5)) / log10(most / 0.5)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif" '
        f'font-size="13"><rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="16" y="26" font-size="16">{small["clubs"]:,} clubs to {large["clubs"]:,}: times as much</text>',
    ]
    for times in (1, 2, 5, 10):
        dash = "" if times == 10 else ' stroke-dasharray="3 4"'
        at = x(times)
        parts.append(f'<line x1="{at:.0f}" y1="{_TOP - 8}" x2="{at:.0f}" y2="{height - 28}" stroke="#888"{dash}/>')
        parts.append(f'<text x="{at:.0f}" y="{height - 10}" text-anchor="middle" fill="#555">{times}</text>')
    for row, (name, times) in enumerate(grown):
        y = _TOP + row * _ROW
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        width = max(2.0, x(times) - _LEFT)
        parts.append(f'<rect x="{_LEFT}" y="{y + 2}" width="{width:.0f}" height="16" fill="#1d5a96"/>')
        parts.append(f'<text x="{_LEFT + width + 8:.0f}" y="{y + 15}">{times:g}</text>')
    return "\n".join([*parts, "</svg>", ""])
