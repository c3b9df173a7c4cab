"""What a button means, as the at most 64 bytes that Telegram gives back when it is pressed.

    A.CLUB.SUBJECT.PERSON.VALUE

``A`` is the action's letters, numbers are in base 36. It is visible to whoever looks into a client, so it holds ids
alone. It is read strictly.
"""

from __future__ import annotations

import re
from typing import Final

from bot.adapters.chat.presses import Action, Press

LONGEST: Final = 64
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER: Final = re.compile(r"0|[1-9a-z][0-9a-z]{0,12}", re.ASCII)


def data_of(press: Press) -> str:
    """The callback data of a button. Raises ``ValueError`` where its numbers are too large to fit."""
    numbers = ".".join(map(_base36, (press.club, press.subject, press.person)))
    data = f"{press.action.value}.{numbers}.{press.value}"
    if len(data) > LONGEST:
        raise ValueError("a press is too long")
    return data


def press_of(data: str) -> Press | None:
    """The meaning of a pressed button; None for whatever is not exactly what `data_of` makes today."""
    if len(data) > LONGEST or data.count(".") != 4:
        return None
    action, club, subject, person, value = data.split(".")
    if not all(_NUMBER.fullmatch(number) for number in (club, subject, person)):
        return None
    try:
        return Press(Action(action), int(club, 36), int(subject, 36), int(person, 36), value)
    except ValueError:
        return None


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
