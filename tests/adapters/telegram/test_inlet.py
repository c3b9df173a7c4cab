"""What Telegram tells is put down before it hears that it came; those of one person in their order, Stop at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
import telegram

from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.rates import Rates
from bot.adapters.telegram import heard as hearing
from bot.adapters.telegram import inlet as inlets
from bot.adapters.telegram import serving
from bot.adapters.telegram.callbacks import Callbacks
from bot.adapters.telegram.inlet import Inlet
from bot.adapters.telegram.keys import person_key
from bot.adapters.telegram.stopping import Stopping
from bot.core.club import ClubId, MemberId
from bot.core.errors import Unavailable
from bot.core.turns import NotTaken, Turns
from tests.fakes.inbox import FakeInbox
from tests.fakes.leading import FakeLeading

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

TOKEN = "5:secret"
CHAT = {"id": -7, "type": "group", "title": "Lounge"}


@dataclass
class SlowInbox(FakeInbox):
    """Puts nothing down until it is ``open``."""

    open: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    async def came(self, key: str, body: str, now: datetime) -> bool:
        self.asked.append(key)
        await self.open.wait()
        return await super().came(key, body, now)


@dataclass
class Client:
    """A bot whose clubs share their ``turns``."""

    inbox: SlowInbox = field(default_factory=SlowInbox)
    turns: Turns = field(default_factory=Turns)
    heard: list[int] = field(default_factory=list)
    hears: asyncio.Event = field(default_factory=asyncio.Event)
    paid: list[str] = field(default_factory=list)
    passed_on: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bot, self.callbacks = SimpleNamespace(id=5, username="dogear"), Callbacks.of(TOKEN)
        clubhouse, self.ready = SimpleNamespace(turns=self.turns), asyncio.Event()
        self.clubs = SimpleNamespace(inbox=self.inbox, clubhouse=lambda _: clubhouse, leading=FakeLeading())
        self.pace = SimpleNamespace(troubles=SimpleNamespace(told=None))
        self.owing = SimpleNamespace(
            note=self._note, taken_over=self._note, paid=self.paid.append, passed_on=self.passed_on.append
        )
        self.rates = Rates()
        self.stopping = Stopping(cast("Dogear", self))
        self.inlet = Inlet(cast("Dogear", self))

    async def _note(self, key: str, token: str) -> None: ...

    def now(self) -> datetime:
        return datetime(2026, 12, 6, tzinfo=UTC)

    async def reads(self, question: MemberId, person: int) -> object:
        """An answer that goes on until it is stopped."""
        return await self.turns.taken(question, asyncio.Event().wait, _told, person_key(person))


async def _told(place: int) -> None: ...


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    made = Client()

    async def heard(_: object, update: telegram.Update) -> None:
        made.heard.append(update.update_id)
        made.hears.set()

    monkeypatch.setattr(hearing, "heard", heard)
    return made


def person(number: int) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": "Ana"}


def said(number: int, by: int = 1) -> telegram.Update:
    message = {"message_id": number, "date": 0, "chat": CHAT, "from": person(by), "text": "/ask Who?"}
    return _update(number, {"message": message})


def stop(number: int, by: int = 1, of: int = 1, data: str | None = None) -> telegram.Update:
    meant = data or Callbacks.of(TOKEN).data_of(Press(Action.STOP, ClubId(3), 4, of))
    query = {"id": str(number), "from": person(by), "chat_instance": "1", "data": meant}
    return _update(number, {"callback_query": query})


def _update(number: int, what: dict[str, Any]) -> telegram.Update:
    update = telegram.Update.de_json({"update_id": number} | what, None)
    assert update is not None
    return update


async def rested() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_asking_for_more_waits_until_all_that_came_is_put_down(client: Client) -> None:
    for number in range(1, 4):
        await client.inlet.put(said(number, by=number))
    settled = asyncio.ensure_future(client.inlet.settled())
    await rested()
    assert not settled.done()
    assert client.heard == []
    client.inbox.open.set()
    await settled
    await rested()
    assert sorted(client.heard) == [1, 2, 3]


async def test_where_telegram_calls_it_hears_when_it_is_put_down(client: Client) -> None:
    client.inlet.called = True
    calling = asyncio.ensure_future(client.inlet.put(said(1)))
    await rested()
    assert not calling.done()
    client.inbox.open.set()
    await calling
    assert list(client.inbox.once.keys | client.inbox.kept.keys()) == ["update:5:1"]


async def test_what_one_person_says_is_put_down_and_heard_in_its_order(client: Client) -> None:
    for number in range(1, 9):
        await client.inlet.put(said(number))
    await rested()
    assert client.inbox.asked == ["update:5:1"]
    client.inbox.open.set()
    await client.inlet.settled()
    await rested()
    assert client.heard == [1, 2, 3, 4, 5, 6, 7, 8]


async def test_what_cannot_be_read_holds_up_nothing_else_that_was_put_down(client: Client) -> None:
    for number, body in ((1, "{"), (2, '{"update_id": "?", "message": 3}'), (3, said(3).to_json())):
        client.inbox.kept[f"update:5:{number}"] = (body, client.now())
    await client.inlet.recovered()
    await rested()
    assert client.heard == [3]
    assert not client.inbox.kept


async def test_who_asks_for_messages_hears_what_was_left_meanwhile(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asks(**_: object) -> None:
        client.inbox.kept["update:5:1"] = (said(1).to_json(), client.now() - inlets.LEFT)
        client.inbox.kept["update:5:2"] = (said(2).to_json(), client.now())

    monkeypatch.setattr(serving, "LEADS_FOR", 0.01)
    made = cast("Dogear", cast(Any, client))
    ended, updater = asyncio.Event(), SimpleNamespace(running=False, start_polling=asks)
    asking = asyncio.ensure_future(serving._asking(made, cast(Any, updater), ended))
    await asyncio.wait_for(client.hears.wait(), 60)
    ended.set()
    await asking
    assert client.heard == [1]


async def test_who_asks_for_messages_goes_on_where_the_database_does_not_say_what_was_left(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, began = list[timedelta](), list[object]()

    async def waiting(prefix: str, now: datetime, age: timedelta) -> tuple[tuple[str, str], ...]:
        del prefix, now
        asked.append(age)
        if len(asked) > 3:
            ended.set()
        if age:
            raise Unavailable("All connections are in use.")
        return ()

    async def asks(**_: object) -> None:
        began.append(None)

    monkeypatch.setattr(serving, "LEADS_FOR", 0.01)
    monkeypatch.setattr(client.inbox, "waiting", waiting)
    made = cast("Dogear", cast(Any, client))
    ended, updater = asyncio.Event(), SimpleNamespace(running=False, start_polling=asks)
    await asyncio.wait_for(serving._asking(made, cast(Any, updater), ended), 60)
    assert len(began) == 1
    assert caplog.text.count("event=recovery_waits") == 3


async def test_what_another_process_has_begun_is_that_ones_to_answer(client: Client) -> None:
    client.inbox.kept["update:5:1"] = (said(1).to_json(), client.now())
    await client.inlet.recovered()
    await client.inbox.begun("update:5:1", client.now(), client.now())
    await rested()
    assert client.heard == []
    assert client.passed_on == ["update:5:1"]


async def test_no_more_than_a_few_are_put_down_at_once(client: Client) -> None:
    for number in range(1, 20):
        await client.inlet.put(said(number, by=number))
    await rested()
    assert len(client.inbox.asked) == inlets.AT_ONCE
    client.inbox.open.set()
    await client.inlet.settled()
    assert len(client.inbox.asked) == 19


async def test_stop_gives_up_what_is_answered_before_anything_is_put_down(client: Client) -> None:
    reading = asyncio.ensure_future(client.reads(MemberId(1), 1))
    await rested()
    press = stop(2)
    await client.inlet.put(press)
    assert await reading is NotTaken.STOPPED
    assert press.callback_query is not None
    assert client.stopping.given_up(press.callback_query) == 1
    assert client.stopping.given_up(press.callback_query) == 0


@pytest.mark.parametrize(
    "press", [stop(2, by=2), stop(2, by=2, of=2), stop(2, data="1.stop.3.4.1.forged"), said(2)],
    ids=["of another's button", "another's own", "forged", "of words"],
)  # fmt: skip
async def test_nobody_elses_press_and_no_forged_one_gives_up_anything(client: Client, press: telegram.Update) -> None:
    reading = asyncio.ensure_future(client.reads(MemberId(1), 1))
    await rested()
    await client.inlet.put(press)
    await rested()
    assert not reading.done()
    reading.cancel()
    with suppress(asyncio.CancelledError):
        await reading


async def test_a_press_that_is_told_again_gives_up_nothing_more(client: Client) -> None:
    await client.inlet.put(stop(2))
    reading = asyncio.ensure_future(client.reads(MemberId(1), 1))
    await rested()
    await client.inlet.put(stop(2))
    await rested()
    assert not reading.done()
    reading.cancel()
    with suppress(asyncio.CancelledError):
        await reading


async def test_who_is_too_quick_is_told_once_and_nothing_of_it_is_put_down(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []

    async def told_so(_: object, update: telegram.Update) -> None:
        told.append(update.update_id)

    monkeypatch.setattr("bot.adapters.telegram.too_quick.told_so", told_so)
    client.rates = Rates(3)
    client.inbox.open.set()
    for number in range(1, 9):
        await client.inlet.put(said(number))
    await client.inlet.put(said(9, by=2))
    await client.inlet.settled()
    await rested()
    assert sorted(client.heard) == [1, 2, 3, 9]
    assert told == [4]


async def test_stop_is_heard_of_whoever_is_too_quick_but_no_press_of_anothers(client: Client) -> None:
    client.rates = Rates(1)
    client.inbox.open.set()
    for update in (said(1), said(2), stop(3), stop(4, of=2)):
        await client.inlet.put(update)
    await client.inlet.settled()
    await rested()
    assert sorted(client.heard) == [1, 3]
