"""One thing that `dogear doctor` looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it works, and a sentence that says so or says what to do.

    Where something that is ``needed`` does not work, nothing does. What is not set up is ``off``, and in order.
    """

    name: str
    ok: bool
    message: str
    needed: bool = False
    off: bool = False
