from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.book import PageMark, SectionKind
from bot.core.errors import FileRefused
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.labels import label_kind
from bot.ingest.sections import assemble

BODY, FRONT, ESSAY = SectionKind.BODY, SectionKind.FRONT, SectionKind.ESSAY


def _draft(*pieces: tuple[str, dict[str, object]]) -> BookDraft:
    """A book of blocks, each the start of a section made with the keywords beside it."""
    text, sections = "", []
    for block, keywords in pieces:
        text += "\n\n" if text else ""
        sections.append(SectionDraft(start=len(text), **{"kind": BODY, **keywords}))  # type: ignore[arg-type]
        text += block
    return BookDraft(text, tuple(sections))


def test_sections_partition_the_text_and_chapters_count_from_one() -> None:
    book = assemble(
        _draft(
            ("By N. O. Body", {"kind": FRONT}),
            ("Chapter 1\n\nA.", {"title": "Chapter 1", "heading_end": 24, "starts_chapter": True, "printed": "1"}),
            ("Chapter 2\n\nB.", {"title": "Chapter 2", "starts_chapter": True}),
            ("Notes", {"kind": SectionKind.NOTES}),
        )
    )
    assert "".join(section.span.of(book.text) for section in book.sections) == book.text
    assert [section.chapter for section in book.sections] == [None, 1, 2, None]
    assert book.sections[1].heading_end == 24
    assert book.sections[2].heading_end == book.sections[2].span.end
    assert book.body_end == book.sections[2].span.end


def test_everything_but_body_is_sealed_and_a_preview_is_never_revealed() -> None:
    book = assemble(
        _draft(
            ("Introduction", {"kind": ESSAY}),
            ("One.", {"starts_chapter": True}),
            ("About the Author", {"kind": SectionKind.BACK}),
            ("Next book", {"kind": SectionKind.PREVIEW}),
        )
    )
    assert [section.revealed_at for section in book.sections] == [
        book.body_end,
        book.sections[1].span.end,
        book.body_end,
        len(book.text) + 1,
    ]


def test_a_footnote_opens_at_the_end_of_the_chapter_of_its_marker() -> None:
    book = assemble(
        _draft(
            ("One.", {"starts_chapter": True}),
            ("[1] A note.", {"kind": SectionKind.FOOTNOTES, "marker": 2}),
            ("Still one.", {}),
            ("Two.", {"starts_chapter": True}),
            ("[2] Lost.", {"kind": SectionKind.FOOTNOTES}),
        )
    )
    assert book.sections[1].revealed_at == book.sections[2].span.end
    assert book.sections[4].revealed_at == book.body_end


def test_body_before_the_first_chapter_is_sealed_unless_it_is_a_parts_title_page() -> None:
    book = assemble(
        _draft(
            ("An essay taken for body.", {}),
            ("PART I", {"title": "PART I", "parts": (("PART I", 1),)}),
            ("One.", {"starts_chapter": True, "parts": (("PART I", 1),)}),
        )
    )
    assert [section.kind for section in book.sections] == [SectionKind.UNKNOWN, BODY, BODY]
    assert book.sections[0].revealed_at == book.body_end


def test_an_essay_behind_a_parts_title_is_sealed() -> None:
    book = assemble(
        _draft(("PART I\n\n" + "word " * 900 + "end", {"title": "PART I"}), ("One.", {"starts_chapter": True}))
    )
    assert book.sections[0].kind is SectionKind.UNKNOWN


def test_body_without_a_heading_after_a_preview_belongs_to_it() -> None:
    book = assemble(_draft(("One.", {"starts_chapter": True}), ("Next.", {"kind": SectionKind.PREVIEW}), ("More.", {})))
    assert book.sections[2].revealed_at == len(book.text) + 1
    assert book.body_end == book.sections[0].span.end


def test_body_after_back_matter_opens_at_its_own_end() -> None:
    book = assemble(
        _draft(
            ("One.", {"starts_chapter": True}),
            ("Notes.", {"kind": SectionKind.NOTES}),
            ("Two.", {"starts_chapter": True}),
        )
    )
    assert book.sections[1].revealed_at == book.sections[2].span.end == book.body_end


def test_part_numbers_are_printed_ones_or_ordinals_among_siblings() -> None:
    chapter = {"starts_chapter": True}
    paths: list[tuple[tuple[str, int | None], ...]] = [
        (("Book One", 1), ("Dawn", None)),
        (("Book One", 1), ("Noon", None)),
        (("Book Three", 3), ("Dawn", None)),
        (("The End of It", None),),
    ]
    book = assemble(_draft(*((f"Text {n}.", {**chapter, "parts": path}) for n, path in enumerate(paths))))
    assert [[part.number for part in section.parts] for section in book.sections] == [[1, 1], [1, 2], [3, 1], [3]]


def test_a_book_without_body_or_text_is_refused() -> None:
    for draft in (_draft(("Cover", {"kind": FRONT})), _draft(("Stray body", {})), BookDraft("", ())):
        with pytest.raises(FileRefused) as refused:
            assemble(draft)
        assert refused.value.code == "no_text"


@pytest.mark.parametrize(
    "draft",
    [
        BookDraft("One two", (SectionDraft(BODY, 1, starts_chapter=True),)),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True), SectionDraft(BODY, 0))),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True), SectionDraft(BODY, 3))),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True), SectionDraft(BODY, 7))),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True, heading_end=9),)),
        BookDraft("One two ", (SectionDraft(BODY, 0, starts_chapter=True),)),
        BookDraft("One\r\ntwo", (SectionDraft(BODY, 0, starts_chapter=True),)),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True),), pages=(PageMark("1", 8),)),
        BookDraft("One two", (SectionDraft(BODY, 0, starts_chapter=True, marker=99),)),
    ],
)
def test_a_draft_that_breaks_a_rule_is_a_bug_of_its_reader(draft: BookDraft) -> None:
    with pytest.raises(ValueError, match=r"\d|canonical"):
        assemble(draft)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(list(SectionKind)), st.booleans()), min_size=1, max_size=9))
def test_any_order_of_kinds_partitions_the_text_and_reveals_body_in_order(
    kinds: list[tuple[SectionKind, bool]],
) -> None:
    draft = _draft(
        *((f"Block {n}.", {"kind": kind, "starts_chapter": starts}) for n, (kind, starts) in enumerate(kinds))
    )
    try:
        book = assemble(draft)
    except FileRefused:
        assert not any(kind is BODY and starts for kind, starts in kinds)
        return
    assert "".join(section.span.of(book.text) for section in book.sections) == book.text
    assert [section.chapter for section in book.chapters] == list(range(1, len(book.chapters) + 1))
    for section in book.sections:
        assert section.revealed_at >= (section.span.end if section.kind is BODY else book.body_end)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("INTRODUCTION.", ESSAY),
        ("Introduction by A. Critic", ESSAY),
        ("Vorwort", ESSAY),
        ("Préface de l’éditeur", ESSAY),
        ("Dramatis Personae", ESSAY),
        ("Действующие лица", ESSAY),
        ("后记", ESSAY),
        ("Afterword", ESSAY),
        ("CONTENTS", SectionKind.CONTENTS),
        ("Inhalt", SectionKind.CONTENTS),
        ("目次", SectionKind.CONTENTS),
        ("List of Plates", SectionKind.CONTENTS),
        ("Notes", SectionKind.NOTES),
        ("Anmerkungen", SectionKind.NOTES),
        ("Appendix II", SectionKind.BACK),
        ("About the Author", SectionKind.BACK),
        ("Also by N. O. Body", SectionKind.BACK),
        ("Copyright", FRONT),
        ("An Excerpt from The Next One", SectionKind.PREVIEW),
        ("Read on for a sneak peek", SectionKind.PREVIEW),
        ("Leseprobe", SectionKind.PREVIEW),
        ("Chapter 2. The Index", BODY),
        ("Part One", BODY),
        ("Prologue", BODY),
        ("12. Notes", None),
        ("Silver Blaze", None),
        ("Coming Home", None),
        ("", None),
    ],
)
def test_a_label_says_what_its_section_is_and_a_number_beats_words(label: str, kind: SectionKind | None) -> None:
    assert label_kind(label) is kind
