"""What a member gets for what they said: an answer, a recap or a card."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from bot.core.answer import Answer
from bot.core.ask import Reply, answering, growing, unheard
from bot.core.chat_model import Spent
from bot.core.recap import recap
from bot.core.search import Asked, Searching, question_of
from bot.core.wanted import Recap, Who, wanted
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
            async with aclosing(answering(searching, asked, spent)) as replies:
                async for written in replies:
                    yield written
            return
    whole = reply.outcome
    for so_far in growing(whole) if isinstance(whole, Answer) else (whole,):
        yield replace(reply, outcome=so_far, complete=so_far == whole, whole=whole)
