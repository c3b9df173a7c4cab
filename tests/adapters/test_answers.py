"""An answer as lines of plain text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.adapters import wording
from bot.adapters.answers import answer_lines, citation_line
from bot.core.answer import Answer, Claim, Engine, Refusal
from bot.core.chapters import ChapterMap, chapter_map_of
from bot.core.club import Audience, MemberId, private_to
from bot.core.errors import SpoilerLeak
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from tests.fakes.library import LANTERN, end_of, in_memory

MAP: ChapterMap = chapter_map_of(LANTERN.sections, len(LANTERN.text), has_pages=False)
ANA, BEN = MemberId(1), MemberId(2)
EVERYBODY = Audience(frozenset({ANA, BEN}), "room")


async def outcome_for(audience: Audience, question: str, offset: int) -> Answer | Refusal:
    library = in_memory()
    book = await library.add(LANTERN)
    for name in ("ana", "ben"):
        await library.place(name, book, offset)
    return (await ask(Searching(library.doors), Asked(book, question, audience))).outcome


@pytest.mark.parametrize("question", ["Who carried the brass lantern?", "xyzzy"])
@pytest.mark.parametrize(
    ("made_for", "shown_to"),
    [
        (private_to(ANA), EVERYBODY),
        (private_to(ANA), private_to(BEN)),
        (EVERYBODY, private_to(ANA)),
        (EVERYBODY, Audience(EVERYBODY.members, "another room")),
        (EVERYBODY, Audience(EVERYBODY.members | {MemberId(3)}, "room")),
        (EVERYBODY, Audience(frozenset({ANA}), "room")),
    ],
)
async def test_an_answer_made_for_another_audience_is_not_shown(
    question: str, made_for: Audience, shown_to: Audience
) -> None:
    outcome = await outcome_for(made_for, question, end_of(LANTERN, 2))
    with pytest.raises(SpoilerLeak) as raised:
        answer_lines(outcome, MAP, shown_to)
    assert "lantern" not in str(raised.value)


@pytest.mark.parametrize("audience", [private_to(ANA), EVERYBODY])
async def test_quotes_are_headed_and_numbered_with_their_chapters(audience: Audience) -> None:
    outcome = await outcome_for(audience, "Who carried the brass lantern to the stair door?", end_of(LANTERN, 2))
    assert isinstance(outcome, Answer)
    head, *lines = answer_lines(outcome, MAP, audience)
    assert head == wording.closest(audience) + ":"
    places = [(int(n), int(number)) for line in lines for n, number in re.findall(r"^\[(\d+)\] \D+(\d+): ", line)]
    assert places == [(c.n, c.chapter) for c in outcome.citations]


async def test_each_quote_is_one_line_with_single_spaces() -> None:
    outcome = await outcome_for(private_to(ANA), "Who asked about her letter? It says the light", end_of(LANTERN, 1))
    assert isinstance(outcome, Answer)
    assert any("\n\n" in c.quote for c in outcome.citations)
    for citation in outcome.citations:
        line = citation_line(citation, MAP)
        assert "\n" not in line
        assert "  " not in line
        assert " ".join(citation.quote.split()) in line


async def test_a_quote_from_outside_the_chapters_says_so() -> None:
    outcome = await outcome_for(private_to(ANA), "Who was hanged at Exeter?", LANTERN.body_end)
    assert isinstance(outcome, Answer)
    (line,) = (citation_line(c, MAP) for c in outcome.citations if "Exeter" in c.quote)
    assert wording.line("outside_chapters") in line
    assert "chapter 3" not in line


@pytest.mark.parametrize("audience", [private_to(ANA), EVERYBODY])
async def test_a_refusal_is_the_fixed_sentence_alone(audience: Audience) -> None:
    for question in ("xyzzy", "Marrable confessed?", "Ottoline apologised?"):
        outcome = await outcome_for(audience, question, end_of(LANTERN, 2))
        assert answer_lines(outcome, MAP, audience) == [wording.refusal(audience)]


@pytest.mark.parametrize("audience", [private_to(ANA), EVERYBODY])
async def test_a_models_sentences_stand_above_what_they_cite(audience: Audience) -> None:
    quoted = await outcome_for(audience, "Who carried the brass lantern to the stair door?", end_of(LANTERN, 2))
    assert isinstance(quoted, Answer)
    claims = (Claim("Ana Wren stood there.", (1,)), Claim("She found the door bolted.", (1, 2)))
    written = replace(quoted, engine=Engine.CLAUDE, claims=claims, citations=quoted.citations[:2])
    one, other, *below = answer_lines(written, MAP, audience)
    assert (one, other) == ("Ana Wren stood there. [1]", "She found the door bolted. [1][2]")
    assert below == [citation_line(citation, MAP) for citation in written.citations]


async def test_quotes_that_stand_in_for_a_model_say_so_and_a_refusal_never_does() -> None:
    audience = private_to(ANA)
    quoted = await outcome_for(audience, "Who carried the brass lantern?", end_of(LANTERN, 2))
    said, *rest = answer_lines(quoted, MAP, audience, failed=True)
    assert said == wording.line("model_failed")
    assert rest == answer_lines(quoted, MAP, audience)
    refused = await outcome_for(audience, "xyzzy", end_of(LANTERN, 2))
    assert answer_lines(refused, MAP, audience, failed=True) == [wording.refusal(audience)]
