"""What outlives a person who had everything of theirs deleted: a code, the day's tries, and that they were removed.

The code is SHA-256 over a salt of its own and the person: no name and no id can be read from it. A row goes after a
day, unless it says that an admin removed the person; then it stays until they are readmitted.
"""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"

CLUB = "(select current_setting('dogear.club')::bigint)"

FORGOTTEN = (
    """create table dogear.forgotten (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        salt text not null,
        code text not null,
        removed_at timestamptz,
        unique (id, club_id))""",
    "create index forgotten_of_club on dogear.forgotten (club_id)",
    """create table dogear.forgotten_try (
        id bigint generated always as identity primary key,
        club_id bigint not null,
        forgotten_id bigint not null,
        kind text not null check (kind in ('quote', 'question')),
        book_id bigint,
        tried_at timestamptz not null,
        foreign key (forgotten_id, club_id) references dogear.forgotten (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    "create index forgotten_try_recent on dogear.forgotten_try (forgotten_id, tried_at)",
)

GRANTS = (
    "grant select, insert, delete on dogear.forgotten, dogear.forgotten_try to dogear_app",
    # a person who is forgotten is taken out of the audiences of other people's questions
    "grant update (audience) on dogear.question to dogear_app",
    # who said a place says when, by the club's clock
    "grant insert (created_at) on dogear.position to dogear_app",
)

KNOWING = (
    "create function dogear.clubs_that_know_v1(_person text) returns setof bigint language sql stable strict "
    "security definer set search_path = dogear, pg_temp as "
    "$door$ select m.club_id from member m where m.person = _person order by m.club_id $door$",
    "revoke all on function dogear.clubs_that_know_v1(text) from public",
    "grant execute on function dogear.clubs_that_know_v1(text) to dogear_app",
    "grant create on schema dogear to dogear_locator",
    "alter function dogear.clubs_that_know_v1(text) owner to dogear_locator",
    "revoke create on schema dogear from dogear_locator",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in FORGOTTEN:
        run(statement)
    for table in ("forgotten", "forgotten_try"):
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
    for statement in (*GRANTS, *KNOWING):
        run(statement)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("drop function dogear.clubs_that_know_v1(text)")
    run("revoke insert (created_at) on dogear.position from dogear_app")
    run("revoke update (audience) on dogear.question from dogear_app")
    for table in ("forgotten_try", "forgotten"):
        run(f"drop table dogear.{table}")
