"""An answer as lines of plain text, for every place that has no markup: the same words everywhere."""

from __future__ import annotations

from bot.core.answer import Answer, Citation, Refusal
from bot.core.chapters import ChapterMap, chapter_name
from bot.core.club import Audience
from bot.core.errors import SpoilerLeak

CLOSEST_PRIVATE = "The closest passages in what you have read:"
CLOSEST_ROOM = "The closest passages in what everyone here has read:"
REFUSED_PRIVATE = "Nothing in what you have read so far answers that."
REFUSED_ROOM = "Nothing in what everyone here has read so far answers that."


def heading(audience: Audience) -> str:
    """What stands above quotes."""
    return CLOSEST_PRIVATE if audience.private else CLOSEST_ROOM


def refusal(audience: Audience) -> str:
    """The fixed refusal: the same whether the answer comes later, never, or was cut."""
    return REFUSED_PRIVATE if audience.private else REFUSED_ROOM


def citation_place(citation: Citation, chapter_map: ChapterMap) -> str:
    """Where a quote stands, by numbers."""
    chapter = chapter_map.chapter(citation.chapter) if citation.chapter else None
    return chapter_name(chapter, chapter_map) if chapter else "outside the chapters"


def answer_lines(outcome: Answer | Refusal, chapter_map: ChapterMap, audience: Audience) -> list[str]:
    """The lines of a reply to ``audience``. Raises `SpoilerLeak` for an answer that was made for another audience."""
    if outcome.boundary.audience != audience:
        raise SpoilerLeak("an answer was about to be shown to an audience it was not made for")
    if isinstance(outcome, Refusal):
        return [refusal(audience)]
    lines = [heading(audience)]
    for citation in outcome.citations:
        quote = " ".join(citation.quote.split())
        lines.append(f"[{citation.n}] {citation_place(citation, chapter_map)}: “{quote}”" if not _quoted(quote)
                     else f"[{citation.n}] {citation_place(citation, chapter_map)}: {quote}")
    return lines


def _quoted(text: str) -> bool:
    """Whether a quote brings quotation marks of its own at both ends."""
    return text[:1] in "“\"‘«「" and text[-1:] in "”\"’»」"
