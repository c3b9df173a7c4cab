"""A question and its answer, for one audience."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final

from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.chat_model import Failed, ModelFailed, Spent, Usage
from bot.core.errors import Unavailable
from bot.core.gathering import Gathered, gathered
from bot.core.prompts import answer_request
from bot.core.quotes import closest_quotes
from bot.core.search import Asked, Found, Searching, find
from bot.core.survivors import Writer
from bot.core.verify import Checked, Cut, Verifier
from bot.core.writing import Writing

EVIDENCE = 16
"""Passages behind an answer: recall rises from 8 to 16 more than by any cleverness (docs/retrieval.md)."""
_ATTEMPTS: Final = 5

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer or a refusal, as far as it is there, and what it stands on.

    It is all of it where it is ``complete``; ``whole`` is all of it where that is known before. ``failed`` is why no
    model wrote it though one is set. ``cuts`` counts the claims of a model that were cut so far, for who measures.
    ``choices`` are names met, where what was asked may mean several people: who asked says which, and nothing is shown.
    """

    outcome: Answer | Refusal
    found: Found
    complete: bool = True
    whole: Answer | Refusal | None = None
    failed: Failed | None = None
    cuts: Counter[Cut] = field(default_factory=Counter, compare=False)
    choices: tuple[str, ...] = ()


def unheard(_: Usage) -> None:
    """Whoever does not ask what was spent."""


async def answering(searching: Searching, asked: Asked, spent: Spent = unheard) -> AsyncGenerator[Reply, None]:
    """The answer as it grows, claim by claim; the last reply is complete. Closing this ends what a model writes.

    Where a model is set it writes the answer, and every claim is checked before it is given; where it fails, and where
    none is set, the answer is the closest passages, verbatim. A room that has not met a name of the question is shown
    no answer: no model is asked for one. Raises `Refused` for a question that is empty or too long.
    """
    writing = searching.writing
    if writing is not None and not writing.switches.reranking:
        searching = replace(searching, reranker=None)
    if writing is None:
        found = await find(searching, asked, EVIDENCE)
    else:
        found, given = await _found(searching, writing, asked, spent)
        if given is not None and given.evidence:
            try:
                async with aclosing(_written(writing, found, given, spent)) as replies:
                    async for reply in replies:
                        yield reply
            except ModelFailed as failed:
                logger.warning("the model failed (%s): the answer is made of quotes", failed.code)
                async with aclosing(_quoted(found, failed.failed)) as replies:
                    async for reply in replies:
                        yield reply
            return
    async with aclosing(_quoted(found)) as replies:
        async for reply in replies:
            yield reply


async def _found(searching: Searching, writing: Writing, asked: Asked, spent: Spent) -> tuple[Found, Gathered | None]:
    """What the question finds, and what a model is given, under one boundary; nothing is given where no model may
    write.
    """
    for _ in range(_ATTEMPTS):
        found = await find(searching, asked, EVIDENCE)
        if found.unmet_names and not found.boundary.audience.private:
            return found, None
        given = await gathered(searching, writing, asked, found, spent)
        if given is not None:
            return found, given
    raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")


async def _written(writing: Writing, found: Found, given: Gathered, spent: Spent) -> AsyncGenerator[Reply, None]:
    """What a model writes, as far as it survives. Raises `ModelFailed`."""
    question = found.query.question
    earlier = [turn.said for turn in found.followed]
    request = answer_request(given.evidence, question, earlier, given.whole)
    verifier = Verifier(given.evidence, question, found.book.language, writing.switches.names)
    writer = Writer(writing, request, verifier, spent)
    outcome: Answer | Refusal = Refusal(found.boundary, question)
    async with aclosing(writer.survivors()) as claims:
        async for claim in claims:
            outcome = _with(outcome, claim)
            yield Reply(outcome, found, complete=False, cuts=writer.cuts)
    yield Reply(outcome, found, whole=outcome, cuts=writer.cuts)


def _with(outcome: Answer | Refusal, claim: Checked) -> Answer:
    """An answer and one claim more; a quote that was cited before keeps its number."""
    claims, citations = ((), ()) if isinstance(outcome, Refusal) else (outcome.claims, outcome.citations)
    known = next((c for c in citations if c.span == claim.span), None)
    citation = known or Citation(len(citations) + 1, claim.span, claim.quote, claim.evidence)
    return Answer(
        outcome.boundary,
        outcome.question,
        Engine.CLAUDE,
        (*claims, Claim(claim.text, (citation.n,))),
        citations if known else (*citations, citation),
    )


async def _quoted(found: Found, failed: Failed | None = None) -> AsyncGenerator[Reply, None]:
    quotes = await asyncio.to_thread(closest_quotes, found.query, found.evidence, found.candidates, found.book.language)
    if not quotes:
        refusal = Refusal(found.boundary, found.query.question)
        yield Reply(refusal, found, whole=refusal, failed=failed)
        return
    citations = tuple(Citation(n, quote.span, quote.text, quote.evidence) for n, quote in enumerate(quotes, start=1))
    claims = tuple(Claim(citation.quote, (citation.n,)) for citation in citations)
    outcome = Answer(found.boundary, found.query.question, Engine.QUOTES, claims, citations)
    for so_far in growing(outcome):
        yield Reply(so_far, found, so_far == outcome, outcome, failed)


def growing(outcome: Answer) -> Iterator[Answer]:
    """An answer claim by claim, the whole of it last."""
    for count in range(1, len(outcome.claims)):
        claims = outcome.claims[:count]
        numbers = {n for claim in claims for n in claim.citations}
        own = tuple(c for c in outcome.citations if c.n in numbers)
        yield replace(outcome, claims=claims, citations=own)
    yield outcome
