"""How far a book is, in words."""

from __future__ import annotations

import pytest

from bot.adapters.wording.uploads import room_progress
from bot.core.jobs import JobState, Stage
from bot.core.library import RoomProgress


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (RoomProgress(JobState.QUEUED, Stage.WAIT, 0), "A book is being added: it waits for its turn."),
        (RoomProgress(JobState.RUNNING, Stage.WAIT, 0), "A book is being added: it waits for its turn."),
        (RoomProgress(JobState.RUNNING, Stage.READ, 30), "A book is being added: reading the file, 30%."),
        (RoomProgress(JobState.RUNNING, Stage.INDEX, 90), "A book is being added: indexing, 90%."),
        (RoomProgress(JobState.RUNNING, Stage.EMBED, 10), "A book is being added: making vectors, 10%."),
        (RoomProgress(JobState.DONE, Stage.INDEX, 100), "A book has been added: who brought it looks at it first."),
        (RoomProgress(JobState.FAILED, Stage.READ, 0), "A book could not be added."),
        (RoomProgress(JobState.CANCELLED, Stage.READ, 0), "The adding of a book was cancelled."),
    ],
)
def test_a_room_is_told_how_far_a_book_is_and_nothing_of_it(progress: RoomProgress, said: str) -> None:
    assert room_progress(progress) == said
