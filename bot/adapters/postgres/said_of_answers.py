"""What members say of answers: useful or not, each once for each answer."""

from __future__ import annotations

from datetime import datetime

from bot.adapters.postgres.club_connections import ClubConnections
from bot.core.club import MemberId, QuestionId
from bot.core.ledger import Verdicts


class SaidOfAnswers:
    """The part of the ledger that keeps it."""

    _club: ClubConnections

    async def judged(self, question: QuestionId, member: MemberId, useful: bool, at: datetime) -> bool:
        """Keep what a member says of an answer; false where they said the same before."""
        rows = await self._club.run(
            "insert into dogear.verdict as v (club_id, question_id, member_id, useful, said_at) "
            "select :club, q.id, :member, :useful, :at from dogear.question q "
            "where q.id = :question for key share on conflict (question_id, member_id) do update "
            "set useful = excluded.useful, said_at = excluded.said_at where v.useful <> excluded.useful "
            "returning question_id",
            question=question,
            member=member,
            useful=useful,
            at=at,
        )
        return bool(rows)

    async def verdicts(self) -> tuple[Verdicts, ...]:
        """What members said of answers, by engine."""
        rows = await self._club.run(
            "select q.engine, count(distinct q.id) as answers, count(*) filter (where v.useful) as useful, "
            "count(*) filter (where not v.useful) as not_useful from dogear.verdict v "
            "join dogear.question q on q.id = v.question_id group by q.engine order by q.engine"
        )
        return tuple(Verdicts(row.engine, row.answers, row.useful, row.not_useful) for row in rows)
