"""Every line that the adapter asks the catalogue for is there, and every line of its commands is asked for."""

from __future__ import annotations

import re
from pathlib import Path

from bot.adapters.wording.english import ENGLISH, chat, discord_commands

ADAPTERS = Path(__file__).parents[3] / "bot/adapters"
SOURCES = "\n".join(
    file.read_text("utf-8") for folder in ("chat", "discord") for file in sorted((ADAPTERS / folder).glob("*.py"))
)
QUOTED = set(re.findall(r'"([a-z][a-z_]+)"', SOURCES))
ABOUT = {f"discord_about_{key}" for key in re.findall(r'about\("([a-z_]+)"\)', SOURCES)}


def test_every_line_that_is_asked_for_is_in_the_catalogue() -> None:
    asked = set(re.findall(r'\bline\(\s*"([a-z_]+)"', SOURCES)) | ABOUT
    asked |= {key for key in QUOTED if key.startswith(("discord_", "chat_"))}
    assert len(asked) > 60
    assert asked - ENGLISH.keys() == set()


def test_no_line_of_the_commands_is_asked_for_by_nobody() -> None:
    built = {key for key in chat.LINES if key.startswith("chat_how_")}
    built |= {key for key in discord_commands.LINES if key.startswith("discord_recap_")}
    assert (discord_commands.LINES.keys() | chat.LINES.keys()) - QUOTED - ABOUT - built == set()


def test_a_description_has_at_most_a_hundred_characters() -> None:
    long = [k for k, v in discord_commands.LINES.items() if k.startswith("discord_about_") and not 0 < len(v) <= 100]
    assert long == []
