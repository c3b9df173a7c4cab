"""Places in another file of the same book: by the last words read, and never further on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.ingest.editions import CORRECTED, Editions, prose_of
from tests.made_books import MadeSection, book_of, chapter, matter

WORDS = (
    "ferry", "lantern", "quay", "harbour", "kettle", "tide", "causeway", "gull", "letter", "bell", "keeper", "salt",
    "kite", "rope", "cellar", "window", "morning", "stair", "market", "orchard", "winter", "copper", "button", "ledger",
    "chapel", "widow", "barrel", "anchor", "candle", "thimble",
)  # fmt: skip


def sentences(seed: int, count: int) -> list[str]:
    """Sentences of our own that stand nowhere else: each has a number in words of its own."""
    rng = random.Random(seed)
    made = []
    for n in range(count):
        own = " ".join(rng.choice(WORDS) for _ in range(rng.randint(5, 16)))
        made.append(f"The {own} of {seed * 1000 + n} was there.")
    return made


CHAPTERS = [sentences(n, 12) for n in range(1, 6)]


def book(*chapters: Sequence[str], first: Sequence[MadeSection] = (), title: str = "") -> BookText:
    return book_of(*first, *(chapter(n, " ".join(own), title) for n, own in enumerate(chapters, start=1)))


OLD = book(*CHAPTERS)


def carried(old: BookText, new: BookText, offset: int) -> int:
    return Editions(prose_of(old, "en"), prose_of(new, "en")).carried(offset)


def start_of(text: BookText, words: str) -> int:
    return text.text.index(words)


def end_of(text: BookText, number: int) -> int:
    return text.chapters[number - 1].span.end


def test_the_same_file_gives_the_same_places() -> None:
    for number in range(1, 6):
        assert carried(OLD, OLD, end_of(OLD, number)) == end_of(OLD, number)
        for sentence in CHAPTERS[number - 1][3:]:
            at = start_of(OLD, sentence)
            assert carried(OLD, OLD, at) == at
            assert carried(OLD, OLD, at + 9) == at
    assert carried(OLD, OLD, 0) == carried(OLD, OLD, OLD.chapters[0].span.start + 5) == 0


def test_the_same_text_set_anew_keeps_every_place() -> None:
    def set_anew(sentence: str) -> str:
        return sentence.replace("the ", "the\n").replace(" was", " — was").replace(".", ".”").upper()

    new = book(*([set_anew(s) for s in own] for own in CHAPTERS), title="A Title of Its Own")
    for number in range(1, 6):
        assert carried(OLD, new, end_of(OLD, number)) == end_of(new, number)
    fifth = set_anew(CHAPTERS[2][5])
    place = carried(OLD, new, start_of(OLD, CHAPTERS[2][5]))
    assert new.chapters[2].span.start < place <= start_of(new, fifth)
    assert start_of(new, fifth) - place < 200


def test_a_corrected_word_before_the_place_takes_the_words_before_it() -> None:
    corrected = [list(own) for own in CHAPTERS]
    corrected[2][4] = corrected[2][4].replace("was there", "were there")
    new = book(*corrected)
    assert carried(OLD, new, start_of(OLD, CHAPTERS[2][5])) == start_of(new, corrected[2][4])
    assert carried(OLD, new, start_of(OLD, CHAPTERS[2][9])) == start_of(new, CHAPTERS[2][9])
    assert carried(OLD, new, end_of(OLD, 3)) == end_of(new, 3)


def test_a_new_introduction_moves_every_place_by_its_length() -> None:
    essay = matter(SectionKind.ESSAY, "Introduction", " ".join(sentences(99, 20)))
    new = book(*CHAPTERS, first=[essay])
    moved = len(new.text) - len(OLD.text)
    for sentence in (CHAPTERS[0][4], CHAPTERS[4][11]):
        assert carried(OLD, new, start_of(OLD, sentence)) == start_of(OLD, sentence) + moved
    assert carried(OLD, new, OLD.body_end) == new.body_end


def test_chapters_split_differently_keep_every_place() -> None:
    whole = [s for own in CHAPTERS for s in own]
    new = book(whole[:7], whole[7:30], whole[30:41], whole[41:])
    for sentence in (whole[6], whole[20], whole[55]):
        assert carried(OLD, new, start_of(OLD, sentence)) == start_of(new, sentence)
    assert carried(OLD, new, end_of(OLD, 2)) == start_of(new, whole[24])
    assert carried(OLD, new, start_of(OLD, whole[30])) == end_of(new, 2)


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_chapter_that_only_the_new_file_has_is_not_counted_as_read(at: int) -> None:
    more = [*CHAPTERS[:at], sentences(77, 12), *CHAPTERS[at:]]
    new = book(*more)
    before = end_of(new, at) if at else 0
    for number in range(at + 1, 6):
        assert carried(OLD, new, end_of(OLD, number)) <= max(before, 0) + CORRECTED
    if at > 1:
        assert carried(OLD, new, end_of(OLD, at - 1)) == end_of(new, at - 1)


def test_chapters_in_another_order_are_read_as_far_as_both_begin_alike() -> None:
    new = book(CHAPTERS[0], CHAPTERS[3], CHAPTERS[1], CHAPTERS[2], CHAPTERS[4])
    for number in (2, 3):
        assert carried(OLD, new, end_of(OLD, number)) <= end_of(new, 1) + CORRECTED


def test_who_finished_has_finished_a_file_that_says_so_at_its_end() -> None:
    new = book(*CHAPTERS[:4], [*CHAPTERS[4], "The end."])
    assert carried(OLD, new, OLD.body_end) == new.body_end
    assert carried(OLD, new, OLD.body_end - 1) < new.body_end


def test_words_that_are_not_found_give_the_start_of_the_same_chapter() -> None:
    other = book(*(sentences(50 + n, 12) for n in range(1, 6)))
    assert carried(OLD, other, start_of(OLD, CHAPTERS[3][6])) == other.chapters[3].span.start
    fewer = book(*(sentences(50 + n, 12) for n in range(1, 3)))
    assert carried(OLD, fewer, start_of(OLD, CHAPTERS[3][6])) == 0


def test_a_chapter_of_the_same_number_that_comes_later_gives_the_start() -> None:
    parts = [(("One", 1),), (("Two", 2),)]
    old = book_of(*(chapter(1, " ".join(CHAPTERS[n]), "", parts[n]) for n in range(2)))
    apart = [chapter(n, " ".join(sentences(60 + n, 12)), "", parts[0]) for n in range(1, 5)]
    new = book_of(*apart, chapter(1, " ".join(sentences(70, 12)), "", parts[1]))
    assert carried(old, new, old.body_end - 20) == 0


@dataclass(frozen=True)
class Change:
    """A new file: its chapters as lists of sentences, of which ``unread`` stand nowhere in the old one."""

    chapters: list[list[str]]
    unread: set[str]


@st.composite
def changes(draw: st.DrawFn) -> Change:
    rng = random.Random(draw(st.integers(0, 10**6)))
    whole = [s for own in CHAPTERS for s in own]
    unread: set[str] = set()
    for number in range(draw(st.integers(0, 3))):
        at, what = rng.randrange(len(whole)), rng.choice(["typo", "cut", "new", "moved"])
        if what == "typo":
            whole[at] = whole[at].replace(" was ", " were ")
        elif what == "cut":
            del whole[at : at + rng.randint(1, 9)]
        elif what == "moved":
            piece = whole[at : at + 8]
            del whole[at : at + 8]
            to = rng.randrange(len(whole))
            whole[to:to] = piece
        else:
            new = sentences(200 + number, rng.randint(3, 15))
            unread |= set(new)
            whole[at:at] = new
    cuts = sorted(rng.sample(range(1, len(whole)), 4))
    edges = zip([0, *cuts], [*cuts, len(whole)], strict=True)
    return Change([whole[a:b] for a, b in edges], unread)


@given(changes(), st.floats(0, 1))
def test_whatever_changed_hardly_a_letter_before_a_place_was_not_read(change: Change, share: float) -> None:
    new, offset = book(*change.chapters), int(OLD.body_end * share)
    place = carried(OLD, new, offset)
    assert 0 <= place <= new.body_end
    read = {s for own in CHAPTERS for s in own if OLD.text.index(s) + len(s) <= offset}
    passed = [s for own in change.chapters for s in own if new.text.index(s) + len(s) <= place]
    unread = [s for s in passed if s.replace(" were ", " was ") not in read]
    assert sum(map(len, unread)) <= 2 * CORRECTED


@given(changes(), st.floats(0.05, 1))
def test_a_place_hangs_on_nothing_that_comes_later_in_either_file(change: Change, share: float) -> None:
    new, offset = book(*change.chapters), int(OLD.body_end * share)
    place = carried(OLD, new, offset)
    if place == 0 or place >= new.body_end:
        return
    met = new.text.index(".", place)  # of the sentence at the place something may have been read
    assert carried(_otherwise(OLD, offset), _otherwise(new, met), offset) == place


def _otherwise(text: BookText, offset: int) -> BookText:
    """The same up to ``offset``, in the same sections; after it every letter is another."""
    after = "".join(chr(219 - ord(c)) if c.islower() else c for c in text.text[offset:])
    return replace(text, text=text.text[:offset] + after)
