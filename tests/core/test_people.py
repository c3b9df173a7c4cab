"""Whose a name is, and which names are one person's: joined only where nothing that was met speaks against it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.people import is_exactly, people_named, says_the_same, sound_names
from bot.core.ports import NameMet


def met(*names: str) -> list[NameMet]:
    return [NameMet(name, at) for at, name in enumerate(names)]


def found(said: str, *names: str, same: tuple[tuple[str, str], ...] = ()) -> list[list[str]]:
    return [[name.name for name in person.names] for person in people_named(said, met(*names), same)]


FOGG = ("Fogg", "Mr. Fogg", "Oswin Fogg", "Mr. Oswin Fogg")


@pytest.mark.parametrize("said", ["Fogg", "fogg", "Mr. Fogg", "mr fogg", "OSWIN", "Oswin Fogg"])
def test_forms_that_fit_one_person_alone_are_theirs(said: str) -> None:
    assert found(said, *FOGG, "Ana Wren") == [["Oswin Fogg", "Mr. Oswin Fogg", "Fogg", "Mr. Fogg"]]


def test_another_of_the_same_surname_takes_the_bare_name_away() -> None:
    (bare, *others) = found("Fogg", *FOGG, "Lucas Fogg")
    assert bare == ["Fogg", "Mr. Fogg"]
    assert sorted(others) == [["Lucas Fogg"], ["Oswin Fogg", "Mr. Oswin Fogg"]]
    assert found("Lucas", *FOGG, "Lucas Fogg") == [["Lucas Fogg"]]


def test_titles_that_contradict_each_other_are_two_people() -> None:
    assert found("Mrs. Fogg", "Mr. Fogg", "Mrs. Fogg", "Miss Fogg", "Fogg") == [["Mrs. Fogg"]]
    assert found("Mr. Fogg", "Mr. Fogg", "Mrs. Fogg", "Miss Fogg", "Fogg") == [["Mr. Fogg", "Fogg"]]
    assert found("Fogg", "Oswin Fogg", "Mr. Fogg", "Mrs. Fogg")[0] != ["Oswin Fogg", "Mr. Fogg", "Mrs. Fogg"]


def test_a_name_that_several_bear_means_all_of_them() -> None:
    assert found("Wren", "Ana Wren", "Isolde Wren") == [["Ana Wren"], ["Isolde Wren"]]


def test_nobody_is_meant_by_a_name_that_was_not_met() -> None:
    assert found("Quillet", *FOGG) == []
    assert found("", *FOGG) == []
    assert found("Fogg Oswin", *FOGG) == []


def test_what_the_text_says_joins_two_names_and_all_their_forms() -> None:
    names = ("Ferrier", "Dr. Ferrier", "Corwin Ash", "Ash")
    assert found("Ash", *names) == [["Corwin Ash", "Ash"]]
    assert found("Ash", *names, same=(("Corwin Ash", "Ferrier"),)) == [["Corwin Ash", "Ferrier", "Dr. Ferrier", "Ash"]]


KNOWN = {("Corwin", "Ash"): "Corwin Ash", ("Ferrier",): "Ferrier", ("Ana", "Wren"): "Ana Wren"}


@pytest.mark.parametrize(
    "text",
    [
        "It was Corwin Ash, alias Ferrier, who had come.",
        "Corwin Ash, otherwise known as Ferrier, had come.",
        "Corwin Ash (née Ferrier) had come.",
        "There stood Corwin Ash, whose real name was “Ferrier”.",
        "Corwin Ash, who called himself Ferrier, had come.",
        "The real name of Corwin Ash was Ferrier.",
        "Corwin Ash was no other than Ferrier.",
        "Corwin Ash had lived for years under the name of Ferrier.",
        "Corwin Ash said, “My name is Ferrier.”",
    ],
)
def test_a_sentence_that_says_two_names_are_one_persons_is_seen(text: str) -> None:
    assert says_the_same(text, KNOWN) == [("Corwin Ash", "Ferrier")]


@pytest.mark.parametrize(
    "text",
    [
        "Corwin Ash knew Ferrier.",
        "Corwin Ash said that he was called a friend of Ferrier.",
        "Corwin Ash, Ferrier and Ana Wren had come.",
        "Was Corwin Ash Ferrier?",
        "The stranger, alias Ferrier, met Ana Wren.",
        "Corwin Ash was Ferrier.",
        "Perhaps Corwin Ash was no other than Ferrier.",
        "“I am Ferrier’s friend,” said Corwin Ash.",
    ],
)
def test_a_sentence_that_only_names_two_people_joins_nobody(text: str) -> None:
    assert says_the_same(text, KNOWN) == []


def test_what_capitals_put_together_by_chance_is_no_name_to_offer() -> None:
    names = met("Ana Wren", "Fogg", "Ferrier", "Fogg Ferrier", "When Ana Wren", "Fogg’s Ferrier", "In Fogg Mr. Ferrier")
    assert sound_names(names) == ["Ana Wren", "Fogg", "Ferrier"]
    assert found("Fogg Ferrier", *(name.name for name in names)) == [["Fogg Ferrier"]]


def test_a_name_is_exact_whatever_its_case_and_accents() -> None:
    (person,) = people_named("natasha", met("Natásha"))
    assert is_exactly("NATASHA", person)
    assert not is_exactly("Countess Natásha", person)


WORDS = ("Ana", "Wren", "Fogg", "Oswin", "Mr.", "Mrs.", "Miss", "Dr.", "Lucas", "When", "de")
NAMES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), unique=True, max_size=12)


@given(NAMES, st.sampled_from(WORDS))
def test_every_name_is_one_persons_at_most_and_of_those_that_were_met(names: list[str], said: str) -> None:
    people = people_named(said, met(*names))
    told = [name.name for person in people for name in person.names]
    assert len(told) == len(set(told))
    assert set(told) <= set(names)
