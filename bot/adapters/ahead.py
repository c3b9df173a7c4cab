"""What is foreseen, as lines of plain text for one member alone: the only renderer of it."""

from __future__ import annotations

from bot.adapters import wording
from bot.core.club import MemberId
from bot.core.errors import SpoilerLeak
from bot.core.looking_ahead import Foreseen, QuoteAhead, ShownAhead, ToldAhead


def ahead_lines(foreseen: Foreseen, member: MemberId, language: str = "en") -> list[str]:
    """What a member is told or shown of what lies past their place. Raises `SpoilerLeak` for anybody else.

    The first step names no place, no chapter and no word of the book.
    """
    if foreseen.member != member:
        raise SpoilerLeak("what one member looked ahead at was about to be shown to another")
    if isinstance(foreseen, ToldAhead):
        told = "ahead_likely" if foreseen.likely else "ahead_unlikely"
        return [wording.line(told, language), wording.line("ahead_warning", language)]
    if not foreseen.quotes:
        return [wording.line("ahead_nothing", language)]
    heading = wording.line("ahead_shown", language)
    return [f"{heading}:", *(_quoted(quote, foreseen, language) for quote in foreseen.quotes)]


def _quoted(quote: QuoteAhead, shown: ShownAhead, language: str) -> str:
    chapter = shown.chapter_map.chapter(quote.chapter) if quote.chapter else None
    place = wording.cited_chapter(chapter, shown.chapter_map)
    said = " ".join(quote.text.split())
    return wording.line("citation", language, n=quote.n, place=place, quote=said if quote.whole else f"{said} …")
