"""The watch over the traffic sees what it is there for: each thing that may not happen is done to it once."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from tests.discord.reading import Readers
from tests.discord.traffic import Watch, holds_book, uncovered, unguarded
from tests.discord.wire import BOOK, NAMES, TITLES, Club, chapter_text
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.rest import Request
from tests.peers.discord.state import Shown, World
from tests.stories.reading import ENDS, SETTLED, meant

QUOTE = chapter_text(1)[:80]
NOBODY: dict[str, Any] = {"allowed_mentions": {"parse": []}}


def _shown(content: str, *, private: bool = False, **more: Any) -> Shown:
    return Shown("1", "2", private, {"content": content, "components": [], "embeds": [], "flags": 0, **more})


def _picture(**texts: str) -> bytes:
    told = PngImagePlugin.PngInfo()
    for key, value in texts.items():
        told.add_text(key, value, zip=True)
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG", pnginfo=told)
    return out.getvalue()


class Made:
    """A server with a room and two people: Ana has finished chapter 3, Bo chapter 2. All that was long ago."""

    def __init__(self) -> None:
        self.world = World()
        self.ana, self.bo, self.eve = (self.world.add_user(name) for name in ("Ana", "Bo", "Eve"))
        self.guild, self.room = self.world.add_guild("Readers", [self.ana, self.bo, self.eve])
        for user, place in ((self.ana, "finished 3"), (self.bo, "finished 2")):
            self.does(user, "join")
            self.does(user, "progress", place=place)

    def does(self, user: str, name: str, *, ago: float = 100.0, kind: int = 2, **values: str) -> str:
        it = self.world.add_interaction(kind, user, self.room, None, name, values)
        it.created = time.time() - ago
        it.ephemeral = True
        it.timeline.append((10.0, "edit", {}))
        return it.token

    def room_gets(self, content: str, **more: Any) -> list[str]:
        return self.gets(f"/channels/{self.room}/messages", content, **more)

    def gets(self, path: str, content: str, files: tuple[tuple[str, str, bytes], ...] = (), **more: Any) -> list[str]:
        body = {"content": content, **NOBODY, **more}
        return unguarded([], [Request("POST", path, body, files, time.time())], self.world)


def test_a_quote_in_clear_is_found_and_a_covered_one_is_not() -> None:
    assert unguarded([_shown(f"Ana asked\n{QUOTE}")])
    assert unguarded([_shown(f"Ana asked\n||{QUOTE}||")]) == []
    assert unguarded([_shown(QUOTE, private=True)]) == []


def test_a_cover_that_ends_early_or_stands_in_code_or_in_the_first_line_alone_is_found() -> None:
    assert unguarded([_shown(f"Ana asked\n||so|| {QUOTE} ||")])
    assert unguarded([_shown(f"Ana asked\n`||{QUOTE}||`")])
    assert unguarded([_shown(f"||{QUOTE}\n and more||")])
    assert holds_book(uncovered(f"```\n||{QUOTE}||\n```"))


@pytest.mark.parametrize(
    "more",
    [
        {"embeds": [{"title": f"||{QUOTE}||"}]},
        {"embeds": [{"footer": {"text": f"||{QUOTE}||"}}]},
        {"components": [{"type": 1, "components": [{"type": 2, "label": QUOTE, "custom_id": "a"}]}]},
        {"components": [{"type": 1, "components": [{"type": 2, "label": "a", "custom_id": NAMES[0]}]}]},
        {"attachments": [{"filename": "a.png", "description": QUOTE}]},
        {"attachments": [{"filename": f"{NAMES[1]}.png"}]},
    ],
)  # fmt: skip
def test_words_of_the_book_are_found_wherever_a_message_can_show_them(more: dict[str, Any]) -> None:
    assert unguarded([_shown("Hello.", **more)])


def test_words_are_found_in_a_file_of_a_room_and_in_what_a_picture_says_of_itself() -> None:
    for data in (QUOTE.encode(), _picture(Comment=QUOTE)):
        assert unguarded([Shown("1", "2", False, {"content": "Hello."}, (("a.png", data),))])
    assert unguarded([Shown("1", "2", False, {"content": "Hello."}, (("a.png", _picture(Comment="Week 3")),))]) == []


@pytest.mark.parametrize(
    ("said", "offset"),
    [
        ("none", 0), ("finished 2", ENDS[2]), ("finished #2", ENDS[2]), ("2", ENDS[2]), ("chapter 2", ENDS[2]),
        ("back to 1", ENDS[1]), ("in 2", ENDS[1] + len(f"Chapter 2: {TITLES[1]}")), ("50%", len(BOOK) // 2),
        ("the words where I stopped", len(BOOK)),
    ],
)  # fmt: skip
def test_what_was_said_is_taken_for_the_furthest_that_it_can_mean(said: str, offset: int) -> None:
    assert meant(said) == offset


def test_what_one_of_a_room_has_not_read_is_found_there_even_when_it_is_covered() -> None:
    made = Made()
    assert made.room_gets(f"||{chapter_text(2)[:80]}||") == []
    assert made.room_gets(f"||{chapter_text(3)[:80]}||")
    assert made.room_gets(f"||{NAMES[2].split()[1]}||")
    assert made.room_gets(f"||{TITLES[2]}||")


def test_what_a_person_has_not_read_is_found_even_when_it_is_said_to_them_alone() -> None:
    made = Made()
    token = made.does(made.ana, "ask", question="Who?")
    assert made.gets(f"/webhooks/1/{token}", chapter_text(3)[:80]) == []
    assert made.gets(f"/webhooks/1/{token}", NAMES[3])
    direct = made.world.direct(made.bo)["id"]
    assert made.gets(f"/channels/{direct}/messages", chapter_text(2)[:80]) == []
    assert made.gets(f"/channels/{direct}/messages", NAMES[2])


def test_what_is_unread_is_found_in_choices_forms_buttons_files_and_reasons() -> None:
    made = Made()
    token = made.does(made.bo, "progress", kind=4)
    number = made.world.by_token[token].id
    for kind, data in (
        (8, {"choices": [{"name": TITLES[3], "value": "a"}]}),
        (9, {"title": NAMES[3], "custom_id": "a", "components": [{"type": 1, "components": []}]}),
    ):
        body = {"type": kind, "data": data}
        path = f"/interactions/{number}/{token}/callback"
        assert any("unread" in w for w in unguarded([], [Request("POST", path, body, (), time.time())], made.world))
    assert made.room_gets("a", components=[{"type": 1, "components": [{"type": 2, "label": TITLES[3]}]}])
    assert made.room_gets("a", files=(("files[0]", "a.png", _picture(Title=TITLES[3])),))
    assert unguarded([], [Request("DELETE", "/channels/1/messages/2", None, (), 0.0, QUOTE)])
    assert unguarded([], [Request("POST", "/channels/1/threads", {"name": TITLES[3]})])


def test_what_somebody_asked_themselves_may_be_said_to_them_again_and_to_nobody_else() -> None:
    made = Made()
    token = made.does(made.bo, "ask", question="Who is Everard Pell?")
    assert made.gets(f"/webhooks/1/{token}", "You asked: Who is Everard Pell?") == []
    assert made.room_gets("||Who is Everard Pell?||")
    other = made.does(made.ana, "ask", question="Who?")
    assert made.gets(f"/webhooks/1/{other}", "Who is Everard Pell?")


def test_who_goes_back_or_joins_counts_a_moment_later_and_who_leaves_does_not() -> None:
    made = Made()
    covered = f"||{chapter_text(2)[:80]}||"
    made.does(made.bo, "progress", ago=1, place="back to 1")
    assert made.room_gets(covered) == []
    made = Made()
    made.does(made.bo, "progress", ago=30, place="back to 1")
    assert made.room_gets(covered)
    made.does(made.bo, "leave", ago=20)
    assert made.room_gets(covered) == []
    made.does(made.eve, "join", ago=10)
    assert made.room_gets(covered)
    made.does(made.ana, "club remove", ago=9, member=made.eve)
    assert made.room_gets(covered) == []


def test_who_cannot_see_a_room_does_not_count_in_it() -> None:
    made = Made()
    hidden = made.world.add_channel(made.guild, "ahead", only=[made.ana])
    assert made.gets(f"/channels/{hidden}/messages", f"||{chapter_text(3)[:80]}||") == []
    assert made.gets(f"/channels/{hidden}/messages", f"||{chapter_text(4)[:80]}||")


def test_looking_ahead_is_for_who_pressed_it_alone() -> None:
    made = Made()
    token = made.does(made.bo, "1.ahead-answer.1.1.1.", kind=3)
    assert made.gets(f"/webhooks/1/{token}", NAMES[4]) == []
    made.world.by_token[token].ephemeral = False
    assert made.gets(f"/webhooks/1/{token}", NAMES[4])


def test_a_message_that_may_mention_somebody_is_found() -> None:
    assert unguarded([], [Request("POST", "/channels/1/messages", {"content": "Hello."})])
    assert unguarded([], [Request("PUT", "/applications/1/commands", [{"name": "ask", "description": QUOTE}])])


@pytest.mark.asyncio(loop_scope="session")
async def test_what_the_program_might_have_sent_is_found_among_what_it_sent(
    club: Club, peer: FakeDiscord, watch: Watch
) -> None:
    soon = time.time() + 2 * SETTLED
    assert Readers(peer.world).together(club.room, soon) == ENDS[2]
    assert Readers(peer.world).alone(club["Ana"], soon) == ENDS[3]
    assert watch.wrong() == []
    body = {"content": f"Ana asked\n||{chapter_text(3)[:60]}||", **NOBODY}
    peer.requests.append(Request("POST", f"/channels/{club.room}/messages", body, (), soon))
    assert watch.wrong()
    peer.gateway.heard.append({"op": 3, "d": {"activities": [{"name": f"about {NAMES[0]}"}]}})
    assert watch.wrong()
