"""The divisions above each chapter: from the nesting of the table of contents, else from the order of their pages."""

from __future__ import annotations

from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.openings import Opening
from bot.ingest.epub.plan import Planned

Division = tuple[str, int | None]

_RANKS: Final = {
    word: rank
    for rank, words in enumerate(
        ("volume vol tome tom tomo band bind deel", "book buch livre libro livro bok boek kniha книга")
    )
    for word in words.split()
}
_LOWEST: Final = 2


def division(opening: Opening) -> Division:
    """(title, printed number or None) of a division."""
    heading = opening.heading
    return opening.title, heading.number if heading is not None else None


def parts_of(planned: list[Planned]) -> list[tuple[Division, ...]]:
    """The divisions above every planned section, outermost first; a division's own page belongs to it."""
    divisions = {section.opening for section in planned if section.division and section.kind is SectionKind.BODY}
    alive = {section.opening for section in planned if section.kind is SectionKind.BODY}
    divisions |= {above for section in planned for above in section.opening.path if above in alive}
    divisions |= {above for section in planned for above in section.opening.above}
    nested = {section.opening for section in planned if any(o in divisions for o in section.opening.path)}
    found: list[tuple[Division, ...]] = []
    stack: list[tuple[int, Opening]] = []
    for section in planned:
        opening = section.opening
        for above in opening.above:
            _push(stack, above)
        if section.division and section.kind is SectionKind.BODY:
            _push(stack, opening)
        if section.kind is not SectionKind.BODY:
            found.append(())
            continue
        path = [o for o in opening.path if o in divisions]
        if section.division:
            path.append(opening)
        if nested and opening.path == () and opening.source == 0 and not section.division and not opening.above:
            stack.clear()
        heading = opening.heading
        if opening in nested or (section.division and len(path) > 1):
            chain = path + [o for o in opening.above if o not in path]
        elif heading is not None and heading.keyword in ("epilogue", "conclusion") and not opening.above:
            stack.clear()
            chain = []
        else:
            chain = [o for _, o in stack]
        parts = tuple(division(o) for o in chain)
        if not parts and heading is not None and heading.above is not None:
            parts = ((heading.above.title, heading.above.number),)
        found.append(parts)
    return found


def _push(stack: list[tuple[int, Opening]], opening: Opening) -> None:
    """Open a division; it closes those of its own rank and below."""
    heading = opening.heading
    rank = _RANKS.get(heading.unit, _LOWEST) if heading is not None else _LOWEST
    if any(o in opening.path for _, o in stack):
        rank = max(r for r, o in stack if o in opening.path) + 1
    while stack and stack[-1][0] >= rank:
        stack.pop()
    stack.append((rank, opening))
