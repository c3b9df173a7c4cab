"""Every club's clock, and what it lacks, found at once before one club is open.

A process that starts knows when all clubs' posts are due by one function, which groups clubs by the four settings that
say when, and which of many clubs lack a note by two more, which return ids alone. The locator sees these four settings
and no other.
"""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0017"

CLOCK = "('time_zone', 'weekly', 'weekly_day', 'weekly_time')"

BEFORE = (
    "drop policy locator_finds on dogear.setting",
    f"create policy locator_finds on dogear.setting for select to dogear_locator using (name in {CLOCK})",
    "grant select (name, value) on dogear.setting to dogear_locator",
    "grant select (iso_year, iso_week) on dogear.weekly_post to dogear_locator",
    "grant select (day) on dogear.daily_round to dogear_locator",
)

FINDING = (
    (
        "club_clocks_v1",
        (),
        "table (time_zone text, weekly text, weekly_day text, weekly_time text, clubs bigint[])",
        "select s.time_zone, s.weekly, s.weekly_day, s.weekly_time, array_agg(c.id order by c.id) from club c "
        "left join (select club_id, max(value) filter (where name = 'time_zone') as time_zone, "
        "max(value) filter (where name = 'weekly') as weekly, "
        "max(value) filter (where name = 'weekly_day') as weekly_day, "
        "max(value) filter (where name = 'weekly_time') as weekly_time "
        f"from setting where name in {CLOCK} group by club_id) s on s.club_id = c.id group by 1, 2, 3, 4",
    ),
    (
        "clubs_without_post_v1",
        ("_clubs bigint[]", "_year int", "_week int"),
        "setof bigint",
        "select a.club from unnest(_clubs) as a (club) where not exists (select from weekly_post w "
        "where w.club_id = a.club and w.iso_year = _year and w.iso_week = _week) order by 1",
    ),
    (
        "clubs_without_round_v1",
        ("_clubs bigint[]", "_day date"),
        "setof bigint",
        "select a.club from unnest(_clubs) as a (club) where not exists (select from daily_round d "
        "where d.club_id = a.club and d.day = _day) order by 1",
    ),
)

AFTER = (
    "revoke select (day) on dogear.daily_round from dogear_locator",
    "revoke select (iso_year, iso_week) on dogear.weekly_post from dogear_locator",
    "revoke select (name, value) on dogear.setting from dogear_locator",
    "drop policy locator_finds on dogear.setting",
    "create policy locator_finds on dogear.setting for select to dogear_locator using (true)",
)


def _signature(name: str, arguments: tuple[str, ...]) -> str:
    return f"dogear.{name}({', '.join(argument.split()[1] for argument in arguments)})"


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in BEFORE:
        run(statement)
    run("grant create on schema dogear to dogear_locator")
    for name, arguments, returned, body in FINDING:
        signature = _signature(name, arguments)
        run(
            f"create function dogear.{name}({', '.join(arguments)}) returns {returned} language sql stable strict "
            f"security definer set search_path = dogear, pg_temp as $door$ {body} $door$"
        )
        run(f"revoke all on function {signature} from public")
        run(f"grant execute on function {signature} to dogear_app")
        run(f"alter function {signature} owner to dogear_locator")
    run("revoke create on schema dogear from dogear_locator")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for name, arguments, _, _ in reversed(FINDING):
        run(f"drop function {_signature(name, arguments)}")
    for statement in AFTER:
        run(statement)
