"""An answer without a model: what was read, word for word, or the fixed refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.answer import Answer, Engine, Refusal
from bot.core.book import BookText
from bot.core.club import private_to
from bot.core.errors import Refused
from bot.core.replying import ask
from bot.core.search import Asked, Searching
from tests.conftest import STRESS
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.made_books import book_of, chapter

EMBEDDER = HashEmbedder(64)
LONG = book_of(
    *(
        chapter(
            n,
            " ".join(
                f"On day {n}.{day} the ferry brought Ana {word} and a letter, and nobody on the quay would say why."
                for day, word in enumerate(("salt", "rope", "oil", "bread", "glass", "lead", "wool", "tin") * 6)
            ),
        )
        for n in range(1, 6)
    )
)
QUESTIONS = ("Who is Ana?", "What did the ferry bring?", "salt and rope", "day 3", "why", "What just happened?")


async def asked(
    question: str, offset: int, text: BookText = LANTERN, embedder: HashEmbedder | None = None
) -> Answer | Refusal:
    """The outcome for one reader at ``offset``."""
    library = in_memory()
    book = await library.add(text, embedder)
    ana = await library.place("ana", book, offset)
    reply = await ask(Searching(library.doors, embedder), Asked(book, question, private_to(ana.id)))
    return reply.outcome


@settings(max_examples=15 * STRESS)
@given(st.integers(0, LONG.body_end), st.sampled_from(QUESTIONS), st.booleans())
async def test_every_quote_stands_in_the_read_part_in_its_chapter_in_story_order(
    offset: int, question: str, vectors: bool
) -> None:
    outcome = await asked(question, offset, LONG, EMBEDDER if vectors else None)
    if isinstance(outcome, Refusal):
        return
    assert 1 <= len(outcome.citations) <= 5
    assert [c.n for c in outcome.citations] == list(range(1, len(outcome.citations) + 1))
    assert [c.span for c in outcome.citations] == sorted(c.span for c in outcome.citations)
    for citation in outcome.citations:
        assert citation.quote == citation.span.of(LONG.text)
        assert citation.span.end <= offset == outcome.boundary.offset
        (holder,) = (s for s in LONG.sections if citation.span.start in s.span)
        assert citation.chapter == holder.chapter
    assert outcome.engine is Engine.QUOTES
    assert [claim.text for claim in outcome.claims] == [c.quote for c in outcome.citations]


@pytest.mark.parametrize("question", [*QUESTIONS, "Marrable", "the", "lantern"])
@pytest.mark.parametrize("embedder", [None, EMBEDDER])
async def test_who_has_read_nothing_always_gets_the_refusal(question: str, embedder: HashEmbedder | None) -> None:
    assert isinstance(await asked(question, 0, LANTERN, embedder), Refusal)


@pytest.mark.parametrize(
    "question", ["Who carried the lantern?", "the stair door", "Why did nobody answer Ana?", "gull"]
)
async def test_whatever_relates_to_the_read_part_is_answered(question: str) -> None:
    assert isinstance(await asked(question, end_of(LANTERN, 2)), Answer)


@pytest.mark.parametrize("question", ["xyzzy plugh", "Quantum chromodynamics?", "老人は誰", "?!"])
async def test_what_relates_to_nothing_read_is_refused(question: str) -> None:
    assert isinstance(await asked(question, end_of(LANTERN, 2)), Refusal)


async def test_the_refusal_is_the_same_whether_the_answer_comes_later_or_never() -> None:
    later = await asked("Marrable confessed?", end_of(LANTERN, 2))
    never = await asked("Ottoline apologised?", end_of(LANTERN, 2))
    assert isinstance(later, Refusal)
    assert isinstance(never, Refusal)
    assert later.boundary == never.boundary
    assert isinstance(await asked("Marrable confessed?", end_of(LANTERN, 3)), Answer)


async def test_the_question_is_kept_as_it_was_understood() -> None:
    outcome = await asked(" Who carried\x00the\nlantern? ", end_of(LANTERN, 2))
    assert outcome.question == "Who carried the lantern?"


async def test_a_question_without_words_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="There is no question"):
        await asked("  ", end_of(LANTERN, 2))


async def test_an_answer_holds_nothing_of_the_sentence_in_which_the_reader_is() -> None:
    offset = LANTERN.text.index("had broken the north window")
    outcome = await asked("Did a gull break the window, or was the door bolted?", offset)
    assert isinstance(outcome, Answer)
    assert any("bolted" in c.quote for c in outcome.citations)
    assert not any("gull" in c.quote for c in outcome.citations)


async def test_sealed_matter_is_quoted_once_the_story_is_finished() -> None:
    question = "Who was hanged at Exeter?"
    before = await asked(question, LANTERN.body_end - 1)
    assert isinstance(before, Refusal) or not any("Exeter" in c.quote for c in before.citations)
    after = await asked(question, LANTERN.body_end)
    assert isinstance(after, Answer)
    assert [c.chapter for c in after.citations if "Exeter" in c.quote] == [None]
