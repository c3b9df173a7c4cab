"""How far a book is, in words: the one message in a room that is edited as it goes on."""

from __future__ import annotations

from bot.adapters.wording import line
from bot.core.jobs import JobState, Stage
from bot.core.library import RoomProgress


def room_progress(progress: RoomProgress, language: str = "en") -> str:
    """What a room is shown of a file that is being added: no title and no name."""
    match progress:
        case RoomProgress(state=JobState.DONE | JobState.FAILED | JobState.CANCELLED as ended):
            return line(f"upload_room_{ended.value}", language)
        case RoomProgress(state=JobState.QUEUED) | RoomProgress(stage=Stage.WAIT):
            return line("upload_room_waits", language)
    stage = line(f"stage_{progress.stage.value}", language)
    return line("upload_room", language, stage=stage, percent=progress.percent)
