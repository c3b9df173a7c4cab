"""A bar that shows how far the reading of a file has come, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

STAGES: Final = {"read": "Reading", "index": "Indexing", "embed": "Embedding", "remember": "Remembering"}


@contextmanager
def progress_bar() -> Iterator[Callable[[str, float], None]]:
    """Called with a stage and how much of it is done (0 to 1). Draws on stderr, and only where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _stage, _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:<9}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {stage: bars.add_task(name, total=1.0, start=False) for stage, name in STAGES.items()}

        def show(stage: str, done: float) -> None:
            bars.start_task(tasks[stage])
            bars.update(tasks[stage], completed=done)

        yield show
