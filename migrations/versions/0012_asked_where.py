"""A member is asked where they are once in each book that is read, rooms' own books too."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("alter table dogear.member add column asked_where_of bigint[] not null default '{}'")
    run(
        "update dogear.member m set asked_where_of = array[c.current_book] from dogear.club c "
        "where c.id = m.club_id and m.asked_where_at is not null and c.current_book is not null"
    )


def downgrade() -> None:
    op.get_bind().exec_driver_sql("alter table dogear.member drop column asked_where_of")
