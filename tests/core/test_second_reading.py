"""The second reading, and the tests that it is put to itself."""

from __future__ import annotations

import gc
import json
from weakref import ref

import pytest

from bot.core.chat_model import Failed, ModelFailed, ModelRequest
from bot.core.second_reading import read_again
from bot.core.streamed_claims import Draft
from bot.core.verify import Checked
from tests.core.test_verify import ONE, TWO, passages
from tests.fakes.chat_model import FakeModel, agreeing, believable

THREE = "Captain Marrable sold the rusted anchor to a widow. Nobody in the village wondered about his golden buttons."
STAIR = "Ana Wren found the stair door bolted from within."


def batch() -> tuple[Checked, ...]:
    verifier = passages(ONE, TWO, THREE)
    drafts = (
        Draft("The ferry came late to Saltmouth.", 1, "The ferry came late to Saltmouth."),
        Draft(STAIR, 2, STAIR),
    )
    found = [verifier.checked(draft) for draft in drafts]
    return tuple(claim for claim in found if isinstance(claim, Checked))


def model(supports: object) -> FakeModel:
    return FakeModel(lambda _: "", supports=supports)  # type: ignore[arg-type]


async def test_a_reader_that_sees_through_the_tests_is_believed() -> None:
    reader = model(believable)
    verdicts = await read_again(reader, batch(), passages(ONE, TWO, THREE), lambda _: None)
    assert verdicts.trusted
    assert verdicts.supported == (True, True)


async def test_a_reader_that_says_yes_to_everything_is_not_believed() -> None:
    verdicts = await read_again(model(agreeing), batch(), passages(ONE, TWO, THREE), lambda _: None)
    assert not verdicts.trusted


async def test_a_reader_that_takes_words_in_any_order_is_not_believed() -> None:
    def unordered(request: ModelRequest) -> str:
        found = []
        for item in request.question.split("</claim>")[:-1]:
            number = int(item.split('number="')[1].split('"')[0])
            sentence = item.split("<sentence>")[1].split("</sentence>")[0]
            passage = item.split("<passage>")[1].casefold()
            told = [word.strip(".,").casefold() for word in sentence.split()]
            found.append({"claim": number, "supported": all(word in passage for word in told)})
        return json.dumps({"verdicts": found})

    verdicts = await read_again(model(unordered), batch(), passages(ONE, TWO, THREE), lambda _: None)
    assert verdicts.supported == (True, True)
    assert not verdicts.trusted


async def test_where_no_test_can_be_made_nobody_is_believed() -> None:
    verifier = passages("Yes.")
    claim = verifier.checked(Draft("Yes.", 1, "Yes."))
    only = passages("She walked. ", language=None)
    found = only.checked(Draft("She walked.", 1, "She walked."))
    assert not isinstance(claim, Checked)
    assert isinstance(found, Checked)
    reader = model(lambda _: json.dumps({"verdicts": [{"claim": 1, "supported": True}]}))
    verdicts = await read_again(reader, [found], only, lambda _: None)
    assert not verdicts.trusted


async def test_the_tests_are_the_same_for_the_same_claims_and_stand_at_no_fixed_place() -> None:
    verifier = passages(ONE, TWO, THREE)
    first, second, other = model(believable), model(believable), model(believable)
    await read_again(first, batch(), verifier, lambda _: None)
    await read_again(second, batch(), verifier, lambda _: None)
    await read_again(other, batch()[::-1], verifier, lambda _: None)
    assert first.requests == second.requests
    assert first.requests != other.requests
    assert first.requests[0].question.count("<sentence>") == 6


async def test_the_words_of_a_passage_are_kept_as_long_as_somebody_asks_about_it() -> None:
    first, second = passages(ONE, TWO, THREE), passages(ONE, TWO, THREE)
    for verifier in (first, second):
        await read_again(model(believable), batch(), verifier, lambda _: None)
    kept = ref(first.told(0))
    assert second.told(0) is kept()
    del first, verifier
    assert kept() is not None
    del second
    gc.collect()
    assert kept() is None


async def test_a_claim_without_a_verdict_and_one_with_two_are_not_supported() -> None:
    def said(request: ModelRequest) -> str:
        found = json.loads(believable(request))["verdicts"]
        return json.dumps({"verdicts": [v | {"supported": s} for v in found for s in (v["supported"], False)]})

    verifier = passages(ONE, TWO, THREE)
    twice = await read_again(model(said), batch(), verifier, lambda _: None)
    none = await read_again(model(lambda _: '{"verdicts": []}'), batch(), verifier, lambda _: None)
    assert twice.supported == none.supported == (False, False)


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"verdicts": 1}', "x" * 99_999])
async def test_a_reply_without_verdicts_is_a_failure(reply: str) -> None:
    with pytest.raises(ModelFailed) as failed:
        await read_again(model(lambda _: reply), batch(), passages(ONE, TWO, THREE), lambda _: None)
    assert failed.value.failed is Failed.BAD_REPLY
