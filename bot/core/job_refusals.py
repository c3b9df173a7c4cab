"""Why a file or a job is refused, or given up, in one sentence each."""

from __future__ import annotations

from bot.core.errors import Refused


def gave_up(attempts: int) -> tuple[str, str]:
    """The code and the sentence for a job that ended its worker time and again."""
    return (
        "gave_up",
        f"The worker ended {attempts} times while it was at this file, so it was given up: "
        "try it again, or add another edition of the book.",
    )


def model_gave_up(attempts: int) -> tuple[str, str]:
    """The same for a job by which a model reads a book."""
    return (
        "gave_up",
        f"The worker ended {attempts} times while a model read this book, so it was given up: try it again. "
        "The chapters that were done stay.",
    )


def unknown_job() -> Refused:
    """There is no such job in this club."""
    return Refused("unknown_job", "The club has no such upload: /book jobs shows those it has.")


def not_failed() -> Refused:
    """Only what failed can be tried again."""
    return Refused("not_failed", "Only an upload that failed can be tried again: /book jobs shows how each stands.")


def upload_gone() -> Refused:
    """The bytes of a file are gone."""
    return Refused("upload_gone", "The file is no longer kept: add it again.")


def too_large(most_bytes: int) -> Refused:
    """A file that is larger than any that is taken."""
    return Refused(
        "file_too_large", f"This file is larger than {max(1, most_bytes >> 20)} MB: please upload a smaller edition."
    )


def empty_file() -> Refused:
    """A file without a byte in it."""
    return Refused("empty_file", "This file is empty: please upload the book again.")


def unreadable() -> Refused:
    """A file that breaks off on its way."""
    return Refused("unreadable_file", "The file could not be read to its end: please try again.")


def no_room() -> Refused:
    """The machine that reads files has no room for one."""
    return Refused(
        "no_room", "The machine that reads files has no room for this one: tell the host, and then try it again."
    )
