"""Clubs, members, positions and books; sealed tables for all text, titles and vectors.

Sealed tables are under forced row-level security. The guard reads only rows revealed by the boundary that is open in
the present transaction; without one the policy itself raises. The ingest role writes and, for the host, reads. The
locator sees folded letters and offsets of a whole book, to find a place in it, and owns only functions that return
numbers.
"""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

CLUBS = (
    """create table dogear.club (
        id bigint generated always as identity primary key,
        name text not null unique,
        current_book bigint,
        created_at timestamptz not null default now())""",
    """create table dogear.member (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        name text not null check (name <> ''),
        joined_at timestamptz,
        plain_number text check (plain_number in ('finished', 'in')),
        unique (club_id, name))""",
    """create table dogear.book (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        title text not null,
        language text not null,
        status text not null check (status in ('reading', 'searchable', 'ready')),
        characters int not null check (characters >= 0),
        body_start int not null check (body_start >= 0),
        body_end int not null check (body_end between body_start and characters),
        chapters int not null,
        embedder_name text,
        embedder_dimension int,
        embedder_sha256 text,
        created_at timestamptz not null default now(),
        unique (id, club_id))""",
    # a club's current book is one of its own
    """alter table dogear.club add constraint club_current_book_fkey
        foreign key (current_book, id) references dogear.book (id, club_id) on delete set null (current_book)""",
    """create table dogear.position (
        id bigint generated always as identity primary key,
        member_id bigint not null references dogear.member on delete cascade,
        book_id bigint not null references dogear.book on delete cascade,
        "offset" int not null check ("offset" >= 0),
        kind text not null,
        said text not null,
        understood text not null,
        created_at timestamptz not null default now())""",
    "create index position_latest on dogear.position (book_id, member_id, id desc)",
    """create function dogear.position_within_body() returns trigger
        language plpgsql set search_path = dogear, pg_temp as $$
        begin
            if not exists (select from book b join member m on m.club_id = b.club_id
                           where b.id = new.book_id and m.id = new.member_id) then
                raise exception 'a position is in a book of the member''s own club' using errcode = 'check_violation';
            end if;
            if new."offset" > (select body_end from book where id = new.book_id) then
                raise exception 'a position cannot lie past the end of the body' using errcode = 'check_violation';
            end if;
            return new;
        end $$""",
    """create trigger position_within_body before insert on dogear.position
        for each row execute function dogear.position_within_body()""",
    """create table dogear.quote_try (
        id bigint generated always as identity primary key,
        member_id bigint not null references dogear.member on delete cascade,
        book_id bigint not null references dogear.book on delete cascade,
        created_at timestamptz not null default now())""",
    "create index quote_try_recent on dogear.quote_try (member_id, book_id, created_at)",
)

SEALED = (
    """create table dogear.source (
        book_id bigint primary key,
        club_id bigint not null,
        file_sha256 text not null,
        text_sha256 text not null,
        author text not null,
        ingest_version int not null,
        passages int not null,
        warnings text[] not null,
        unique (club_id, file_sha256),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    """create table dogear.section (
        book_id bigint not null references dogear.book on delete cascade,
        ordinal int not null,
        kind text not null,
        chapter int,
        printed text,
        printed_number int,
        part_numbers int[] not null,
        start int not null,
        "end" int not null,
        heading_end int not null,
        revealed_at int not null,
        primary key (book_id, ordinal))""",
    """create table dogear.title (
        book_id bigint not null references dogear.book on delete cascade,
        section int not null,
        chapter int,
        title text not null,
        part_titles text[] not null,
        folded text[] not null,
        revealed_at int not null,
        primary key (book_id, section))""",
    """create table dogear.sentence (
        book_id bigint not null references dogear.book on delete cascade,
        ordinal int not null,
        section int not null,
        chapter int,
        passage int not null,
        start int not null,
        "end" int not null,
        paragraph_start boolean not null,
        revealed_at int not null,
        lead text not null,
        text text not null,
        folded text not null,
        primary key (book_id, ordinal))""",
    "create index sentence_revealed on dogear.sentence (book_id, revealed_at)",
    "create index sentence_passage on dogear.sentence (book_id, passage)",
    """create table dogear.passage (
        book_id bigint not null references dogear.book on delete cascade,
        ordinal int not null,
        section int not null,
        chapter int,
        body boolean not null,
        start int not null,
        "end" int not null,
        revealed_at int not null,
        length int not null,
        terms {ext}.sparsevec not null,
        primary key (book_id, ordinal))""",
    "create index passage_revealed on dogear.passage (book_id, revealed_at)",
    "alter table dogear.passage alter column terms set storage main",
    """create table dogear.passage_vector (
        book_id bigint not null,
        passage int not null,
        piece int not null,
        revealed_at int not null,
        embedding {ext}.halfvec not null,
        primary key (book_id, passage, piece),
        foreign key (book_id, passage) references dogear.passage on delete cascade)""",
    "create index passage_vector_revealed on dogear.passage_vector (book_id, revealed_at)",
    "alter table dogear.passage_vector alter column embedding set storage plain",
    """create table dogear.name (
        book_id bigint not null references dogear.book on delete cascade,
        name text not null,
        revealed_at int not null,
        primary key (book_id, name))""",
    """create table dogear.page (
        book_id bigint not null references dogear.book on delete cascade,
        ordinal int not null,
        label text not null,
        start int not null,
        primary key (book_id, ordinal))""",
)

REVEALED = ("title", "sentence", "passage", "passage_vector", "name")
LOCATED = ("section", "title", "sentence", "page", "source")

FLOOR = """create policy guard_reads_up_to_the_boundary on dogear.{table} for select to dogear_guard
    using (book_id = (select current_setting('dogear.book')::bigint)
       and revealed_at <= (select current_setting('dogear.boundary')::int))"""


def _extension_schema() -> str:
    row = op.get_bind().exec_driver_sql(
        "select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace "
        "where e.extname = 'vector'"
    )
    return str(row.scalar_one())


def upgrade() -> None:
    ext = _extension_schema()
    run = op.get_bind().exec_driver_sql
    for statement in (*CLUBS, *SEALED):
        run(statement.replace("{ext}", ext))
    for table in {*REVEALED, *LOCATED}:
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
        run(f"grant select, insert, update, delete on dogear.{table} to dogear_ingest")
    for table in REVEALED:
        run(FLOOR.format(table=table))
        run(f"grant select on dogear.{table} to dogear_guard")
    for table in ("section", "title", "sentence", "page"):
        run(f"create policy locator_finds on dogear.{table} for select to dogear_locator using (true)")
    run(
        'grant select (book_id, ordinal, kind, chapter, printed_number, part_numbers, start, "end", heading_end) '
        "on dogear.section to dogear_locator"
    )
    run("grant select (book_id, chapter, folded, revealed_at) on dogear.title to dogear_locator")
    run('grant select (book_id, ordinal, section, start, "end", folded) on dogear.sentence to dogear_locator')
    run("grant select on dogear.page to dogear_locator")
    run("grant select on dogear.book to dogear_guard, dogear_locator")
    run("grant select, insert, update, delete on dogear.book to dogear_ingest")
    run("grant select, insert, update on dogear.club to dogear_ingest")
    run("grant select, insert, update, delete on dogear.club, dogear.member to dogear_app")
    run("grant select on dogear.book, dogear.position, dogear.quote_try to dogear_app")
    # append-only, and numbered and dated by the server: the latest position is the one with the highest number
    run('grant insert (member_id, book_id, "offset", kind, said, understood) on dogear.position to dogear_app')
    run("grant insert (member_id, book_id) on dogear.quote_try to dogear_app")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("alter table dogear.club drop constraint club_current_book_fkey")
    for table in (
        "page", "name", "passage_vector", "passage", "sentence", "title", "section", "source",
        "quote_try", "position", "book", "member", "club",
    ):  # fmt: skip
        run(f"drop table dogear.{table}")
    run("drop function dogear.position_within_body()")
