"""Real novels are for `make hostile`: they take minutes, and are not in the repository."""

from __future__ import annotations

import os

collect_ignore = [] if {"DOGEAR_HOSTILE", "DOGEAR_SHARED"} <= os.environ.keys() else ["test_novels.py"]
