"""Claims out of partial JSON: each as soon as its object has ended."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.streamed_claims import LONGEST_REPLY, MOST_ENDS, ClaimStream, Draft, NotClaims

CLAIMS = st.lists(st.builds(Draft, st.text(max_size=30), st.integers(-5, 999), st.text(max_size=30)), max_size=6)


def written(claims: list[Draft], ascii_only: bool = True) -> str:
    values = [{"text": c.text, "passage": c.passage, "quote": c.quote} for c in claims]
    return json.dumps({"claims": values}, ensure_ascii=ascii_only)


@settings(max_examples=60)
@given(CLAIMS, st.integers(1, 40), st.booleans())
def test_however_a_reply_is_cut_its_claims_are_the_same(claims: list[Draft], size: int, ascii_only: bool) -> None:
    reply, stream = written(claims, ascii_only), ClaimStream()
    found = [draft for at in range(0, len(reply), size) for draft in stream.fed(reply[at : at + size])]
    stream.closed()
    assert found == claims


def test_a_claim_is_given_when_its_brace_closes_and_not_before() -> None:
    reply = written([Draft("One } two.", 1, 'a "quote" }'), Draft("Three.", 2, "q")])
    stream, given_at = ClaimStream(), []
    for at, character in enumerate(reply):
        given_at += [at] * len(stream.fed(character))
    assert [reply[at] for at in given_at] == ["}", "}"]
    assert given_at[0] < reply.index("Three.") < given_at[1]


@pytest.mark.parametrize(
    "claim",
    ["1", "null", "[]", '{"text": "a", "passage": "1", "quote": "b"}', '{"text": 1, "passage": 1, "quote": "b"}',
     '{"text": "a", "passage": 1.5, "quote": "b"}', '{"text": "a", "passage": true, "quote": "b"}'],
)  # fmt: skip
def test_what_is_no_claim_is_none_among_others(claim: str) -> None:
    stream = ClaimStream()
    good = '{"text": "a", "passage": 1, "quote": "b"}'
    assert stream.fed(f'{{"claims": [{claim}, {good}]}}') == [None, Draft("a", 1, "b")]


@pytest.mark.parametrize("reply", ["", "I cannot.", "[]", '{"claims": 3}', '{"claims": [', '{"verdicts": []}', "{" * 9])
def test_a_reply_that_is_no_list_of_claims_is_said_to_be_none(reply: str) -> None:
    stream = ClaimStream()
    with pytest.raises(NotClaims):
        stream.fed(reply)
        stream.closed()


@pytest.mark.parametrize("reply", ["a" * (LONGEST_REPLY + 1), '{"claims": [' + "{}, " * (MOST_ENDS + 1)])
def test_a_reply_without_end_is_none(reply: str) -> None:
    with pytest.raises(NotClaims, match="too long"):
        ClaimStream().fed(reply)
