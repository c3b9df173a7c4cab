"""Reading schedules, reminders and the weekly posts.

A row of work is claimed by lease: one statement finds it unheld and holds it. Two functions find the clubs that have
something to do, before one of them is open: they return ids alone. No column has a default time: the caller says when.
"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

CLUB = "(select current_setting('dogear.club')::bigint)"

TABLES = (
    """create table dogear.milestone (
        club_id bigint not null,
        book_id bigint not null,
        chapter int not null check (chapter > 0),
        due date not null,
        set_by bigint,
        set_at timestamptz not null,
        primary key (book_id, chapter),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade,
        foreign key (set_by, club_id) references dogear.member (id, club_id) on delete set null (set_by))""",
    "create index milestone_set_by on dogear.milestone (set_by)",
    """create table dogear.weekly_post (
        club_id bigint not null references dogear.club on delete cascade,
        iso_year int not null,
        iso_week int not null check (iso_week between 1 and 53),
        planned_at timestamptz not null,
        state text not null check (state in ('due', 'made', 'posted', 'skipped')),
        attempt int not null default 0,
        leased_until timestamptz,
        book_id bigint,
        "boundary" int check ("boundary" >= 0),
        audience bigint[],
        settled_at timestamptz,
        primary key (club_id, iso_year, iso_week),
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete set null (book_id))""",
    "create index weekly_post_due on dogear.weekly_post (club_id, planned_at) where state = 'due'",
    "create index weekly_post_of_book on dogear.weekly_post (book_id)",
    # where those stood who show their place, when a post was made
    """create table dogear.weekly_place (
        club_id bigint not null,
        iso_year int not null,
        iso_week int not null,
        member_id bigint not null,
        chapters int not null check (chapters >= 0),
        primary key (club_id, iso_year, iso_week, member_id),
        foreign key (club_id, iso_year, iso_week)
            references dogear.weekly_post (club_id, iso_year, iso_week) on delete cascade,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade)""",
    "create index weekly_place_of_member on dogear.weekly_place (member_id)",
    """create table dogear.daily_round (
        club_id bigint not null references dogear.club on delete cascade,
        day date not null,
        planned_at timestamptz not null,
        attempt int not null default 0,
        leased_until timestamptz,
        done_at timestamptz,
        primary key (club_id, day))""",
    "create index daily_round_due on dogear.daily_round (club_id, planned_at) where done_at is null",
    """create table dogear.reminder (
        club_id bigint not null,
        member_id bigint not null,
        book_id bigint not null,
        chapter int not null,
        due date not null,
        sent_at timestamptz not null,
        primary key (member_id, book_id, chapter, due),
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete cascade)""",
    "create index reminder_of_book on dogear.reminder (book_id)",
)

APART = ("milestone", "weekly_post", "weekly_place", "daily_round", "reminder")

FOUND_BY = ("weekly_post", "daily_round", "setting")

GRANTS = (
    "grant select, insert, update, delete on dogear.milestone, dogear.weekly_post, dogear.weekly_place, "
    "dogear.daily_round, dogear.reminder to dogear_app",
    "grant select (club_id, state, leased_until) on dogear.weekly_post to dogear_locator",
    "grant select (club_id, done_at, leased_until) on dogear.daily_round to dogear_locator",
    "grant select (club_id, changed_at) on dogear.setting to dogear_locator",
)

FINDING = (
    (
        "clubs_due_v1",
        "_now timestamptz",
        "select w.club_id from weekly_post w where w.state = 'due' and coalesce(w.leased_until <= _now, true) "
        "union select d.club_id from daily_round d where d.done_at is null and coalesce(d.leased_until <= _now, true) "
        "order by 1",
    ),
    (
        "clubs_changed_v1",
        "_since timestamptz",
        "select distinct s.club_id from setting s where s.changed_at >= _since order by 1",
    ),
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in TABLES:
        run(statement)
    for table in APART:
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
    for table in FOUND_BY:
        run(f"create policy locator_finds on dogear.{table} for select to dogear_locator using (true)")
    for statement in GRANTS:
        run(statement)
    run("grant create on schema dogear to dogear_locator")
    for name, argument, body in FINDING:
        run(
            f"create function dogear.{name}({argument}) returns setof bigint language sql stable strict "
            f"security definer set search_path = dogear, pg_temp as $door$ {body} $door$"
        )
        run(f"revoke all on function dogear.{name}(timestamptz) from public")
        run(f"grant execute on function dogear.{name}(timestamptz) to dogear_app")
        run(f"alter function dogear.{name}(timestamptz) owner to dogear_locator")
    run("revoke create on schema dogear from dogear_locator")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for name, _, _ in FINDING:
        run(f"drop function dogear.{name}(timestamptz)")
    run("drop policy locator_finds on dogear.setting")
    run("revoke select (club_id, changed_at) on dogear.setting from dogear_locator")
    for table in reversed(APART):
        run(f"drop table dogear.{table}")
