"""A reading child that misbehaves as the file it is given says. For tests of `bot.ingest.files`."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bot.ingest.reading_child import confine, private_stdout, send


def main() -> None:
    request = json.loads(sys.argv[1])
    pipe = private_stdout()
    confine(request["memory_bytes"], request["cpu_seconds"])
    order = Path(request["path"]).read_text(encoding="utf-8").strip()
    if order == "spin":
        while True:
            pass
    elif order == "sleep":
        send(pipe, {"stage": "reading", "fraction": 0.25})
        time.sleep(600)
    elif order == "leave a grandchild":
        grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        send(pipe, {"stage": "reading", "fraction": grandchild.pid / 10_000_000})
        time.sleep(600)
    elif order == "allocate":
        held = []
        while True:
            held.append(bytearray(16 * 1024 * 1024))
    elif order == "crash":
        ctypes.string_at(0)
    elif order == "abort":
        os.abort()
    elif order == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif order == "write a file":
        Path("left-behind").write_bytes(b"x" * 100_000)
    elif order == "say nothing":
        pass
    elif order == "flood":
        while True:
            pipe.write("x" * 65_536)
    elif order == "tell the environment":
        names = sorted(os.environ)
        send(pipe, {"refused": ["environment", ",".join(names) + "."]})
    else:
        pipe.write(order + "\n")
        pipe.flush()


if __name__ == "__main__":
    main()
