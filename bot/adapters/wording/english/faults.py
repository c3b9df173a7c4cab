"""What went wrong."""

from __future__ import annotations

LINES: dict[str, str] = {
    "leak": "Something was stopped because it may tell more than you have read. Nothing was shown.",
    "fault": "Something went wrong, and nothing was changed.",
}
