"""A room's limit goes with its book: it holds only while the room reads the book that it was given for."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(
        """alter table dogear.room add column limit_book bigint,
            add constraint room_limit_book_fkey foreign key (limit_book, club_id)
                references dogear.book (id, club_id) on delete set null (limit_book)"""
    )


def downgrade() -> None:
    op.get_bind().exec_driver_sql("alter table dogear.room drop column limit_book")
