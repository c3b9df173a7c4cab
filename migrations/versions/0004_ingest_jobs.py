"""Uploads and jobs: what a worker does, and what is left of it after a crash."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
