"""Jobs and what holds them, as values of statements and back."""

from __future__ import annotations

from typing import Any

from bot.core.club import BookId, ClubId, MemberId
from bot.core.jobs import Claim, JobId, JobKind, Lost, Taking
from bot.core.ports import EmbeddingModel


def model_key(model: EmbeddingModel) -> str:
    """A model as the key of a job has it."""
    return f"{model.name}:{model.dimension}:{model.sha256}"


def model_values(model: EmbeddingModel) -> dict[str, object]:
    """A model as parameters."""
    return {"model": model_key(model), "name": model.name, "dimension": model.dimension, "sha": model.sha256}


def book_of(claim: Claim) -> BookId:
    """The book that a job works on. Raises `Lost` where it has none."""
    if claim.book is None:
        raise Lost
    return claim.book


def mine(claim: Claim) -> dict[str, Any]:
    """What tells a worker's hold on a job from every other."""
    return {"job": claim.job, "worker": claim.worker, "attempt": claim.attempt}


def claim_of(row: Any, file: Any, taking: Taking) -> Claim:
    """A row that was taken, and its file's, as a `Claim`."""
    return Claim(
        job=JobId(row.id),
        kind=JobKind(row.kind),
        club=ClubId(row.club_id),
        worker=taking.worker,
        attempt=row.attempts,
        lease=taking.lease,
        by=None if row.member_id is None else MemberId(row.member_id),
        book=None if row.book_id is None else BookId(row.book_id),
        name="" if file is None else file.name,
        sha256="" if file is None else file.sha256,
    )
