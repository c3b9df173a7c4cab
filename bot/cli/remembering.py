"""What `dogear book add` has a model remember of a book, and what is said of it."""

from __future__ import annotations

from typing import Any

from bot.adapters.wording.costs import dollars
from bot.app import App, working
from bot.cli.output import Output
from bot.core.club_settings import settings_of
from bot.core.jobs import Job, JobState
from bot.core.memories import no_model
from bot.core.ports import BookRecord
from bot.core.remembering import memory_estimate
from bot.ingest.worker import Progress


def require_model(app: App, wanted: bool | None) -> None:
    """Raises `Refused` where a model is ``wanted`` and none is set."""
    if wanted and app.model.claude is None:
        raise no_model()


async def remembered(
    app: App, book: BookRecord, wanted: bool | None, progress: Progress, output: Output
) -> dict[str, Any] | None:
    """Have a book remembered where that is ``wanted`` (None: where its club wants it of every book), and say what it
    costs and how far it is; None where no model is set.
    """
    club = app.remembering(book.club)
    if club is None:
        return None
    async with club.doors.opened() as door:
        chapter_map, choice = await door.chapter_map(book.id), settings_of(await door.settings()).memory
    cost = memory_estimate(chapter_map, book.language, club.writing).cost
    said = "a sum that is not known" if cost is None else f"{dollars(cost)} USD"
    seen: Job | None = None
    with working(app) as worker:
        await worker.timed()
        if wanted:
            output.note(f"A model reads it chapter by chapter now: about {said}.")
        if wanted or (wanted is None and choice == "always"):
            job = await app.queue.memory_wanted(book.id, worker.now())
            assert job is not None
            seen = await (worker.see_through(job, progress) if wanted else app.queue.job_state(job))
    status = "none" if seen is None else "waiting" if seen.put_off else seen.state.value
    if seen is None and wanted is None and choice != "never":
        output.note(f"A model could keep notes of it for /recap and /who: about {said}, with --memory.")
    if seen is not None and seen.state is not JobState.DONE:
        output.note("What is left of it is done by a worker: `dogear run` keeps one.")
    return {"status": status, "estimate": None if cost is None else round(float(cost), 4)}
