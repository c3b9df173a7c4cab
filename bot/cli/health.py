"""`dogear health`, and the pages that it reads: what `dogear run` and `dogear worker` show of themselves."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import click

from bot.adapters.health.logs import Counting
from bot.adapters.health.pages import DEFAULT, Address, Watched, Works, shown
from bot.adapters.wording import line
from bot.app import App
from bot.cli.output import Output, json_option, run
from bot.core.errors import Refused, Unavailable
from bot.settings import Settings

ANSWERS_WITHIN = 8.0
"""Seconds, a little more than any part has to say that it works."""


def address_of(settings: Settings) -> Address | None:
    """Where the pages are, or None where they are switched off. Raises `Refused`."""
    if settings.health == "off":
        return None
    return Address.said(settings.health or DEFAULT)


@asynccontextmanager
async def watched(app: App, parts: Mapping[str, Works]) -> AsyncIterator[None]:
    """Show what goes on in this process: whether ``parts`` and the database work, and the figures."""
    counting = Counting(app.figures)
    logging.getLogger().addHandler(counting)
    try:
        address = address_of(app.settings)
        if address is None:
            yield
            return
        pages = Watched(app.figures, {"database": app.database_answers, **parts}, app.figures_refreshed)
        async with shown(pages, address, wanted=app.settings.health is not None):
            yield
    finally:
        logging.getLogger().removeHandler(counting)


_SAID = frozenset(("telegram_turned_away",))
"""Codes of why a part does not work that the catalogue has a sentence for."""


async def parts_at(address: Address) -> tuple[dict[str, bool], dict[str, str]]:
    """Which parts of the process at ``address`` work, and the codes of why one does not. Raises `Unavailable`."""
    import aiohttp

    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104 - where it listens
    shown_host = f"[{host}]" if ":" in host else host
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(ANSWERS_WITHIN)) as web,
            web.get(f"http://{shown_host}:{address.port}/readyz") as answer,
        ):
            found = json.loads(await answer.text())
            parts, why = found["parts"], dict(found.get("why", {}))
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError, KeyError, TypeError):
        raise Unavailable(
            f"No Dogear answers at {shown_host}:{address.port}: start `dogear run`, or see DOGEAR_HEALTH.",
            code="not_running",
        ) from None
    return {str(part): bool(works) for part, works in parts.items()}, why


@click.command(name="health")
@json_option
def health_command(as_json: bool) -> None:
    """Ask the Dogear that runs on this machine whether it serves: exit code 0 if all of it does, else 5."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        address = address_of(settings)
        if address is None:
            raise Refused("bad_setting", "DOGEAR_HEALTH is off, so there is nothing to ask: set it to an address.")
        parts, why = await parts_at(address)
        value = {"ready": all(parts.values()), "parts": parts, **({"why": why} if why else {})}
        lines = [f"{'works ' if works else 'broken'}  {part}" for part, works in parts.items()]
        output.result(value, [*lines, *(line(code) for code in why.values() if code in _SAID)])
        if not value["ready"]:
            raise SystemExit(5)

    run(output, work)
