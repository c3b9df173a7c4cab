"""What came from a chat platform and nobody has begun to answer: kept so long, so that none of it is lost.

A row is what the platform told, with what somebody wrote; it is gone as soon as it is begun, and after a day. The key
of what was begun stands with what is done once only. The answering role reaches it through functions alone.
"""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"

CAME = """create function dogear.inbox_came_v1(_key text, _body text, _now timestamptz) returns boolean
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
begin
    delete from inbox i where i.key in (select o.key from inbox o where o.came_at < _now - interval '1 day'
        order by o.came_at limit 20 for update skip locked);
    if exists (select from once o where o.key = _key) then
        return false;
    end if;
    insert into inbox (key, body, came_at) values (_key, _body, _now) on conflict do nothing;
    return found;
end $$"""

BEGUN = """create function dogear.inbox_begun_v1(_key text, _until timestamptz, _now timestamptz) returns boolean
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
begin
    delete from inbox i where i.key = _key;
    return once_first_v1(_key, _until, _now);
end $$"""

WAITING = """create function dogear.inbox_waiting_v1(_prefix text, _after timestamptz, _before timestamptz)
returns table (key text, body text)
language sql stable strict security definer set search_path = dogear, pg_temp as $$
    select i.key, i.body from inbox i
    where starts_with(i.key, _prefix) and i.came_at >= _after and i.came_at <= _before
    and not exists (select from once o where o.key = i.key)
    order by i.n limit 1000
$$"""

FUNCTIONS = (
    "inbox_came_v1(text, text, timestamptz)",
    "inbox_begun_v1(text, timestamptz, timestamptz)",
    "inbox_waiting_v1(text, timestamptz, timestamptz)",
)

UP = (
    "create table dogear.inbox (key text primary key, n bigint generated always as identity, body text not null, "
    "came_at timestamptz not null)",
    "create index inbox_came on dogear.inbox (came_at)",
    "alter table dogear.inbox enable row level security",
    "alter table dogear.inbox force row level security",
    "create policy locator_keeps on dogear.inbox to dogear_locator using (true) with check (true)",
    # update is for the lock of what is forgotten: no column is ever changed
    "grant select, insert, delete, update (came_at) on dogear.inbox to dogear_locator",
    "grant create on schema dogear to dogear_locator",
    CAME,
    BEGUN,
    WAITING,
    *(
        statement
        for signature in FUNCTIONS
        for statement in (
            f"revoke all on function dogear.{signature} from public",
            f"grant execute on function dogear.{signature} to dogear_app",
            f"alter function dogear.{signature} owner to dogear_locator",
        )
    ),
    "revoke create on schema dogear from dogear_locator",
)

DOWN = (*(f"drop function dogear.{signature}" for signature in reversed(FUNCTIONS)), "drop table dogear.inbox")


def upgrade() -> None:
    for statement in UP:
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.get_bind().exec_driver_sql(statement)
