"""${message}"""

from __future__ import annotations

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "op.execute('select 1')"}


def downgrade() -> None:
    ${downgrades if downgrades else "op.execute('select 1')"}
