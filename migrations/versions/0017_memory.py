"""What a model remembers of each chapter: sentences that were checked, each with its quote's place and `revealed_at`.

The tables are sealed as text is: the answering role has no privilege on them and reads them through one function that
demands a boundary; the policy under it admits what is revealed by then, in the club that is open. Chapters are done one
by one, each in one transaction. A job may wait until a time, so that one whose money is used up goes on another day.
"""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """create table dogear.chapter_memory (
        club_id bigint not null,
        book_id bigint not null,
        map_version int not null,
        chapter int not null check (chapter > 0),
        revealed_at int not null check (revealed_at >= 0),
        made_at timestamptz not null,
        primary key (book_id, chapter),
        unique (book_id, chapter, club_id),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    "create index chapter_memory_of_club on dogear.chapter_memory (club_id, made_at)",
    """create table dogear.memory_claim (
        club_id bigint not null,
        book_id bigint not null,
        chapter int not null,
        n int not null check (n > 0),
        about text not null,
        also text not null,
        text text not null check (text <> ''),
        passage int not null,
        start int not null,
        "end" int not null,
        revealed_at int not null,
        primary key (book_id, chapter, n),
        check (0 <= start and start < "end" and "end" <= revealed_at),
        foreign key (book_id, chapter, club_id)
            references dogear.chapter_memory (book_id, chapter, club_id) on delete cascade)""",
    "create index memory_claim_revealed on dogear.memory_claim (book_id, revealed_at)",
    "alter table dogear.job drop constraint job_kind_check",
    "alter table dogear.job add constraint job_kind_check check (kind in ('ingest', 'embed', 'remember'))",
    "alter table dogear.job drop constraint job_stage_check",
    "alter table dogear.job add constraint job_stage_check "
    "check (stage in ('wait', 'read', 'index', 'embed', 'remember'))",
    "alter table dogear.job add column wait_until timestamptz",
    "alter table dogear.spending add column job_id bigint",
    "alter table dogear.spending add constraint spending_job_id_fkey foreign key (job_id, club_id) "
    "references dogear.job (id, club_id) on delete set null (job_id)",
    "create index spending_of_job on dogear.spending (job_id) where job_id is not null",
)

GRANTS = (
    "grant select, insert, update, delete on dogear.chapter_memory, dogear.memory_claim to dogear_ingest",
    "grant select on dogear.chapter_memory, dogear.memory_claim to dogear_guard",
    "grant insert (book_id), select (wait_until), update (wait_until) on dogear.job to dogear_app",
    "grant update (job_id) on dogear.spending to dogear_app",
    # whether the club wants it for every book
    "grant select (club_id, name, value) on dogear.setting to dogear_ingest",
)

READ = """create function dogear.memory_read_v1(_book bigint, _boundary int)
    returns table (chapter int, chapter_revealed_at int, about text, also text, text text, passage int, start int,
        "end" int, revealed_at int)
    language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $door$
#variable_conflict use_column
begin
    perform boundary_opened_v1(_book, _boundary);
    return query
        select m.chapter, m.revealed_at, c.about, c.also, c.text, c.passage, c.start, c."end", c.revealed_at
        from chapter_memory m join book b on b.id = m.book_id and b.map_version = m.map_version
        left join memory_claim c
            on c.book_id = m.book_id and c.chapter = m.chapter and c.revealed_at <= _boundary
        where m.book_id = _book and m.revealed_at <= _boundary
        order by m.chapter, c.n;
end $door$"""

SEALED = ("chapter_memory", "memory_claim")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in TABLES:
        run(statement)
    for table in SEALED:
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
        run(
            f"create policy guard_reads_up_to_the_boundary on dogear.{table} for select to dogear_guard "
            f"using (club_id = {CLUB} and book_id = (select current_setting('dogear.book')::bigint) "
            "and revealed_at <= (select current_setting('dogear.boundary')::int))"
        )
    for statement in GRANTS:
        run(statement)
    run("grant create on schema dogear to dogear_guard")
    run(READ)
    run("revoke all on function dogear.memory_read_v1(bigint, int) from public")
    run("grant execute on function dogear.memory_read_v1(bigint, int) to dogear_app")
    run("alter function dogear.memory_read_v1(bigint, int) owner to dogear_guard")
    run("revoke create on schema dogear from dogear_guard")


BACK = (
    "drop function dogear.memory_read_v1(bigint, int)",
    "drop table dogear.memory_claim",
    "drop table dogear.chapter_memory",
    "revoke select (club_id, name, value) on dogear.setting from dogear_ingest",
    "revoke insert (book_id) on dogear.job from dogear_app",
    "alter table dogear.spending drop column job_id",
    "alter table dogear.job no force row level security",
    "delete from dogear.job where kind = 'remember'",
    "alter table dogear.job force row level security",
    "alter table dogear.job drop column wait_until",
    "alter table dogear.job drop constraint job_kind_check",
    "alter table dogear.job add constraint job_kind_check check (kind in ('ingest', 'embed'))",
    "alter table dogear.job drop constraint job_stage_check",
    "alter table dogear.job add constraint job_stage_check check (stage in ('wait', 'read', 'index', 'embed'))",
)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in BACK:
        run(statement)
