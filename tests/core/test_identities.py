"""A sentence says that two are one in the forms that say so themselves, and in no other."""

from __future__ import annotations

import pytest

from bot.core.identities import folded_label, names_somebody, says_one, stands

A, B = "the stranger", "Corwin Ash"

SAID = (
    "The stranger was Corwin Ash.",
    "Corwin Ash was the stranger.",
    "The stranger was Corwin Ash, and Ana Wren knew his voice.",
    "Ana saw that the stranger was Corwin Ash.",
    "The lamp was lit, and the stranger was Corwin Ash himself.",
    "The stranger, who was really Corwin Ash, bowed.",
    "The stranger is none other than Corwin Ash.",
    "The stranger proved to be no other than Corwin Ash.",
    "The stranger turned out to be Corwin Ash in disguise.",
    "The stranger, alias Corwin Ash, was seen.",
    "Corwin Ash, otherwise the stranger, was seen.",
    "The stranger, also known as Corwin Ash, was seen.",
    "The stranger, better known as Corwin Ash, was seen.",
    "The stranger, whose real name was Corwin Ash, was seen.",
    "The stranger, called Corwin Ash, took the boat.",
    "The stranger was called Corwin Ash.",
    "The stranger was known as Corwin Ash.",
    "The stranger called himself Corwin Ash.",
    "The stranger, who called himself “Corwin Ash,” took the boat.",
    "The stranger signed himself Corwin Ash.",
    "The stranger introduced himself to us as Corwin Ash.",
    "The stranger had travelled for years under the name of Corwin Ash.",
    "The stranger, under the name of Corwin Ash, took the boat.",
    "The stranger went by the name of Corwin Ash.",
    "The stranger had taken the lamp. The stranger took the name of Corwin Ash.",
    "The real name of the stranger was Corwin Ash.",
    "The name of the stranger is Corwin Ash.",
    "The stranger’s name was Corwin Ash.",
    "The stranger's true name is Corwin Ash.",
    "The stranger and Corwin Ash were one and the same.",
    "Corwin Ash and the stranger are the same man.",
    "Ana recognised the stranger as Corwin Ash.",
    "Mr. Fogg introduced the stranger to her as Corwin Ash.",
    "She knew the stranger to be Corwin Ash.",
    "She recognized in the stranger Corwin Ash.",
    "“I am Corwin Ash,” said the stranger.",
    "“You know me: I am Corwin Ash!” cried the stranger.",
    "“My name is Corwin Ash,” the stranger answered.",
    "“I’m Corwin Ash, and I have brought the lamp,” said the stranger quietly.",
    "The stranger answered, “My name is Corwin Ash.”",
    'The stranger said quietly: "I am Corwin Ash."',
    "“They call me Corwin Ash,” replied the stranger.",
    "“The stranger was Corwin Ash,” said Mr. Fogg.",
    "“Ah,” said Mr. Fogg, “the stranger was Corwin Ash.”",
    "It turned out that the stranger was Corwin Ash.",
    "It came out that the stranger was Corwin Ash.",
    "The truth is that the stranger was Corwin Ash.",
    "She knew now that the stranger was Corwin Ash.",
    "Mr. Fogg had recognised the stranger, alias Corwin Ash.",
)  # fmt: skip

NOT_SAID = (
    "The stranger was not Corwin Ash.",
    "The stranger was never called Corwin Ash.",
    "Nobody believed that the stranger was Corwin Ash.",
    "Perhaps the stranger was Corwin Ash.",
    "If the stranger was Corwin Ash, he hid it well.",
    "And the stranger was Corwin Ash?",
    "The stranger was Corwin Ash’s friend.",
    "The stranger was Corwin Ashton.",
    "The stranger was Corwin Ash or his brother.",
    "The stranger was with Corwin Ash.",
    "The stranger was like Corwin Ash.",
    "The stranger met Corwin Ash.",
    "The stranger and Corwin Ash were friends.",
    "The strangers were Corwin Ash and Ana Wren.",
    "The stranger’s brother was Corwin Ash.",
    "The brother of the stranger was Corwin Ash.",
    "The man beside the stranger was Corwin Ash.",
    "Between Mr. Fogg and the stranger was Corwin Ash.",
    "The stranger called Corwin Ash.",
    "The stranger called for Corwin Ash.",
    "The stranger introduced himself to Corwin Ash.",
    "The friend of the stranger, called Corwin Ash, took the boat.",
    "The stranger met a man under the name of Corwin Ash.",
    "Some said that the stranger was Corwin Ash.",
    "They say the stranger was Corwin Ash.",
    "The stranger was Corwin Ash, they said.",
    "The stranger was Corwin Ash, or so it was said.",
    "The stranger claimed that the stranger was Corwin Ash.",
    "“I am Corwin Ash’s friend,” said the stranger.",
    "“I am Corwin Ash,” said the stranger’s brother.",
    "“I am Corwin Ash,” said Mr. Fogg to the stranger.",
    "“I am no Corwin Ash,” said the stranger.",
    "“You are Corwin Ash,” said the stranger.",
    "“Am I Corwin Ash?” said the stranger.",
    "“My name is not Corwin Ash,” said the stranger.",
    "“If I am Corwin Ash,” said the stranger, “so be it.”",
    "The stranger told Corwin Ash his name.",
    "The stranger, Corwin Ash.",
    "It was a lie that the stranger was Corwin Ash.",
    "He had lied: the stranger was Corwin Ash.",
    "It is unlikely that the stranger was Corwin Ash.",
    "The rumour ran that the stranger was Corwin Ash.",
    "Everyone assumed that the stranger was Corwin Ash.",
    "Everyone took it for granted that the stranger was Corwin Ash.",
    "Ana refused to admit that the stranger was Corwin Ash.",
    "Ana had the notion that the stranger was Corwin Ash.",
    "The prophecy was that the stranger was Corwin Ash.",
    "Ana argued that the stranger was Corwin Ash.",
    "The stranger was Corwin Ash, Fogg insisted.",
    "The stranger was Corwin Ash, as the liar said.",
    "The stranger called himself Corwin Ash, but it was a lie.",
    "Ana falsely recognised the stranger as Corwin Ash.",
    "Fogg, who recognised the stranger as Corwin Ash, was mistaken.",
    "The stranger is Corwin Ash; Ana is the queen; it was their game.",
    "Everybody but the stranger was Corwin Ash.",
    "The stranger was Corwin Ash and Ana Wren.",
    "The stranger and Corwin Ash were the same man’s sons.",
    "The wife of the stranger, alias Corwin Ash, was seen.",
    "The maiden name of the stranger was Corwin Ash.",
    "Under the name of the stranger was Corwin Ash.",
    "“He wrote to me: I am Corwin Ash,” said the stranger.",
    "“I am Corwin Ash,” said the stranger in jest.",
    "The stranger said, “He came in and cried, I am Corwin Ash.”",
    "The stranger said, “My name is Corwin Ash, he wrote to me.”",
)  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_a_sentence_says_that_two_are_one(text: str) -> None:
    assert says_one(text, A, B, "en")
    assert says_one(text, B, A, "en")


@pytest.mark.parametrize("text", NOT_SAID)
def test_a_sentence_does_not_say_that_two_are_one(text: str) -> None:
    assert not says_one(text, A, B, "en")
    assert not says_one(text, B, A, "en")


GERMAN_SAID = (
    "Der Fremde war Gregor Wald.",
    "Gregor Wald war der Fremde.",
    "Nun wußte sie, daß der Fremde Gregor Wald war.",
    "Der Fremde, der in Wahrheit Gregor Wald war, verbeugte sich.",
    "Der Fremde war niemand anderer als Gregor Wald.",
    "Der Fremde ist kein anderer als Gregor Wald.",
    "Der Fremde hieß Gregor Wald.",
    "Der Fremde, der Gregor Wald hieß, nahm das Boot.",
    "Der Fremde, der sich Gregor Wald nannte, nahm das Boot.",
    "Der Fremde, den alle Gregor Wald nannten, nahm das Boot.",
    "Der Fremde, dessen wirklicher Name Gregor Wald war, nahm das Boot.",
    "Der Fremde nannte sich Gregor Wald.",
    "Der Fremde wurde Gregor Wald genannt.",
    "Der Fremde, alias Gregor Wald, nahm das Boot.",
    "Der Fremde, genannt Gregor Wald, nahm das Boot.",
    "Der Fremde, mit richtigem Namen Gregor Wald, nahm das Boot.",
    "Der wahre Name des Fremden war Gregor Wald.",
    "Der Name des Fremden lautete Gregor Wald.",
    "Der Fremde stellte sich ihr als Gregor Wald vor.",
    "Der Fremde gab sich als Gregor Wald zu erkennen.",
    "Der Fremde lebte in der Stadt unter dem Namen Gregor Wald.",
    "Der Fremde und Gregor Wald sind ein und derselbe.",
    "Da erkannte sie in dem Fremden Gregor Wald.",
    "Da erkannte sie den Fremden als Gregor Wald.",
    "Der Fremde unterschrieb mit Gregor Wald.",
    "„Ich bin Gregor Wald“, sagte der Fremde.",
    "»Mein Name ist Gregor Wald«, antwortete der Fremde.",
    "Der Fremde sagte: „Ich heiße Gregor Wald.“",
)  # fmt: skip

GERMAN_NOT_SAID = (
    "Der Fremde war nicht Gregor Wald.",
    "Vielleicht war der Fremde Gregor Wald.",
    "Man sagte, daß der Fremde Gregor Wald war.",
    "Der Fremde war Gregor Wald, so hieß es.",
    "War der Fremde Gregor Wald?",
    "Der Fremde war Gregor Walds Freund.",
    "Der Bruder des Fremden war Gregor Wald.",
    "Der Fremde war mit Gregor Wald da.",
    "Der Fremde traf Gregor Wald.",
    "Der Fremde gab sich als Gregor Wald aus.",
    "Der Fremde und Gregor Wald waren Freunde.",
    "Der Fremde rief Gregor Wald.",
    "„Ich bin Gregor Walds Freund“, sagte der Fremde.",
    "„Ich bin Gregor Wald“, sagte Herr Fuchs zu dem Fremden.",
    "„Du bist Gregor Wald“, sagte der Fremde.",
    "Es war eine Lüge, daß der Fremde Gregor Wald war.",
    "Das Gerücht ging um, daß der Fremde Gregor Wald war.",
    "Alle nahmen an, daß der Fremde Gregor Wald war.",
    "Sie bestritt, daß der Fremde Gregor Wald war.",
    "Sie bildete sich ein, daß der Fremde Gregor Wald war.",
    "Fälschlich erkannte sie den Fremden als Gregor Wald.",
    "Der Fremde war Gregor Wald, wie man sagte.",
    "Der Fremde hieß Gregor Wald, zu schweigen.",
    "Der Fremde wurde Gregor Wald genannt, aus Spott.",
    "Der Fremde war Gregor Wald und Anna Berg.",
    "Die Frau des Fremden, genannt Gregor Wald, nahm das Boot.",
    "Sie wußte, daß der Fremde Gregor Wald war zu nahe gekommen.",
    "Der Fremde sagte: „Er rief: Ich bin Gregor Wald.“",
)  # fmt: skip


@pytest.mark.parametrize("text", GERMAN_SAID)
def test_a_german_sentence_says_that_two_are_one(text: str) -> None:
    assert says_one(text, "der Fremde", "Gregor Wald", "de")
    assert says_one(text, "Gregor Wald", "der Fremde", "de")


@pytest.mark.parametrize("text", GERMAN_NOT_SAID)
def test_a_german_sentence_does_not_say_that_two_are_one(text: str) -> None:
    assert not says_one(text, "der Fremde", "Gregor Wald", "de")
    assert not says_one(text, "Gregor Wald", "der Fremde", "de")


def test_two_names_are_one_persons_only_where_more_is_said_than_that_one_was_the_other() -> None:
    assert not says_one("Oswin Fogg was Corwin Ash.", "Oswin Fogg", B, "en", plainly=False)
    assert says_one("Oswin Fogg was no other than Corwin Ash.", "Oswin Fogg", B, "en", plainly=False)
    assert says_one("“My name is Corwin Ash,” said Oswin Fogg.", "Oswin Fogg", B, "en", plainly=False)


@pytest.mark.parametrize("some", ["a clever man", "an old sailor", "one sailor"])
def test_what_somebody_is_beside_others_is_nobody_else(some: str) -> None:
    assert not says_one(f"Corwin Ash was {some}.", B, some, "en")
    assert not says_one("Gregor Wald war ein Seemann.", "Gregor Wald", "ein Seemann", "de")


def test_a_sentence_without_end_joins_nobody() -> None:
    assert says_one(f"The stranger was Corwin Ash, {'and so on, ' * 20}.", A, B, "en")
    assert not says_one(f"The stranger was Corwin Ash, {'and so on, ' * 200}.", A, B, "en")


def test_in_a_language_without_forms_only_alias_joins_two() -> None:
    assert says_one("Hope, alias Ferrier, est là.", "Hope", "Ferrier", "fr")
    assert not says_one("Hope was Ferrier.", "Hope", "Ferrier", "fr")


@pytest.mark.parametrize(
    ("label", "language", "whole"),
    [
        ("the stranger", "en", True), ("Corwin Ash", "en", True), ("he", "en", False), ("the man", "en", False),
        ("I", "en", False), ("der Fremde", "de", True), ("er", "de", False), ("der Mann", "de", False),
        ("", "en", False), ("x" * 61, "en", False),
    ],
)  # fmt: skip
def test_a_pronoun_and_the_man_are_nobodys_label(label: str, language: str, whole: bool) -> None:
    assert names_somebody(label, language) is whole


def test_a_german_label_stands_in_any_case_and_is_the_same() -> None:
    assert stands("der Fremde", "Sie gab es dem Fremden.", "de")
    assert not stands("der Fremde", "Sie gab es dem Freund.", "de")
    assert not stands("the stranger", "She gave it to the strangers.", "en")
    assert folded_label("der Fremde") == folded_label("des Fremden") == folded_label("ein Fremder")
    assert folded_label("the Stranger") == folded_label("a stranger")
    assert folded_label("Ana Wren") != folded_label("Ana")
