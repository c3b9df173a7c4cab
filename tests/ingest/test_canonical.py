from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ingest.canonical import CanonicalBuilder, clean, collapse


def test_every_line_end_becomes_a_line_feed() -> None:
    assert clean("a\r\nb\rc\u2028d\u2029e\x85f\x0cg") == "a\nb\nc\nd\ne\nf\ng"


def test_every_unicode_space_becomes_a_plain_space() -> None:
    assert clean("a\u00a0b\u2003c\u3000d\te\u200af") == "a b c d e f"


def test_invisible_characters_go_and_joiners_stay() -> None:
    assert clean("so\u00adft\u200b\u2060\ufeff\x00\x07") == "soft"
    assert clean("می\u200cخواهم \U0001f469\u200d\U0001f680") == "می\u200cخواهم \U0001f469\u200d\U0001f680"


def test_text_is_composed_even_across_a_removed_character() -> None:
    assert clean("e\u00ad\u0301te\u0301") == "été"


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_cleaning_is_idempotent_and_composed(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cs", "Zl", "Zp"} for c in once)


def test_collapsing_leaves_single_spaces() -> None:
    assert collapse("  a \n\t b\u00a0 ") == "a b"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(alphabet="ab \n", max_size=6), max_size=6))
def test_the_builder_says_where_each_block_stands(blocks: list[str]) -> None:
    builder = CanonicalBuilder()
    spans = []
    for block in blocks:
        promised = builder.next_start()
        spans.append(builder.add(block))
        assert spans[-1].start == promised
    text = builder.text()
    assert len(builder) == len(text)
    assert text == text.strip()
    assert [span.of(text) for span in spans] == [block.strip() for block in blocks]
