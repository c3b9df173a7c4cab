"""Who is who is said only where the quoted words say so."""

from __future__ import annotations

import pytest

from bot.core.streamed_claims import Draft
from bot.core.verify import Checked, Cut
from tests.core.test_verify import passages

SAT = "The stranger sat by the fire as Fogg does and looked at Ana Wren and the keeper."


@pytest.mark.parametrize(
    "text",
    [
        "The stranger by the fire was Ana Wren.",
        "The stranger by the fire was none other than Ana Wren.",
        "The stranger by the fire was the keeper.",
        "By the fire it was Ana Wren.",
        "He’s Ana Wren, by the fire.",
        "The stranger by the fire: Ana Wren.",
        "The stranger by the fire was: Ana Wren.",
        "The stranger by the fire was — Ana Wren.",
        "The stranger, Ana Wren, sat by the fire.",
        "The stranger Ana Wren sat by the fire.",
        "By the fire the stranger’s Ana Wren.",
        "The stranger sat by the fire as Ana Wren.",
        "The stranger sat by the fire like the keeper.",
        "Ana Wren, the stranger, sat by the fire.",
        "Ana Wren the stranger sat by the fire.",
        "The stranger sat by the fire, called Ana Wren.",
        "The stranger was Fogg.",
    ],
)
def test_the_words_of_a_sentence_put_together_anew_tell_nobody_who_is_who(text: str) -> None:
    assert passages(SAT).checked(Draft(text, 1, SAT)) is Cut.IDENTITY


@pytest.mark.parametrize(
    "text",
    ["Der Fremde am Feuer war Gregor.", "Der Fremde Gregor saß am Feuer.", "Der Fremde, Gregor, saß am Feuer.",
     "Der Fremde saß als Gregor am Feuer.", "Der Fremde am Feuer war der Vater."],
)  # fmt: skip
def test_nor_in_german(text: str) -> None:
    quote = "Der Fremde saß am Feuer und sah auf Gregor und auf seinen Vater."
    assert passages(quote, language="de").checked(Draft(text, 1, quote)) in {Cut.IDENTITY, Cut.UNBACKED}


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("By the fire sat the stranger, Ana Wren.", "By the fire, it was plain, sat the stranger, Ana Wren."),
        ("She had been a woman by the fire.", "As was plain she had been a quiet and old woman by the fire."),
        ("She was a quiet old woman by the fire.", "As was plain she was a tall quiet old woman by the fire."),
        ("In the morning, Ana Wren looked at the fire.", "At that in the morning Ana Wren looked at the fire."),
        ("The lamp was in Saltmouth.", "At that the old lamp was in Saltmouth."),
        ("It means “Look at the fire”.", "And so it means ‘Look at the fire’."),
    ],
)
def test_what_the_book_says_of_somebody_may_be_said(text: str, quote: str) -> None:
    assert isinstance(passages(quote).checked(Draft(text, 1, quote)), Checked)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The stranger by the fire was Mr. Fogg.", "The stranger sat by the fire and looked at Mr. Fogg."),
        ("You have found my mother, Mr. Fogg.", "“Ah, you’ve found my mother,” said Mr. Fogg."),
        ("The stranger, Mrs. Fogg, sat by the fire.", "The stranger sat by the fire and looked at Mrs. Fogg."),
        ("The old stranger Ana Wren sat by the fire.", "The old stranger greeted Ana Wren and sat by the fire."),
        ("The keeper was a very old and wrinkled stranger.", "The keeper saw a very old and wrinkled stranger."),
    ],
)  # fmt: skip
def test_a_title_or_how_old_somebody_is_hides_nobody(text: str, quote: str) -> None:
    assert passages(quote.replace(". ", ".\u00a0")).checked(Draft(text, 1, quote)) in {Cut.IDENTITY, Cut.TURNED}
