"""Related words: what a novel says where a question asks."""

from __future__ import annotations

from bot.core.related import RELATED_WEIGHT, related_terms
from bot.core.retrieve import query_for
from bot.core.terms import stem, term_id


def test_a_question_about_a_death_is_also_asked_with_the_words_for_it() -> None:
    assert {stem("lifeless", "en"), stem("perished", "en")} <= related_terms("How does he die?", "en")


def test_a_question_about_a_fate_is_asked_with_the_outcomes_novels_have() -> None:
    for question in ("What happens to Ana?", "What became of Ana?", "Does Ana survive?"):
        assert {stem("killed", "en"), stem("married", "en")} <= related_terms(question, "en")


def test_a_word_of_the_question_is_never_its_own_relation() -> None:
    assert stem("killed", "en") not in related_terms("Who killed the murdered man?", "en")


def test_other_languages_and_other_questions_have_none() -> None:
    assert related_terms("Wie stirbt er? die", "de") == frozenset()
    assert related_terms("What colour is the lamp?", "en") == frozenset()


def test_related_words_count_less_than_the_questions_own() -> None:
    weights = query_for("How does Ana die?", "en").terms
    assert weights[term_id("die")] == 1.0
    assert weights[term_id("dead")] == RELATED_WEIGHT
