"""Looking ahead, pressing again, and what members say of answers.

A member's choice to look ahead is a row: of one private question of theirs and one of two steps, once each. Two
functions take it and nothing else does: the first uses it up and tells numbers, the second shows sentences of the
unread body, in the same transaction, where the second step was chosen. The policies under them open the body of that
question's book for that transaction alone, and its sentences for the second step alone. With the consents of 0009 this
is the one way in which anything past a boundary is shown.
"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """create table dogear.look_ahead (
        id bigint generated always as identity primary key,
        club_id bigint not null,
        question_id bigint not null,
        member_id bigint not null,
        step text not null check (step in ('whether', 'answer')),
        chosen_at timestamptz not null,
        written_at timestamptz not null default now(),
        given_up_at timestamptz,
        used_in bigint,
        shown boolean not null default false,
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade)""",
    "create unique index look_ahead_once on dogear.look_ahead (question_id, member_id, step) where given_up_at is null",
    "create index look_ahead_of_question on dogear.look_ahead (question_id)",
    "create index look_ahead_of_member on dogear.look_ahead (member_id)",
    """create table dogear.verdict (
        club_id bigint not null,
        question_id bigint not null,
        member_id bigint not null,
        useful boolean not null,
        said_at timestamptz not null,
        primary key (question_id, member_id),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade)""",
    "create index verdict_of_member on dogear.verdict (member_id)",
    # never set: what was looked ahead is told by rows of its own
    "alter table dogear.question drop column ahead",
    "alter table dogear.press drop constraint press_what_check",
    "alter table dogear.press add constraint press_what_check check (what in ('private', 'share', 'retry'))",
)

GRANTS = (
    "grant select, insert (club_id, question_id, member_id, step, chosen_at), update (given_up_at) "
    "on dogear.look_ahead to dogear_app",
    "grant select, insert, update (useful, said_at) on dogear.verdict to dogear_app",
    "grant select, update (used_in, shown) on dogear.look_ahead to dogear_guard",
    "grant select (id, club_id, member_id, room_key, book_id, status) on dogear.question to dogear_guard",
    'grant select (club_id, book_id, member_id, "offset") on dogear.place to dogear_guard',
)

GUARDED = (
    "create policy guard_looks_ahead on dogear.look_ahead to dogear_guard "
    f"using (club_id = {CLUB}) with check (club_id = {CLUB})",
    *(
        f"create policy guard_sees_the_club_that_is_open on dogear.{table} for select to dogear_guard "
        f"using (club_id = {CLUB})"
        for table in ("question", "place")
    ),
)

OPENED = """create function dogear.looking_ahead_in_v1(_sentences boolean) returns bigint
    language sql stable strict set search_path = dogear, pg_temp as $$
    select q.book_id from look_ahead l join question q on q.id = l.question_id
    where l.id = nullif(current_setting('dogear.looking_ahead', true), '')::bigint
      and l.used_in = pg_current_xact_id_if_assigned()::text::bigint
      and (l.step = 'answer' or not _sentences) $$"""
"""The book in which this very transaction looks ahead, or null. Whoever sets the setting by hand gets null."""

BODY = "in (select p.ordinal from dogear.passage p where p.body)"
POLICIES = {
    "passage": "book_id = (select dogear.looking_ahead_in_v1(false)) and body",
    "passage_vector": f"book_id = (select dogear.looking_ahead_in_v1(false)) and passage {BODY}",
    "sentence": f"book_id = (select dogear.looking_ahead_in_v1(true)) and passage {BODY}",
}

OPENING = """
    _before text[] := array[current_setting('dogear.book', true), current_setting('dogear.boundary', true)];"""
SETTING = """
    perform set_config('dogear.looking_ahead', _run::text, true);
    perform set_config('dogear.book', _book::text, true);
    perform set_config('dogear.boundary', _from::text, true);"""
CLOSING = """
    perform set_config('dogear.looking_ahead', '', true);
    perform set_config('dogear.book', coalesce(_before[1], ''), true);
    perform set_config('dogear.boundary', coalesce(_before[2], ''), true);"""
FROM = """
    _from := coalesce((select p."offset" from place p where p.book_id = _book and p.member_id = _member), 0);"""

LOOKED = f"""create function dogear.looked_ahead_v1(
        _run bigint, _member bigint, _question bigint, _terms int[], _vectors {{ext}}.halfvec[])
    returns table (ordinals int[], lengths int[], similarities real[], counts real[])
    language plpgsql volatile strict security definer set search_path = dogear, {{ext}}, pg_temp as $door$
#variable_conflict use_column
declare
    _book bigint;
    _from int;{OPENING}
begin
    update look_ahead l set used_in = pg_current_xact_id()::text::bigint
        from question q
        where l.id = _run and l.member_id = _member and l.question_id = _question
          and l.used_in is null and l.given_up_at is null and l.written_at > now() - interval '5 minutes'
          and q.id = l.question_id and q.member_id = l.member_id and q.room_key is null
          and q.status in ('answered', 'refused')
          and exists (select from member m where m.id = l.member_id and m.joined_at is not null)
          and (l.step = 'whether' or exists (select from look_ahead b where b.question_id = l.question_id
               and b.member_id = l.member_id and b.step = 'whether' and b.used_in is not null
               and b.given_up_at is null))
        returning q.book_id into _book;
    if _book is null then
        raise exception 'run % of looking ahead does not hold', _run using errcode = 'DG004';
    end if;{FROM}{SETTING}
    return query
        with ahead as materialized (
            select x.ordinal, x.length, x.terms from passage x
            where x.book_id = _book and x.body and x.revealed_at > _from),
        near as materialized (
            select v.passage, max(v.similarity)::real as similarity
            from (select x.passage, -(x.embedding <#> u.vector) as similarity
                  from passage_vector x cross join unnest(_vectors) as u(vector) where x.book_id = _book offset 0) v
            group by v.passage),
        unit as materialized (
            select u.n, ('{{{{' || u.term || ':1}}}}/1000000000')::sparsevec as vector
            from unnest(_terms) with ordinality as u(term, n))
        select (select array_agg(a.ordinal order by a.ordinal) from ahead a),
            (select array_agg(a.length order by a.ordinal) from ahead a),
            (select array_agg(n.similarity order by a.ordinal)
             from ahead a left join near n on n.passage = a.ordinal),
            (select array_agg((-(a.terms <#> u.vector))::real order by a.ordinal, u.n) from ahead a cross join unit u);
{CLOSING}
end $door$"""

READ = f"""create function dogear.read_ahead_v1(_run bigint, _member bigint, _question bigint, _ordinals int[])
    returns table (passage int, chapter int, start int, "end" int, paragraph_start boolean, lead text, text text)
    language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $door$
#variable_conflict use_column
declare
    _book bigint;
    _from int;{OPENING}
begin
    update look_ahead l set shown = true
        from question q
        where l.id = _run and l.member_id = _member and l.question_id = _question and l.step = 'answer'
          and not l.shown and l.used_in = pg_current_xact_id_if_assigned()::text::bigint and q.id = l.question_id
        returning q.book_id into _book;
    if _book is null then
        raise exception 'run % of looking ahead shows nothing', _run using errcode = 'DG004';
    end if;{FROM}{SETTING}
    return query
        select s.passage, s.chapter, s.start, s."end", s.paragraph_start, s.lead, s.text
        from (select distinct u.ordinal from unnest(_ordinals[1:16]) as u(ordinal)) o
        cross join lateral (select x.* from sentence x
            where x.book_id = _book and x.passage = o.ordinal and x.revealed_at > _from
              and exists (select from passage p where p.book_id = _book and p.ordinal = x.passage and p.body)
            offset 0) s
        order by s.ordinal;
{CLOSING}
end $door$"""

TAKERS = {
    "looked_ahead_v1": "(bigint, bigint, bigint, int[], {ext}.halfvec[])",
    "read_ahead_v1": "(bigint, bigint, bigint, int[])",
}


def _extension_schema() -> str:
    row = op.get_bind().exec_driver_sql(
        "select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace "
        "where e.extname = 'vector'"
    )
    return str(row.scalar_one())


def upgrade() -> None:
    ext = _extension_schema()
    run = op.get_bind().exec_driver_sql
    for statement in TABLES:
        run(statement)
    for table in ("look_ahead", "verdict"):
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
    for statement in (*GRANTS, *GUARDED):
        run(statement)
    run("grant create on schema dogear to dogear_guard")
    run(OPENED)
    run("revoke all on function dogear.looking_ahead_in_v1(boolean) from public")
    run("alter function dogear.looking_ahead_in_v1(boolean) owner to dogear_guard")
    for table, opens in POLICIES.items():
        run(f"create policy guard_reads_ahead on dogear.{table} for select to dogear_guard using ({opens})")
    for name, statement in zip(TAKERS, (LOOKED, READ), strict=True):
        signature = f"dogear.{name}{TAKERS[name].format(ext=ext)}"
        run(statement.format(ext=ext) if name == "looked_ahead_v1" else statement)
        run(f"revoke all on function {signature} from public")
        run(f"grant execute on function {signature} to dogear_app")
        run(f"alter function {signature} owner to dogear_guard")
    run("revoke create on schema dogear from dogear_guard")


BACK = (
    *(f"drop policy guard_reads_ahead on dogear.{table}" for table in POLICIES),
    "drop function dogear.looking_ahead_in_v1(boolean)",
    *(f"drop policy guard_sees_the_club_that_is_open on dogear.{table}" for table in ("question", "place")),
    'revoke select (club_id, book_id, member_id, "offset") on dogear.place from dogear_guard',
    "revoke select (id, club_id, member_id, room_key, book_id, status) on dogear.question from dogear_guard",
    "drop table dogear.verdict",
    "drop table dogear.look_ahead",
    "alter table dogear.question add column ahead boolean not null default false",
    "alter table dogear.press no force row level security",
    "delete from dogear.press where what = 'retry'",
    "alter table dogear.press force row level security",
    "alter table dogear.press drop constraint press_what_check",
    "alter table dogear.press add constraint press_what_check check (what in ('private', 'share'))",
)


def downgrade() -> None:
    ext = _extension_schema()
    run = op.get_bind().exec_driver_sql
    for name, arguments in TAKERS.items():
        run(f"drop function dogear.{name}{arguments.format(ext=ext)}")
    for statement in BACK:
        run(statement)
