"""A question and its answer, for one audience."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.quotes import closest_quotes
from bot.core.search import Asked, Found, Searching, find

EVIDENCE = 16
"""Passages behind an answer: recall rises from 8 to 16 more than by any cleverness (docs/retrieval.md)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer or a refusal, and what it stands on."""

    outcome: Answer | Refusal
    found: Found


async def ask(searching: Searching, asked: Asked) -> Reply:
    """Answer from what the audience has read: the closest passages, verbatim, or the fixed refusal.

    Raises `Refused` for a question that is empty or too long.
    """
    found = await find(searching, asked, EVIDENCE)
    quotes = await asyncio.to_thread(closest_quotes, found.query, found.evidence, found.candidates, found.book.language)
    if not quotes:
        return Reply(Refusal(found.boundary, found.query.question), found)
    citations = tuple(Citation(n, quote.span, quote.text, quote.evidence) for n, quote in enumerate(quotes, start=1))
    claims = tuple(Claim(citation.quote, (citation.n,)) for citation in citations)
    return Reply(Answer(found.boundary, found.query.question, Engine.QUOTES, claims, citations), found)
