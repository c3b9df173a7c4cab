"""Names in a question that the audience has not met."""

from __future__ import annotations

import pytest

from bot.core.asked_names import names_asked
from bot.core.terms import question_terms


def asked(question: str, language: str | None = "en", met: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names in ``question`` for an audience that has met no word but those in ``met``."""
    known = {term for word in met for term in question_terms(word, language)}
    return names_asked(question, [t for t in question_terms(question, language) if t not in known], language)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is Quillet?", ("Quillet",)),
        ("Who is Tamsin Quillet?", ("Tamsin", "Quillet")),
        ("Is it Quillet, or Quillet's brother?", ("Quillet",)),
        ("Who is “Quillet”?", ("Quillet",)),
        ("Who is O’Brien-Smith?", ("O’Brien-Smith",)),
        ("What of l'Abbé?", ("Abbé",)),
        ("Tamsin Quillet killed him.", ("Tamsin", "Quillet")),
        ("Quillet killed him, right?", ("Quillet",)),
        ("Quillet's secret?", ("Quillet",)),
        ("He is dead. Quillet did it.", ("Quillet",)),
        ("¿Quién es Quillet?", ("Quillet",)),
        ("Ist Quillet tot?", ("Quillet",)),
    ],
)
def test_a_capitalised_word_that_was_never_met_is_a_name(question: str, names: tuple[str, ...]) -> None:
    assert asked(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Explain the plot",
        "Thoughts on the ending?",
        "Who is he?",
        "What was it?",
        "who poisoned the well?",
        "",
        "?!",
        "12",
        "老人是谁",
    ],
)
def test_ordinary_words_are_no_names_however_new_they_are(question: str) -> None:
    assert asked(question) == ()


def test_a_name_that_was_met_is_not_reported() -> None:
    assert asked("Who is Tamsin Quillet?", met=("Tamsin",)) == ("Quillet",)
    assert asked("Who is Tamsin Quillet?", met=("Tamsin", "Quillet")) == ()


def test_where_every_noun_has_a_capital_a_capital_says_nothing() -> None:
    assert asked("Wer ist die Frau am Fenster?", "de") == ()
