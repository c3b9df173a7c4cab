"""`python -m tests.load.probed FILE run`: the program, and beside it a look at how long its event loop was held up.

A line of JSON a hold of more than `TOLD` seconds goes to FILE: how long it was, how much of that the machine gave to
others (Linux tells), how long the loop's thread computed and the whole process did, how many callbacks ran meanwhile
and which computed longest, how long the garbage collector looked, and where the program stood.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

EVERY: Final = 0.02
TOLD: Final = 0.05
LOOKS: Final = 0.01
"""Seconds between two looks at where the program stands, while it is held up."""


def waited_for_the_machine(thread: int) -> float:
    """Seconds for which a thread was ready to run and did not get to."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Callbacks:
    """Counts what the loop runs, and how long the longest of it and the garbage collector compute."""

    def __init__(self) -> None:
        self.ran, self.longest, self.name, self.collected = 0, 0.0, "", 0.0
        self._began = 0.0
        gc.callbacks.append(self._collects)
        run = asyncio.Handle._run

        def counted(handle: asyncio.Handle) -> None:
            began, what = time.thread_time(), getattr(handle, "_callback", None)
            run(handle)
            took = time.thread_time() - began
            self.ran += 1
            if took > self.longest:
                self.longest, self.name = took, named(what)

        asyncio.Handle._run = counted  # type: ignore[method-assign, assignment]

    def _collects(self, phase: str, _: object) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.collected += time.perf_counter() - self._began

    def taken(self) -> dict[str, Any]:
        """What there was since it was asked before."""
        longest = [round(self.longest, 3), self.name]
        found = {"callbacks": self.ran, "longest": longest, "collected": round(self.collected, 3)}
        self.ran, self.longest, self.name, self.collected = 0, 0.0, "", 0.0
        return found


def named(callback: object) -> str:
    """What a callback is called: of a task's step, its coroutine."""
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return str(getattr(task.get_coro(), "__qualname__", task))
    return str(getattr(callback, "__qualname__", callback))


class Probe:
    """Runs in the loop that it looks at, with a thread that looks where it stands."""

    def __init__(self, loop: asyncio.AbstractEventLoop, told: Callable[[str], None]) -> None:
        self.loop, self.told = loop, told
        self.thread, self.ident = threading.get_native_id(), threading.get_ident()
        self.last, self.machine = time.monotonic(), waited_for_the_machine(self.thread)
        self.computed, self.process = time.thread_time(), time.process_time()
        self.callbacks = Callbacks()
        self.stood: Counter[str] = Counter()
        threading.Thread(target=self.looks, daemon=True).start()
        loop.call_later(EVERY, self.tick)

    def tick(self) -> None:
        now, machine = time.monotonic(), waited_for_the_machine(self.thread)
        computed, process = time.thread_time(), time.process_time()
        held, others = now - self.last - EVERY, machine - self.machine
        ran = self.callbacks.taken()
        if held > TOLD:
            line = {
                "held": held, "others": others, "own": max(0, held - others), "cpu": computed - self.computed,
                "process": process - self.process,
            }  # fmt: skip
            told = {name: round(value, 3) for name, value in line.items()} | ran
            self.told(json.dumps(told | {"stood": [f"{n} {where}" for where, n in self.stood.most_common(3)]}))
        self.last, self.machine = now, machine
        self.computed, self.process = computed, process
        self.stood.clear()
        self.loop.call_later(EVERY, self.tick)

    def looks(self) -> None:
        while True:
            time.sleep(LOOKS)
            frame = sys._current_frames().get(self.ident)
            if time.monotonic() - self.last > TOLD and frame is not None:
                where = traceback.extract_stack(frame)[-12:]
                self.stood[" < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(where))] += 1


class Policy(asyncio.DefaultEventLoopPolicy):
    """Every loop of the main thread has a probe."""

    def __init__(self, told: Callable[[str], None]) -> None:
        super().__init__()
        self.told = told

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        loop = super().new_event_loop()
        if threading.current_thread() is threading.main_thread():
            loop.call_soon(lambda: Probe(loop, self.told))
        return loop


def main() -> None:
    """Run the program's command line in the rest of the arguments."""
    path = Path(sys.argv.pop(1))

    def told(line: str) -> None:
        with path.open("a") as file:
            file.write(line + "\n")

    asyncio.set_event_loop_policy(Policy(told))
    from bot.cli import main as program

    program()


if __name__ == "__main__":
    main()
