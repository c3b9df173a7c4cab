from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ingest.number_words import Family
from bot.ingest.numerals import NumeralStyle, cjk_value, leading_words, parse_numeral, roman_value


def _roman(number: int) -> str:
    table = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    text = ""
    for value, letters in table:
        count, number = divmod(number, value)
        text += letters * count
    return text


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 399))
def test_roman_numerals_read_back_in_both_cases(number: int) -> None:
    assert roman_value(_roman(number)) == number
    if number < 40:
        assert roman_value(_roman(number).lower()) == number


@pytest.mark.parametrize(("text", "value"), [("IIII", 4), ("VIIII", 9), ("XXXX", 40), ("LXXXX", 90), ("Ⅻ", 12)])
def test_old_and_full_width_roman_numerals_are_read(text: str, value: int) -> None:
    numeral = parse_numeral(text)
    assert numeral is not None
    assert numeral.value == value


@pytest.mark.parametrize("text", ["mix", "civil", "vivid", "DIM", "IC", "VX", "IIX", "", "I am", "Mild"])
def test_words_and_wrong_numerals_are_not_roman(text: str) -> None:
    assert roman_value(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("两百零三", 203),
        ("壹百", 100),
        ("二〇三", 203),
        ("廿四", 24),
        ("卅", 30),
        ("十", 10),
        ("拾贰", 12),
        ("一百一十", 110),
        ("一千零一", 1001),
        ("一万二千", 12000),
        ("兩", 2),
    ],
)
def test_chinese_numbers_are_read(text: str, value: int) -> None:
    assert cjk_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Twenty-One", 21),
        ("one hundred and seventeen", 117),
        ("Erstes", 1),
        ("zweiundzwanzigste", 22),
        ("Siebentes", 7),
        ("Première", 1),
        ("quatre-vingt-dix-neuvième", 99),
        ("vingt et unième", 21),
        ("cinquième", 5),
        ("Décimo séptimo", 17),
        ("vigésima primera", 21),
        ("ventunesimo", 21),
        ("ottavo", 8),
        ("Primeira", 1),
        ("éénentwintigste", 21),
        ("dwudziesty pierwszy", 21),
        ("двадцать первая", 21),
        ("Третья", 3),
        ("tjugoförsta", 21),
        ("πρώτο", 1),
        ("Birinci", 1),
    ],
)
def test_number_words_of_many_languages_are_read(text: str, value: int) -> None:
    numeral = parse_numeral(text)
    assert numeral is not None
    assert (numeral.value, numeral.printed, numeral.style) == (value, str(value), NumeralStyle.WORD)


def test_a_number_is_printed_as_it_stands_when_roman_or_arabic() -> None:
    assert [n.printed for n in map(parse_numeral, ("XII", "012", "１２", "xii")) if n] == ["XII", "012", "12", "xii"]


def test_number_words_keep_to_the_languages_asked_for() -> None:
    assert leading_words("to the sea", frozenset({Family.ENGLISH})) is None
    assert leading_words("once upon", frozenset({Family.ENGLISH})) is None


def test_the_longest_number_phrase_is_taken() -> None:
    found = leading_words("One Hundred and Five. The Lamp")
    assert found is not None
    assert (found[0].value, found[1]) == (105, 20)
