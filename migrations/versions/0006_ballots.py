"""Nominations and votes for the next book.

A ballot is one round; a club has at most one open. A vote is one member's in one round: the nominations they approve
of, as many as they like, in rows of their own. Nothing here is text of a book.
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

CLUB = "(select current_setting('dogear.club')::bigint)"

BALLOTS = (
    """create table dogear.ballot (
        id bigint generated always as identity primary key,
        club_id bigint not null references dogear.club on delete cascade,
        opened_at timestamptz not null,
        closes_at timestamptz,
        closed_at timestamptz,
        winner int,
        unique (id, club_id))""",
    "create unique index ballot_open_one_a_club on dogear.ballot (club_id) where closed_at is null",
    # n is what a nomination is called in its round; approvals are counted once, when the round is closed
    """create table dogear.nomination (
        club_id bigint not null,
        ballot_id bigint not null,
        n int not null check (n > 0),
        title text not null check (char_length(title) between 1 and 120),
        book_id bigint,
        nominated_by bigint,
        nominated_at timestamptz not null,
        approvals int,
        primary key (ballot_id, n),
        unique (ballot_id, n, club_id),
        foreign key (ballot_id, club_id) references dogear.ballot (id, club_id) on delete cascade,
        foreign key (book_id, club_id) references dogear.book (id, club_id) on delete set null (book_id),
        foreign key (nominated_by, club_id)
            references dogear.member (id, club_id) on delete set null (nominated_by))""",
    "alter table dogear.ballot add constraint ballot_winner_is_nominated "
    "foreign key (id, winner, club_id) references dogear.nomination (ballot_id, n, club_id)",
    """create table dogear.vote (
        club_id bigint not null,
        ballot_id bigint not null,
        member_id bigint not null,
        voted_at timestamptz not null,
        primary key (ballot_id, member_id),
        unique (ballot_id, member_id, club_id),
        foreign key (ballot_id, club_id) references dogear.ballot (id, club_id) on delete cascade,
        foreign key (member_id, club_id) references dogear.member (id, club_id) on delete cascade)""",
    """create table dogear.approval (
        club_id bigint not null,
        ballot_id bigint not null,
        member_id bigint not null,
        n int not null,
        primary key (ballot_id, member_id, n),
        foreign key (ballot_id, member_id, club_id)
            references dogear.vote (ballot_id, member_id, club_id) on delete cascade,
        foreign key (ballot_id, n, club_id) references dogear.nomination (ballot_id, n, club_id) on delete cascade)""",
    "create index vote_of_member on dogear.vote (member_id)",
    "create index nomination_of_member on dogear.nomination (nominated_by)",
    "create index nomination_of_book on dogear.nomination (book_id)",
)

TABLES = ("ballot", "nomination", "vote", "approval")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for statement in BALLOTS:
        run(statement)
    for table in TABLES:
        run(f"alter table dogear.{table} enable row level security")
        run(f"alter table dogear.{table} force row level security")
        run(
            f"create policy app_sees_the_club_that_is_open on dogear.{table} to dogear_app "
            f"using (club_id = {CLUB}) with check (club_id = {CLUB})"
        )
        run(f"grant select, insert, update, delete on dogear.{table} to dogear_app")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("alter table dogear.ballot drop constraint ballot_winner_is_nominated")
    for table in reversed(TABLES):
        run(f"drop table dogear.{table}")
