"""`python -m tests.load.probed FILE run`: the program, and beside it a look at how long its event loop was held up.

A line of JSON a hold of more than `TOLD` seconds goes to FILE: how long it was, how much of that the machine gave to
others (Linux tells), and where the program stood then.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

EVERY: Final = 0.02
TOLD: Final = 0.05


def waited_for_the_machine(thread: int) -> float:
    """Seconds for which a thread was ready to run and did not get to."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Probe:
    """Runs in the loop that it looks at, with a thread that looks where it stands."""

    def __init__(self, loop: asyncio.AbstractEventLoop, told: Callable[[str], None]) -> None:
        self.loop, self.told = loop, told
        self.thread, self.ident = threading.get_native_id(), threading.get_ident()
        self.last, self.machine = time.monotonic(), waited_for_the_machine(self.thread)
        self.stood = ""
        threading.Thread(target=self.looks, daemon=True).start()
        loop.call_later(EVERY, self.tick)

    def tick(self) -> None:
        now, machine = time.monotonic(), waited_for_the_machine(self.thread)
        held, others = now - self.last - EVERY, machine - self.machine
        if held > TOLD:
            line = {"held": round(held, 3), "others": round(others, 3), "own": round(max(0, held - others), 3)}
            self.told(json.dumps(line | {"stood": self.stood}))
        self.last, self.machine, self.stood = now, machine, ""
        self.loop.call_later(EVERY, self.tick)

    def looks(self) -> None:
        while True:
            time.sleep(EVERY)
            frame = sys._current_frames().get(self.ident)
            if time.monotonic() - self.last > TOLD + EVERY and frame is not None and not self.stood:
                where = traceback.extract_stack(frame)[-12:]
                self.stood = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(where))


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
