"""How far a book is, in words: for the room, in the one message that is edited, and for who asks what goes on."""

from __future__ import annotations

from bot.adapters.wording import line
from bot.core.jobs import JobState, Stage
from bot.core.library import Failed, RoomProgress, Underway, UploadState


def room_progress(progress: RoomProgress, language: str = "en") -> str:
    """What a room is shown of a file that is being added: no title and no name."""
    match progress:
        case RoomProgress(state=JobState.DONE | JobState.FAILED | JobState.CANCELLED as ended):
            return line(f"upload_room_{ended.value}", language)
        case RoomProgress(state=JobState.QUEUED) | RoomProgress(stage=Stage.WAIT):
            return line("upload_room_waits", language)
    stage = line(f"stage_{progress.stage.value}", language)
    return line("upload_room", language, stage=stage, percent=progress.percent)


def uploading(state: UploadState, language: str = "en") -> str:
    """A file that is not done, by its number, for who may add books."""
    match state:
        case Underway(job=job, cancelling=True):
            return line("upload_row_cancelling", language, job=job)
        case Underway(job=job, code=str(code)):
            key = "upload_row_over_budget" if code == "over_budget" else "upload_row_put_off"
            return line(key, language, job=job)
        case Underway(job=job, stage=Stage.WAIT):
            return line("upload_row_waits", language, job=job)
        case Underway(job=job, stage=stage, percent=percent):
            said = line(f"stage_{stage.value}", language)
            return line("upload_row", language, job=job, stage=said, percent=percent)
        case Failed(job=job, sentence=sentence):
            return line("upload_row_failed", language, job=job, sentence=sentence)
    return str(state.job)
