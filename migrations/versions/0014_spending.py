"""What models were paid for: a row a request, and what each club and the host have spent by day and month.

Amounts are in billionths of a US dollar. A request is reserved at the most that it can cost before it is made, and
settled at what it did: each in one transaction that locks the sums of the club, then of the host, so that any number
of processes keep to one budget. The sums of the host are of all clubs together: nobody reads them but these functions,
which return numbers. A question that goes leaves what it cost, without the person who asked it.
"""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """create table dogear.spending (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        question_id bigint,
        purpose text not null,
        model text not null,
        input bigint not null default 0 check (input >= 0),
        cached bigint not null default 0 check (cached >= 0),
        written bigint not null default 0 check (written >= 0),
        output bigint not null default 0 check (output >= 0),
        charged bigint not null check (charged >= 0),
        priced boolean not null default false,
        made_at timestamptz not null,
        settled_at timestamptz,
        unique (id, club_id),
        foreign key (question_id, club_id)
            references dogear.question (id, club_id) on delete set null (question_id))""",
    "create index spending_of_club on dogear.spending (club_id, made_at)",
    "create index spending_of_question on dogear.spending (question_id) where question_id is not null",
    """create table dogear.club_spent (
        club_id bigint not null references dogear.club on delete cascade,
        period text not null check (period in ('day', 'month')),
        starts date not null,
        amount bigint not null default 0,
        primary key (club_id, period, starts))""",
    """create table dogear.host_spent (
        period text not null check (period in ('day', 'month')),
        starts date not null,
        amount bigint not null default 0,
        primary key (period, starts))""",
)

STARTS = """(values ('day', (_at at time zone 'UTC')::date),
                    ('month', date_trunc('month', _at at time zone 'UTC')::date)) p (period, starts)"""

FUNCTIONS = (
    f"""create function dogear.spending_reserved_v1(
        _purpose text, _model text, _amount bigint, _at timestamptz,
        _club_day bigint, _club_month bigint, _host_day bigint, _host_month bigint) returns bigint
    language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
    declare
        _club bigint := current_setting('dogear.club')::bigint;
        _spent jsonb;
        _all jsonb;
        _id bigint;
    begin
        insert into club_spent (club_id, period, starts) select _club, p.period, p.starts from {STARTS}
            order by 2 on conflict do nothing;
        with locked as (select s.period, s.amount from club_spent s join {STARTS} using (period, starts)
                        where s.club_id = _club order by s.period for update of s)
            select jsonb_object_agg(period, amount) into _spent from locked;
        insert into host_spent (period, starts) select p.period, p.starts from {STARTS}
            order by 1 on conflict do nothing;
        with locked as (select s.period, s.amount from host_spent s join {STARTS} using (period, starts)
                        order by s.period for update of s)
            select jsonb_object_agg(period, amount) into _all from locked;
        if (_spent ->> 'day')::bigint + _amount > _club_day then return -1; end if;
        if (_spent ->> 'month')::bigint + _amount > _club_month then return -2; end if;
        if (_all ->> 'day')::bigint + _amount > _host_day then return -3; end if;
        if (_all ->> 'month')::bigint + _amount > _host_month then return -4; end if;
        update club_spent s set amount = s.amount + _amount from {STARTS}
            where s.club_id = _club and s.period = p.period and s.starts = p.starts;
        update host_spent s set amount = s.amount + _amount from {STARTS}
            where s.period = p.period and s.starts = p.starts;
        insert into spending (club_id, purpose, model, charged, made_at)
            values (_club, _purpose, _model, _amount, _at) returning id into _id;
        return _id;
    end $$""",
    f"""create function dogear.spending_settled_v1(
        _entry bigint, _input bigint, _cached bigint, _written bigint, _output bigint, _amount bigint,
        _priced boolean, _settled timestamptz) returns bigint
    language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $$
    declare
        _club bigint := current_setting('dogear.club')::bigint;
        _before bigint;
        _at timestamptz;
    begin
        select charged, made_at into _before, _at from spending
            where id = _entry and club_id = _club and settled_at is null for update;
        if _before is null then return 0; end if;
        update spending set input = _input, cached = _cached, written = _written, output = _output,
            charged = _amount, priced = _priced, settled_at = _settled where id = _entry;
        perform from club_spent s join {STARTS} using (period, starts)
            where s.club_id = _club order by s.period for update of s;
        update club_spent s set amount = s.amount - _before + _amount from {STARTS}
            where s.club_id = _club and s.period = p.period and s.starts = p.starts;
        perform from host_spent s join {STARTS} using (period, starts) order by s.period for update of s;
        update host_spent s set amount = s.amount - _before + _amount from {STARTS}
            where s.period = p.period and s.starts = p.starts;
        return _entry;
    end $$""",
    """create function dogear.host_spent_v1(_period text, _starts date) returns bigint
    language sql stable strict security definer set search_path = dogear, pg_temp as
    $$ select coalesce((select amount from host_spent where period = _period and starts = _starts), 0) $$""",
)

SIGNATURES = (
    "spending_reserved_v1(text, text, bigint, timestamptz, bigint, bigint, bigint, bigint)",
    "spending_settled_v1(bigint, bigint, bigint, bigint, bigint, bigint, boolean, timestamptz)",
    "host_spent_v1(text, date)",
)

LOCATED = ("spending", "club_spent", "host_spent")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in (*TABLES, *FUNCTIONS):
        run(statement)
    for table in LOCATED:
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(f"create policy locator_keeps on dogear.{table} to dogear_locator using (true) with check (true)")
        run(f"grant select, insert, update on dogear.{table} to dogear_locator")
    for table in ("spending", "club_spent"):
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
        run(f"grant select on dogear.{table} to dogear_app")
    run("grant update (question_id) on dogear.spending to dogear_app")
    run("grant create on schema dogear to dogear_locator")
    for signature in SIGNATURES:
        run(f"revoke all on function dogear.{signature} from public")
        run(f"grant execute on function dogear.{signature} to dogear_app")
        run(f"alter function dogear.{signature} owner to dogear_locator")
    run("revoke create on schema dogear from dogear_locator")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for signature in SIGNATURES:
        run(f"drop function dogear.{signature}")
    for table in reversed(LOCATED):
        run(f"drop table dogear.{table}")
