"""What a host's settings make of the model: where it is, what it costs, and within which budgets it writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from bot.adapters.health.counted import CountedModel
from bot.core.chat_model import Purpose, Usage
from bot.core.club import ClubId
from bot.core.figures import Figures
from bot.core.metered import MeteredModel
from bot.core.prices import PriceList, price_list
from bot.core.slots import Slots
from bot.core.spending import Budgets, Spending
from bot.core.writing import Switches, Writing
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.models.claude import Claude

_ANTHROPICS: Final = "claude-"


def model_set(settings: Settings) -> bool:
    """Whether a model writes the answers: there is a key, or another server than Anthropic's."""
    return settings.anthropic_api_key is not None or settings.anthropic_base_url is not None


def claude_for(settings: Settings, figures: Figures | None = None, slots: Slots | None = None) -> Claude | None:
    """The model's server, or None where answers are quotes; ``figures`` count what is tried again, and calls take the
    host's ``slots``.
    """
    if not model_set(settings):
        return None
    from bot.adapters.models.claude import MODEL as LARGE
    from bot.adapters.models.claude import SMALL_MODEL, Claude, ClaudeSettings  # half a second of imports

    key, model = settings.anthropic_api_key, settings.model or LARGE
    small = settings.small_model or (SMALL_MODEL if model.startswith(_ANTHROPICS) else model)
    return Claude(
        ClaudeSettings(
            key=None if key is None else key.get_secret_value(),
            base_url=settings.anthropic_base_url,
            model=model,
            small=small,
            seconds=settings.model_seconds,
            calls=settings.model_calls,
            cache_hour=settings.model_cache == "1h",
        ),
        _nothing if figures is None else partial(figures.retried, "model"),
        slots,
    )


def _nothing() -> None:
    """Where nothing is counted."""


def prices_for(settings: Settings) -> PriceList:
    """The list prices, and over them the host's own; all of a cache that is kept for an hour where it is."""
    found = price_list(settings.prices)
    return found.hourly() if settings.model_cache == "1h" else found


def budgets_for(settings: Settings) -> Budgets:
    """The budgets of each club, and of the host."""
    return Budgets(settings.club_day, settings.club_month, settings.host_day, settings.host_month)


def switches_for(settings: Settings) -> Switches:
    """What of answering is switched on."""
    return Switches(
        support=settings.support_check,
        names=settings.name_check,
        splitting=settings.splitting,
        reranking=settings.reranking,
        whole_part=settings.whole_part,
    )


@dataclass(frozen=True)
class HostsModel:
    """The model of a host, made when it is first used; its clubs call it within their budgets and the host's."""

    settings: Settings
    clock: Callable[[], datetime]
    figures: Figures | None = None
    slots: Slots | None = None

    @cached_property
    def claude(self) -> Claude | None:
        return claude_for(self.settings, self.figures, self.slots)

    @cached_property
    def prices(self) -> PriceList:
        return prices_for(self.settings)

    @cached_property
    def budgets(self) -> Budgets:
        return budgets_for(self.settings)

    def writing(self, club: ClubId, spending: Spending, budgets: Budgets | None = None) -> Writing | None:
        """What writes the answers of one club, within ``budgets`` (None: those of the settings), and books what it
        spends; None where answers are quotes.
        """
        if self.claude is None:
            return None
        within = self.budgets if budgets is None else budgets
        metered = MeteredModel(self.claude.of(club), spending, self.prices, within, self.clock)
        switches, tokens, price = switches_for(self.settings), self.settings.model_tokens, self.prices.known_cost
        if self.figures is None:
            return Writing(metered, switches, tokens, price, self.cost)
        counted = CountedModel(metered, self.figures, price)
        return Writing(counted, switches, tokens, price, self.cost, self.figures.claim_cut)

    def cost(self, purpose: Purpose, read: int, written: int) -> Decimal | None:
        """What a request would cost, in US dollars, with so many tokens read and written; None where the model's price
        is not known.
        """
        if self.claude is None:
            return None
        return self.prices.cost(Usage(self.claude.name(purpose), read, 0, 0, written))

    async def close(self) -> None:
        """Close what calls left open, if any was made."""
        if (claude := self.__dict__.get("claude")) is not None:
            await claude.close()
