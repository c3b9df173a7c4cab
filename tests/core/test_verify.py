"""What a model wrote, checked against what was read, without a model."""

from __future__ import annotations

import re

import pytest

from bot.core.boundary import boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span
from bot.core.streamed_claims import Draft
from bot.core.verify import LONGEST_QUOTE, Checked, Cut, Verifier

ONE = (
    "The ferry came late to Saltmouth. Ana Wren stood on the quay with a brass lantern in her hand. "
    "Old Mr. Oswin Fogg the keeper counted the three boats. He had not read the letter. "
    "He feared that the gull might kill the lamp. “It says that the light must burn until Sunday,” she answered."
)
TWO = "In the morning the lamp was cold. Ana Wren found the stair door bolted from within. A gull had broken a window."
_BETWEEN = re.compile(r"(?<=\.)(?<!Mr\.)(?<!Mrs\.)(?<!Capt\.)(?<!\b[A-Z]\.) ")
LONG = "And " + "the tide rose and " * 40 + "it fell."


def passages(*texts: str, language: str | None = "en", question: str = "What happened at the quay?") -> Verifier:
    """Evidence of one reader who has read all of ``texts``, one passage each."""
    whole = "\n\n".join(texts)
    boundary = boundary_for(BookId(1), private_to(MemberId(1)), {MemberId(1): len(whole)})
    found, at = [], 0
    for number, text in enumerate(texts):
        sentences, start = [], at
        for part in _BETWEEN.split(text):
            span = Span(start, start + len(part))
            sentences.append(ReadSentence(span, part, span.end))
            start = span.end + 1
        span = Span(at, at + len(text))
        found.append(Evidence(boundary, Passage(number, 1, span, span.end, text, tuple(sentences))))
        at = span.end + 2
    return Verifier(found, question, language)


def outcome(text: str, quote: str, number: int = 1, verifier: Verifier | None = None) -> Checked | Cut:
    return (verifier or passages(ONE, TWO, LONG)).checked(Draft(text, number, quote))


def test_a_claim_in_the_passages_words_has_the_books_own_words_as_its_citation() -> None:
    found = outcome("Ana Wren stood with a lantern on the quay.", "Ana Wren stood on the  quay with a brass lantern")
    assert isinstance(found, Checked)
    assert not found.strict
    assert found.quote == "Ana Wren stood on the quay with a brass lantern"
    assert found.span.start == ONE.index("Ana Wren")


@pytest.mark.parametrize("quote", ["na Wren stood on the quay", "Ana Wren stood on the qua", "he gull might kill th"])
def test_a_quote_is_of_whole_words(quote: str) -> None:
    assert outcome("Ana Wren stood on the quay.", quote) is Cut.QUOTE_NOT_THERE


def test_a_quote_that_first_stands_within_a_word_is_found_where_it_stands_alone() -> None:
    found = outcome("One came late.", "one came late", verifier=passages("Someone came late, and one came late."))
    assert isinstance(found, Checked)
    assert found.span == Span(23, 36)


@pytest.mark.parametrize(
    "quote",
    ['"It says that the light must burn until Sunday,"', "“It says that\u00a0the light\u200b must burn until Sunday"],
)
def test_a_quote_is_verbatim_whatever_its_typography(quote: str) -> None:
    assert isinstance(outcome("She says that the light must burn until Sunday.", quote), Checked)


@pytest.mark.parametrize(
    ("quote", "number", "why"),
    [
        ("Ana Wren stood on the quay with a silver lantern", 1, Cut.QUOTE_NOT_THERE),
        ("The ferry came late to Saltmouth. In the morning the lamp was cold.", 1, Cut.QUOTE_NOT_THERE),
        ("The ferry came late ... with a brass lantern", 1, Cut.QUOTE_NOT_THERE),
        ("Ana Wren stood on the quay with a brass lantern", 2, Cut.QUOTE_NOT_THERE),
        ("Ana Wren stood on the quay", 0, Cut.NO_PASSAGE),
        ("Ana Wren stood on the quay", 99, Cut.NO_PASSAGE),
        ("the", 1, Cut.QUOTE_SHORT),
        ("", 1, Cut.QUOTE_SHORT),
    ],
)
def test_a_quote_that_does_not_stand_in_the_passage_that_is_named_is_cut(quote: str, number: int, why: Cut) -> None:
    assert outcome("Ana Wren stood on the quay.", quote, number) is why


STOOD = "Ana Wren stood on the quay with a brass lantern in her hand."
NOT_READ = "He had not read the letter."
FEARED = "He feared that the gull might kill the lamp."


@pytest.mark.parametrize(
    ("text", "quote", "why"),
    [
        ("Marrable stood on the quay with a lantern.", STOOD, Cut.NAME),
        ("Ana Wren stood on the quay with Marrable.", STOOD, Cut.NAME),
        ("Ana Wren stood on the quay, Marrablen’t, with a lantern.", STOOD, Cut.NAME),
        ("Ana Wren stood on the quay, I’Marrable, with a lantern.", STOOD, Cut.NAME),
        ("Ana Wren stood on the quay with a dagger.", STOOD, Cut.UNBACKED),
        ("Ana Wren poisoned the keeper.", STOOD, Cut.UNBACKED),
        ("Ana Wren is Oswin Fogg.", STOOD, Cut.IDENTITY),
        ("Ana Wren was really Fogg.", STOOD, Cut.IDENTITY),
        ("He had read the letter.", NOT_READ, Cut.TURNED),
        ("Ana Wren did not stand on the quay.", STOOD, Cut.TURNED),
        ("The gull killed the lamp.", FEARED, Cut.TURNED),
        ("Ana Wren stand\u200bs.", STOOD, Cut.NOT_PLAIN),
        ("Am Ende war es der Mann, der es nicht mehr wollte.", STOOD, Cut.LANGUAGE),
        ("The answer comes later.", STOOD, Cut.UNBACKED),
        ("It is told in the end.", STOOD, Cut.UNBACKED),
        ("Ana Wren stood on the quay with nine lanterns.", STOOD, Cut.UNBACKED),
        ("She did it.", STOOD, Cut.UNBACKED),
    ],
)
def test_a_sentence_that_the_quote_does_not_bear_out_is_cut(text: str, quote: str, why: Cut) -> None:
    assert outcome(text, quote) is why


def test_what_is_told_is_not_asked() -> None:
    assert outcome("Ana Wren stood on the quay with a brass lantern in her hand?", STOOD) is Cut.TURNED


def test_a_sentence_is_held_to_that_part_of_a_quote_that_is_shown() -> None:
    long = f"The keeper slept{' and slept' * 40}. Then Ana Wren opened the window."
    told = passages(long)
    assert isinstance(told.checked(Draft("Then Ana Wren opened the window.", 1, long[-40:])), Checked)
    found = told.checked(Draft("Then Ana Wren opened the window.", 1, long))
    assert isinstance(found, Cut) or not found.strict


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (STOOD, STOOD),
        ("He has not read the letter.", NOT_READ),
        ("He feared that the gull might kill the lamp.", FEARED),
        (
            "Old Mr. Oswin Fogg the keeper counted the 3 boats.",
            "Old Mr. Oswin Fogg the keeper counted the three boats.",
        ),
        ("The narrator says that the ferry came late to Saltmouth.", "The ferry came late to Saltmouth."),
    ],
)
def test_a_sentence_in_the_quotes_own_words_needs_no_second_reading(text: str, quote: str) -> None:
    found = outcome(text, quote)
    assert isinstance(found, Checked)
    assert found.strict


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        (
            "Ana Wren had killed the keeper.",
            "Nobody at the quay believed that Ana Wren had killed the keeper. He was alone.",
        ),
        ("Ana Wren stole the lamp", "“I never said that Ana Wren stole the lamp,” he answered. He was alone."),
        ("Ana Wren killed the keeper", "Unless Ana Wren killed the keeper, nobody lit the lamp."),
    ],
)
def test_a_part_of_a_sentence_is_not_told_where_the_rest_denies_it(text: str, passage: str) -> None:
    assert outcome(text, text.rstrip("."), verifier=passages(passage)) is Cut.TURNED


@pytest.mark.parametrize(
    "text", ["He had not read the letter.", "Old Mr. Oswin Fogg the keeper counted the three boats"]
)
def test_a_whole_sentence_of_the_passage_is_told_as_it_stands(text: str) -> None:
    found = outcome(text, text.rstrip("."))
    assert isinstance(found, Checked)
    assert found.strict


def test_a_sentence_with_a_verb_of_its_own_needs_a_second_reading() -> None:
    found = outcome("She held a brass lantern on the quay.", STOOD)
    assert isinstance(found, Checked)
    assert not found.strict


def test_without_the_name_check_a_name_is_still_a_word_that_must_stand_there() -> None:
    verifier = passages(ONE)
    assert (
        Verifier(verifier.evidence, "Who?", "en", names=False).checked(Draft("Marrable stood.", 1, STOOD))
        is Cut.UNBACKED
    )


def test_a_long_quote_is_shown_in_part() -> None:
    found = outcome("The tide rose and fell.", LONG, 3)
    assert isinstance(found, Checked)
    assert 0 < len(found.quote) <= LONGEST_QUOTE
    assert len(found.span) == len(found.quote)


def test_an_answer_in_another_language_than_the_books_is_cut_whatever_the_question_is_in() -> None:
    german = passages(
        "Gregor lag auf dem Rücken und sah, dass er ein Käfer war.",
        language="de",
        question="What is he, and who was it?",
    )
    said = "He was on the back of it and he saw it."
    assert german.checked(Draft(said, 1, "Gregor lag auf dem Rücken")) is Cut.LANGUAGE
    english = passages(ONE, question="Wer war das, und was hat er auf dem Weg gesehen?")
    said = "Am Ende war er es, und er ist auf dem Weg gestorben."
    assert english.checked(Draft(said, 1, STOOD)) is Cut.LANGUAGE
    assert isinstance(english.checked(Draft(STOOD, 1, STOOD)), Checked)


def test_a_chinese_sentence_stands_on_its_characters() -> None:
    chinese = passages("黛玉聽了，忙問寶玉往那裡去了。", language="zh", question="寶玉在哪裡？")
    found = chinese.checked(Draft("忙問寶玉往那裡去了。", 1, "忙問寶玉往那裡去了"))
    assert isinstance(found, Checked)
    assert chinese.checked(Draft("寶玉死了。", 1, "忙問寶玉往那裡去了")) is Cut.UNBACKED


def test_nothing_is_cut_for_what_it_is_a_claim_of() -> None:
    assert passages(ONE).checked(None) is Cut.NO_CLAIM
