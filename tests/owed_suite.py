"""What must hold of whatever keeps the replies that are owed, the fake and the real one: subclassed with a fixture
``owed``.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.core.owed import OWED_FOR, Owed, OwedReply

NOW = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)


def reply(key: str, at: datetime = NOW, app: str = "app", by: str = "one") -> OwedReply:
    return OwedReply(key, app, f"token of {key}", False, by, at)


class OwedSuite:
    """Every test starts with nothing owed."""

    async def test_what_is_owed_is_known_until_it_is_paid(self, owed: Owed) -> None:
        assert await owed.reply_owed(reply("a"))
        assert await owed.replies_owed("app", NOW) == (reply("a"),)
        assert await owed.reply_paid("a")
        assert await owed.replies_owed("app", NOW) == ()
        assert not await owed.reply_paid("a")

    async def test_a_reply_is_owed_once_by_whoever_noted_it_first(self, owed: Owed) -> None:
        assert await owed.reply_owed(reply("a"))
        assert not await owed.reply_owed(reply("a", by="other"))
        assert [one.owed_by for one in await owed.replies_owed("app", NOW)] == ["one"]

    async def test_what_is_taken_over_is_owed_by_who_took_it_over_alone(self, owed: Owed) -> None:
        assert await owed.reply_owed(reply("a"))
        assert await owed.reply_taken_over(reply("a", NOW + timedelta(seconds=1), by="other"))
        assert await owed.reply_taken_over(reply("b", NOW + timedelta(seconds=2), by="other"))
        found = await owed.replies_owed("app", NOW + timedelta(minutes=1))
        assert [(one.key, one.owed_by, one.noted_at - NOW) for one in found] == [
            ("a", "other", timedelta(seconds=1)),
            ("b", "other", timedelta(seconds=2)),
        ]

    async def test_what_was_noted_by_then_comes_in_order_of_one_application_alone(self, owed: Owed) -> None:
        for number in (3, 1, 2):
            await owed.reply_owed(reply(f"key {number}", NOW + timedelta(seconds=number)))
        await owed.reply_owed(reply("another", app="other app"))
        found = await owed.replies_owed("app", NOW + timedelta(seconds=2))
        assert [one.key for one in found] == ["key 1", "key 2"]

    async def test_what_is_too_old_to_be_given_is_forgotten(self, owed: Owed) -> None:
        await owed.reply_owed(reply("old"))
        await owed.reply_owed(reply("new", NOW + OWED_FOR + timedelta(seconds=1)))
        assert [one.key for one in await owed.replies_owed("app", NOW + timedelta(hours=1))] == ["new"]
