"""Clubs apart: people with roles, rooms, settings, and what was asked; nothing of one club is seen from another.

Every table of the answering role is under forced row-level security by club (``dogear.club``, local to a transaction);
where no club is open the policy itself raises. A key that names a member, a book, a room or a question names the club
too, so that nothing of one club can point at another's. The door opens a boundary only in a book of the club that is
open. Four functions find a club before one is open: they return ids alone.
"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

POSITION_TRIGGER_BEFORE = """create or replace function dogear.position_within_body() returns trigger
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
        end $$"""

CLUB = "(select current_setting('dogear.club')::bigint)"

PEOPLE = (
    "alter table dogear.club add column server text not null default 'host'",
    "alter table dogear.club drop constraint club_name_key",
    "alter table dogear.club add constraint club_name_in_its_server unique (server, name)",
    """alter table dogear.member
        add column person text,
        add column role text not null default 'member' check (role in ('admin', 'member')),
        add column shown boolean,
        add column reminded boolean not null default false,
        add column reachable boolean not null default true,
        add column seen_at timestamptz,
        add column away_at timestamptz,
        add column aside_at timestamptz,
        add column asked_where_at timestamptz,
        add column removed_at timestamptz,
        add column dm_book bigint,
        add constraint member_dm_book_fkey foreign key (dm_book, club_id)
            references dogear.book (id, club_id) on delete set null (dm_book)""",
    "update dogear.member set person = name",
    "alter table dogear.member alter column person set not null",
    "alter table dogear.member drop constraint member_club_id_name_key",
    "alter table dogear.member add constraint member_person_in_its_club unique (club_id, person)",
    "alter table dogear.member add constraint member_id_in_its_club unique (id, club_id)",
    "create index member_person on dogear.member (person)",
    """alter table dogear.book
        add column author text not null default '',
        add column added_by bigint,
        add column announced_at timestamptz,
        add column confirmed_at timestamptz,
        add column finished_at timestamptz,
        add foreign key (added_by, club_id) references dogear.member (id, club_id) on delete set null (added_by)""",
    "alter table dogear.position add column club_id bigint references dogear.club on delete cascade",
    "update dogear.position p set club_id = (select m.club_id from dogear.member m where m.id = p.member_id)",
    "alter table dogear.position alter column club_id set not null",
    "alter table dogear.quote_try add column club_id bigint references dogear.club on delete cascade",
    "update dogear.quote_try q set club_id = (select m.club_id from dogear.member m where m.id = q.member_id)",
    "alter table dogear.quote_try alter column club_id set not null",
    *(
        f"alter table dogear.{table} drop constraint {table}_{key}_id_fkey, add constraint {table}_{key}_id_fkey "
        f"foreign key ({key}_id, club_id) references dogear.{key} (id, club_id) on delete cascade"
        for table in ("position", "quote_try")
        for key in ("member", "book")
    ),
    """create or replace function dogear.position_within_body() returns trigger
        language plpgsql set search_path = dogear, pg_temp as $$
        begin
            new.club_id := (select b.club_id from book b join member m on m.club_id = b.club_id
                            where b.id = new.book_id and m.id = new.member_id);
            if new.club_id is null then
                raise exception 'a position is in a book of the member''s own club' using errcode = 'check_violation';
            end if;
            if new."offset" > (select body_end from book where id = new.book_id) then
                raise exception 'a position cannot lie past the end of the body' using errcode = 'check_violation';
            end if;
            return new;
        end $$""",
    """create function dogear.quote_try_in_club() returns trigger
        language plpgsql set search_path = dogear, pg_temp as $$
        begin
            new.club_id := (select m.club_id from member m where m.id = new.member_id);
            return new;
        end $$""",
    """create trigger quote_try_in_club before insert on dogear.quote_try
        for each row execute function dogear.quote_try_in_club()""",
)

ROOMS = (
    """create table dogear.room (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        key text not null unique check (key <> ''),
        name text not null,
        book_id bigint,
        limit_offset int check (limit_offset >= 0),
        paused_at timestamptz,
        muted_until timestamptz,
        created_at timestamptz not null default now(),
        unique (id, club_id),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete set null (book_id))""",
    """create table dogear.setting (
        club_id bigint not null references dogear.club on delete cascade,
        name text not null,
        value text not null,
        changed_by bigint,
        changed_at timestamptz not null default now(),
        primary key (club_id, name),
        foreign key (changed_by, club_id) references dogear.member (id, club_id) on delete set null (changed_by))""",
)

ASKED = (
    """create table dogear.question (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        member_id bigint not null,
        room_id bigint,
        room_key text,
        book_id bigint not null,
        said text not null,
        "boundary" int not null check ("boundary" >= 0),
        audience bigint[] not null,
        status text not null check (status in ('answered', 'refused', 'stopped', 'failed', 'withdrawn')),
        engine text not null,
        follows bigint,
        ahead boolean not null default false,
        seconds real not null,
        cost numeric(12, 6) not null default 0,
        asked_at timestamptz not null,
        unique (id, club_id),
        foreign key (room_id, club_id) references dogear.room (id, club_id) on delete set null (room_id),
        foreign key (follows, club_id) references dogear.question (id, club_id) on delete set null (follows),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    "create index question_of_member on dogear.question (member_id, asked_at desc)",
    "create index question_of_club on dogear.question (club_id, asked_at desc)",
    "create index question_of_room on dogear.question (club_id, room_key, asked_at desc)",
    """create table dogear.citation (
        club_id bigint not null,
        question_id bigint not null,
        n int not null,
        passage int not null,
        start int not null,
        "end" int not null,
        chapter int,
        primary key (question_id, n),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade)""",
    """create table dogear.claim (
        club_id bigint not null,
        question_id bigint not null,
        n int not null,
        text text not null,
        citations int[] not null,
        primary key (question_id, n),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade)""",
    """create table dogear.posting (
        id bigint generated always as identity primary key,
        club_id bigint not null,
        question_id bigint not null,
        place text not null,
        message text not null,
        hidden_at timestamptz,
        unique (question_id, place, message),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade)""",
    "create index posting_at_a_place on dogear.posting (club_id, place, message)",
    """create table dogear.press (
        club_id bigint not null,
        question_id bigint not null,
        member_id bigint not null,
        what text not null check (what in ('private', 'share')),
        pressed_at timestamptz not null,
        primary key (question_id, member_id, what),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade)""",
    """create table dogear.spoiled (
        id bigint generated always as identity primary key,
        club_id bigint not null,
        question_id bigint not null,
        member_id bigint,
        said_at timestamptz not null,
        seen_at timestamptz,
        unique (question_id, member_id),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete set null (member_id),
        foreign key (question_id, club_id) references dogear.question (id, club_id) on delete cascade)""",
)

APART = (
    "member", "book", "position", "quote_try", "room", "setting", "question", "citation", "claim", "posting", "spoiled",
    "press",
)  # fmt: skip

OPEN_BEFORE = ("club", "member", "book", "position", "quote_try")
LOCATED = ("section", "title", "sentence", "page")

GRANTS = (
    "grant select, insert, update, delete on dogear.room, dogear.setting to dogear_app",
    "grant update (announced_at, confirmed_at, finished_at, added_by) on dogear.book to dogear_app",
    "grant select, insert, delete on dogear.question, dogear.citation to dogear_app",
    "grant update (status, seconds, cost, engine) on dogear.question to dogear_app",
    # a model's sentences are kept for the host: the answering role writes them and never reads them back
    "grant insert on dogear.claim to dogear_app",
    "grant select, insert, update, delete on dogear.posting, dogear.spoiled to dogear_app",
    "grant select, insert, delete on dogear.press to dogear_app",
    "grant select on dogear.question, dogear.citation, dogear.claim, dogear.posting, dogear.spoiled to dogear_ingest",
    "grant select (id, club_id, key) on dogear.room to dogear_locator",
    "grant select (id, club_id, person, joined_at, removed_at) on dogear.member to dogear_locator",
    "grant select (id, name, server), insert (name, server) on dogear.club to dogear_locator",
    "revoke insert on dogear.club from dogear_app",
)

OPENING = """create function dogear.boundary_opened_v1(_book bigint, _boundary int) returns void
language plpgsql volatile strict set search_path = dogear, pg_temp as $$
declare
    _opened jsonb := coalesce(nullif(current_setting('dogear.opened', true), ''), '{}')::jsonb;
    _before int := (_opened ->> _book::text)::int;
    _end int := (select body_end from book where id = _book);
begin
    if _boundary < 0 or _end is null or _boundary > _end then
        raise exception 'book %: % is no boundary', _book, _boundary using errcode = 'DG001';
    end if;
    if _before is not null and _boundary > _before then
        raise exception 'book %: a boundary at % is open, % is wider', _book, _before, _boundary
            using errcode = 'DG001';
    end if;
    perform set_config('dogear.opened', (_opened || jsonb_build_object(_book::text, _boundary))::text, true);
    perform set_config('dogear.book', _book::text, true);
    perform set_config('dogear.boundary', _boundary::text, true);
end $$"""

OPENING_BEFORE = """create function dogear.boundary_opened_v1(_book bigint, _boundary int) returns void
language plpgsql volatile strict set search_path = dogear, pg_temp as $$
declare
    _opened jsonb := coalesce(nullif(current_setting('dogear.opened', true), ''), '{}')::jsonb;
    _before int := (_opened ->> _book::text)::int;
begin
    if _boundary < 0 or _boundary > (select body_end from book where id = _book) then
        raise exception 'book %: % is no boundary', _book, _boundary using errcode = 'DG001';
    end if;
    if _before is not null and _boundary > _before then
        raise exception 'book %: a boundary at % is open, % is wider', _book, _before, _boundary
            using errcode = 'DG001';
    end if;
    perform set_config('dogear.opened', (_opened || jsonb_build_object(_book::text, _boundary))::text, true);
    perform set_config('dogear.book', _book::text, true);
    perform set_config('dogear.boundary', _boundary::text, true);
end $$"""

FINDING = (
    # Made if new: of several at the same moment, the second statement sees the one that was first.
    (
        "club_named_v1",
        ("_name text", "_server text"),
        "bigint",
        "volatile",
        """insert into club (name, server) values (_name, _server) on conflict do nothing;
        select c.id from club c where c.name = _name and c.server = _server""",
    ),
    ("club_of_room_v1", ("_key text",), "bigint", "stable", "select r.club_id from room r where r.key = _key"),
    (
        "clubs_of_person_v1",
        ("_person text",),
        "setof bigint",
        "stable",
        "select m.club_id from member m where m.person = _person and m.joined_at is not null order by m.club_id",
    ),
    ("clubs_v1", (), "setof bigint", "stable", "select c.id from club c order by c.id"),
)


BACK = (
    "revoke select (id, club_id, person, joined_at, removed_at) on dogear.member from dogear_locator",
    "revoke select (id, name, server), insert (name, server) on dogear.club from dogear_locator",
    "grant insert on dogear.club to dogear_app",
    "drop policy locator_names on dogear.club",
    "drop policy locator_finds on dogear.club",
    "revoke update (announced_at, confirmed_at, finished_at, added_by) on dogear.book from dogear_app",
    "drop policy locator_finds on dogear.member",
    *(f"drop policy {role}_sees_the_club_that_is_open on dogear.book" for role in ("guard", "locator")),
    *(f"drop policy app_sees_the_club_that_is_open on dogear.{table}" for table in OPEN_BEFORE),
    *(f"drop policy ingest_writes on dogear.{table}" for table in OPEN_BEFORE),
    *(f"alter table dogear.{table} no force row level security" for table in OPEN_BEFORE),
    *(f"alter table dogear.{table} disable row level security" for table in OPEN_BEFORE),
    *(f"drop policy locator_finds on dogear.{table}" for table in LOCATED),
    *(f"create policy locator_finds on dogear.{table} for select to dogear_locator using (true)" for table in LOCATED),
    "drop trigger quote_try_in_club on dogear.quote_try",
    "drop function dogear.quote_try_in_club()",
    POSITION_TRIGGER_BEFORE,
    # with the column go the keys that name it
    "alter table dogear.quote_try drop column club_id",
    "alter table dogear.position drop column club_id",
    *(
        f"alter table dogear.{table} add constraint {table}_{key}_id_fkey "
        f"foreign key ({key}_id) references dogear.{key} on delete cascade"
        for table in ("position", "quote_try")
        for key in ("member", "book")
    ),
    """alter table dogear.book drop column author, drop column added_by, drop column announced_at,
        drop column confirmed_at, drop column finished_at""",
    "alter table dogear.member drop constraint member_dm_book_fkey",
    "alter table dogear.member drop constraint member_id_in_its_club",
    "alter table dogear.member drop constraint member_person_in_its_club",
    "alter table dogear.member add constraint member_club_id_name_key unique (club_id, name)",
    "drop index dogear.member_person",
    """alter table dogear.member drop column person, drop column role, drop column shown, drop column reminded,
        drop column reachable, drop column seen_at, drop column away_at, drop column aside_at,
        drop column asked_where_at, drop column removed_at, drop column dm_book""",
    "alter table dogear.club drop constraint club_name_in_its_server",
    "alter table dogear.club add constraint club_name_key unique (name)",
    "alter table dogear.club drop column server",
)


def _signature(name: str, arguments: tuple[str, ...]) -> str:
    """The function's name with the types of its arguments alone."""
    return f"dogear.{name}({', '.join(a.partition(' ')[2] for a in arguments)})"


def _opening(statement: str) -> None:
    """Make the function that opens a boundary anew. The functions of the door call it by its name."""
    run = op.get_bind().exec_driver_sql
    run("drop function dogear.boundary_opened_v1(bigint, int)")
    run(statement)
    run("revoke all on function dogear.boundary_opened_v1(bigint, int) from public")
    run("alter function dogear.boundary_opened_v1(bigint, int) owner to dogear_guard")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in (*PEOPLE, *ROOMS, *ASKED):
        run(statement)
    for table in ("club", *APART):
        own = f"{'id' if table == 'club' else 'club_id'} = {CLUB}"
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using ({own}) with check ({own})"
        )
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
    for role in ("guard", "locator"):
        run(
            f"create policy {role}_sees_the_club_that_is_open on dogear.book for select to dogear_{role} "
            f"using (club_id = {CLUB})"
        )
    for table in LOCATED:
        run(f"drop policy locator_finds on dogear.{table}")
        run(
            f"create policy locator_finds on dogear.{table} for select to dogear_locator "
            "using (book_id in (select b.id from dogear.book b))"
        )
    for table in ("club", "room", "member"):
        run(f"create policy locator_finds on dogear.{table} for select to dogear_locator using (true)")
    run("create policy locator_names on dogear.club for insert to dogear_locator with check (true)")
    for statement in GRANTS:
        run(statement)
    run("grant create on schema dogear to dogear_guard, dogear_locator")
    _opening(OPENING)
    for name, arguments, returns, kind, body in FINDING:
        run(
            f"create function dogear.{name}({', '.join(arguments)}) returns {returns} language sql {kind} strict "
            f"security definer set search_path = dogear, pg_temp as $door$ {body} $door$"
        )
        signature = _signature(name, arguments)
        run(f"revoke all on function {signature} from public")
        run(f"grant execute on function {signature} to dogear_app")
        run(f"alter function {signature} owner to dogear_locator")
    run("revoke create on schema dogear from dogear_guard, dogear_locator")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for name, arguments, *_ in FINDING:
        run(f"drop function {_signature(name, arguments)}")
    run("grant create on schema dogear to dogear_guard")
    _opening(OPENING_BEFORE)
    run("revoke create on schema dogear from dogear_guard")
    for table in ("spoiled", "press", "posting", "claim", "citation", "question", "setting", "room"):
        run(f"drop table dogear.{table}")
    for statement in BACK:
        run(statement)
