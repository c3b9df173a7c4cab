"""Reading schedules, reminders and the weekly posts."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    pass


def downgrade() -> None:
    pass
