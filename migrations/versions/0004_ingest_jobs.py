"""Uploads and jobs: what a worker does, and what is left of it after a crash.

The answering role hands a file over and never reads it back: not its bytes, its name, its size or its digest. Of a job
it sees how far it is. Which job a file already has is told, as a number, to whoever holds that very file.
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """create table dogear.upload (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        member_id bigint,
        name text not null,
        bytes bigint check (bytes > 0),
        sha256 text check (length(sha256) = 64),
        received_at timestamptz not null,
        unique (id, club_id),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete set null (member_id))""",
    """create table dogear.upload_chunk (
        upload_id bigint not null,
        club_id bigint not null,
        ordinal int not null check (ordinal >= 0),
        content bytea not null check (octet_length(content) between 1 and 1048576),
        primary key (upload_id, ordinal),
        foreign key (upload_id, club_id) references dogear.upload (id, club_id) on delete cascade)""",
    # what is in a book file is compressed already
    "alter table dogear.upload_chunk alter column content set storage external",
    """create table dogear.job (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        kind text not null check (kind in ('ingest', 'embed')),
        key text not null,
        model text check ((kind = 'embed') = (model is not null)),
        book_id bigint check (kind = 'ingest' or book_id is not null),
        upload_id bigint,
        member_id bigint,
        state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
        attempts int not null default 0 check (attempts >= 0),
        stage text not null default 'wait' check (stage in ('wait', 'read', 'index', 'embed')),
        percent int not null default 0 check (percent between 0 and 100),
        cancel_requested boolean not null default false,
        error_code text,
        error text check ((state = 'failed') = (error is not null)),
        worker text,
        lease_until timestamptz,
        created_at timestamptz not null,
        queued_at timestamptz not null,
        started_at timestamptz,
        finished_at timestamptz,
        unique (id, club_id),
        unique (club_id, kind, key),
        check ((state = 'running') = (worker is not null and lease_until is not null)),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade,
        foreign key (upload_id, club_id) references dogear.upload (id, club_id) on delete set null (upload_id),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete set null (member_id))""",
    "create index job_open on dogear.job (queued_at, id) where state in ('queued', 'running')",
    "create index job_of_book on dogear.job (book_id)",
    "create index job_of_upload on dogear.job (upload_id)",
)

SEEN = (
    "id, club_id, kind, book_id, upload_id, member_id, state, attempts, stage, percent, cancel_requested, error_code, "
    "error, created_at, queued_at, started_at, finished_at"
)

GRANTS = (
    "grant select, insert, update, delete on dogear.upload, dogear.upload_chunk, dogear.job to dogear_ingest",
    "grant select (id, club_id), insert (club_id, member_id, name, received_at), update (bytes, sha256), delete "
    "on dogear.upload to dogear_app",
    "grant insert on dogear.upload_chunk to dogear_app",
    f"grant select ({SEEN}), insert (club_id, kind, key, upload_id, member_id, created_at, queued_at) "
    "on dogear.job to dogear_app",
    "grant update (state, attempts, stage, percent, cancel_requested, error_code, error, upload_id, member_id, "
    "queued_at, finished_at) on dogear.job to dogear_app",
    "grant select (id, club_id, kind, key) on dogear.job to dogear_locator",
    "grant delete on dogear.book to dogear_app",
)

FINDING = """create function dogear.job_of_file_v1(_sha256 text) returns bigint
    language sql stable strict security definer set search_path = dogear, pg_temp as $door$
    select j.id from job j where j.kind = 'ingest' and j.key = _sha256 $door$"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in TABLES:
        run(statement)
    for table in ("upload", "upload_chunk", "job"):
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
    run(
        "create policy locator_sees_the_club_that_is_open on dogear.job for select to dogear_locator "
        f"using (club_id = {CLUB})"
    )
    for statement in GRANTS:
        run(statement)
    run("grant create on schema dogear to dogear_locator")
    run(FINDING)
    run("revoke all on function dogear.job_of_file_v1(text) from public")
    run("grant execute on function dogear.job_of_file_v1(text) to dogear_app")
    run("alter function dogear.job_of_file_v1(text) owner to dogear_locator")
    run("revoke create on schema dogear from dogear_locator")
    # a book that is here was never kept back
    run("alter table dogear.book no force row level security")
    run("update dogear.book set announced_at = created_at where announced_at is null")
    run("alter table dogear.book force row level security")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("drop function dogear.job_of_file_v1(text)")
    run("revoke delete on dogear.book from dogear_app")
    for table in ("job", "upload_chunk", "upload"):
        run(f"drop table dogear.{table}")
