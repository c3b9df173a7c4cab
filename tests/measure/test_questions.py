"""Questions: their file, their book, and where their evidence stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.chapters import Chapter, ChapterMap
from bot.core.errors import Refused
from bot.core.offsets import Span
from bot.core.verbatim import Searchable, verbatim
from bot.measure.questions import Question, book_file, held, located, read_questions

TEXT = "One\n\nThe lamp was out. “Who’s there?” she  said.\n\nTwo\n\nNobody answered\u2014the lamp was out.\n\n"
MAP = ChapterMap(len(TEXT), 0, len(TEXT), (Chapter(1, 1, (), 0, 50), Chapter(2, 2, (), 50, len(TEXT))))


def question(**values: object) -> Question:
    return Question(**{"id": "q", "book": "b", "text": "Why?"} | values)  # type: ignore[arg-type]


def test_typography_is_no_difference_between_verbatim_texts() -> None:
    assert verbatim("“Who’s\u00a0there?”\n \u200bshe\u2014said") == '"Who\'s there?" she-said'


def test_a_stretch_is_found_whatever_its_quotes_and_spaces_and_its_span_is_of_the_canonical_text() -> None:
    (place,) = Searchable(TEXT).places('"Who\'s there?"   she said.')
    assert place.of(TEXT) == "“Who’s there?” she  said."


@given(st.text(alphabet="ab “'\u200b\n—-", max_size=30), st.integers(0, 30), st.integers(1, 30))
def test_every_stretch_of_a_text_is_found_in_it(text: str, start: int, size: int) -> None:
    wanted = verbatim(text[start : start + size])
    spans = list(Searchable(text).places(wanted))
    assert bool(spans) == bool(wanted)
    assert all(verbatim(span.of(text)) == wanted for span in spans)


def test_of_several_places_of_the_evidence_the_named_chapter_counts() -> None:
    place = located(question(evidence="the lamp was out.", chapter=2), Searchable(TEXT), MAP)
    assert place is not None
    assert place.evidence is not None
    assert place.evidence.start > 50
    assert (place.met, place.before, place.end) == (len(TEXT), 50, len(TEXT))


def test_evidence_that_is_not_in_the_book_is_lost_and_not_hidden() -> None:
    assert located(question(evidence="a door"), Searchable(TEXT), MAP) is None


def test_a_question_answered_in_the_first_chapter_is_tested_before_anything_is_read() -> None:
    place = located(question(evidence="Who's there?", chapter=1, before=0), Searchable(TEXT), MAP)
    assert place is not None
    assert (place.met, place.before) == (50, 0)


def test_a_question_without_an_answer_is_tested_at_the_end_of_the_book() -> None:
    place = located(question(), Searchable(TEXT), MAP)
    assert place is not None
    assert (place.evidence, place.met, place.before) == (None, None, len(TEXT))


def test_chapters_are_counted_from_the_evidence_where_the_edition_has_another_number_of_them() -> None:
    # the question was made for an edition without the first chapter
    place = located(question(evidence="Nobody answered", chapter=1, before=0, chapters=1), Searchable(TEXT), MAP)
    assert place is not None
    assert place.before == 50


def test_evidence_is_held_where_half_of_it_lies_in_one_passage() -> None:
    evidence = Span(100, 200)
    assert held(evidence, [Span(0, 150)])
    assert not held(evidence, [Span(0, 149), Span(160, 209)])


def test_a_file_of_questions_is_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    value = {"id": 1, "book": "b", "question": "Who?", "evidence": "she", "answerable_from_chapter": 3}
    file.write_text(json.dumps(value) + "\n\n", "utf-8")
    (only,) = read_questions(file)
    assert (only.id, only.before, only.answerable) == ("1", 2, True)
    file.write_text(json.dumps(value) + "\nnonsense\n", "utf-8")
    with pytest.raises(Refused, match=r"Line 2 of q\.jsonl"):
        read_questions(file)


def test_a_book_is_found_by_its_name_or_by_the_beginning_of_one_name(tmp_path: Path) -> None:
    for name in ("lamp.pdf", "lamp.txt", "door_1.latin1.txt", "door_1.json", "wall_1.txt", "wall_2.txt"):
        (tmp_path / name).touch()
    assert book_file(tmp_path, "lamp").name == "lamp.pdf"
    assert book_file(tmp_path, "door").name == "door_1.latin1.txt"
    for name, how_many in (("wall", "2 book files"), ("roof", "no book file")):
        with pytest.raises(Refused, match=how_many):
            book_file(tmp_path, name)
