"""The answer without a model: short, verbatim, in story order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.boundary import boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span
from bot.core.quotes import CODE_POINTS, QUOTES, SENTENCES, UNRELATED, closest_quotes
from bot.core.retrieve import Candidate, query_for

READER = MemberId(1)
BOUNDARY = boundary_for(BookId(1), private_to(READER), {READER: 10**6})
WORDS = st.sampled_from(["lamp", "harbour", "Ana", "keeper", "drowned", "whale", "letter", "the", "of", "stone"])
SENTENCES_OF = st.lists(st.lists(WORDS, min_size=1, max_size=90).map(" ".join), min_size=1, max_size=8)


def evidence(ordinal: int, *sentences: str) -> Evidence:
    start = ordinal * 10_000
    spans, text = [], ""
    for sentence in sentences:
        text += " " if text else ""
        spans.append(Span(start + len(text), start + len(text) + len(sentence)))
        text += sentence
    read = tuple(ReadSentence(s, t, s.end) for s, t in zip(spans, sentences, strict=True))
    span = Span(start, start + len(text))
    return Evidence(BOUNDARY, Passage(ordinal, 1, span, span.end, text, read))


def candidate(ordinal: int, score: float = 1.0, similarity: float = 0.5, text: float = 1.0) -> Candidate:
    return Candidate(ordinal, score, ("vector", "text"), similarity, text)


def quoted(question: str, *held: Evidence) -> list[str]:
    asked = query_for(question, "en")
    return [q.text for q in closest_quotes(asked, held, [candidate(e.passage.ordinal) for e in held], "en")]


def test_the_sentence_that_has_the_questions_words_is_quoted() -> None:
    held = evidence(0, "It rained.", "The keeper drowned in the harbour.", "Nobody came.")
    assert any("The keeper drowned in the harbour." in q for q in quoted("How did the keeper drown?", held))


def test_a_quote_begins_with_the_sentence_that_has_the_questions_words_and_goes_on_to_what_follows() -> None:
    held = evidence(
        0, "It rained.", "It was late.", "Why did the keeper drown?", "For gold.", "So it was said.", "Nobody came."
    )
    first = next(q for q in quoted("Why did the keeper drown?", held) if "keeper" in q)
    assert first == "Why did the keeper drown? For gold. So it was said."


def test_a_heading_or_a_signature_is_no_quote_where_anything_else_is() -> None:
    start, texts = 0, ("Chapter Seven", "The Keeper", "The keeper drowned.", "B. Keeper")
    read = []
    for text in texts:
        read.append(ReadSentence(Span(start, start + len(text)), text, start + len(text), paragraph_start=True))
        start += len(text) + 2
    whole = Passage(0, 7, Span(0, read[-1].span.end), read[-1].span.end, "\n\n".join(texts), tuple(read))
    assert quoted("What did the keeper do?", Evidence(BOUNDARY, whole)) == ["The keeper drowned."]
    alone = Passage(0, 7, read[0].span, read[0].span.end, texts[0], (read[0],))
    assert quoted("Which chapter is it?", Evidence(BOUNDARY, alone)) == ["Chapter Seven"]


def test_quotes_stand_in_story_order_whatever_their_rank() -> None:
    late, early = evidence(7, "The keeper drowned."), evidence(2, "The keeper sang.")
    assert quoted("What did the keeper do?", late, early) == ["The keeper sang.", "The keeper drowned."]


def test_nothing_is_quoted_where_nothing_read_relates_to_the_question() -> None:
    held = evidence(0, "It rained.")
    asked = query_for("Who is the bishop?", "en")
    assert closest_quotes(asked, [held], [candidate(0, similarity=UNRELATED - 0.01, text=0.0)], "en") == ()
    assert closest_quotes(asked, [], [], "en") == ()


@pytest.mark.parametrize(("similarity", "text"), [(UNRELATED, 0.0), (-1.0, 0.1)])
def test_one_word_or_one_likeness_is_enough_to_quote(similarity: float, text: float) -> None:
    asked = query_for("Who is the bishop?", "en")
    assert closest_quotes(asked, [evidence(0, "It rained.")], [candidate(0, 1.0, similarity, text)], "en")


def test_a_sentence_that_is_too_long_is_cut_at_a_space() -> None:
    (quote,) = quoted("keeper", evidence(0, "keeper " + "stone " * 90))
    assert CODE_POINTS - 10 <= len(quote) <= CODE_POINTS
    assert quote.endswith("stone")


def test_a_question_in_chinese_finds_its_characters() -> None:
    held = evidence(0, "宝玉走了。", "黛玉哭了。", "下雨了。")
    asked = query_for("黛玉为什么哭", "zh")
    assert any("黛玉哭了。" in q.text for q in closest_quotes(asked, [held], [candidate(0)], "zh"))


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES_OF, min_size=1, max_size=6), st.lists(WORDS, min_size=1, max_size=4).map(" ".join))
def test_every_quote_is_a_short_verbatim_span_and_no_two_overlap(passages: list[list[str]], question: str) -> None:
    held = [evidence(ordinal, *sentences) for ordinal, sentences in enumerate(passages)]
    asked = query_for(question, "en")
    quotes = closest_quotes(asked, held, [candidate(e.passage.ordinal) for e in held], "en")
    assert 1 <= len(quotes) <= QUOTES
    for quote in quotes:
        passage = quote.evidence.passage
        assert passage.span.covers(quote.span)
        assert quote.text == passage.text[quote.span.start - passage.span.start : quote.span.end - passage.span.start]
        assert 0 < len(quote.text) == len(quote.span) <= CODE_POINTS
        assert sum(s.span.overlaps(quote.span) for s in passage.sentences) <= SENTENCES
    assert all(a.span.end <= b.span.start for a, b in pairwise(quotes))
