"""A later identity joins two cards only for readers past the sentence that says so: by a model's notes, and without."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from bot.core.answer import Answer
from bot.core.book import BookText
from bot.core.chat_model import ModelRequest
from bot.core.club import private_to
from bot.core.remembering import chapter_remembered
from bot.core.search import Asked, Searching
from bot.core.wanted import Who
from bot.core.who import who
from bot.core.writing import Writing
from tests.core.test_remembering import Note, noted
from tests.fakes.chat_model import FakeModel
from tests.fakes.library import end_of, in_memory
from tests.made_books import book_of, chapter

FIRST: Final = (
    "In those days Ana Wren kept the tower. The stranger came by the ferry at night. Mr. Fogg saw the stranger."
)
SECOND: Final = "In the morning Ana Wren walked to the mill. Corwin Ash was seen there, and old Corwin Ash sang."
CAME: Final[Note] = (
    "The stranger came by the ferry.", "The stranger came by the ferry at night", "the stranger", ""
)  # fmt: skip
SANG: Final[Note] = ("Old Corwin Ash sang.", "old Corwin Ash sang", "Corwin Ash", "")
ERST: Final = "Damals hielt Ana Wren den Turm. Der Fremde kam nachts mit der Fähre. Herr Fuchs sah den Fremden."
ZWEIT: Final = "Am Morgen ging Ana Wren zur Mühle. Gregor Wald sang dort ein altes Lied."
KAM: Final[Note] = ("Der Fremde kam mit der Fähre.", "Der Fremde kam nachts mit der Fähre", "der Fremde", "")
LIED: Final[Note] = ("Gregor Wald sang dort ein altes Lied.", "Gregor Wald sang dort ein altes Lied", "Gregor Wald", "")


def bearing_out(sent: set[str], request: ModelRequest) -> str:
    """A reader that bears out what was sent and nothing else: that is not what joins two."""
    said = re.findall(r"<sentence>(.*?)</sentence>", request.question)
    found = [{"claim": n, "supported": html.unescape(text) in sent} for n, text in enumerate(said, start=1)]
    return json.dumps({"verdicts": found})


async def cards(book: BookText, notes: dict[int, list[Note]], name: str, *, model: bool = True) -> list[Answer | None]:
    """The card of ``name`` for readers who have finished chapters 2 and 3; None where nobody is known by it."""
    library = in_memory()
    own = await library.add(book)
    sent = {text for listed in notes.values() for text, *_ in listed}
    writing = Writing(FakeModel(lambda request: noted(request, notes), partial(bearing_out, sent)))
    for ordinal in (1, 2, 3) if model else ():
        memory = await chapter_remembered(library.doors, writing, own, ordinal, lambda _: None)
        library.shelf.of(own).memory[ordinal] = memory
    found = []
    for finished in (2, 3):
        member = await library.place("ana", own, end_of(book, finished))
        searching = Searching(library.doors, writing=writing if model else None)
        reply = await who(searching, Asked(own, name, private_to(member.id)), Who(name))
        found.append(reply.outcome if isinstance(reply.outcome, Answer) else None)
    return found


def told(card: Answer | None) -> set[str]:
    return set() if card is None else {claim.text for claim in card.claims}


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The stranger was Corwin Ash.", "The stranger was Corwin Ash."),
        ("“I am Corwin Ash,” said the stranger.", "The stranger was Corwin Ash."),
        ("The stranger called himself Corwin Ash.", "The stranger called himself Corwin Ash."),
        ("The stranger was none other than Corwin Ash.", "The stranger was none other than Corwin Ash."),
        ("The real name of the stranger was Corwin Ash.", "The real name of the stranger was Corwin Ash."),
        ("The stranger, who was Corwin Ash, bowed.", "The stranger was Corwin Ash."),
    ],
)
async def test_a_description_and_a_name_are_one_for_who_has_read_the_sentence(sentence: str, claim: str) -> None:
    book = book_of(
        chapter(1, FIRST), chapter(2, SECOND), chapter(3, f"At noon it came out. {sentence} The mill burned.")
    )
    notes = {1: [CAME], 2: [SANG], 3: [(claim, sentence.rstrip("."), "the stranger", "Corwin Ash")]}
    before, after = await cards(book, notes, "Corwin Ash")
    assert CAME[0] not in told(before)
    assert CAME[0] in told(after)
    before, after = await cards(book, notes, "the stranger")
    assert told(before) == {CAME[0]}
    assert {CAME[0], SANG[0]} <= told(after)


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("Perhaps the stranger was Corwin Ash.", "The stranger was Corwin Ash."),
        ("Some said that the stranger was Corwin Ash.", "The stranger was Corwin Ash."),
        ("The brother of the stranger was Corwin Ash.", "The stranger was Corwin Ash."),
        ("The stranger was not Corwin Ash.", "The stranger was Corwin Ash."),
        ("“I am Corwin Ash’s friend,” said the stranger.", "The stranger was Corwin Ash."),
        ("“I am Corwin Ash,” said Mr. Fogg to the stranger.", "The stranger was Corwin Ash."),
        ("The stranger met Corwin Ash.", "The stranger met Corwin Ash."),
    ],
)
async def test_a_description_and_a_name_stay_two_where_nothing_says_that_they_are_one(
    sentence: str, claim: str
) -> None:
    book = book_of(
        chapter(1, FIRST), chapter(2, SECOND), chapter(3, f"At noon it came out. {sentence} The mill burned.")
    )
    notes = {1: [CAME], 2: [SANG], 3: [(claim, sentence.rstrip("."), "the stranger", "Corwin Ash")]}
    for card in await cards(book, notes, "Corwin Ash"):
        assert card is not None
        assert CAME[0] not in told(card)


async def test_words_that_were_somebody_elses_before_are_nobody_elses_there() -> None:
    book = book_of(
        chapter(1, f"{FIRST} It came out that the stranger was Ana Wren."),
        chapter(2, f"{SECOND} The stranger sat in the tower."),
        chapter(3, "At noon it came out. The stranger was Corwin Ash. The mill burned."),
    )
    sat: Note = ("The stranger sat in the tower.", "The stranger sat in the tower", "the stranger", "")
    first: Note = ("The stranger was Ana Wren.", "the stranger was Ana Wren", "the stranger", "Ana Wren")
    last: Note = ("The stranger was Corwin Ash.", "The stranger was Corwin Ash", "the stranger", "Corwin Ash")
    notes = {1: [CAME, first], 2: [SANG, sat], 3: [last]}
    _, corwin = await cards(book, notes, "Corwin Ash")
    assert {SANG[0], sat[0], last[0]} <= told(corwin)
    assert CAME[0] not in told(corwin)
    _, ana = await cards(book, notes, "Ana Wren")
    assert {CAME[0], first[0]} <= told(ana)
    assert sat[0] not in told(ana)


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Fremde war Gregor Wald.",
        "Der Fremde hieß Gregor Wald.",
        "Der Fremde war niemand anderer als Gregor Wald.",
        "Der wahre Name des Fremden war Gregor Wald.",
        "Der Fremde nannte sich Gregor Wald.",
    ],
)
async def test_in_german_too(sentence: str) -> None:
    book = book_of(chapter(1, ERST), chapter(2, ZWEIT), chapter(3, f"Am Mittag kam es heraus. {sentence} Es regnete."))
    book = replace(book, language="de")
    notes = {1: [KAM], 2: [LIED], 3: [(sentence, sentence.rstrip("."), "der Fremde", "Gregor Wald")]}
    before, after = await cards(book, notes, "Gregor Wald")
    assert KAM[0] not in told(before)
    assert KAM[0] in told(after)


@pytest.mark.parametrize("sentence", ["Der Fremde war nicht Gregor Wald.", "Der Bruder des Fremden war Gregor Wald."])
async def test_nor_in_german_without_it(sentence: str) -> None:
    book = book_of(chapter(1, ERST), chapter(2, ZWEIT), chapter(3, f"Am Mittag kam es heraus. {sentence} Es regnete."))
    book = replace(book, language="de")
    notes = {1: [KAM], 2: [LIED], 3: [("Der Fremde war Gregor Wald.", sentence, "der Fremde", "Gregor Wald")]}
    assert all(KAM[0] not in told(card) for card in await cards(book, notes, "Gregor Wald"))


@pytest.mark.parametrize(
    ("sentence", "joined"),
    [
        ("Corwin Ash was no other than Oswin Fogg.", True),
        ("The real name of Corwin Ash was Oswin Fogg.", True),
        ("“My name is Oswin Fogg,” said Corwin Ash.", True),
        ("Perhaps Corwin Ash was no other than Oswin Fogg.", False),
        ("Corwin Ash was the friend of Oswin Fogg.", False),
    ],
)
async def test_without_a_model_two_names_are_one_for_who_has_read_the_sentence(sentence: str, joined: bool) -> None:
    second = f"{SECOND} He met Oswin Fogg there, and Oswin Fogg wept."
    book = book_of(
        chapter(1, FIRST), chapter(2, second), chapter(3, f"At noon it came out. {sentence} The mill burned.")
    )
    before, after = await cards(book, {}, "Corwin Ash", model=False)
    assert before is not None
    assert after is not None
    assert before.card is not None
    assert after.card is not None
    assert "Oswin Fogg" not in before.card.names
    assert ("Oswin Fogg" in after.card.names) is joined
