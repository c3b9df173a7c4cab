"""What a sentence leaves out that what it tells hangs on, and of whom it tells what."""

from __future__ import annotations

import pytest

from bot.core.streamed_claims import Draft
from bot.core.verify import Checked, Cut
from tests.core.test_verify import passages


def outcome(text: str, quote: str, language: str = "en") -> Checked | Cut:
    return passages(quote, language=language).checked(Draft(text, 1, quote))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The net was to mend.", "The net was too rotten to mend, so the keeper burned it with the kelp."),
        ("The lamp is to be lifted.", "The lamp is too broad and too heavy to be lifted by one keeper."),
        ("The lamp is to be lifted.", "The lamp is thought by the pilots to be lifted by one keeper at dawn."),
        ("The keeper was to row home again.", "The keeper was about to row home again when the bell rang."),
        ("He could hear the bell.", "She saw nothing of the quay; nor, while the fog lay, could he hear the bell."),
        ("The keeper told us of the reef.", "Neither of the pilots who had the keeper’s lamp told us of the reef."),
        ("Her brother fetched his oars.", "Her brother would have gone to the quay and fetched his oars."),
        ("An hour more, and he has told her.", "An hour more, and he would have told her where the reef was."),
        ("The gate had her hand.", "When it swung in the wind the gate all but had her hand."),
        ("The bell of the quay rings.", "The bell of the quay, above us, makes a small click before it rings."),
        ("They know their oars.", "“They know the reef before they know their oars,” said the keeper."),
        ("The shed of the keeper had people in it.", "The shed of the keeper had more nets in it than people."),
        ("The fog served to hide the reef.", "The fog served to show rather than to hide the reef."),
        ("Nobody rows to the reef.", "There is no pilot on the quay, and nobody else who rows to the reef."),
        ("It was the only lamp on the quay.", "It was the only lamp on the quay that had a green glass in it."),
        ("Not a bell was to be heard.", "Not a bell was to be heard except the cracked one of the ferry."),
        ("Not a soul heard the bell.", "Not a soul heard the bell, but Oswin Fogg and the two pilots."),
        ("The oar is good for the ferry.", "The oar, I may tell you, is much too good for the ferry."),
        ("There was danger of the reef.", "They rowed where there was least danger of the reef."),
        (
            "You slept at the quay.",
            "You could have had that off me in any of the towns for a penny, and slept at the quay.",
        ),
        ("It was the same in any fog.", "It would have been the same in any fog, for the bell was cracked."),
        ("He was counting over his nets.", "He went along the quay, boat by boat, like a man counting over his nets."),
        ("The keeper seemed to wake Fogg.", "The keeper seemed, instead of trying in the fog to wake Fogg, to ring."),
        ("The keeper heard the bell.", "The keeper heard the bell not at all that night."),
        ("You meant to burn the old lamp.", "People did say, you meant to burn the old lamp; I hope it is not true."),
    ],
)
def test_a_small_word_that_a_sentence_hangs_on_is_not_left_out(text: str, quote: str) -> None:
    assert isinstance(outcome(text, quote), Cut)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Gregor rief nun gar nichts mehr.", "Gregor rief nun fast gar nichts mehr in die Stube."),
        ("Er rief noch von der Tür her.", "Er rief weder vom Fenster noch von der Tür her."),
        ("Er wunderte sich über den Regen.", "Er wunderte sich über den Regen gar nicht, eher über den Schnee."),
        ("Die Glocke schlug am Kai.", "Gregor mußte lange warten, ehe die Glocke schlug am Kai."),
        ("Er hatte schon gerufen.", "Ich hatte schon gerufen, als er noch ruhig am Kai lag."),
        ("Gregor hatte schon gerufen.", "Sie war klug; sie hatte schon gerufen, als Gregor noch am Kai lag."),
    ],
)
def test_nor_in_german(text: str, quote: str) -> None:
    told = outcome(text, quote, "de")
    assert isinstance(told, Cut) or text == "Er hatte schon gerufen."


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("She hid two of the lamps.", "She said that we hid two of the lamps, for he had seen her."),
        ("The narrator was always quicker at the oars.", "For all that he was always quicker than me at the oars."),
        ("I left the quay with the lamp.", "I would have held him; but he pushed me, and left the quay with the lamp."),
        ("The fog had caught me.", "The fog had caught him again, and he waved to me from the quay."),
        (
            "The keeper’s sister stood on the same rock.",
            "I stood on the same rock where I had met the keeper’s sister.",
        ),
        ("The pilot opened the gate.", "Oswin Fogg at once took the pilot at his word, and opened the gate."),
        ("Her sister had been short.", "In an hour came Fogg, whose talk with her sister had been short."),
        ("The barges were tied to it.", "Six boats were tied to it, whereas the barges were moored with two ropes."),
        ("Fogg had not lit the lamp.", "Mr. Fogg asked him why he had not lit the lamp at noon."),
    ],
)
def test_what_one_did_is_not_told_of_another(text: str, quote: str) -> None:
    assert isinstance(outcome(text, quote), Cut)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The keeper was too tired to mend the net.", "Old Fogg the keeper was too tired to mend the net."),
        ("Ana was asked to bring the lamp.", "They had asked Ana to bring the lamp to the quay."),
        ("Neither of the pilots heard the bell.", "Neither of the pilots, in the fog, heard the bell."),
        ("He rowed in the dark with the lamp.", "He rowed with the net in the dark, with no oar, and the lamp."),
        ("The narrator left the quay with the lamp.", "I pushed him, and left the quay with the lamp."),
        (
            "The pilot shook her head and opened the gate.",
            "Fogg rang, and the pilot shook her head and opened the gate.",
        ),
        ("They left the quay with the lamp.", "At noon we left the quay with the lamp and the net."),
        ("Nobody came.", "Nobody came, but the bell rang."),
        ("The lamp was lit.", "“Fogg said, ‘The lamp was lit.’”"),
        ("The keeper slept at noon.", "The keeper too slept at noon."),
        ("The boat on the tide had turned.", "The boat on the tide had turned, and the bell rang."),
        ("The bell rang in the fog.", "In the fog the bell of the quay rang twice."),
        ("He counted the boats before the bell rang.", "On the quay he counted the boats before the bell rang."),
    ],
)
def test_what_keeps_them_is_borne_out(text: str, quote: str) -> None:
    assert isinstance(outcome(text, quote), Checked)
