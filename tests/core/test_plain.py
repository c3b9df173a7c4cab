"""A model's sentence as plain text."""

from __future__ import annotations

import pytest

from bot.core.plain import LONGEST, plain_sentence

PASSAGE = "Ana Wren stood on the quay at Saltmouth; the façade was white. “Come,” said Mr. Fogg – 3 o’clock."


@pytest.mark.parametrize(
    "text",
    ["Ana stood on the quay.", "Mr. Fogg said “Come” at 3 o’clock – so it was; who knows?", "The façade was white!",
     "Naïve readers, too, may be quoted (once)."],
)  # fmt: skip
def test_a_plain_sentence_is_itself(text: str) -> None:
    assert plain_sentence(text, (PASSAGE,)) == text


def test_white_space_is_made_single() -> None:
    assert plain_sentence("  Ana\n\tstood\u2003there. ", (PASSAGE,)) == "Ana stood there."


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "...", "Ana || stood ||", "`Ana` stood", "*Ana* stood", "<b>Ana</b>", "Ana # stood", "@everyone Ana",
        "[Ana](here)", "https://ana.example", "www.ana.example", "Ana\u200b stood", "Ana\u2060 stood", "\u202eanA",
        "Ana\x00 stood", "Ana\x1b[31m stood", "Аna stood", "Ana stооd", "Ана стояла", "Ａｎａ stood", "𝐀𝐧𝐚 stood",
        "A\u0336n\u0336a stood", "Ana \U0001f480", "Ana stood ﬁrst", "Ana \ue000 stood", "x" * (LONGEST + 1),
        "Ana\U000e0041 stood", "安娜站着",
    ],
)  # fmt: skip
def test_what_hides_breaks_out_or_is_in_other_letters_is_none(text: str) -> None:
    assert plain_sentence(text, (PASSAGE,)) is None


@pytest.mark.parametrize(
    "text",
    ["Ana stood :-(", "Ana stood :(", "Ana stood. .-. -. .-", "Ana stood ... --- ...", "Ana stood!?!?!?", "Ana (!).",
     "Ana stood$$$.", "Ana stood & & &.", "Ana stood °.", "Ana stood “”“”.", "Ana — — — stood.", "Ana ·–· stood.",
     "Ana stood for 3%.", "Ana stood for -3.", "Ana stood for ٣.", "Ana stood for ↀ.", "Ana.stood there.", "Ana /to."],
)  # fmt: skip
def test_marks_that_tell_something_by_themselves_are_none(text: str) -> None:
    assert plain_sentence(text, (PASSAGE,)) is None


@pytest.mark.parametrize(
    "text",
    ["“Come!” said Ana, “or—what?”", "Ana (so it is said) stood -- at the quay...", "‘Come,’—he said … and stood.",
     "“‘Come!’ he said.”", "Ana stood; Mr. Fogg, at 3 p.m., did not!", "« Come », Ana ?"],
)  # fmt: skip
def test_usual_marks_are_plain(text: str) -> None:
    assert plain_sentence(text, (PASSAGE, "3 p.m.")) == text


def test_marks_stand_as_in_the_passage() -> None:
    assert plain_sentence("Ana stood . . . and fell 3% of -3.", ("Ana stood . . . and fell by 3% of -3.",)) is not None


def test_of_the_question_letters_alone_may_be_used() -> None:
    assert plain_sentence("Ana été.", (PASSAGE,), "été?") is not None
    for text, asked in (("Ana \U0001f480", "\U0001f480?"), ("A\u0336na", "x\u0336"), ("Ana \U0001d400", "\U0001d400")):
        assert plain_sentence(text, (PASSAGE,), asked) is None


def test_what_the_passage_has_the_sentence_may_have() -> None:
    assert plain_sentence("「Ｋ」は先生の友人である。", ("先生と「Ｋ」は友人である",)) is not None
    assert plain_sentence("می\u200cرود.", ("او می\u200cرود",)) is not None
    assert plain_sentence("Он пришёл.", ("Он пришёл домой",)) is not None


def test_two_scripts_in_one_word_are_none_even_where_the_passage_has_both() -> None:
    assert plain_sentence("Аna stood.", ("Ana and Анна",)) is None
    assert plain_sentence("東京タワーへ行く。", ("東京タワーへ行く",)) is not None
