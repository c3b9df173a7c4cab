"""Names met so far, decided by what stands before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.names import NameMention, about_now, names_in, names_meant
from bot.core.terms import terms

WORDS = st.sampled_from("Ana Anders Mr. Lady Then the lamp said London de I Smith’s “No ,".split(" "))  # noqa: SIM905
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(lambda ws: " ".join(ws) + "."), max_size=12)


def names(*sentences: str, language: str | None = "en") -> list[str]:
    return [m.name for m in names_in(((text, 0) for text in sentences), language)]


def test_a_word_capitalised_inside_a_sentence_is_a_name() -> None:
    assert names("At last Holmes spoke to Mary Morstan.") == ["Holmes", "Mary Morstan"]


def test_a_title_makes_a_name_anywhere_and_belongs_to_it() -> None:
    assert names("Mr. Sherlock Holmes rose.", "“Dr. Watson,” he said.") == ["Mr. Sherlock Holmes", "Dr. Watson"]


def test_a_word_at_a_sentences_start_is_a_name_only_once_it_has_been_met() -> None:
    assert names("Toby barked.", "They fed Toby.", "Toby slept.") == ["Toby", "Toby"]


def test_the_first_word_of_a_speech_proves_nothing() -> None:
    assert names("He said, “Nobody came.”", "She cried: “Never!”") == []


def test_a_word_that_has_been_met_in_small_letters_is_no_name_by_a_capital_alone() -> None:
    assert names("The hall was dark.", "They reached the Hall.") == []


def test_possessives_and_capital_letters_are_taken_off() -> None:
    assert names("It was Morstan’s.", "THE END", "And I saw it.") == ["Morstan"]


def test_particles_join_a_name_and_never_end_it() -> None:
    assert names("They met Lady Catherine de Bourgh and Anna von.") == ["Lady Catherine de Bourgh", "Anna"]


def test_german_nouns_are_no_names_by_their_capital_alone() -> None:
    assert names("Da stand ein Tisch.", "Er sah Frau Grubach.", language="de") == ["Frau Grubach"]


def test_a_mention_knows_its_sentence_and_where_it_is_revealed() -> None:
    assert list(names_in([("Nothing.", 9), ("It was Ana.", 21)], "en")) == [NameMention("Ana", 1, 21)]


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES)
def test_names_met_are_the_same_however_the_book_goes_on(read: list[str], unread: list[str]) -> None:
    met = list(names_in((text, i) for i, text in enumerate(read)))
    longer = list(names_in((text, i) for i, text in enumerate(read + unread)))
    assert longer[: len(met)] == met
    assert all(m.sentence >= len(read) for m in longer[len(met) :])


MET = ("Mr. Sherlock Holmes", "Holmes", "Watson", "Elizabeth", "Nikoláy Rostóv")


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("what does sherlok holms want", ("Sherlock", "Holmes")),
        ("is Elisabeth there", ("Elizabeth",)),
        ("who is Nicolay Rostof", ("Nikoláy", "Rostóv")),
        ("who is Moriarty", ()),
        ("why is he ill", ()),
    ],
)
def test_a_mistyped_name_is_taken_for_the_closest_name_met(question: str, meant: tuple[str, ...]) -> None:
    assert tuple(names_meant(question, MET, set(terms(question, "en")), "en").values()) == meant


def test_only_words_that_stand_nowhere_in_the_read_part_are_corrected() -> None:
    assert names_meant("sherlok holms", MET, set(terms("sherlok", "en")), "en") == {"sherlok": "Sherlock"}


def test_nothing_is_close_when_no_name_has_been_met() -> None:
    assert names_meant("sherlok", (), {"sherlok"}, "en") == {}


@pytest.mark.parametrize("question", ["What is Holmes doing now?", "What just happened?", "刚才发生了什么", "今どこ？"])
def test_a_question_about_now_is_known(question: str) -> None:
    assert about_now(question)


@pytest.mark.parametrize("question", ["Who is Sherman?", "What does he know?", "Where is the snow?"])
def test_other_questions_are_not_about_now(question: str) -> None:
    assert not about_now(question)
