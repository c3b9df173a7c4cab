"""Whether the model's server takes the key and knows the models: asked by the cheapest call that it has."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import anthropic
import httpx2

from bot.adapters.models.claude import Claude
from bot.adapters.models.failures import failure_of
from bot.core.chat_model import Failed

SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Known:
    """What the server says of one model: ``failed`` is None where it can be used."""

    model: str
    failed: Failed | None
    note: str = ""


async def models_known(claude: Claude) -> tuple[Known, ...]:
    """What the server says of the model and the small one, within seconds."""
    names = dict.fromkeys((claude.settings.model, claude.settings.small))
    return tuple([await _known(claude, name) for name in names])


async def _known(claude: Claude, name: str) -> Known:
    try:
        async with asyncio.timeout(SECONDS):
            await _asked(claude, name)
    except TimeoutError:
        return Known(name, Failed.OUT_OF_TIME, "no_answer")
    except anthropic.AnthropicError as error:
        failure = failure_of(error)
        return Known(name, failure.failed, failure.note)
    except httpx2.HTTPError:
        return Known(name, Failed.UNREACHABLE, "disconnected")
    return Known(name, None)


async def _asked(claude: Claude, name: str) -> None:
    """Ask for the model; else have a word counted; else, of a server of one's own, have one written."""
    try:
        await claude.client.models.retrieve(name)
    except anthropic.NotFoundError:
        if not claude.own:
            raise
    else:
        return
    try:
        await claude.client.messages.count_tokens(model=name, messages=[{"role": "user", "content": "Hello."}])
    except (anthropic.NotFoundError, anthropic.BadRequestError):
        stream = await claude.client.messages.create(
            model=name, max_tokens=1, messages=[{"role": "user", "content": "Hello."}], stream=True
        )
        async with stream:
            await anext(aiter(stream), None)
