"""The statements of the workers' side of jobs."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, text
from sqlalchemy.types import ARRAY, BigInteger, Text

_OVER: Final = "(state = 'running' and lease_until < :now)"
_LAST_SERVED: Final = (
    "case kind when 'remember' then (select max(m.made_at) from dogear.chapter_memory m "
    "where m.club_id = c.club_id) end"
)
"""Clubs have chapters remembered in turn, however many books each has."""

TO_END = text(
    "select id, kind, book_id, attempts, cancel_requested from dogear.job "  # noqa: S608 - of constants alone
    f"where (cancel_requested and (state = 'queued' or {_OVER})) or (attempts >= :most and {_OVER}) "
    "for update skip locked"
)
CLAIMED = text(
    "update dogear.job j set state = 'running', worker = :worker, lease_until = :until, attempts = attempts + 1, "  # noqa: S608
    "started_at = coalesce(started_at, :now) where j.id = (select c.id from dogear.job c "
    f"where (state = 'queued' or {_OVER}) and not cancel_requested and attempts < :most and kind = any(:kinds) "
    "and (wait_until is null or wait_until <= :now) "
    "and (kind <> 'embed' or model = :model) and (cast(:only as bigint) is null or id = :only) "
    f"order by {_LAST_SERVED} nulls first, queued_at, id limit 1 for update skip locked) "
    "returning j.id, j.kind, j.club_id, j.attempts, j.member_id, j.book_id, j.upload_id"
).bindparams(bindparam("kinds", type_=ARRAY(Text)), bindparam("only", type_=BigInteger), bindparam("model", type_=Text))
_MINE: Final = "id = :job and state = 'running' and worker = :worker and attempts = :attempt"
HELD = text(f"select upload_id, cancel_requested from dogear.job where {_MINE} for update")  # noqa: S608
CONTINUES = text(
    "update dogear.job set percent = case when kind = 'remember' then greatest(percent, :percent) else :percent end, "  # noqa: S608
    "stage = :stage, lease_until = :until "
    f"where {_MINE} returning cancel_requested"
)
ENDED = text(
    "update dogear.job set state = :state, book_id = coalesce(book_id, cast(:book as bigint)), percent = :percent, "
    "error_code = :code, error = :sentence, worker = null, lease_until = null, cancel_requested = :cancelled, "
    "finished_at = :now where id = :job"
)
GIVEN_BACK = text(
    "update dogear.job set state = 'queued', worker = null, lease_until = null, attempts = attempts - 1, "  # noqa: S608
    f"stage = 'wait', percent = 0 where {_MINE}"
)
PASSED_ON = text(
    "update dogear.job set state = 'queued', worker = null, lease_until = null, attempts = 0, queued_at = :now, "  # noqa: S608
    f"wait_until = null, error_code = null, stage = 'remember', percent = :percent where {_MINE}"
)
PUT_OFF = text(
    "update dogear.job set state = 'queued', worker = null, lease_until = null, attempts = attempts - :back, "  # noqa: S608
    f"stage = 'wait', wait_until = :until, error_code = :code where {_MINE}"
)
REMADE = text(
    "update dogear.job set state = 'queued', attempts = 0, stage = 'wait', percent = 0, error_code = null, "
    "error = null, wait_until = null, queued_at = now(), finished_at = null, worker = null, lease_until = null "
    "where kind = 'remember' and book_id = :book and state in ('done', 'failed', 'running') and not cancel_requested"
)
HANDED_ON = text(
    "insert into dogear.job (club_id, kind, key, book_id, member_id, created_at, queued_at) "
    "select j.club_id, 'remember', cast(:after as text), :after, j.member_id, now(), now() from dogear.job j "
    "where j.kind = 'remember' and j.book_id = :before and j.state <> 'cancelled' and not j.cancel_requested "
    "on conflict do nothing"
).bindparams(bindparam("after", type_=BigInteger))
UPLOAD_DROPPED = text("delete from dogear.upload where id = (select upload_id from dogear.job where id = :job)")
SWEPT = text(
    "delete from dogear.upload u where u.received_at < :before and not exists (select from dogear.job j "
    "where j.upload_id = u.id and not (j.state = 'failed' and j.finished_at < :before))"
)
VECTORS_DROPPED = (
    text("delete from dogear.passage_vector where book_id = :book"),
    text(
        "update dogear.book set embedder_name = null, embedder_dimension = null, embedder_sha256 = null, "
        "status = 'searchable' where id = :book"
    ),
)
OF_NEW_BOOK = text("update dogear.book set added_by = :by, created_at = :now where id = :book")
WANTED = text(
    "insert into dogear.job as j (club_id, kind, key, model, book_id, member_id, created_at, queued_at) "
    "select b.club_id, 'embed', :key, :model, b.id, b.added_by, :now, :now from dogear.book b where b.id = :book "
    "and not (b.status = 'ready' and b.embedder_name = :name and b.embedder_dimension = :dimension "
    "and b.embedder_sha256 = :sha) on conflict (club_id, kind, key) do update set state = 'queued', attempts = 0, "
    "stage = 'wait', percent = 0, queued_at = excluded.queued_at, finished_at = null "
    "where j.state = 'done' returning j.id"
)
WANTED_ALREADY = text(
    "select j.id from dogear.job j where j.kind = 'embed' and j.key = :key and j.book_id = :book "
    "and j.state in ('queued', 'running')"
)
UNEMBEDDED = text(
    "select b.id, coalesce((select max(v.passage) from dogear.passage_vector v where v.book_id = b.id), -1) as reached "
    "from dogear.book b where not (b.status = 'ready' and b.embedder_name = :name "
    "and b.embedder_dimension = :dimension and b.embedder_sha256 = :sha) and not exists (select from dogear.job j "
    "where j.book_id = b.id and j.kind = 'embed' and (j.state in ('queued', 'running') or j.model = :model "
    "and j.state <> 'done')) order by b.id"
)
