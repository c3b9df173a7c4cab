"""The Messages API as it is met: over HTTP, with a loopback server that streams, fails and falls silent."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from bot.adapters.models.claude import Claude, ClaudeSettings
from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Usage
from bot.core.club import ClubId
from bot.core.slots import Slots
from tests.fakes.slots import FakeHost, FakeSlots
from tests.peers.anthropic.peer import KEY, LOCAL, Dialect, FakeAnthropic
from tests.peers.anthropic.replies import (
    Breaks,
    Reply,
    claims,
    failed,
    overloaded,
    rate_limited,
    refusal,
    text,
    thinking,
)

SCHEMA = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
    "additionalProperties": False,
}
SECRET = "The heron owned the mill."
CLAIM = ("Somebody owned the mill.", 1, "owned the mill")
WHOLE = '{"claims": [{"text": "Somebody owned the mill.", "passage": 1, "quote": "owned the mill"}]}'
CLUB = ClubId(1)


def request(*stable: str, purpose: Purpose = Purpose.ANSWER, most: int = 500) -> ModelRequest:
    return ModelRequest(purpose, "Answer from the passages.", stable or (SECRET,), "Who owned it?", SCHEMA, most)


@pytest.fixture
async def peer() -> AsyncIterator[FakeAnthropic]:
    fake = FakeAnthropic()
    await fake.start()
    yield fake
    await fake.stop()


class Calls:
    """One client, and what its calls spent."""

    def __init__(self, peer: FakeAnthropic, slots: Slots | None = None, **settings: Any) -> None:
        given: dict[str, Any] = {"seconds": 30.0, "backoff": 0.01, "base_url": peer.origin, "key": KEY} | settings
        self.claude = Claude(ClaudeSettings(**given), slots=slots)
        self.spent: list[Usage] = []

    async def __aenter__(self) -> Calls:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.claude.close()

    async def written(self, asked: ModelRequest, club: ClubId = CLUB) -> str:
        async with aclosing(self.claude.of(club).written(asked, self.spent.append)) as pieces:
            return "".join([piece async for piece in pieces])

    async def fails(self, asked: ModelRequest) -> Failed:
        with pytest.raises(ModelFailed) as error:
            await self.written(asked)
        assert SECRET not in str(error.value)
        return error.value.failed


async def test_a_reply_comes_in_pieces_and_says_what_it_spent(peer: FakeAnthropic) -> None:
    peer.script(claims(CLAIM, chunk=5))
    async with Calls(peer) as calls:
        pieces = [piece async for piece in calls.claude.of(CLUB).written(request(), calls.spent.append)]
    assert "".join(pieces) == WHOLE
    assert len(pieces) > 10
    (spent,) = calls.spent
    assert spent.model == "claude-sonnet-5-5"
    assert spent.input > 5
    assert spent.output > 5


@pytest.mark.parametrize("chunk", [1, 8, 10_000])
async def test_what_the_server_says_it_wrote_is_booked_and_no_reply_is_broken_off(
    peer: FakeAnthropic, chunk: int
) -> None:
    peer.script(claims(CLAIM, chunk=chunk, usage={"output_tokens": 77}))
    async with Calls(peer) as calls:
        assert await calls.written(request()) == WHOLE
        await peer.until(lambda: not peer.running)
    assert [spent.output for spent in calls.spent] == [77]
    assert peer.gone == 0


async def test_what_a_server_says_at_the_end_is_booked_and_what_it_never_says_is_estimated(
    peer: FakeAnthropic,
) -> None:
    spent = {}
    for told in ("start", "end", "never"):
        peer.dialect = Dialect(told=told, caches=False)
        peer.script(overloaded(), claims(CLAIM))
        async with Calls(peer) as calls:
            assert await calls.written(request("a word " * 300)) == WHOLE
        (spent[told],) = calls.spent
    assert spent["start"] == spent["end"]
    assert spent["start"].input > 300
    assert spent["never"].input > 300
    assert spent["never"].output > 10


@pytest.mark.parametrize("chunk", [1, 10_000])
async def test_a_model_that_goes_on_after_its_object_is_left(peer: FakeAnthropic, chunk: int) -> None:
    peer.script(text(f"{WHOLE}\n{'And so on. ' * 100}", chunk=chunk, gap=0.02), claims(CLAIM))
    async with Calls(peer) as calls:
        assert await calls.written(request()) == WHOLE
    assert peer.written < 2 * len(WHOLE)


async def test_what_is_sent_is_the_prompt_with_the_schema_and_without_anything_else(peer: FakeAnthropic) -> None:
    peer.script(claims(CLAIM))
    async with Calls(peer) as calls:
        await calls.written(request("one", "two"))
    (sent,) = peer.requests
    assert set(sent) == {"model", "max_tokens", "system", "messages", "output_config", "stream"}
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}, "effort": "medium"}
    assert [block["text"] for block in sent["messages"][0]["content"]] == ["one", "two", "Who owned it?"]
    assert ["cache_control" in block for block in sent["messages"][0]["content"]] == [True, True, False]
    assert "cache_control" in sent["system"][0]


async def test_the_small_model_checks_and_splits(peer: FakeAnthropic) -> None:
    peer.script(text("{}"), text("{}"))
    async with Calls(peer, model="big", small="little") as calls:
        await calls.written(request(purpose=Purpose.SUPPORT))
        await calls.written(request(purpose=Purpose.PARTS))
    assert [sent["model"] for sent in peer.requests] == ["little", "little"]


async def test_blocks_that_were_whole_are_not_paid_again_when_the_last_one_grows(peer: FakeAnthropic) -> None:
    whole, begun = "The tide came in. " * 300, "It went out."
    peer.script(*[claims(CLAIM)] * 2)
    async with Calls(peer) as calls:
        await calls.written(request(whole, begun))
        await calls.written(request(whole, begun + " It came in again.", "And out."))
    first, further = calls.spent
    assert further.cached > 1_000
    assert further.written_to_cache < first.written_to_cache / 10


async def test_a_prefix_that_only_grows_is_paid_once(peer: FakeAnthropic) -> None:
    chapters = [f"Chapter {n}. " + "The tide came in. " * 60 for n in range(1, 40)]
    peer.script(*[claims(CLAIM)] * 3)
    async with Calls(peer) as calls:
        await calls.written(request(*chapters[:12]))
        await calls.written(request(*chapters[:12]))
        await calls.written(request(*chapters[:39]))
    first, again, further = calls.spent
    assert first.cached == 0
    assert first.written_to_cache > 2_000
    assert (again.cached, again.written_to_cache) == (first.written_to_cache, 0)
    assert further.cached == first.written_to_cache
    assert max(sum("cache_control" in b for b in s["messages"][0]["content"]) for s in peer.requests) == 3


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (overloaded(), Failed.OVERLOADED),
        (rate_limited(), Failed.RATE_LIMITED),
        (failed(500, "api_error"), Failed.UNREACHABLE),
        (Reply(whole=0, breaks=Breaks.OVERLOADED), Failed.OVERLOADED),
        (Reply(whole=0, breaks=Breaks.RATE_LIMITED), Failed.RATE_LIMITED),
        (Reply(whole=0, breaks=Breaks.FAULT), Failed.UNREACHABLE),
        (Reply(whole=0, breaks=Breaks.CLOSED), Failed.UNREACHABLE),
    ],
    ids=lambda value: "" if isinstance(value, Failed) else f"{value.status}-{value.breaks}",
)
async def test_what_passes_is_tried_again_and_what_stays_is_given_up(
    peer: FakeAnthropic, fault: Reply, why: Failed
) -> None:
    peer.script(fault, fault, claims(CLAIM))
    async with Calls(peer) as calls:
        assert await calls.written(request()) == WHOLE
        assert len(peer.requests) == 3
        peer.script(*[fault] * 5, claims(CLAIM))
        assert await calls.fails(request()) is why
    assert len(peer.requests) == 8


async def test_each_further_attempt_is_told_to_who_counts(peer: FakeAnthropic) -> None:
    peer.script(overloaded(), overloaded(), claims(CLAIM))
    counted: list[str] = []
    async with Calls(peer) as calls:
        calls.claude.retried = lambda: counted.append("again")
        assert await calls.written(request()) == WHOLE
    assert len(counted) == len(peer.requests) - 1 == 2


@pytest.mark.parametrize("hour", [False, True])
async def test_a_prefix_is_kept_for_an_hour_where_that_is_set(peer: FakeAnthropic, hour: bool) -> None:
    peer.script(claims(CLAIM))
    async with Calls(peer, cache_hour=hour) as calls:
        await calls.written(request("It rained."))
    (sent,) = peer.requests
    marks = [b["cache_control"] for b in (*sent["system"], *sent["messages"][0]["content"]) if "cache_control" in b]
    assert marks == [{"type": "ephemeral", **({"ttl": "1h"} if hour else {})}] * 2


async def test_a_time_to_wait_that_cannot_be_read_is_logged_and_waited_for_as_if_none_was_said(
    peer: FakeAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    peer.script(failed(429, "rate_limit_error", retry_after="when the tide is in"), claims(CLAIM))
    async with Calls(peer) as calls:
        assert await calls.written(request()) == WHOLE
    assert [m for m in caplog.messages if "retry_after" in m] == ["event=model.retry_after_unread letters=19"]


async def test_retry_after_is_obeyed(peer: FakeAnthropic) -> None:
    peer.script(rate_limited(0.4), claims(CLAIM))
    async with Calls(peer) as calls:
        begun = asyncio.get_running_loop().time()
        assert await calls.written(request()) == WHOLE
        assert asyncio.get_running_loop().time() - begun >= 0.4


@pytest.mark.parametrize("after", ["3600", "Fri, 01 Jan 2100 00:00:00 GMT"])
async def test_a_wait_that_does_not_fit_the_bound_is_not_begun(peer: FakeAnthropic, after: str) -> None:
    peer.script(failed(429, "rate_limit_error", retry_after=after))
    async with Calls(peer) as calls:
        assert await asyncio.wait_for(calls.fails(request()), 20) is Failed.RATE_LIMITED
    assert len(peer.requests) == 1
    assert calls.spent == [Usage("claude-sonnet-5-5", 0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (claims(CLAIM, whole=3, breaks=Breaks.OVERLOADED), Failed.OVERLOADED),
        (claims(CLAIM, whole=3, breaks=Breaks.CLOSED), Failed.UNREACHABLE),
        (claims(CLAIM, whole=3, breaks=Breaks.NONSENSE), Failed.BAD_REPLY),
        (text(WHOLE[:40]), Failed.BAD_REPLY),
        (text(WHOLE[:40], stop="max_tokens"), Failed.CUT_OFF),
        (text(WHOLE[:40], stop="model_context_window_exceeded"), Failed.CUT_OFF),
        (text('{"claims": [nonsense]}'), Failed.BAD_REPLY),
        (refusal(), Failed.REFUSED),
        (text(WHOLE[:40], stop="refusal"), Failed.REFUSED),
        (claims(CLAIM, stop="refusal"), Failed.REFUSED),
        (claims(CLAIM, stop="max_tokens"), Failed.CUT_OFF),
    ],
    ids=lambda value: "" if isinstance(value, Failed) else f"{value.stop}-{value.breaks}",
)
async def test_a_reply_that_had_begun_is_not_begun_anew(peer: FakeAnthropic, reply: Reply, why: Failed) -> None:
    peer.script(reply, claims(CLAIM))
    async with Calls(peer) as calls:
        assert await calls.fails(request()) is why
    assert len(peer.requests) == 1
    (spent,) = calls.spent
    assert spent.input > 5


@pytest.mark.parametrize("said", ["", "I would rather talk about the weather."])
async def test_a_reply_without_an_object_is_no_reply(peer: FakeAnthropic, said: str) -> None:
    peer.script(*[Reply() if not said else text(said)] * 2)
    async with Calls(peer) as calls:
        assert await calls.fails(request()) is Failed.BAD_REPLY
        assert not calls.claude.plain


@pytest.mark.parametrize("status", [401, 403, 402, 413])
async def test_what_is_not_allowed_is_asked_once(peer: FakeAnthropic, status: int) -> None:
    peer.script(failed(status, "authentication_error", SECRET))
    async with Calls(peer) as calls:
        assert await calls.fails(request()) is Failed.NOT_ALLOWED
    assert len(peer.requests) == 1


async def test_nobody_there_is_unreachable(peer: FakeAnthropic) -> None:
    async with Calls(peer) as calls:
        await peer.stop()
        assert await calls.fails(request()) is Failed.UNREACHABLE
    assert calls.spent == [Usage("claude-sonnet-5-5", 0, 0, 0, 0)]


@pytest.mark.parametrize(
    "silent", [claims(CLAIM, first=60), claims(CLAIM, whole=2, breaks=Breaks.SILENT)], ids=["at first", "later"]
)
async def test_every_call_ends_in_its_time(peer: FakeAnthropic, silent: Reply) -> None:
    peer.script(silent)
    async with Calls(peer, seconds=0.5) as calls:
        assert await asyncio.wait_for(calls.fails(request()), 20) is Failed.OUT_OF_TIME
        await peer.until(lambda: peer.gone)
    (spent,) = calls.spent
    assert spent.input > 5


async def test_a_server_that_says_no_more_after_its_object_is_not_waited_for(
    peer: FakeAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.models.claude._LINGER", 0.05)
    peer.script(claims(CLAIM, chunk=1_000, whole=1, breaks=Breaks.SILENT))
    async with Calls(peer, seconds=60.0) as calls:
        assert await asyncio.wait_for(calls.written(request()), 30) == WHOLE
        await peer.until(lambda: peer.gone)
    (spent,) = calls.spent
    assert spent.output > 0


async def test_waiting_for_a_place_counts_as_time(peer: FakeAnthropic) -> None:
    peer.script(claims(CLAIM, whole=2, breaks=Breaks.SILENT))
    async with Calls(peer, calls=2) as calls:
        first = asyncio.ensure_future(calls.written(request()))
        await peer.until(lambda: peer.running)
        calls.claude.settings = ClaudeSettings(KEY, peer.origin, seconds=0.2)
        assert await calls.fails(request()) is Failed.OUT_OF_TIME
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
    assert len(peer.requests) == 1


async def test_closing_the_reader_cancels_the_request_and_books_what_was_used(peer: FakeAnthropic) -> None:
    peer.script(claims(*[CLAIM] * 200, gap=0.02))
    async with Calls(peer) as calls:
        reader = calls.claude.of(CLUB).written(request(), calls.spent.append)
        await anext(reader)
        await reader.aclose()
        await peer.until(lambda: peer.gone)
    assert peer.written < 200
    (spent,) = calls.spent
    assert spent.input > 5
    assert 0 < spent.output < 600


async def test_cancelling_who_reads_cancels_the_request(peer: FakeAnthropic) -> None:
    peer.script(claims(*[CLAIM] * 200, gap=0.02))
    async with Calls(peer) as calls:
        reading = asyncio.ensure_future(calls.written(request()))
        await peer.until(lambda: peer.written > 3)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await peer.until(lambda: peer.gone)
    (spent,) = calls.spent
    assert spent.output > 0


async def test_what_is_given_up_before_the_first_word_is_taken_to_have_been_read(peer: FakeAnthropic) -> None:
    peer.script(claims(CLAIM, first=60))
    async with Calls(peer) as calls:
        reading = asyncio.ensure_future(calls.written(request("a word " * 700)))
        await peer.until(lambda: peer.running)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    (spent,) = calls.spent
    assert spent.input > 1_000


async def test_a_server_that_writes_without_end_is_left(peer: FakeAnthropic) -> None:
    peer.script(text('{"claims": ["' + "word " * 5_000, chunk=500, usage={"output_tokens": 10}))
    async with Calls(peer, model="local") as calls:
        assert await calls.fails(request(most=20)) is Failed.CUT_OFF


async def test_thoughts_are_not_part_of_the_reply(peer: FakeAnthropic) -> None:
    peer.script(thinking("Let me see {it}.", WHOLE))
    async with Calls(peer) as calls:
        assert await calls.written(request()) == WHOLE


async def test_input_is_counted_by_the_server(peer: FakeAnthropic) -> None:
    async with Calls(peer) as calls:
        counted = await calls.claude.of(CLUB).counted(request("a word " * 400))
    assert counted is not None
    assert counted > 600


@pytest.mark.parametrize("structured", ["ignored", "refused"])
async def test_a_local_server_that_knows_less_is_spoken_to_more_plainly(structured: str) -> None:
    peer = FakeAnthropic(dialect=Dialect(LOCAL.counts, structured, LOCAL.caches, LOCAL.lists, LOCAL.keys))
    await peer.start()
    fenced = text(f"Here it is:\n```json\n{WHOLE}\n```\nAnything else?")
    ignoring = [text("It was the heron.")] if structured == "ignored" else []
    peer.script(*ignoring, fenced, fenced)
    async with Calls(peer, key=None, model="qwen") as calls:
        assert await calls.claude.of(CLUB).counted(request()) is None
        assert await calls.written(request()) == WHOLE
        assert await calls.written(request()) == WHOLE
    assert ["output_config" in sent for sent in peer.requests] == [True, False, False]
    assert "additionalProperties" in peer.requests[-1]["system"]
    assert peer.counted == []
    await peer.stop()


async def test_only_so_many_requests_are_out_at_once(peer: FakeAnthropic) -> None:
    peer.handler = lambda _: claims(CLAIM, gap=0.01)
    async with Calls(peer, calls=3) as calls:
        await asyncio.gather(
            *(calls.written(request(purpose=p)) for p in [Purpose.ANSWER, Purpose.SUPPORT] * 5), return_exceptions=False
        )
    assert peer.most_running == 3


async def test_a_request_waits_for_a_slot_of_the_host_no_longer_than_it_may_take(peer: FakeAnthropic) -> None:
    elsewhere = FakeSlots(2)
    assert None not in [await elsewhere.taken(long=False) for _ in range(2)]
    async with Calls(peer, FakeSlots(2, elsewhere.host), calls=2, seconds=0.2) as calls:
        assert await calls.fails(request()) is Failed.OUT_OF_TIME
    assert peer.requests == []


async def test_who_stops_gives_the_slot_back(peer: FakeAnthropic) -> None:
    host = FakeHost()
    peer.script(claims(CLAIM, whole=2, breaks=Breaks.SILENT), text("{}"))
    async with Calls(peer, FakeSlots(2, host), calls=2) as calls, Calls(peer, FakeSlots(2, host), calls=2) as others:
        answer = asyncio.ensure_future(calls.written(request()))
        await peer.until(lambda: peer.running == 1)
        waiting = asyncio.ensure_future(others.written(request()))
        answer.cancel()
        assert await waiting == "{}"
        await asyncio.gather(answer, return_exceptions=True)
    assert host.held == {}


async def test_answers_leave_a_place_for_what_checks_them(peer: FakeAnthropic) -> None:
    peer.script(*[claims(CLAIM, whole=2, breaks=Breaks.SILENT)] * 2, text("{}"))
    async with Calls(peer, calls=3) as calls:
        answers = [asyncio.ensure_future(calls.written(request())) for _ in range(5)]
        await peer.until(lambda: peer.running == 2)
        assert await calls.written(request(purpose=Purpose.SUPPORT)) == "{}"
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)
    assert len(peer.requests) == 3


async def test_no_level_of_logging_repeats_what_is_sent(
    peer: FakeAnthropic, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    peer.script(overloaded(), claims(CLAIM), failed(400, "invalid_request_error", SECRET), failed(400, SECRET, SECRET))
    async with Calls(peer) as calls:
        await calls.written(request())
        await calls.fails(request())
    assert "status_529" in caplog.text
    for hidden in (SECRET, "owned the mill", "Who owned it", KEY):
        assert hidden not in caplog.text


async def test_nothing_but_the_settings_steers_the_client(peer: FakeAnthropic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-tapped: yes")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    peer.script(claims(CLAIM))
    async with Calls(peer) as calls:
        await calls.written(request())
    assert "x-tapped" not in peer.headers[0]
    assert "other" not in peer.headers[0].get("authorization", "")
    assert os.environ["ANTHROPIC_AUTH_TOKEN"] == "other"
