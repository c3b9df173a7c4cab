"""The language of a book."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.book import BookText, SectionKind
from bot.core.errors import Refused
from bot.ingest.language import SAMPLE, language_code, language_of
from tests.made_books import book_of, chapter, matter

GERMAN = "Am Morgen lag der Hafen im Nebel, und niemand hatte das Licht im alten Turm gesehen. " * 3
ENGLISH = "In the morning the harbour lay in fog, and nobody had seen the light in the old tower. " * 3
FRENCH = "Le matin, le port était dans la brume et personne n'avait vu la lumière de la vieille tour. " * 3


def told(book: BookText, language: str | None) -> BookText:
    return replace(book, language=language)


def prose(*paragraphs: str) -> BookText:
    """A book of one chapter that says nothing of its language."""
    return told(book_of(chapter(1, "\n\n".join(p.strip() for p in paragraphs))), None)


def test_what_the_uploader_states_overrules_the_file_and_the_text() -> None:
    assert language_of(told(prose(GERMAN), "en"), "fr") == "fr"


def test_what_the_file_says_overrules_the_text() -> None:
    assert language_of(told(prose(GERMAN), "en")) == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (GERMAN, "de"),
        (ENGLISH, "en"),
        (FRENCH, "fr"),
        ("老人每天都去海边钓鱼,可是他已经很久没有钓到鱼了。这个孩子很喜欢他,每天晚上都来看他。" * 3, "zh"),
    ],
)
def test_where_nothing_says_the_body_is_looked_at(text: str, language: str) -> None:
    assert language_of(prose(text)) == language


@pytest.mark.parametrize("said", ["und", "mul", "zxx", "", "  ", "English", "x", "??"])
def test_what_the_file_says_is_passed_over_where_it_is_no_language(said: str) -> None:
    assert language_of(told(prose(GERMAN), said)) == "de"


@pytest.mark.parametrize(
    ("said", "code"), [("en-GB", "en"), ("pt_BR", "pt"), ("DE", "de"), (" fr ", "fr"), ("haw", "haw")]
)
def test_a_tag_is_its_language(said: str, code: str) -> None:
    assert language_code(said) == code
    assert language_of(told(prose(ENGLISH), said)) == code


@pytest.mark.parametrize("stated", ["english", "e", "12", "und", "en glish", "\x00"])
def test_a_stated_language_that_is_no_code_is_refused_in_a_sentence(stated: str) -> None:
    with pytest.raises(Refused, match="two letters") as raised:
        language_of(prose(ENGLISH), stated)
    assert raised.value.code == "bad_language"


def test_only_the_beginning_of_the_body_has_a_say() -> None:
    beginning = "\n\n".join([ENGLISH.strip()] * (SAMPLE // len(ENGLISH) + 2))
    assert len(beginning) > SAMPLE
    assert language_of(prose(beginning, *[GERMAN] * 400)) == "en"


def test_sealed_matter_has_no_say() -> None:
    book = book_of(
        matter(SectionKind.ESSAY, "Einleitung", "\n\n".join([GERMAN.strip()] * 30)),
        chapter(1, ENGLISH.strip()),
        matter(SectionKind.NOTES, "Anmerkungen", "\n\n".join([GERMAN.strip()] * 30)),
    )
    assert language_of(told(book, None)) == "en"


def test_books_equal_up_to_the_sample_have_one_language() -> None:
    beginning = "\n\n".join([FRENCH.strip()] * (SAMPLE // len(FRENCH) + 1))
    assert {language_of(prose(beginning, end)) for end in (GERMAN * 200, ENGLISH * 200, "…")} == {"fr"}
