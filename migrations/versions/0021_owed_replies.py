"""Replies that are owed: what a chat platform was told to wait for, so that another process can say so where one dies.

A row names an interaction or an update, and nothing of a book. Its token lets whoever has it answer that one
interaction for a quarter of an hour, or is the number of who is to be told; the row is gone once it is answered, or
that time is over. The answering role reaches them through functions alone. A weekly post that was being sent when its
process died is due again too, for a few minutes.
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"

OWED = """create function dogear.reply_owed_v1(_key text, _app text, _token text, _in_place boolean, _by text,
    _now timestamptz) returns boolean
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
begin
    delete from owed_reply o where o.key in (select e.key from owed_reply e
        where e.noted_at < _now - interval '15 minutes' order by e.noted_at limit 20 for update skip locked);
    insert into owed_reply (key, app, token, in_place, owed_by, noted_at) values (_key, _app, _token, _in_place, _by,
        _now) on conflict do nothing;
    return found;
end $$"""

PAID = """create function dogear.reply_paid_v1(_key text) returns boolean
language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
begin
    delete from owed_reply o where o.key = _key;
    return found;
end $$"""

OWING = """create function dogear.replies_owed_v1(_app text, _before timestamptz)
returns table (key text, token text, in_place boolean, owed_by text, noted_at timestamptz)
language sql stable strict security definer set search_path = dogear, pg_temp as $$
    select o.key, o.token, o.in_place, o.owed_by, o.noted_at from owed_reply o
    where o.app = _app and o.noted_at <= _before order by o.noted_at, o.key limit 500
$$"""

DUE = """create function dogear.clubs_due_v2(_now timestamptz) returns setof bigint
language sql stable strict security definer set search_path = dogear, pg_temp as $$ {} $$"""

DUE_V2 = (
    "select w.club_id from weekly_post w where (w.state = 'due' and coalesce(w.leased_until <= _now, true)) "
    "or (w.state = 'made' and w.leased_until <= _now and w.leased_until > _now - interval '2 minutes') "
    "union select d.club_id from daily_round d where d.done_at is null and coalesce(d.leased_until <= _now, true) "
    "order by 1"
)

SIGNATURES = (
    "reply_owed_v1(text, text, text, boolean, text, timestamptz)",
    "reply_paid_v1(text)",
    "replies_owed_v1(text, timestamptz)",
    "clubs_due_v2(timestamptz)",
)


def _given(*signatures: str) -> tuple[str, ...]:
    """To the answering role, as the role that finds clubs."""
    return tuple(
        statement
        for signature in signatures
        for statement in (
            f"revoke all on function dogear.{signature} from public",
            f"grant execute on function dogear.{signature} to dogear_app",
            f"alter function dogear.{signature} owner to dogear_locator",
        )
    )


UP = (
    "create table dogear.owed_reply (key text primary key, app text not null, token text not null, "
    "in_place boolean not null, owed_by text not null, noted_at timestamptz not null)",
    "create index owed_reply_noted on dogear.owed_reply (noted_at)",
    "alter table dogear.owed_reply enable row level security",
    "alter table dogear.owed_reply force row level security",
    "create policy locator_remembers on dogear.owed_reply to dogear_locator using (true) with check (true)",
    # update is for the lock of what is forgotten: no column is ever changed
    "grant select, insert, delete, update (noted_at) on dogear.owed_reply to dogear_locator",
    "grant create on schema dogear to dogear_locator",
    OWED,
    PAID,
    OWING,
    DUE.format(DUE_V2),
    *_given(*SIGNATURES),
    "revoke create on schema dogear from dogear_locator",
)

DOWN = (
    *(f"drop function dogear.{signature}" for signature in SIGNATURES),
    "drop table dogear.owed_reply",
)


def upgrade() -> None:
    for statement in UP:
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.get_bind().exec_driver_sql(statement)
