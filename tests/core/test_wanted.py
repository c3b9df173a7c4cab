"""What is said decides what is wanted: a question, a recap or a card."""

from __future__ import annotations

import pytest

from bot.core.errors import Refused
from bot.core.wanted import Recap, Scope, Who, somebody_asked, wanted, wanted_by


@pytest.mark.parametrize("scope", list(Scope))
def test_what_a_recap_says_is_understood_as_that_recap(scope: Scope) -> None:
    assert wanted(Recap(scope).said) == Recap(scope)


def test_recaps_and_cards_are_understood_in_the_words_of_people() -> None:
    assert wanted("/recap") == Recap(Scope.READ)
    assert wanted("/Recap “so far”") == Recap(Scope.READ)
    assert wanted("/recap visit") == Recap(Scope.VISIT)
    assert wanted("/recap the last chapter.") == Recap(Scope.CHAPTER)
    assert wanted("/who  Mr. Fogg?") == Who("Mr. Fogg")
    assert wanted(Who("Ana Wren").said) == Who("Ana Wren")


def test_everything_else_is_a_question() -> None:
    assert wanted("Who is Fogg?") is None
    assert wanted("What is a /recap?") is None
    assert wanted("/whoever came") is None


@pytest.mark.parametrize("name", ["Ana Wren", "Mr. Fogg", "Catherine de Bourgh", "M. de la Tour", "Élodie", "O’Hara"])
def test_a_question_who_somebody_is_asks_for_their_card(name: str) -> None:
    for asks in (f"Who is {name}?", f"who was {name}", f"Who’s “{name}”?", f"Wer ist {name}?", f"Qui est {name} ?"):
        assert somebody_asked(asks) == Who(name)


@pytest.mark.parametrize(
    "question",
    [
        "Who is Ana Wren's cousin?", "Who is the keeper?", "Who is Fogg and why did he die?", "Who killed Fogg?",
        "Who is he?", "Who is de Bourgh?", "Who is?", "What is Fogg?", "Is Fogg dead?", "Who is “ ”?",
    ],
)  # fmt: skip
def test_a_question_about_anything_more_than_a_name_is_no_card(question: str) -> None:
    assert somebody_asked(question) is None


@pytest.mark.parametrize(
    ("said", "code"), [("/recap of all murders", "recap_how"), ("/who", "who_how"), ("/who “ ”", "who_how")]
)
def test_what_cannot_be_told_is_refused_in_a_sentence(said: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        wanted(said)
    assert refused.value.code == code
    assert wanted_by(said) is None
