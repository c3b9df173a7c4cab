"""The reader of markdown, the check of payloads and the page find what they are there to find."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bot.adapters.chat.marked import plain
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.discord import render
from bot.adapters.discord.escape import covered, escaped
from bot.adapters.discord.pieces import Piece
from bot.adapters.discord.views import view_of
from tests.adapters.discord.hostile import hostile
from tests.adapters.discord.shown import in_room
from tests.peers.discord_page import page_of
from tests.peers.discord_payloads import command_problems, interaction_problems, message_problems, request_problems
from tests.peers.discord_view import marks, runs, seen_of, uncovered
from tests.peers.discord_wire import payload_of

NOBODY: dict[str, Any] = {"parse": []}


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ("a ||secret|| b", "a  b"),
        ("||secret|| public||", " public||"),
        ("||sec||ret||", "ret||"),
        ("|||secret|||", "|"),
        ("||`secret`||", "secret"),
        ("||```\nsecret```||", "secret\n"),
        ("`||secret||`", "||secret||"),
        ("\\||secret||", "||secret||"),
        ("||secret", "||secret"),
        ("# ||secret\nmore||", "||secret\nmore||"),
        ("**||secret||**", ""),
    ],
)
def test_what_stands_outside_a_cover_is_seen(content: str, seen: str) -> None:
    whole = "".join(run.text for run in runs(content) if not run.covered)
    assert whole.strip("\n") == seen.strip("\n")


def test_a_cover_over_several_lines_is_open_where_its_first_line_is_shown_alone() -> None:
    assert "secret" in uncovered("||secret\nand more||")
    assert "secret" not in uncovered("neutral\n||secret\nand more||")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("**a**", "bold"), ("__a__", "underline"), ("*a*", "italic"), ("_a_", "italic"), ("~~a~~", "strike"),
        ("# a", "heading"), ("-# a", "small"), ("> a", "quoted"), (">>> a\nb", "quoted"), ("- a", "listed"),
        ("12. a", "listed"), ("`a`", "code"), ("```a```", "block"), ("@everyone", "mention"), ("<@1>", "mention"),
        ("<t:1:R>", "time"), (":smile:", "emoji"), ("[a](http://b.c)", "link"), ("https://a.bc", "link"),
        ("<mailto:/a>", "link"), ("discord.gg/abc", "found"), ("\\@everyone", "found"), ("a\n# b", "heading"),
    ],
)  # fmt: skip
def test_every_mark_is_known(content: str, kind: str) -> None:
    assert kind in marks(content)


def test_everything_else_of_a_message_is_seen() -> None:
    message = {
        "content": "||hidden||",
        "embeds": [{
            "title": "||t||", "footer": {"text": "||f||"}, "author": {"name": "||a||"}, "description": "||d||",
            "fields": [{"name": "||n||", "value": "||v||"}],
        }],
        "components": [
            {"type": 1, "components": [{"type": 2, "label": "l"}, {"type": 3, "options": [{"label": "o"}]}]},
            {"type": 17, "spoiler": True, "components": [{"type": 10, "content": "under the card"}]},
            {"type": 10, "content": "on no card"},
        ],
        "attachments": [{"filename": "SPOILER_the-butler.png", "description": "alt"}],
    }  # fmt: skip
    seen = seen_of(message)
    assert [
        word
        for word in ("||t||", "||f||", "||a||", "||n||", "l", "o", "on no card", "butler", "alt")
        if word not in seen
    ] == []
    assert [word for word in ("hidden", "||d||", "||v||", "under the card") if word in seen] == []
    assert "hidden" not in seen_of({"type": 4, "data": {"content": "||hidden||"}})


OPTION = {"label": "a", "value": "a"}


def _row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def _button(label: str = "a", custom_id: str = "a") -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": label, "custom_id": custom_id}


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": "𝕏" * 1001},
        {"content": " "},
        {"content": "a", "allowed_mentions": None},
        {"content": "a", "allowed_mentions": {"parse": ["everyone"]}},
        {"content": "a", "allowed_mentions": {"parse": [], "users": ["1"]}},
        {"content": "a", "allowed_mentions": {"parse": [], "replied_user": True}},
        {"content": "a", "flags": 1 << 20},
        {"content": "a", "flags": 1 << 15},
        {"content": "a", "nonce": "n" * 26},
        {"content": "a", "embeds": [{"title": "t" * 257}]},
        {"content": "a", "embeds": [{"description": "d" * 4000}, {"description": "d" * 2001}]},
        {"content": "a", "components": [_row(_button()) for _ in range(6)]},
        {"content": "a", "components": [_row(*(_button(custom_id=str(n)) for n in range(6)))]},
        {"content": "a", "components": [_row(_button("l" * 81))]},
        {"content": "a", "components": [_row(_button(custom_id="i" * 101))]},
        {"content": "a", "components": [_row(_button(), _button())]},
        {"content": "a", "components": [_row({"type": 2, "style": 5, "label": "a", "url": "https://a.bc"})]},
        {"content": "a", "components": [_row({"type": 3, "custom_id": "a", "options": [OPTION, OPTION]})]},
        {"content": "a", "attachments": [{"filename": "The End.png"}]},
        {"content": "a", "attachments": [{"filename": "a.png", "description": "d" * 1025}]},
    ],
)  # fmt: skip
def test_a_message_that_breaks_a_limit_is_found(wrong: dict[str, Any]) -> None:
    assert message_problems({"allowed_mentions": NOBODY, **wrong})
    assert interaction_problems({"type": 4, "data": {"allowed_mentions": NOBODY, **wrong}})
    assert request_problems("POST", "/channels/1/messages", {"allowed_mentions": NOBODY, **wrong})


def test_a_message_within_the_limits_is_not() -> None:
    right = {"content": "𝕏" * 1000, "allowed_mentions": NOBODY, "components": [_row(_button())], "flags": 68}
    assert message_problems(right) == []
    assert message_problems({"content": "a", "allowed_mentions": {"parse": [], "users": ["1"]}}, reminder=True) == []
    assert request_problems("PATCH", "/webhooks/1/token/messages/@original", {"components": []}) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Ask", "description": "a"},
        {"name": "a" * 33, "description": "a"},
        {"name": "ask", "description": ""},
        {"name": "ask", "description": "d" * 101},
        {"name": "ask", "description": "a", "options": [{"name": f"o{n}", "description": "a"} for n in range(26)]},
        {"name": "ask", "description": "a", "options": [
            {"name": "o", "description": "a"}, {"name": "p", "description": "a", "required": True}]},
        {"name": "ask", "description": "a", "options": [
            {"name": "o", "description": "a", "choices": [{"name": "c", "value": str(n)} for n in range(26)]}]},
        {"name": " Ask about this", "type": 3},
    ],
)  # fmt: skip
def test_a_command_that_breaks_a_limit_is_found(wrong: dict[str, Any]) -> None:
    assert command_problems(wrong)
    assert request_problems("PUT", "/applications/1/commands", [wrong])


def test_all_commands_together_are_checked() -> None:
    one = {"name": "ask", "description": "a"}
    assert request_problems("PUT", "/applications/1/commands", [one]) == []
    assert request_problems("PUT", "/applications/1/commands", [one, one])
    assert request_problems("PUT", "/applications/1/commands", [{**one, "name": f"a{n}"} for n in range(101)])
    assert request_problems("PUT", "/applications/1/commands", [{"name": f"Menu {n}", "type": 3} for n in range(6)])


def test_files_are_those_that_are_attached_and_not_too_large() -> None:
    def sent(*files: tuple[str, str, bytes], **more: Any) -> list[str]:
        named = [{"id": n, "filename": f"{n}.png"} for n in range(len(files))]
        return request_problems("POST", "/channels/1/messages", {"attachments": named, "nonce": "1", **more}, files)

    def file(n: int, size: int = 1) -> tuple[str, str, bytes]:
        return f"files[{n}]", f"{n}.png", b"x" * size

    assert sent(file(0), file(1)) == []
    assert sent(("files[0]", "other.png", b"x"))
    assert sent(file(0, 6 << 20), file(1, 5 << 20))
    assert sent(*(file(n) for n in range(11)))
    assert sent(file(0), attachments=[])


def test_forms_and_choices_are_checked_too() -> None:
    field = {"type": 4, "custom_id": "a", "label": "l" * 46}
    assert interaction_problems({"type": 9, "data": {"title": "t", "custom_id": "a", "components": [_row(field)]}})
    assert interaction_problems(
        {"type": 9, "data": {"title": "t" * 46, "custom_id": "a", "components": [_row(_button())]}}
    )
    assert interaction_problems({"type": 8, "data": {"choices": [{"name": "n" * 101, "value": "v"}]}})
    assert interaction_problems({"type": 8, "data": {"choices": [{"name": "n", "value": "v"}]}}) == []
    assert interaction_problems({"type": 99})


async def test_the_components_that_are_sent_are_those_of_the_piece() -> None:
    piece = Piece("a", tuple(Button(Press(Action.JOIN, n), f"Join {n}", weight) for n, weight in enumerate(Weight)))
    view = view_of(piece)
    assert view is not None
    sent, ours = view.to_components(), payload_of(piece)["components"]
    keys = ("type", "style", "label", "custom_id")
    for row, other in zip(sent, ours, strict=True):
        assert [[b[key] for key in keys] for b in row["components"]] == [
            [b[key] for key in keys] for b in other["components"]
        ]
    assert message_problems({**payload_of(piece), "components": sent}) == []


@given(hostile)
def test_nothing_covered_is_on_the_page_that_is_looked_at(text: str) -> None:
    words = "".join(c for c in plain(text) if c.isalnum() and c != "n")
    page = page_of([{"content": f"neutral\n{covered(escaped('qzx' + words + 'qzx'))}"}])
    assert "qzx" not in page
    assert "neutral" in page


def test_the_page_shows_a_message_as_a_person_sees_it() -> None:
    page = page_of(
        [payload_of(piece) for piece in render.in_room(in_room("Who is Sherman?", ["old Sherman & his dog"]))]
    )
    assert "Sherman" not in page
    assert "The Sign of the Four" in page
    assert "Answer me privately" in page
