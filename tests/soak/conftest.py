"""The soak is for `make soak`: it takes minutes."""

from __future__ import annotations

import os

collect_ignore = [] if "SOAK_MINUTES" in os.environ else ["test_soak.py"]
