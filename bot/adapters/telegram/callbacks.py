"""What a button means, as the at most 64 bytes that Telegram gives back when it is pressed.

    A.CLUB.SUBJECT.PERSON.VALUE.MAC

``A`` is the action's letters, numbers are in base 36. It is visible to whoever looks into a client, so it holds ids
alone. A client may send any bytes as pressed, under any message of the bot's: so a keyed hash stands at the end, and
what does not bear it is no press. The key is made of the bot's token: any process of the bot can make and read it.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bot.adapters.chat.presses import Action, Press

LONGEST: Final = 64
_MAC: Final = 6
"""Bytes of the hash: 48 bits, 8 letters. Guessing asks Telegram for every guess."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER: Final = re.compile(r"0|[1-9a-z][0-9a-z]{0,12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Makes and reads the callback data of one bot."""

    key: bytes

    @classmethod
    def of(cls, token: str) -> Callbacks:
        return cls(blake2b(token.encode(), digest_size=32, person=b"dogear press").digest())

    def data_of(self, press: Press) -> str:
        """The callback data of a button. Raises ``ValueError`` where its numbers are too large to fit."""
        numbers = ".".join(map(_base36, (press.club, press.subject, press.person)))
        meant = f"{press.action.value}.{numbers}.{press.value}"
        data = f"{meant}.{self._mac(meant)}"
        if len(data) > LONGEST:
            raise ValueError("a press is too long")
        return data

    def press_of(self, data: str) -> Press | None:
        """The meaning of a pressed button; None for whatever is not exactly what `data_of` makes today."""
        if len(data) > LONGEST or not data.isascii() or data.count(".") != 5:
            return None
        meant, _, mac = data.rpartition(".")
        action, club, subject, person, value = meant.split(".")
        if not hmac.compare_digest(mac, self._mac(meant)):
            return None
        if not all(_NUMBER.fullmatch(number) for number in (club, subject, person)):
            return None
        try:
            return Press(Action(action), int(club, 36), int(subject, 36), int(person, 36), value)
        except ValueError:
            return None

    def _mac(self, meant: str) -> str:
        return urlsafe_b64encode(blake2b(meant.encode(), digest_size=_MAC, key=self.key).digest()).decode()


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
