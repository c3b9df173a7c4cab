"""Every line that the adapter asks the catalogue for is there, and every line of Telegram's is asked for."""

from __future__ import annotations

import re
from pathlib import Path

from bot.adapters.telegram.menu import EVERYWHERE
from bot.adapters.wording.english import ENGLISH, telegram

FOLDER = Path(__file__).parents[3] / "bot/adapters/telegram"
SOURCES = "\n".join(file.read_text("utf-8") for file in sorted(FOLDER.glob("*.py")))
QUOTED = set(re.findall(r'"([a-z][a-z_]+)"', SOURCES))
ABOUT = {f"telegram_about_{name}" for name in EVERYWHERE} | {"telegram_about_book_admins", "telegram_about_club_admins"}


def test_every_line_that_is_asked_for_is_in_the_catalogue() -> None:
    asked = set(re.findall(r'\bline\(\s*"([a-z_]+)"', SOURCES)) | ABOUT
    assert len(asked) > 50
    assert asked - ENGLISH.keys() == set()


def test_no_line_of_telegrams_is_asked_for_by_nobody() -> None:
    assert telegram.LINES.keys() - QUOTED - ABOUT == set()


def test_what_is_said_differently_there_stands_in_the_catalogue() -> None:
    assert telegram.IN_PLACE_OF.keys() <= ENGLISH.keys()
