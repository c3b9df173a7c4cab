"""An answer as lines of plain text, for every place that has no markup: the same words everywhere."""

from __future__ import annotations

from bot.adapters import wording
from bot.core.answer import Answer, Card, Citation, Claim, Engine, Refusal
from bot.core.chapters import ChapterMap
from bot.core.club import Audience
from bot.core.errors import SpoilerLeak
from bot.core.wanted import Recap, Scope, Who, wanted_by


def citation_line(citation: Citation, chapter_map: ChapterMap) -> str:
    """A quote with its number and where it stands: ``[1] ch. 6: "..."``.

    White space is made single; "… " stands before a quote that begins inside a sentence, " …" after one that ends
    there.
    """
    quote, sentences = " ".join(citation.quote.split()), citation.evidence.passage.sentences
    begins = "" if any(sentence.span.start == citation.span.start for sentence in sentences) else "… "
    ends = "" if any(sentence.span.end == citation.span.end for sentence in sentences) else " …"
    place = _cited_place(citation.chapter, chapter_map)
    return wording.line("citation", n=citation.n, place=place, quote=f"{begins}{quote}{ends}")


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
        return [refusal_line(outcome)]
    citations = [citation_line(citation, chapter_map) for citation in outcome.citations]
    if outcome.engine is Engine.CLAUDE:
        return [*written_heading(outcome, chapter_map), *map(claim_line, outcome.claims), *citations]
    return [*([wording.line("model_failed")] if failed else []), *heading(outcome, chapter_map), *citations]


def refusal_line(outcome: Refusal) -> str:
    """Why there is no answer: fixed for a question, and for a recap, and for somebody nobody has met."""
    private = outcome.boundary.audience.private
    match wanted_by(outcome.question):
        case Recap(Scope.VISIT) if private:
            return wording.line("nothing_since")
        case Recap():
            return wording.line("nothing_to_recap")
        case Who():
            return wording.line("nobody_private" if private else "nobody_room")
    return wording.refusal(outcome.boundary.audience)


def heading(outcome: Answer, chapter_map: ChapterMap) -> list[str]:
    """What stands over the quotes of an answer: what they are, or whose card they make."""
    audience = outcome.boundary.audience
    where = "private" if audience.private else "room"
    if outcome.card is not None:
        return card_lines(outcome.card, where, chapter_map)
    match wanted_by(outcome.question):
        case Recap(Scope.VISIT) if audience.private:
            return [wording.line("recap_visit") + ":"]
        case Recap(Scope.CHAPTER):
            return [wording.line(f"recap_chapter_{where}") + ":"]
        case Recap():
            return [wording.line(f"recap_{where}") + ":"]
    return [wording.closest(audience) + ":"]


def written_heading(outcome: Answer, chapter_map: ChapterMap) -> list[str]:
    """What stands over what a model wrote: nothing over an answer, over a recap or a card what it is."""
    plain_answer = outcome.card is None and not isinstance(wanted_by(outcome.question), Recap)
    return [] if plain_answer else heading(outcome, chapter_map)


def card_lines(card: Card, where: str, chapter_map: ChapterMap) -> list[str]:
    """The head of a card: names and places, and who else is called so."""
    first, last = (_cited_place(chapter, chapter_map) for chapter in (card.first, card.last))
    name, *more = card.names
    facts = [wording.line("who_also", names=", ".join(more))] if more else []
    key = "who_met_once" if first == last else "who_met"
    facts.append(wording.line(key, first=first, last=last))
    if card.others:
        facts.append(wording.line("who_others", names=", ".join(card.others)))
    return [wording.line(f"who_{where}", name=name) + ":", " ".join(facts)]


def _cited_place(chapter: int | None, chapter_map: ChapterMap) -> str:
    return wording.cited_chapter(chapter_map.chapter(chapter) if chapter else None, chapter_map)
