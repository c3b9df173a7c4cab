"""What is done once only, whoever is told to do it how often; and chats that go on under another number.

A key names an update or a link of a chat platform, nobody and nothing of a book. The answering role reaches them
through a function alone, which forgets what is over.
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"

FIRST = """create function dogear.once_first_v1(_key text, _until timestamptz, _now timestamptz) returns boolean
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
begin
    delete from once o where o.key in (select e.key from once e where e.until < _now order by e.until limit 20
        for update skip locked);
    insert into once (key, until) values (_key, _until) on conflict do nothing;
    return found;
end $$"""

MOVED = """create function dogear.server_moved_v1(_old text, _new text) returns bigint
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
declare
    _moved bigint;
begin
    update room r set key = _new || substr(r.key, length(_old) + 1)
        where (r.key = _old or starts_with(r.key, _old || '/'))
        and not exists (select from room o where o.key = _new || substr(r.key, length(_old) + 1));
    get diagnostics _moved = row_count;
    update club c set server = _new
        where c.server = _old and not exists (select from club o where o.server = _new and o.name = c.name);
    return _moved;
end $$"""

UP = (
    "create table dogear.once (key text primary key, until timestamptz not null)",
    "create index once_until on dogear.once (until)",
    "alter table dogear.once enable row level security",
    "alter table dogear.once force row level security",
    "create policy locator_remembers on dogear.once to dogear_locator using (true) with check (true)",
    # update is for the lock of what is forgotten: no column is ever changed
    "grant select, insert, delete, update (until) on dogear.once to dogear_locator",
    "create policy locator_moves on dogear.room for update to dogear_locator using (true) with check (true)",
    "create policy locator_moves on dogear.club for update to dogear_locator using (true) with check (true)",
    "grant update (key) on dogear.room to dogear_locator",
    "grant update (server) on dogear.club to dogear_locator",
    "grant create on schema dogear to dogear_locator",
    FIRST,
    MOVED,
    *(
        statement
        for signature in ("once_first_v1(text, timestamptz, timestamptz)", "server_moved_v1(text, text)")
        for statement in (
            f"revoke all on function dogear.{signature} from public",
            f"grant execute on function dogear.{signature} to dogear_app",
            f"alter function dogear.{signature} owner to dogear_locator",
        )
    ),
    "revoke create on schema dogear from dogear_locator",
)

DOWN = (
    "drop function dogear.server_moved_v1(text, text)",
    "drop function dogear.once_first_v1(text, timestamptz, timestamptz)",
    "revoke update (server) on dogear.club from dogear_locator",
    "revoke update (key) on dogear.room from dogear_locator",
    "drop policy locator_moves on dogear.club",
    "drop policy locator_moves on dogear.room",
    "drop table dogear.once",
)


def upgrade() -> None:
    for statement in UP:
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.get_bind().exec_driver_sql(statement)
