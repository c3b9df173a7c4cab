"""Terms: what the text search counts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.terms import TERM_IDS, length, question_terms, term_id, terms


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("murdered", "murders", "en"),
        ("Holmes’s", "holmes", "en"),
        ("Pétya", "petya", "en"),
        ("Häuser", "Hauser", "de"),
        ("mangé", "mange", "fr"),
        ("Ещё", "еще", "ru"),
        ("STRASSE", "Straße", "de"),
    ],
)
def test_words_that_mean_the_same_are_one_term(one: str, other: str, language: str) -> None:
    assert terms(one, language) == terms(other, language)


def test_a_book_without_a_known_language_is_not_stemmed() -> None:
    assert terms("murdered murders", None) == Counter({"murdered": 1, "murders": 1})


def test_an_elided_article_is_a_word_of_its_own_in_french_only() -> None:
    assert "homm" in terms("l’homme", "fr")
    assert terms("don't", "en") == Counter({"dont": 1})


def test_chinese_is_counted_in_characters_and_pairs_in_any_book() -> None:
    assert terms("林黛玉 laughed", "en") == Counter({"林": 1, "黛": 1, "玉": 1, "林黛": 1, "黛玉": 1, "laugh": 1})


def test_accents_that_carry_the_vowel_are_kept() -> None:
    assert terms("की किताब", None) == Counter({"की": 1, "किताब": 1})


def test_a_question_is_asked_without_its_stop_words() -> None:
    assert set(question_terms("Who killed Mr. Drebber?", "en")) == {"kill", "mr", "drebber"}
    assert set(question_terms("黛玉为什么哭", "zh")) >= {"黛玉", "哭"}


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert question_terms("Who is it?", "en") == terms("Who is it?", "en")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["en", "fr", "zh", None]))
def test_the_terms_of_two_texts_are_the_terms_of_both(one: str, other: str, language: str | None) -> None:
    assert terms(f"{one}\n{other}", language) == terms(one, language) + terms(other, language)


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=20))
def test_ids_fit_a_sparse_vector(term: str) -> None:
    assert 1 <= term_id(term) <= TERM_IDS


def test_ids_never_change() -> None:
    assert term_id("x") == 458594384


def test_length_counts_every_term() -> None:
    assert length(terms("one two two", "en")) == 3
