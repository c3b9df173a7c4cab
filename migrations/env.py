"""Alembic's environment: one connection, handed over by `bot.adapters.postgres.migrate`."""

from __future__ import annotations

from alembic import context


def run() -> None:
    connection = context.config.attributes.get("connection")
    if connection is None:
        raise SystemExit("Run migrations with `dogear db upgrade`.")
    context.configure(connection=connection, version_table="schema_version", version_table_schema="dogear")
    with context.begin_transaction():
        context.run_migrations()


run()
