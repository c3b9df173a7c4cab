"""The watch over the traffic sees what it is there for."""

from __future__ import annotations

from tests.discord.traffic import holds_book, uncovered, unguarded
from tests.discord.wire import NAMES, chapter_text
from tests.peers.discord.rest import Request
from tests.peers.discord.state import Shown

QUOTE = chapter_text(1)[:80]


def _shown(content: str, *, private: bool = False) -> Shown:
    return Shown("1", "2", private, {"content": content, "components": [], "embeds": [], "flags": 0})


def test_a_quote_in_clear_is_found_and_a_covered_one_is_not() -> None:
    assert unguarded([_shown(f"Ana asked\n{QUOTE}")])
    assert unguarded([_shown(f"Ana asked\n||{QUOTE}||")]) == []
    assert unguarded([_shown(QUOTE, private=True)]) == []


def test_a_cover_that_ends_early_or_stands_in_code_is_found() -> None:
    assert unguarded([_shown(f"||so|| {QUOTE} ||")])
    assert unguarded([_shown(f"`||{QUOTE}||`")])
    assert holds_book(uncovered(f"```\n||{QUOTE}||\n```"))


def test_what_nobody_has_read_is_found_even_privately() -> None:
    assert unguarded([_shown(f"||{NAMES[4]}||", private=True)])


def test_a_message_that_may_mention_somebody_is_found() -> None:
    assert unguarded([], [Request("POST", "/channels/1/messages", {"content": "Hello."})])
    assert unguarded([], [Request("PUT", "/applications/1/commands", [{"description": QUOTE}])])
