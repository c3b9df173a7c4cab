"""An answer as lines of plain text, for every place that has no markup: the same words everywhere."""

from __future__ import annotations

from bot.adapters import wording
from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.chapters import ChapterMap
from bot.core.club import Audience
from bot.core.errors import SpoilerLeak


def citation_line(citation: Citation, chapter_map: ChapterMap) -> str:
    """A quote with its number and where it stands: ``[1] ch. 6: "..."``.

    White space is made single, and " …" follows a quote that ends before its sentence does.
    """
    chapter = chapter_map.chapter(citation.chapter) if citation.chapter else None
    place = wording.cited_chapter(chapter, chapter_map)
    quote = " ".join(citation.quote.split())
    whole = any(sentence.span.end == citation.span.end for sentence in citation.evidence.passage.sentences)
    return wording.line("citation", n=citation.n, place=place, quote=quote if whole else f"{quote} …")


def claim_line(claim: Claim) -> str:
    """A sentence with the numbers of its citations: ``Sherman keeps birds. [1]``."""
    return wording.line("claim", text=claim.text, numbers="".join(f"[{n}]" for n in claim.citations))


def answer_lines(
    outcome: Answer | Refusal, chapter_map: ChapterMap, audience: Audience, failed: bool = False
) -> list[str]:
    """The lines of a reply to ``audience``: what is said, then one line for each citation.

    ``failed`` says that quotes stand in for a model that could not be used. Raises `SpoilerLeak` for an answer that was
    made for another audience.
    """
    if outcome.boundary.audience != audience:
        raise SpoilerLeak("an answer was about to be shown to an audience it was not made for")
    if isinstance(outcome, Refusal):
        return [wording.refusal(audience)]
    citations = [citation_line(citation, chapter_map) for citation in outcome.citations]
    if outcome.engine is Engine.CLAUDE:
        return [*map(claim_line, outcome.claims), *citations]
    heading = wording.closest(audience) + ":"
    return [*([wording.line("model_failed")] if failed else []), heading, *citations]
