"""A small word in another's place makes something else of what is quoted."""

from __future__ import annotations

import pytest

from bot.core.streamed_claims import Draft
from bot.core.verify import Checked, Cut
from tests.core.test_verify import passages

CUT = {Cut.TURNED, Cut.UNBACKED, Cut.IDENTITY}


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("He carried the heavy stick before supper.", "He carried the heavy stick, a little after supper."),
        ("All of the boats lay at the quay.", "Some of the boats, it was plain, lay at the quay."),
        ("A very old man came to the quay.", "A very old woman in a cloak came to the quay."),
        ("Mrs. Fogg warmly thanked the keeper.", "Mr. Fogg came and warmly thanked the keeper."),
        ("Ana Wren came with his hair down.", "Ana Wren came out with her hair down."),
        ("She was drowned at noon.", "He was drowned, they knew, at noon."),
        ("He called through the door.", "“Did you do it, Magnus?” she called through the door."),
        ("I was teaching the dog to swim.", "At that time she was teaching the old dog to swim."),
        ("Ana Wren will stand on the quay.", "Ana Wren, it was plain, stood on the quay."),
        ("Ana Wren made an answer to it.", "Ana Wren made no answer to it."),
    ],
)
def test_before_is_not_after_and_he_is_not_she(text: str, quote: str) -> None:
    told = passages(quote.replace(". ", ".\u00a0"), "All of the lamps burned low.")
    assert told.checked(Draft(text, 1, quote)) in CUT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The keeper appreciated the fact of it.", "The keeper failed to appreciate the fact of it."),
        ("Ana Wren married the keeper.", "Ana Wren was asked to marry the keeper."),
        ("Another keeper confided in me.", "My delicacy prevented me from forcing another keeper to confide in me."),
        ("He was a bit shrunk.", "He did look to me to be a bit shrunk."),
        ("The stranger came to the quay.", "Instead of the stranger an old woman came to the quay."),
        ("You are the daughter of the keeper.", "I guess you are the daughter of the keeper."),
        ("He was lying with the old farmer.", "He wished that he, too, was lying with the old farmer."),
        ("He had departed a rich farmer.", "Rumour reported that he fell, and that he had departed a rich farmer."),
        ("She would leave it out of the reading.", "I would work it off, if she’d leave it out of the reading."),
        ("My health forbade me the quay.", "My health forbade me the quay unless the sun shone."),
        ("They must mend or burn all boats.", "If she rows away at noon, they must then mend or burn all the boats."),
        ("They must mend all boats.", "If she rows away, they then must mend all the boats, and what she would like."),
        ("It is all yours, it is plain.", "If there are forty of us, it is plain, it is all yours."),
    ],
)  # fmt: skip
def test_what_is_refused_meant_or_depends_on_something_is_not_told_as_done(text: str, quote: str) -> None:
    assert passages(quote).checked(Draft(text, 1, quote)) in CUT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Stangerson was an incident of the night.", "The murder of Stangerson was an incident of the night."),
        ("Ana was shot by the quay.", "Ana’s horse was shot by the quay."),
        ("Ana proposed that she should go.", "He turned to Ana, and proposed that she should go."),
        ("Wren had the trunk.", "Wren had unpacked, and the hens have the trunk."),
        ("Fogg is locked up on the quay.", "Then Magnus Thrale is locked up on the quay for what Fogg did."),
    ],
)
def test_what_is_done_to_whose_it_is_is_not_done_to_them(text: str, quote: str) -> None:
    assert passages(quote).checked(Draft(text, 1, quote)) in CUT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Lestrade was murdered at the quay.", "“The keeper,” said Lestrade gravely, “was murdered at the quay.”"),
        ("Magnus ran to the door.", "“Did you do it, Magnus?” she cried and ran to the door."),
        ("The narrator came for a month.", "“I came for a month,” said Wren, “to oblige a friend.”"),
        ("The narrator says that I came for a month.", "“I came for a month,” said Wren, “to oblige a friend.”"),
        ("The narrator, on that quay, came for a month.", "On that quay “I came for a month,” said Wren."),
        ("The narrator came to that quay.", "“I came, said he, to that quay,” Wren said; and the quay was cold."),
        ("The narrator says that the keeper is dead.", "“The keeper is dead,” said Wren to the boatman."),
    ],
)
def test_who_says_it_aloud_is_neither_the_narrator_nor_who_it_is_said_of(text: str, quote: str) -> None:
    assert passages(quote).checked(Draft(text, 1, quote)) in CUT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Der Fremde kam nach dem Essen.", "Der Fremde, so sah man, kam vor dem Essen."),
        ("Frau Wren kam ans Feuer.", "Herr Wren kam endlich ans Feuer."),
        ("Der Vater kam ans Feuer.", "Der Vater weigerte sich und kam nicht ans Feuer."),
        ("Am Feuer hing Gregor.", "Am Feuer hing endlich ein Bild Gregors."),
        ("Es war die Trauer über sein Zimmer.", "Er dachte, es sei die Trauer über sein Zimmer."),
        ("Er reinigte das Zimmer am Morgen.", "Er bat, das Zimmer zu reinigen, am Morgen."),
    ],
)
def test_so_it_is_in_german(text: str, quote: str) -> None:
    assert passages(quote, language="de").checked(Draft(text, 1, quote)) in CUT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Ana stood by the quay after supper.", "Ana’s horse fell, and Ana stood by the quay after supper."),
        ("The stranger was Corwin Ash.", "“I am Corwin Ash,” said the stranger."),
        ("The narrator says that the lamp burned low.", "The lamp burned low, and “Come,” said Wren."),
        ("Ana Wren wants to marry the keeper.", "Ana Wren, it was plain, wants to marry the keeper."),
        ("If she came it was hers.", "Then if she came it was hers, it was plain."),
    ],
)  # fmt: skip
def test_what_changes_nothing_may_be_said(text: str, quote: str) -> None:
    assert isinstance(passages(quote).checked(Draft(text, 1, quote)), Checked)
