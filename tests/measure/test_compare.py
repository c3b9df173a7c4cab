"""Comparing a switch on and off, with a scripted model behind HTTP whose true effect is known."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.postgres.roles import APP, INGEST
from bot.app import App
from bot.core.errors import Refused
from bot.measure.compare import SWITCHES, Comparison, comparison_value, switched
from bot.measure.evaluate import CLUB, evaluate_book
from bot.measure.figures import evaluation_value
from bot.measure.grading import ByJudge, ByOverlap
from bot.measure.questions import Question
from bot.measure.tables import comparison_tables, evaluation_tables
from bot.model import switches_for
from bot.settings import Settings
from tests.databases import Databases
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with, passages, prompt, question
from tests.peers.anthropic.replies import Json, Reply, claims, overloaded, value, verdicts

PADDING = "The tide went out over the sand, and the gulls walked after it looking for what it had left behind."
FACTS = {
    f"Where did {name} hide the {thing}?": f"{name} hid the {thing} inside the {place}."
    for name, thing, place in (
        ("Agnes", "oar", "church clock"), ("Piers", "key", "bread oven"), ("Maud", "letter", "hollow gatepost"),
        ("Silas", "ring", "beehive"), ("Ruth", "map", "piano"), ("Amos", "purse", "rain barrel"),
        ("Tabitha", "bell", "hay loft"), ("Noah", "compass", "coal sack"), ("Edith", "candle", "boot"),
        ("Jonas", "anchor", "well"),
    )
}  # fmt: skip
"""What is asked, and the one sentence that answers it."""
BOOK = "The Ferry\n\n\n" + "\n\n\n".join(
    f"CHAPTER {n}\n\n{' '.join([PADDING] * 2)}\n\n{fact}\n\n{' '.join([PADDING] * 2)}"
    for n, fact in enumerate(FACTS.values(), start=1)
)
QUESTIONS = tuple(
    Question(f"q{n}", "ferry", asked, "where", fact, n, n - 1, len(FACTS))
    for n, (asked, fact) in enumerate(FACTS.items(), start=1)
)
NUMBER = {asked: n for n, asked in enumerate(FACTS)}
ASIDE = "Nobody on the quay spoke of it again that evening, and the lamps were put out one by one until it was dark."
TOLD = [f"{fact} The tide turned. {' '.join([ASIDE] * 15)}" for fact in list(FACTS.values())[:6]]
LAST = "\n\n".join(("CHAPTER 2", *TOLD, " ".join([PADDING] * 40)))
SHORE = f"The Shore\n\n\nCHAPTER 1\n\n{' '.join([PADDING] * 300)}\n\n\n{LAST}"
"""A book in which what is asked of tide and gulls finds everything but the sentence that answers."""
SIDED = {f"What of the tide and the gulls; and what of number {n}?": asked for n, asked in enumerate(list(FACTS)[:6])}
OF_THE_SHORE = tuple(
    Question(f"s{n}", "shore", sided, "where", FACTS[asked], 2, 1, 2) for n, (sided, asked) in enumerate(SIDED.items())
)


def right(body: Json) -> Reply:
    """The sentence that answers, quoted."""
    fact = FACTS[question(body)]
    return claims((fact, passage_with(body, fact), fact))


def wrong(body: Json) -> Reply:
    """A sentence that stands, and answers nothing."""
    said = "The tide went out over the sand."
    return claims((said, passage_with(body, "The tide went out"), "The tide went out over the sand"))


def of_the_shore(body: Json) -> Reply:
    """The sentence that answers one of the questions about tide and gulls, where it was given; its parts, if asked."""
    if checks(body):
        return honest(body)
    asked = SIDED[question(body)]
    if not passages(body):
        return value({"parts": [asked]})
    number = passage_with(body, FACTS[asked])
    return claims((FACTS[asked], number, FACTS[asked])) if number else wrong(body)


class Knowing:
    """A reranker that knows which passage answers."""

    def rerank(self, asked: str, found: Sequence[str]) -> list[float]:
        return [float(FACTS[SIDED.get(asked, asked)] in " ".join(passage.split())) for passage in found]


def whole(body: Json) -> bool:
    """Whether the model was given the whole read part: it is a prefix then."""
    return len(body["messages"][0]["content"]) > 1


def model(answer: Callable[[Json], Reply], again: Callable[[Json], Reply] = honest) -> Callable[[Json], Reply]:
    """A model that answers so, and reads a second time so."""
    return lambda body: again(body) if checks(body) else answer(body)


@dataclass
class Measured:
    """An app with a model behind HTTP, and a folder with the book."""

    app: App
    peer: FakeAnthropic
    folder: Path

    async def compared(self, switch: str, judge: bool = False, questions: Sequence[Question] = QUESTIONS,
                       **switches: bool) -> dict[str, Any]:  # fmt: skip
        searching = self.app.searching(await self.app.shelf.club_named(CLUB))
        for other, side in switches.items():
            searching = switched(searching, other, side)
        if switch == "reranking":
            searching = replace(searching, reranker=Knowing())
        on, off = (switched(searching, switch, side) for side in (True, False))
        assert searching.writing is not None
        grade = ByJudge(searching.writing.model, lambda _: None) if judge else ByOverlap()
        pairs = await Comparison(self.app, on, off, grade).of_book(questions, self.folder, lambda _stage, _done: None)
        return comparison_value(switch, "judge" if judge else "overlap", pairs, self.app.model.prices)


@pytest.fixture
async def measured(
    databases: Databases, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Measured]:
    peer = FakeAnthropic()
    await peer.start()
    (tmp_path / "ferry.txt").write_text(BOOK, "utf-8")
    (tmp_path / "shore.txt").write_text(SHORE, "utf-8")
    for name, said in {
        "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": peer.origin, "DOGEAR_EMBEDDER": "none",
        "DOGEAR_CLUB_BUDGET_DAY": "none", "DOGEAR_CLUB_BUDGET_MONTH": "none",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, said)
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        made = App(Settings(), tmp_path, app, ingest)
        yield Measured(made, peer, tmp_path)
        await made.model.close()
    await peer.stop()


async def test_a_switch_that_helps_is_found_to_help(measured: Measured) -> None:
    measured.peer.handler = model(lambda body: right(body) if whole(body) else wrong(body))
    found = await measured.compared("whole_part")
    assert (found["better"], found["worse"], found["same"]) == (10, 0, 0)
    assert found["verdict"].startswith("Answers are better with whole_part on (10 better, 0 worse")
    assert found["p"] == pytest.approx(2 / 2**10)
    assert found["on"]["cost"]["dollars"] > 0
    assert str(list(comparison_tables(found))[-1].caption) == found["verdict"]


async def test_a_switch_that_harms_is_found_to_harm(measured: Measured) -> None:
    measured.peer.handler = model(right, lambda _: verdicts(*[False] * 20))
    found = await measured.compared("support")
    assert (found["better"], found["worse"]) == (0, 10)
    assert found["verdict"].startswith("Answers are worse with support on")
    assert found["on"]["claims"] == {"shown": 0, "cut": 10, "why": {"unsupported": 10}}
    assert found["off"]["claims"] == {"shown": 10, "cut": 0, "why": {}}
    assert (found["on"]["refused"], found["off"]["answered"]) == (10, 10)


async def test_a_check_that_cuts_what_is_true_is_found_to_harm(measured: Measured) -> None:
    def answer(body: Json) -> Reply:
        fact = FACTS[question(body)]
        thing = fact.split(" the ")[1].split()[0]
        return claims((fact.replace(thing, thing.capitalize()), passage_with(body, fact), fact))

    measured.peer.handler = model(answer)
    found = await measured.compared("names")
    assert (found["better"], found["worse"]) == (0, 10)
    assert found["on"]["claims"] == {"shown": 0, "cut": 10, "why": {"name": 10}}


@pytest.mark.parametrize("switch", ["splitting", "reranking"])
async def test_a_switch_that_finds_what_answers_is_found_to_help(measured: Measured, switch: str) -> None:
    measured.peer.handler = of_the_shore
    others = {"whole_part": False, "splitting": False}
    found = await measured.compared(switch, questions=OF_THE_SHORE, **others)
    assert (found["better"], found["worse"], found["same"]) == (6, 0, 0)
    assert found["p"] == pytest.approx(2 / 2**6)
    assert found["verdict"].startswith(f"Answers are better with {switch} on (6 better, 0 worse")


async def test_a_switch_that_changes_nothing_is_found_to_change_nothing(measured: Measured) -> None:
    measured.peer.handler = model(right)
    assert (await measured.compared("splitting"))["verdict"] == (
        "splitting made no difference: all 10 answers were graded the same."
    )


@pytest.mark.parametrize("switch", SWITCHES)
async def test_every_switch_can_be_compared(measured: Measured, switch: str) -> None:
    measured.peer.handler = model(right)
    found = await measured.compared(switch)
    assert found["switch"] == switch
    assert sum(found[key] for key in ("better", "worse", "same")) == len(QUESTIONS)
    assert switch in found["verdict"]


def test_every_switch_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"support": "SUPPORT_CHECK", "names": "NAME_CHECK"}
    for switch in SWITCHES:
        with monkeypatch.context() as only:
            only.setenv(f"DOGEAR_{names.get(switch, switch.upper())}", "off")
            off = switches_for(Settings())
        assert [name for name in SWITCHES if not getattr(off, name)] == [switch]


async def test_chance_is_not_taken_for_an_effect(measured: Measured) -> None:
    measured.peer.handler = model(
        lambda body: right(body) if (NUMBER[question(body)] < 6) is whole(body) else wrong(body)
    )
    found = await measured.compared("whole_part")
    assert (found["better"], found["worse"]) == (6, 4)
    assert found["verdict"].startswith("Whether whole_part makes answers better is not shown")


def judged(pick: Callable[[str, str], str], answer: Callable[[Json], Reply]) -> Callable[[Json], Reply]:
    """A model whose judgement is ``pick`` of the first and the second answer."""
    plain = model(answer)

    def handler(body: Json) -> Reply:
        said = prompt(body)
        if "<first>" not in said:
            return plain(body)
        first, second = (said.split(f"<{tag}>\n")[1].split(f"\n</{tag}>")[0] for tag in ("first", "second"))
        return value({"better": pick(first, second)})

    return handler


async def test_a_judge_is_not_told_which_is_which_and_prefers_what_answers(measured: Measured) -> None:
    seen: list[str] = []

    def pick(first: str, second: str) -> str:
        seen.append(first)
        return "same" if first == second else "first" if "hid the" in first else "second"

    measured.peer.handler = judged(pick, lambda body: right(body) if whole(body) else wrong(body))
    found = await measured.compared("whole_part", judge=True)
    assert (found["better"], found["worse"], found["graded_by"]) == (10, 0, "judge")
    assert sum("hid the" in first for first in seen) == 10
    judging = [sent for sent in measured.peer.requests if "<first>" in prompt(sent)]
    assert len(judging) == 20
    assert {sent["model"] for sent in judging} == {"claude-sonnet-5-5"}
    assert "whole" not in "".join(str(sent["system"]) + prompt(sent) for sent in judging)


async def test_a_judge_that_prefers_the_first_prefers_neither(measured: Measured) -> None:
    measured.peer.handler = judged(lambda _first, _second: "first", lambda b: right(b) if whole(b) else wrong(b))
    found = await measured.compared("whole_part", judge=True)
    assert (found["better"], found["worse"], found["same"]) == (0, 0, 10)


async def test_pairs_in_which_the_service_failed_are_not_graded(measured: Measured) -> None:
    def answer(body: Json) -> Reply:
        return overloaded(retry_after="3600") if NUMBER[question(body)] == 3 else right(body)

    measured.peer.handler = model(answer)
    found = await measured.compared("names")
    assert (found["not_graded"], found["same"]) == (1, 9)
    assert found["on"]["failed"] == {"overloaded": 1}
    assert found["pairs"][3] == {"id": "q4", "book": "ferry", "better": None}


async def test_without_a_model_there_is_nothing_to_switch(measured: Measured) -> None:
    searching = replace(measured.app.searching(await measured.app.shelf.club_named(CLUB)), writing=None)
    for switch in SWITCHES:
        with pytest.raises(Refused, match="ANTHROPIC_API_KEY"):
            switched(searching, switch, True)


async def test_without_a_reranker_there_is_no_reranking_to_switch(measured: Measured) -> None:
    searching = measured.app.searching(await measured.app.shelf.club_named(CLUB))
    assert searching.reranker is None
    for on in (True, False):
        with pytest.raises(Refused, match="DOGEAR_RERANKER"):
            switched(searching, "reranking", on)


async def test_where_the_service_fails_each_time_nothing_is_said_of_the_switch(measured: Measured) -> None:
    measured.peer.handler = lambda _: overloaded(retry_after="3600")
    found = await measured.compared("names", questions=QUESTIONS[:2])
    assert (found["not_graded"], found["same"]) == (2, 0)
    assert found["verdict"] == "Nothing can be said of names: no answers could be graded."


async def test_the_evaluation_says_what_the_model_wrote_what_was_cut_and_what_it_cost(measured: Measured) -> None:
    def answer(body: Json) -> Reply:
        fact = FACTS[question(body)]
        number = passage_with(body, fact)
        if not number:
            return claims()
        return claims(
            (fact, number, fact), ("The ferry sank.", number, "the ferry sank with everyone"), (fact, 99, fact)
        )

    measured.peer.handler = model(answer)
    searching = measured.app.searching(await measured.app.shelf.club_named(CLUB))
    questions = QUESTIONS[1:4]
    outcome = await evaluate_book(
        measured.app, searching, measured.folder, questions, baselines=False, progress=lambda _stage, _done: None
    )
    found = evaluation_value([outcome], {}, measured.app.model.prices)
    wrote = found["model"]
    assert (wrote["asked"], wrote["answered"], wrote["refused"], wrote["failed"]) == (6, 3, 3, {})
    assert wrote["claims"] == {"shown": 3, "cut": 6, "why": {"no_passage": 3, "quote_not_there": 3}}
    assert found["all"]["answers_cite_evidence"]["value"] == 1
    assert found["all"]["leaks"]["questions"] == 0
    cost = wrote["cost"]
    assert cost["requests"] == 9
    assert cost["dollars_each"] == pytest.approx(cost["dollars"] / 6, abs=1e-6)
    assert cost["dollars"] > 0
    assert found["outcomes"][0]["cut"][0] == {"no_passage": 1, "quote_not_there": 1}
    assert any(table.title == "What the model wrote" for table in evaluation_tables(found))
