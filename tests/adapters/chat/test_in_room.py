"""A message that says how far a file is, is somebody's to take away until it says how the file ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from bot.adapters.chat.books import _InRoom
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.keys import person_key
from bot.core.jobs import JobId, JobState, Stage
from bot.core.library import RoomProgress
from bot.core.roster import Posted

STANDING = Posted("discord:1/2", "3")


async def test_what_says_how_far_a_file_is_is_left_to_no_other_process_once_it_says_how_it_ended() -> None:
    did = list[str]()

    class Client:
        async def posted_in(self, *_: object) -> Posted:
            did.append("posted")
            return STANDING

        async def edited(self, *_: object) -> None:
            did.append("edited")

        async def begun(self, posted: Posted) -> None:
            assert posted == STANDING
            did.append("noted")

        async def over(self, posted: Posted) -> None:
            assert posted == STANDING
            did.append("forgotten")

    client: Any = Client()
    client.owing = client
    scene = SimpleNamespace(
        client=client,
        house=SimpleNamespace(club=1),
        member=SimpleNamespace(person=person_key(5)),
        language="en@discord",
    )
    shown = _InRoom(cast(Scene, scene), "discord:1/2", JobId(7))
    await shown.progress_posted(RoomProgress(JobState.RUNNING, Stage.WAIT, 0))
    await shown.progress_edited(RoomProgress(JobState.RUNNING, Stage.WAIT, 50))
    await shown.progress_edited(RoomProgress(JobState.DONE, Stage.WAIT, 100))
    assert did == ["posted", "noted", "edited", "edited", "forgotten"]
