"""Deep links: what is begun in a group and goes on in the private chat, as the 64 characters of `t.me/BOT?start=...`.

A link is bytes under a keyed hash: a version, what is meant, whose it is, and until when it holds. The key is made of
the bot's token, so that any process of the bot, and no other, can make and read it. Whether a person has used it before
is noted in the database (`Once`), by `Link.mark`.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Final

from bot.adapters.chat.presses import Action, Press

LONGEST: Final = 64
HOLDS_OPEN: Final = timedelta(days=7)
"""How long a link holds that stands under a room's answer, for everybody."""
HOLDS_ALONE: Final = timedelta(minutes=15)
"""How long a link holds that was made for one person when they pressed a button."""
_VERSION: Final = 1
_MAC: Final = 12
"""Bytes of the hash: 96 bits."""
_ACTIONS: Final = tuple(Action)
_EPOCH: Final = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Link:
    """A press that was read from a link, which holds before ``until``; ``mark`` names the link in 16 letters."""

    press: Press
    until: datetime
    mark: str

    def holds(self, now: datetime, person: int) -> bool:
        """Whether it is this person's (their number), and not too old."""
        return now < self.until and self.press.may_press(person)


@dataclass(frozen=True, slots=True)
class Links:
    """Makes and reads the links of one bot."""

    username: str
    key: bytes

    @classmethod
    def of(cls, username: str, token: str) -> Links:
        return cls(username, blake2b(token.encode(), digest_size=32, person=b"dogear link").digest())

    def url(self, press: Press, until: datetime) -> str:
        """The address that opens the private chat with it."""
        return f"https://t.me/{self.username}?start={self.start(press, until)}"

    def start(self, press: Press, until: datetime) -> str:
        """At most `LONGEST` letters, digits, ``-`` and ``_``. Raises ``ValueError`` for a press with a value."""
        if press.value:
            raise ValueError("a press with a value has no link")
        minutes = max(0, int((until - _EPOCH) / timedelta(minutes=1)))
        body = bytes((_VERSION, _ACTIONS.index(press.action))) + minutes.to_bytes(4, "big")
        body += b"".join(map(_varint, (press.club, press.subject, press.person)))
        return urlsafe_b64encode(body + self._mac(body)).decode().rstrip("=")

    def read(self, start: str) -> Link | None:
        """What a link means; None for whatever this bot did not make."""
        if len(start) > LONGEST or not start.isascii():
            return None
        try:
            raw = urlsafe_b64decode(start + "=" * (-len(start) % 4))
        except (Error, ValueError):
            return None
        body, mac = raw[:-_MAC], raw[-_MAC:]
        if len(body) < 6 + 3 or not hmac.compare_digest(mac, self._mac(body)) or body[0] != _VERSION:
            return None
        numbers = _varints(body[6:])
        if numbers is None or body[1] >= len(_ACTIONS):
            return None
        until = _EPOCH + timedelta(minutes=int.from_bytes(body[2:6], "big"))
        return Link(Press(_ACTIONS[body[1]], *numbers), until, mac.hex()[:16])

    def _mac(self, body: bytes) -> bytes:
        return blake2b(body, digest_size=_MAC, key=self.key).digest()


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*made, number))


def _varints(raw: bytes) -> tuple[int, int, int] | None:
    """Three numbers, and nothing after them."""
    numbers, number, shift = [], 0, 0
    for byte in raw:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number, shift = 0, 0
    if len(numbers) != 3 or shift:
        return None
    return numbers[0], numbers[1], numbers[2]
