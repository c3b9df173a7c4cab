"""What is owed is noted before it is acknowledged, and told by another process once who owes it is gone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.adapters.chat import owing as shared
from bot.adapters.chat.owing import Clubs, Owing
from bot.adapters.chat.presses import Action, Press
from bot.adapters.discord import owing, serving
from bot.adapters.discord.client import Dogear
from bot.adapters.discord.faults import away
from bot.adapters.wording import line
from bot.core.errors import Unavailable
from bot.core.owed import OwedReply
from bot.core.roster import Posted
from tests.fakes.leading import FakeLeading
from tests.fakes.owed import FakeOwed

SENTENCE = line("discord_was_stopped")


@dataclass
class Webhook:
    """An interaction's: what stands in the place of its deferred reply, and what was said to it."""

    stands: Any = None
    away: bool = False
    said: list[str] = field(default_factory=list)

    async def fetch_message(self, _: object) -> Any:
        if self.away:
            raise ConnectionResetError
        if self.stands is None:
            raise discord.NotFound(cast("Any", SimpleNamespace(status=404, reason="")), "gone")
        return self.stands

    async def edit_message(self, _: object, **more: Any) -> None:
        self.said.append(more["content"])

    async def send(self, content: str, **_: Any) -> None:
        self.said.append(content)


@dataclass
class World:
    """Several processes on one database."""

    owed: FakeOwed = field(default_factory=FakeOwed)
    leading: FakeLeading = field(default_factory=FakeLeading)

    taken: list[Posted] = field(default_factory=list)
    fails: Exception | None = None
    """What is raised where a message is to be taken away."""
    client: discord.Client = field(default_factory=lambda: cast("discord.Client", SimpleNamespace(application_id=5)))

    def process(self) -> Owing:
        async def take_down(posted: Posted) -> None:
            if self.fails is not None:
                raise self.fails
            self.taken.append(posted)

        return Owing(cast(Clubs, self), lambda: "discord:5", take_down, partial(owing.told, self.client), away)

    def owes(
        self, key: str, *, token: str = "token", in_place: bool = False, ago: timedelta = timedelta(0), by: str = "gone"
    ) -> None:
        self.owed.replies[key] = OwedReply(key, "discord:5", token, in_place, by, datetime.now(UTC) - ago)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of the clock that is never set, which go on between any two looks by as much as a process is missed."""
    passed = [0.0]

    def monotonic() -> float:
        return passed[0]

    monkeypatch.setattr(shared, "monotonic", monotonic)
    return passed


async def looked(process: Owing, now: list[float], times: int = 2) -> None:
    for _ in range(times):
        await process.look()
        now[0] += shared.GRACE


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Webhook:
    made = Webhook()
    monkeypatch.setattr(discord.Webhook, "partial", lambda *_, **__: made)
    return made


def _interaction(number: int = 7) -> discord.Interaction[Any]:
    return cast("discord.Interaction[Any]", SimpleNamespace(id=number, token="token"))


async def noted(process: Owing, interaction: discord.Interaction[Any] | None = None, *, hurried: bool = True) -> None:
    one = interaction or _interaction()
    await process.note(owing.key_of(one), one.token, hurried=hurried)


def _message(content: str = "", *, loading: bool = False, press: Press | None = None) -> Any:
    row = SimpleNamespace(children=[SimpleNamespace(custom_id=press.custom_id)] if press else [])
    return SimpleNamespace(content=content, flags=SimpleNamespace(loading=loading), components=[row])


async def test_what_is_noted_is_forgotten_once_it_is_answered(world: World) -> None:
    process, interaction = world.process(), _interaction()
    await noted(process, interaction)
    assert list(world.owed.replies) == ["discord:7"]
    process.paid(owing.key_of(interaction))
    await process.settle()
    assert not world.owed.replies


async def test_what_another_process_noted_first_is_forgotten_by_that_one_alone(world: World) -> None:
    one, other = world.process(), world.process()
    await noted(one)
    await noted(other)
    other.paid(owing.key_of(_interaction()))
    await other.settle()
    assert list(world.owed.replies) == ["discord:7"]


async def test_an_interaction_that_comes_again_leaves_what_is_owed_for_it_to_the_first(world: World) -> None:
    client = Dogear(cast(Clubs, world), members=False)

    async def deferred(**_: bool) -> None: ...

    def came() -> Any:
        return SimpleNamespace(id=7, token="token", extras={}, response=SimpleNamespace(defer=deferred))

    first, second = came(), came()
    with client.busy(first):
        await client.defer(first)
        with client.busy(second), suppress(discord.InteractionResponded):
            await client.defer(second)
        await client.owing.settle()
        assert list(world.owed.replies) == ["discord:7"]
    await client.owing.settle()
    assert not world.owed.replies


async def test_without_a_database_an_interaction_is_acknowledged_all_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(_: OwedReply) -> bool:
        raise Unavailable("The database does not answer.")

    monkeypatch.setattr(world.owed, "reply_owed", away)
    await noted(world.process())
    assert "event=unnoted error=Unavailable" in caplog.text


@pytest.mark.parametrize(("hurried", "seconds"), [(True, "HURRIED_WITHIN"), (False, "NOTED_WITHIN")])
async def test_a_slow_database_is_not_waited_for_as_long_as_discord_waits_and_longer_where_nobody_does(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, hurried: bool, seconds: str
) -> None:
    async def slow(_: OwedReply) -> bool:
        await asyncio.sleep(60)
        return True

    assert shared.HURRIED_WITHIN < 3 < shared.NOTED_WITHIN
    monkeypatch.setattr(world.owed, "reply_owed", slow)
    monkeypatch.setattr(shared, seconds, 0.01)
    await asyncio.wait_for(noted(world.process(), hurried=hurried), 5)
    assert "event=unnoted error=TimeoutError" in caplog.text


STOP = Press(Action.STOP, cast("Any", 1), person=3)


@pytest.mark.parametrize(
    ("stands", "told"),
    [
        (_message(loading=True), True),
        (_message("Looking ...", press=STOP), True),
        (_message("An answer."), False),
        (None, False),
    ],
    ids=["deferred", "being looked for", "answered", "answered in the room"],
)
async def test_who_waits_for_a_process_that_is_gone_is_told_unless_they_were_answered(
    world: World, webhook: Webhook, now: list[float], stands: Any, told: bool
) -> None:
    world.owes("a")
    webhook.stands = stands
    await looked(world.process(), now)
    assert webhook.said == ([SENTENCE] if told else [])
    assert not world.owed.replies


async def test_what_was_to_change_a_message_is_told_beside_it(world: World, webhook: Webhook, now: list[float]) -> None:
    world.owes("a", in_place=True)
    await looked(world.process(), now)
    assert webhook.said == [SENTENCE]


async def test_who_wrote_a_direct_message_is_told_under_it_unless_they_take_none_any_more(
    world: World, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, said = Dogear(cast(Clubs, world), members=False), list[tuple[int, str, int]]()
    world.client = client

    async def send(channel: discord.PartialMessageable, content: str, **more: Any) -> None:
        if channel.id == 12:
            raise discord.Forbidden(cast("Any", SimpleNamespace(status=403, reason="")), "closed")
        said.append((channel.id, content, more["reference"].message_id))

    monkeypatch.setattr(discord.PartialMessageable, "send", send)
    for number, channel in ((9, 11), (10, 12)):
        wrote = SimpleNamespace(id=number, channel=SimpleNamespace(id=channel))
        key, where = owing.written(cast("discord.Message", wrote))
        world.owes(key, token=where)
    await looked(world.process(), now)
    assert said == [(11, SENTENCE, 9)]
    assert not world.owed.replies


async def test_what_a_process_owes_that_lives_is_left_to_it(world: World, webhook: Webhook, now: list[float]) -> None:
    webhook.stands = _message(loading=True)
    one = world.process()
    running = asyncio.ensure_future(one.run())
    await asyncio.sleep(0)
    await noted(one)
    (reply,) = world.owed.replies.values()
    world.owes(reply.key, by=reply.owed_by)
    await asyncio.sleep(0)
    await looked(world.process(), now)
    await looked(one, now)
    assert not webhook.said
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await looked(world.process(), now)
    assert webhook.said == [SENTENCE]


async def test_where_discord_is_away_it_is_told_at_another_look(
    world: World, webhook: Webhook, now: list[float]
) -> None:
    world.owes("a")
    webhook.stands, webhook.away = _message(loading=True), True
    await looked(world.process(), now)
    assert list(world.owed.replies) == ["a"]
    webhook.away = False
    await looked(world.process(), now)
    assert webhook.said == [SENTENCE]


@pytest.mark.parametrize("ago", [timedelta(minutes=5), timedelta(hours=-3)], ids=["a while ago", "by a fast clock"])
async def test_a_process_is_missed_for_a_while_before_it_is_taken_to_be_gone(
    world: World, webhook: Webhook, now: list[float], ago: timedelta
) -> None:
    webhook.stands, process = _message(loading=True), world.process()
    world.owes("a", ago=ago)
    await looked(process, now, times=1)
    now[0] -= 1.0
    await looked(process, now, times=1)
    assert list(world.owed.replies) == ["a"]
    await looked(process, now, times=1)
    assert webhook.said == [SENTENCE]


async def test_a_process_whose_session_is_made_again_is_missed_anew(
    world: World, webhook: Webhook, now: list[float]
) -> None:
    webhook.stands, process = _message(loading=True), world.process()
    world.owes("a")
    await looked(process, now, times=1)
    async with world.leading.led("replies gone"):
        await looked(process, now, times=1)
    await looked(process, now, times=1)
    assert list(world.owed.replies) == ["a"]
    await looked(process, now, times=1)
    assert webhook.said == [SENTENCE]


async def test_who_lost_a_session_together_with_the_one_that_looks_is_missed_anew(
    world: World, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(shared, "AGAIN", 0.0)
    world.owes("stands discord:1/2 3")
    running = asyncio.ensure_future(world.process().run())
    for _ in range(20):
        await asyncio.sleep(0)
    now[0] += 5
    world.leading.taken.clear()
    for _ in range(20):
        await asyncio.sleep(0)
    now[0] += shared.GRACE - 1
    for _ in range(20):
        await asyncio.sleep(0)
    assert world.taken == []
    now[0] += 1
    for _ in range(20):
        await asyncio.sleep(0)
    assert world.taken == [Posted("discord:1/2", "3")]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_who_cannot_be_told_any_more_since_it_was_too_long_ago_is_no_fault(
    world: World, webhook: Webhook, now: list[float], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def over(_: object) -> None:
        response = cast("Any", SimpleNamespace(status=401, reason=""))
        raise discord.HTTPException(response, {"code": 50027, "message": "Invalid Webhook Token"})

    monkeypatch.setattr(webhook, "fetch_message", over)
    world.owes("a", ago=timedelta(minutes=20))
    await looked(world.process(), now)
    assert not world.owed.replies
    assert "event=owed-failed" not in caplog.text


async def test_what_is_owed_is_seen_to_no_more_before_the_connection_ends() -> None:
    did, ended, closed = list[str](), asyncio.Event(), asyncio.Event()

    class Client:
        owing: Any

        async def connect(self, **_: bool) -> None:
            await closed.wait()

        async def finish(self) -> None:
            did.append("last reply")

        async def close(self) -> None:
            did.append("closed")
            closed.set()

        async def run(self) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                did.append("looks ended")

    client = Client()
    client.owing = client
    serving_it = asyncio.ensure_future(serving.served(cast(Dogear, client), ended))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    ended.set()
    await serving_it
    assert did == ["last reply", "looks ended", "closed"]


@pytest.mark.parametrize(
    ("fails", "kept"),
    [(ConnectionResetError(), True), (Unavailable("The database does not answer."), True), (ValueError("odd"), False)],
    ids=["Discord is away", "the database is away", "a fault"],
)
async def test_whatever_fails_a_process_goes_on_looking_and_leads_what_is_its_own(
    world: World, webhook: Webhook, now: list[float], monkeypatch: pytest.MonkeyPatch, fails: Exception, kept: bool
) -> None:
    monkeypatch.setattr(shared, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(shared, "GRACE", 0.0)
    world.fails, webhook.stands = fails, _message(loading=True)
    world.owes("stands discord:1/2 3")
    running = asyncio.ensure_future(world.process().run())
    for _ in range(50):
        await asyncio.sleep(0)
    assert bool(world.owed.replies) is kept
    assert len(world.leading.taken - {"replies gone"}) == 1
    world.fails = None
    world.owes("stands discord:1/2 4")
    for _ in range(50):
        await asyncio.sleep(0)
    assert Posted("discord:1/2", "4") in world.taken
    assert not world.owed.replies
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_nobody_waits_for_the_database_to_forget_a_message_that_is_whole_or_gone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = asyncio.Event()

    async def paid(key: str) -> bool:
        await hangs.wait()
        return world.owed.replies.pop(key, None) is not None

    monkeypatch.setattr(world.owed, "reply_paid", paid)
    process, posted = world.process(), Posted("discord:1/2", "3")
    await process.begun(posted)
    await asyncio.wait_for(process.over(posted), 60)
    assert len(world.owed.replies) == 1
    hangs.set()
    await process.settle()
    assert not world.owed.replies


async def test_a_message_that_a_process_left_half_written_is_taken_away(world: World, now: list[float]) -> None:
    half, whole = Posted("discord:1/2", "3"), Posted("telegram:-4/7", "5")
    gone = world.process()
    for posted in (half, whole):
        await gone.begun(posted)
    await gone.over(whole)
    await gone.settle()
    (reply,) = world.owed.replies.values()
    world.owes(reply.key, by=reply.owed_by)
    await looked(world.process(), now)
    assert world.taken == [half]
    assert not world.owed.replies


async def test_what_could_not_be_taken_away_is_taken_away_by_the_same_process_once_its_platform_is_back(
    world: World, now: list[float]
) -> None:
    half, whole, kept = (Posted("discord:1/2", number) for number in "345")
    process = world.process()
    for posted in (half, kept):
        await process.begun(posted)
    world.fails = ConnectionResetError()
    for posted in (half, whole):
        await process.left(posted)
    await looked(process, now)
    assert len(world.owed.replies) == 3
    world.fails = None
    await looked(process, now)
    assert sorted(world.taken, key=lambda posted: posted.message) == [half, whole]
    assert list(world.owed.replies) == ["stands discord:1/2 5"]


async def test_what_was_answered_while_the_database_was_away_is_forgotten_later(
    world: World, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_: str) -> bool:
        raise Unavailable("The database does not answer.")

    process = world.process()
    await noted(process)
    with monkeypatch.context() as broken:
        broken.setattr(world.owed, "reply_paid", away)
        process.paid("discord:7")
        await process.settle()
    await looked(process, now)
    assert list(world.owed.replies) == ["discord:7"]
    (reply,) = world.owed.replies.values()
    world.owes("discord:7", by=reply.owed_by, ago=timedelta(minutes=1))
    await looked(process, now)
    assert not world.owed.replies


async def test_what_another_process_has_begun_is_owed_by_that_one_and_forgotten_here(
    world: World, now: list[float]
) -> None:
    process = world.process()
    await process.note("update:5:1", "42")
    (reply,) = world.owed.replies.values()
    process.passed_on("update:5:1")
    world.owes("update:5:1", by="another", ago=timedelta(minutes=1))
    async with world.leading.led("replies another"):
        await looked(process, now)
        assert list(world.owed.replies) == ["update:5:1"]
    world.owes("update:5:1", by=reply.owed_by, ago=timedelta(minutes=1))
    await looked(process, now)
    assert not world.owed.replies
