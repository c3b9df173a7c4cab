"""Indexes under foreign keys, and of the ingest role the rights that it uses.

What is removed takes along, or is let go by, what names it: without an index each such key is looked for in a whole
table of every club's. The ingest role hands places on when a file is replaced: it needs no names of people and nothing
that was asked. Tries to find quoted words are dated by the club's clock.
"""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

INDEXES = {
    "ballot_of_club": "ballot (club_id, id)",
    "book_of_club": "book (club_id)",
    "book_added_by": "book (added_by)",
    "book_map_confirmed_by": "book (map_confirmed_by)",
    "club_reading": "club (current_book)",
    "forgotten_try_of_book": "forgotten_try (book_id)",
    "job_of_member": "job (member_id)",
    "member_asking_of_book": "member (dm_book) where dm_book is not null",
    "page_calibration_of_book": "page_calibration (book_id)",
    "position_of_member": "position (member_id)",
    "press_of_member": "press (member_id)",
    "question_of_book": "question (book_id)",
    "question_following": "question (follows) where follows is not null",
    "question_in_room": "question (room_id) where room_id is not null",
    "quote_try_of_book": "quote_try (book_id)",
    "room_of_club": "room (club_id)",
    "room_reading": "room (book_id)",
    "room_limited_in": "room (limit_book)",
    "section_consent_of_book": "section_consent (book_id)",
    "setting_changed_by": "setting (changed_by)",
    "setting_changed_at": "setting (changed_at)",
    "spoiled_of_member": "spoiled (member_id)",
    "upload_of_member": "upload (member_id)",
}

WHOLE = ("member", "position", "room", "question", "citation", "claim", "posting", "spoiled")
"""Tables of which the ingest role could read every column."""

READ = {
    "member": "id, club_id, dm_book",
    "position": 'id, member_id, book_id, "offset"',
    "room": "id, book_id, limit_offset, limit_book",
}


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for name, of in INDEXES.items():
        run(f"create index {name} on dogear.{of}")
    for table in WHOLE:
        run(f"revoke select on dogear.{table} from dogear_ingest")
    for table, columns in READ.items():
        run(f"grant select ({columns}) on dogear.{table} to dogear_ingest")
    run("grant insert (created_at) on dogear.quote_try to dogear_app")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("revoke insert (created_at) on dogear.quote_try from dogear_app")
    for table, columns in READ.items():
        run(f"revoke select ({columns}) on dogear.{table} from dogear_ingest")
    for table in WHOLE:
        run(f"grant select on dogear.{table} to dogear_ingest")
    for name in INDEXES:
        run(f"drop index dogear.{name}")
