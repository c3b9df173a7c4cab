"""Where members are is read from an index alone: it carries the offset, and the club that row-level security asks for.

A room's boundary needs the latest place of each of its members, before and after everything that is shown.
"""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run('create index position_at on dogear.position (book_id, member_id, id desc) include ("offset", club_id)')
    run("drop index dogear.position_latest")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("create index position_latest on dogear.position (book_id, member_id, id desc)")
    run("drop index dogear.position_at")
