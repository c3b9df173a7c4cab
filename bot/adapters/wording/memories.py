"""What a model remembers of a book, in words: what it would cost, and how far it is. Numbers alone, and no title."""

from __future__ import annotations

from bot.adapters.wording import line
from bot.adapters.wording.costs import dollars
from bot.core.jobs import JobState
from bot.core.memories import MemoryOffer


def about(offer: MemoryOffer, language: str = "en") -> str:
    """About what it costs: "0.40 USD", or that this is not known."""
    if offer.cost is None:
        return line("memory_unpriced", language)
    return line("spent_amount", language, amount=dollars(offer.cost))


def offered(offer: MemoryOffer, language: str = "en") -> str:
    """What is said of it to who brought a book; nothing where there is nothing to decide."""
    if offer.wanted:
        return line("memory_begins", language, cost=about(offer, language))
    return line("memory_offer", language, cost=about(offer, language)) if offer.choice == "ask" else ""


def standing(offer: MemoryOffer, language: str = "en") -> str:
    """How it stands, for an admin who asks."""
    job = offer.job
    if job is None or not offer.wanted:
        return line("memory_not", language, cost=about(offer, language))
    if job.state is JobState.DONE:
        return line("memory_done", language)
    if job.put_off:
        return line("memory_put_off" if job.code != "over_budget" else "memory_over_budget", language)
    return line("memory_underway", language, percent=job.percent)
