"""Stop, as soon as Telegram tells that it was pressed: what is put down first, or looked up, waits for the database."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from bot.adapters.chat.presses import Action
from bot.adapters.telegram.keys import person_key
from bot.core.club import ClubId

if TYPE_CHECKING:
    import telegram

    from bot.adapters.telegram.client import Dogear

_REMEMBERED: Final = 1000


class Stopping:
    """What was given up here at once, by the presses that were not heard yet."""

    def __init__(self, client: Dogear) -> None:
        self._client = client
        self._given_up = OrderedDict[str, int]()

    def at_once(self, update: telegram.Update) -> bool:
        """Whether ``update`` tells that somebody pressed their Stop: what is answered for them here is given up."""
        query = update.callback_query
        press = None if query is None else self._client.callbacks.press_of(query.data or "")
        if query is None or press is None or press.action is not Action.STOP or not press.may_press(query.from_user.id):
            return False
        turns = self._client.clubs.clubhouse(ClubId(press.club)).turns
        self._given_up[query.id] = turns.stop_of(person_key(query.from_user.id))
        while len(self._given_up) > _REMEMBERED:
            self._given_up.popitem(last=False)
        return True

    def given_up(self, query: telegram.CallbackQuery) -> int:
        """How many questions this press stopped as it came; it is asked once."""
        return self._given_up.pop(query.id, 0)
