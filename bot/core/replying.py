"""What a member gets for what they said: an answer, a recap or a card."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace

from bot.core.answer import Answer
from bot.core.ask import Reply, answering, growing, unheard
from bot.core.chat_model import Spent
from bot.core.recap import recap
from bot.core.search import Asked, Searching, question_of
from bot.core.wanted import Recap, Who, somebody_asked, wanted
from bot.core.who import who


async def replying(searching: Searching, asked: Asked, spent: Spent = unheard) -> AsyncGenerator[Reply, None]:
    """What is asked as it grows, claim by claim; the last reply is complete.

    Raises `Refused` with one sentence for what cannot be asked.
    """
    match wanted(question_of(asked.question)):
        case Recap() as told:
            reply = await recap(searching, asked, told)
        case Who() as named:
            reply = await who(searching, asked, named)
        case None:
            async with aclosing(answered(searching, asked, spent)) as replies:
                async for written in replies:
                    yield written
            return
    for so_far in _growing(reply):
        yield so_far


async def answered(searching: Searching, asked: Asked, spent: Spent = unheard) -> AsyncGenerator[Reply, None]:
    """The answer to a question as it grows: where no model is set, and it asks who somebody is that was met, their
    card; else as `answering` does.
    """
    named = somebody_asked(question_of(asked.question)) if searching.writing is None else None
    if named is not None and asked.following is None:
        reply = await who(searching, asked, named)
        if isinstance(reply.outcome, Answer):
            for so_far in _growing(reply):
                yield so_far
            return
    async with aclosing(answering(searching, asked, spent)) as replies:
        async for written in replies:
            yield written


async def ask(searching: Searching, asked: Asked, spent: Spent = unheard) -> Reply:
    """The same when it is complete: the answer from what the audience has read, or the fixed refusal.

    Raises `Refused` for a question that is empty or too long.
    """
    async with aclosing(answered(searching, asked, spent)) as replies:
        last: Reply | None = None
        async for reply in replies:
            last = reply
    assert last is not None
    return last


def _growing(reply: Reply) -> Iterator[Reply]:
    """A reply that is whole, claim by claim."""
    whole = reply.outcome
    for so_far in growing(whole) if isinstance(whole, Answer) else (whole,):
        yield replace(reply, outcome=so_far, complete=so_far == whole, whole=whole)
