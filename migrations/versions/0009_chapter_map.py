"""The chapter map after ingest: marks, what was shown past somebody's place, and pages of other editions.

A consent is used once, within minutes, and only by the function that shows the first words of its section: with looking
ahead the one way in which anything past a boundary is shown. A place that was worked out on a map that has
changed since is refused.
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """alter table dogear.book
        add column map_version int not null default 0,
        add column map_confirmed_at timestamptz,
        add column map_confirmed_by bigint,
        add constraint book_map_confirmed_by_fkey foreign key (map_confirmed_by, club_id)
            references dogear.member (id, club_id) on delete set null (map_confirmed_by)""",
    # what the file's reader took a section for; null while it stands as it was read
    """alter table dogear.section
        add column read_kind text,
        add column read_chapter boolean,
        add column marker int""",
    "alter table dogear.position add column map_version int",
    """create table dogear.section_consent (
        id bigint generated always as identity primary key,
        club_id bigint not null,
        member_id bigint not null,
        book_id bigint not null,
        section int not null,
        consented_at timestamptz not null,
        written_at timestamptz not null default now(),
        shown_at timestamptz,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    "create index section_consent_of_member on dogear.section_consent (member_id, id)",
    """create table dogear.page_calibration (
        club_id bigint not null,
        member_id bigint not null,
        book_id bigint not null,
        page int not null check (page > 0),
        "offset" int not null check ("offset" >= 0),
        said_at timestamptz not null,
        primary key (member_id, book_id, page),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    # waits for a map that is being changed, and then sees the changed one
    """create function dogear.position_of_this_map() returns trigger
        language plpgsql set search_path = dogear, pg_temp as $$
        declare
            _version int;
        begin
            select map_version into _version from book where id = new.book_id for key share;
            if new.map_version is not null and new.map_version is distinct from _version then
                raise exception 'the chapter map has changed' using errcode = 'DG002';
            end if;
            return new;
        end $$""",
    """create trigger position_of_this_map before insert on dogear.position
        for each row execute function dogear.position_of_this_map()""",
)

GRANTS = (
    "grant insert (map_version) on dogear.position to dogear_app",
    "grant update (map_confirmed_at, map_confirmed_by) on dogear.book to dogear_app",
    "grant select, insert (club_id, member_id, book_id, section, consented_at) on dogear.section_consent to dogear_app",
    "grant select, insert, delete on dogear.page_calibration to dogear_app",
    "grant select, update (shown_at) on dogear.section_consent to dogear_guard",
    "grant select (id, club_id, joined_at) on dogear.member to dogear_guard",
    'grant select (book_id, ordinal, heading_end, "end") on dogear.section to dogear_guard',
    # a replaced book hands its places on
    "grant select, update (dm_book) on dogear.member to dogear_ingest",
    "grant select, insert on dogear.position to dogear_ingest",
    "grant select, update (book_id, limit_offset, limit_book) on dogear.room to dogear_ingest",
    "grant select, insert on dogear.page_calibration to dogear_ingest",
    "grant select, insert, delete on dogear.milestone to dogear_ingest",
)

POLICIES = (
    "create policy guard_uses_a_consent on dogear.section_consent to dogear_guard "
    f"using (club_id = {CLUB}) with check (club_id = {CLUB})",
    "create policy guard_sees_the_club_that_is_open on dogear.member for select to dogear_guard "
    f"using (club_id = {CLUB})",
    "create policy ingest_writes on dogear.milestone to dogear_ingest using (true) with check (true)",
    "create policy guard_knows_where_headings_end on dogear.section for select to dogear_guard "
    "using (book_id = (select current_setting('dogear.book')::bigint))",
)

MAP = """create function dogear.section_map_v1(_book bigint)
    returns table (section int, kind int, chapter int, printed_number int, part_numbers int[], start int, "end" int)
    language sql stable strict security definer set search_path = dogear, pg_temp as $door$
    select s.ordinal, array_position(array['body', 'front', 'essay', 'contents', 'footnotes', 'notes', 'back',
            'preview', 'unknown'], s.kind), s.chapter, s.printed_number, s.part_numbers, s.start, s."end"
    from section s where s.book_id = _book order by s.ordinal $door$"""

SHOWN = """create function dogear.section_shown_v1(_consent bigint)
    returns table (section int, title text, words text)
    language plpgsql volatile strict security definer set search_path = dogear, pg_temp as $door$
#variable_conflict use_column
declare
    _book bigint;
    _section int;
    _book_before text := current_setting('dogear.book', true);
    _boundary_before text := current_setting('dogear.boundary', true);
begin
    update section_consent c set shown_at = now()
        where c.id = _consent and c.shown_at is null and c.written_at > now() - interval '5 minutes'
          and exists (select from member m where m.id = c.member_id and m.joined_at is not null)
        returning c.book_id, c.section into _book, _section;
    if _book is null then
        raise exception 'consent % does not hold', _consent using errcode = 'DG003';
    end if;
    perform set_config('dogear.book', _book::text, true);
    perform set_config('dogear.boundary', '2147483647', true);
    return query
        select _section, coalesce((select t.title from title t where t.book_id = _book and t.section = _section), ''),
            coalesce((select left(
                array_to_string((regexp_split_to_array(btrim(w.prose, e' \\n'), '\\s+'))[1:12], ' '), 120)
            from (select string_agg(f.prose, '' order by f.ordinal) as prose from (
                select s.ordinal, s.lead || s.text as prose from sentence s, section m
                where s.book_id = _book and s.section = _section and m.book_id = _book and m.ordinal = _section
                  and (s.start >= m.heading_end or m.heading_end >= m."end")
                order by s.ordinal limit 12) f) w), '');
    perform set_config('dogear.book', coalesce(_book_before, ''), true);
    perform set_config('dogear.boundary', coalesce(_boundary_before, ''), true);
end $door$"""

OWNERS = (("section_map_v1", "dogear_locator", MAP), ("section_shown_v1", "dogear_guard", SHOWN))


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in TABLES:
        run(statement)
    for table in ("section_consent", "page_calibration"):
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
        run(f"create policy ingest_writes on dogear.{table} to dogear_ingest using (true) with check (true)")
    for statement in (*POLICIES, *GRANTS):
        run(statement)
    run("grant create on schema dogear to dogear_guard, dogear_locator")
    for name, owner, statement in OWNERS:
        run(statement)
        run(f"revoke all on function dogear.{name}(bigint) from public")
        run(f"grant execute on function dogear.{name}(bigint) to dogear_app")
        run(f"alter function dogear.{name}(bigint) owner to {owner}")
    run("revoke create on schema dogear from dogear_guard, dogear_locator")


BACK = (
    "drop function dogear.section_shown_v1(bigint)",
    "drop function dogear.section_map_v1(bigint)",
    "drop policy guard_knows_where_headings_end on dogear.section",
    "drop policy guard_sees_the_club_that_is_open on dogear.member",
    'revoke select (book_id, ordinal, heading_end, "end") on dogear.section from dogear_guard',
    "revoke select (id, club_id, joined_at) on dogear.member from dogear_guard",
    "revoke select, update (dm_book) on dogear.member from dogear_ingest",
    "revoke select, insert on dogear.position from dogear_ingest",
    "revoke select, insert, delete on dogear.milestone from dogear_ingest",
    "drop policy ingest_writes on dogear.milestone",
    "revoke select, update (book_id, limit_offset, limit_book) on dogear.room from dogear_ingest",
    "drop trigger position_of_this_map on dogear.position",
    "drop function dogear.position_of_this_map()",
    "drop table dogear.page_calibration",
    "drop table dogear.section_consent",
    "alter table dogear.position drop column map_version",
    "alter table dogear.section drop column read_kind, drop column read_chapter, drop column marker",
    "revoke update (map_confirmed_at, map_confirmed_by) on dogear.book from dogear_app",
    "alter table dogear.book drop column map_version, drop column map_confirmed_at, drop column map_confirmed_by",
)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in BACK:
        run(statement)
