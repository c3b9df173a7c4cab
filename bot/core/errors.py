"""The one tree of exceptions.

::

    DogearError
    ├── Refused              the input was refused: a code, and one sentence for the person who gave it
    │   └── FileRefused      ... a book file
    ├── Unavailable          a service (database, embedder, model) cannot be used: one sentence that says what to run
    └── SpoilerLeak          a guard tripped: something beyond the boundary was about to be used

What a member can meet in the ordinary course (an answer, a refusal to answer, several candidates) is a
return value, never an exception. Errors of foreign libraries are translated once, where they are met.
"""

from __future__ import annotations

import shlex
import sys
import traceback


class DogearError(Exception):
    """The root of everything Dogear raises."""


class Refused(DogearError):
    """The input was refused.

    ``code`` is stable and for scripts; ``message`` is one plain sentence that says what is wrong and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Refused], tuple[str, str]]:
        return type(self), (self.code, self.message)


class FileRefused(Refused):
    """A file that cannot become a book (not a book, protected, too large, broken, without text)."""


class Unavailable(DogearError):
    """A service cannot be used; the message is one sentence that says what to run or to set."""

    def __init__(self, message: str, code: str = "unavailable") -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class SpoilerLeak(DogearError):
    """A guard tripped. It carries offsets for the operator and never text."""


def pip_install(*arguments: str) -> str:
    """The command that installs packages where this program runs, which is seldom where a bare ``pip`` would."""
    return f"`{shlex.join([sys.executable, '-m', 'pip', 'install', *arguments])}`"


def trace_of(error: BaseException) -> str:
    """Where a fault happened and of what kind it is, for a log: without its message, which may repeat what was read."""
    return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__])
