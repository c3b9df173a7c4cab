"""What is an extract of what is quoted, and what only looks like one."""

from __future__ import annotations

import pytest

from bot.core.lists import LANGUAGES, language_of
from bot.core.speech import in_speech
from bot.core.streamed_claims import Draft
from bot.core.verify import Checked, Cut
from bot.core.words import Kind, words
from tests.core.test_verify import passages


def strict(text: str, quote: str, language: str = "en", around: str = "") -> bool:
    """Whether a sentence is shown whatever a second reading says."""
    found = passages(f"{quote} {around}".strip(), language=language).checked(Draft(text, 1, quote))
    return isinstance(found, Checked) and found.strict


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Hope shot Drebber.", "Hope shot Drebber, and the dog ran away."),
        ("The dog ran away.", "Jefferson shot Drebber, and the dog ran away."),
        ("Hope, the hunter, shot Drebber.", "Hope, the hunter, shot Drebber."),
        ("The lamp burned low.", "The lamp, in the great storm, burned low."),
        ("The narrator says that the lamp burned low.", "The lamp burned low."),
        ("The narrator is a keeper of lamps.", "I am a keeper of lamps."),
        ("She counts the boats.", "I count the boats."),
        ("She put it where there is earth.", "I put it where there’s earth, and so I didn’t lose it."),
        ("She did not lose it.", "I put it where there’s earth, and I didn't lose it."),
        ("It isn’t lost.", "It is not lost, and the dog ran away."),
        ("The keeper cannot swim.", "The keeper can't swim, and the dog ran away."),
        ("There are 3 boats at the quay.", "There were three boats at the quay."),
    ],
)
def test_a_clause_of_the_quote_is_an_extract(text: str, quote: str) -> None:
    assert strict(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Drebber shot Hope.", "Hope shot Drebber."),
        ("Hope shot Drebber.", "Hope shot the wolf while Drebber watched."),
        ("Holmes had fallen into the sea.", "Holmes saw that Lestrade had fallen into the sea."),
        ("Hope smiled, and died.", "Hope smiled, Drebber turned pale, and died."),
        ("Hope had shot Drebber.", "Nobody believed that Hope had shot Drebber."),
        ("Drebber was dead.", "If he had gone there, Drebber was dead."),
        ("Drebber was dead.", "Drebber was dead, or so they said."),
        ("Drebber is dead.", "Drebber is dead?"),
        ("Hope fell, dead at last.", "Hope fell. Drebber was dead at last."),
        ("Hope shot Drebber dead.", "Hope shot, Drebber dead."),
        ("The narrator shot Drebber.", "“I shot Drebber.”"),
        ("He shot the hope of the house.", "He shot the Hope of the house."),
        ("Hope shot.", "Hope shot at the moon."),
        ("The keeper can swim.", "The keeper can't swim."),
        ("It’s lost.", "It isn’t lost."),
        ("The narrator says that.", "The lamp burned low, and the dog ran away."),
        ("The narrator was that keeper.", "Keeper."),
    ],
)
def test_what_turns_the_quote_is_none(text: str, quote: str) -> None:
    assert not strict(text, quote)


@pytest.mark.parametrize(
    "before", ["The brother of Mr.", "It is a lie that Mrs.", "The horse of Capt.", "The wife of J."]
)
def test_a_title_and_an_initial_end_no_clause(before: str) -> None:
    whole = f"{before} Fogg came to the quay."
    assert passages(whole).checked(Draft("Fogg came to the quay.", 1, whole)) is Cut.TURNED
    assert strict(whole, whole)
    assert not strict(f"Wren met {before}", f"Wren met {before} Fogg on the quay.")


def test_who_did_it_to_whom_is_not_turned_for_any_reader() -> None:
    quote = "In the morning Jefferson Hope shot Drebber by the river."
    assert isinstance(
        passages(quote).checked(Draft("In the morning Drebber shot Jefferson Hope by the river.", 1, quote)), Cut
    )


def test_a_word_that_is_said_twice_keeps_its_places() -> None:
    quote = "“All is well that ends well,” said Holmes to the keeper."
    assert isinstance(passages(quote).checked(Draft("All is ends that well well, said Holmes.", 1, quote)), Cut)


def test_a_word_that_is_said_over_and_over_comes_to_an_end() -> None:
    assert not strict("ha, " * 40 + "ho.", "ha, " * 120)
    assert not strict("Ana ran " * 40 + "off.", "Ana ran, " * 80)


def test_a_thing_stands_for_a_pronoun_and_for_no_other_thing() -> None:
    before, quote = "His sentiments were bitter.", "His tale had occupied the whole day."
    both = passages(f"{before} {quote}")
    assert isinstance(both.checked(Draft("His sentiments had occupied the whole day.", 1, quote)), Cut)
    told = passages("The lamp was old. It had occupied the whole shelf.")
    assert isinstance(
        told.checked(Draft("The lamp had occupied the whole shelf.", 1, "It had occupied the whole")), Checked
    )


def test_two_words_do_not_change_places_over_a_distance() -> None:
    quote = "At that she did turn round, and I saw that I had at last asked something."
    turned = "At that she did turn round, and I last that I had at saw asked something."
    assert passages(quote).checked(Draft(turned, 1, quote)) is Cut.UNBACKED
    quote = "It was in the evening that they locked Magnus Thrale into the salt house."
    moved = passages(quote).checked(Draft("Magnus Thrale was locked into the salt house.", 1, quote))
    assert isinstance(moved, Checked)


def test_a_verb_of_its_own_stands_in_no_others_place() -> None:
    quote = "The Patience backed off, hooted, and left me among a quantity of rope."
    turned = "The Patience keep off, hooted, and left me among a quantity of rope."
    assert passages(quote).checked(Draft(turned, 1, quote)) is Cut.UNBACKED
    quote = "There was a brass lantern in her hand as she came to the quay."
    own = passages(quote).checked(Draft("She held a brass lantern in her hand.", 1, quote))
    assert isinstance(own, Checked)
    assert not own.strict


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("To be counted is to be asked about.", "People imagine that to be counted is to be asked about."),
        ("It had been sent for.", "He sat down upon the portable desk as if it had been sent for."),
        ("The Book was at the bottom.", "“Then I wish,” said the laird, “that the blessed Book was at the bottom.”"),
        ("It might seem mean of her to go.", "It had struck her, doubtless, that it might seem mean of her to go."),
        ("He will not have Holmes.", "The keeper will not have it, and begins to say that he will not have Holmes."),
        ("They had known that you wished it.", "If they had known that you wished it, he said who did not wish it."),
        ("His boat did so or unless he was ill.", "Holmes could not row unless his boat did so or unless he was ill."),
        ("The keeper was dead.", "A rumour ran along the quay that the keeper was dead."),
        ("The keeper was dead.", "Hope had drawn the conclusion that the keeper was dead."),
        ("They could not leave off.", "When the bell ceased they went on, as if they could not leave off."),
    ],
)  # fmt: skip
def test_what_is_only_supposed_is_told_as_done_for_no_reader(text: str, quote: str) -> None:
    assert passages(quote).checked(Draft(text, 1, quote)) in {Cut.TURNED, Cut.UNBACKED}


def test_a_name_of_another_sentence_stands_for_a_pronoun_alone() -> None:
    quote = "The souls are counted once in ten years, and the Act is exact about who they are."
    near = passages(f"By the Services Act fifty souls keep the boat. {quote}")
    turned = "Services souls are counted once in ten years, and the Act is exact about who they are."
    assert near.checked(Draft(turned, 1, quote)) is Cut.UNBACKED
    near = passages("Ana Wren counted the boats. She counted the souls of the island.")
    told = near.checked(Draft("Ana Wren counted the souls of the island.", 1, "She counted the souls of the island."))
    assert isinstance(told, Checked)


def test_a_name_that_comes_after_a_pronoun_does_not_stand_for_it() -> None:
    quote = "She counted the souls of the island."
    said = "Ana counted the souls of the island."
    assert isinstance(passages(f"Then came Ana. {quote}").checked(Draft(said, 1, quote)), Checked)
    assert passages(f"{quote} Then came Ana.").checked(Draft(said, 1, quote)) is Cut.UNBACKED


def test_two_words_side_by_side_change_no_places() -> None:
    quote = "But I’ve not had a night’s sleep."
    assert passages(quote).checked(Draft("But I’ve not had a sleep’s night.", 1, quote)) is Cut.UNBACKED


def test_a_question_tells_nothing_as_done() -> None:
    quote = "Did the keeper leave the lamp burning on the quay?"
    assert passages(quote).checked(Draft("The keeper did leave the lamp burning on the quay.", 1, quote)) is Cut.TURNED
    quote = "If my servant could not believe me, how could I hope to make it good before the keeper?"
    assert passages(quote).checked(Draft(f"{quote[:-1]}.", 1, quote)) is Cut.TURNED


def test_nobody_is_passed_over_between_a_name_and_who_speaks() -> None:
    quote = "»Ihm ist nicht wohl«, sagte die Mutter zum Prokuristen, während der Vater noch an der Tür redete."
    turned = "»Ihm ist nicht wohl«, sagte die Mutter zum Prokuristen redete."
    assert passages(quote, language="de").checked(Draft(turned, 1, quote)) is Cut.UNBACKED


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Holmes rowed back to the buoy.", "I rowed back to the buoy. Holmes slept."),
        ("Holmes would not have it.", "Holmes offered to go, and I would not have it."),
        ("Holmes walked along the quay.", "Holmes had been asked to supper, and I walked along the quay."),
        ("Holmes drifted over the bar.", "Holmes rowed to the buoy; and presently it drifted over the bar."),
        ("Holmes had a lamp in her window.", "In her window, as Holmes went by, there was a lamp."),
    ],
)
def test_a_name_is_not_told_of_what_i_did_or_it(text: str, quote: str) -> None:
    assert isinstance(passages(quote).checked(Draft(text, 1, quote)), Cut)


def test_a_name_is_told_of_what_i_only_believe() -> None:
    quote = "Holmes, I believe, rowed to the buoy at noon."
    assert isinstance(passages(quote).checked(Draft("Holmes rowed to the buoy at noon.", 1, quote)), Checked)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("On the ninth there were forty lamps.", "So that on the ninth, if there were forty lamps."),
        ("There were forty.", "So that on the ninth, if there were forty."),
        ("One of us drowned at noon.", "Suppose that you had counted us, and one of us drowned at noon."),
        ("Somebody on the quay has a heavy load.", "Somebody on the quay has short legs or a heavy load."),
        ("There is a lamp for the quay.", "There’s a lamp for the quay, or nothing at all."),
    ],
)
def test_what_is_supposed_further_on_or_left_open_is_not_told_as_done(text: str, quote: str) -> None:
    assert passages(quote).checked(Draft(text, 1, quote)) is Cut.TURNED


def test_what_is_left_open_may_be_told_so() -> None:
    quote = "Somebody on the quay, it was plain, had short legs or a heavy load."
    said = "Somebody on the quay had short legs or a heavy load."
    assert isinstance(passages(quote).checked(Draft(said, 1, quote)), Checked)


def test_of_six_or_seven_boats_the_boats_are_not_left_open() -> None:
    quote = "Off the quay, it was plain, lay six or seven boats of oak."
    assert isinstance(passages(quote).checked(Draft("Off the quay lay boats of oak.", 1, quote)), Checked)
    assert passages(quote).checked(Draft("Off the quay lay seven boats of oak.", 1, quote)) is Cut.TURNED


def test_what_is_asked_within_a_sentence_is_not_told_as_done_and_the_rest_of_it_is() -> None:
    quote = "Let us hide him away, and who is the wiser?” “I did not kill the keeper,” said I."
    for asked in ("Let us hide him away, and who is the wiser.", "Us hide him away, and who is the wiser."):
        assert passages(quote).checked(Draft(asked, 1, quote)) is Cut.TURNED
    assert strict("I did not kill the keeper, said I.", quote)


def test_what_a_german_denial_ends_is_not_put_behind_something_else() -> None:
    quote = "Es gab einen lauten Schlag, ein eigentlicher Krach aber war es nicht."
    turned = "Es gab einen lauten Schlag war es nicht."
    assert passages(quote, language="de").checked(Draft(turned, 1, quote)) in {Cut.TURNED, Cut.UNBACKED}
    said = passages(quote, language="de").checked(Draft("Ein eigentlicher Krach war es aber nicht.", 1, quote))
    assert said is not Cut.TURNED


def test_german_writes_two_words_as_one_too() -> None:
    assert strict("Er weiß, wie es gemacht wird.", "Er weiß, wie’s gemacht wird.", "de")


@pytest.mark.parametrize("text", ["Die Tür war offen.", "Die Tür ist offen.", "Der Vater muß gehen."])
def test_german_knows_its_own_forms(text: str) -> None:
    assert strict(text, "Die Tür war offen, und der Vater mußte gehen.", "de")


def test_german_knows_fates_and_what_is_only_feared() -> None:
    told = {word.text: word for word in words("Er fürchtete, daß sein Vater gestorben sei.", "de")}
    assert told["fürchtete"].hedges
    assert told["Vater"].kind is told["gestorben"].kind is Kind.FATE
    assert words("stirbt", "de")[0].key == words("gestorben", "de")[0].key
    quote = "Gregor fürchtete, daß der Vater gestorben sei."
    assert isinstance(passages(quote, language="de").checked(Draft("Der Vater ist gestorben.", 1, quote)), Cut)
    quote = "Ihm kam der Gedanke, daß der Vater gestorben war."
    assert isinstance(passages(quote, language="de").checked(Draft("Der Vater war gestorben.", 1, quote)), Cut)


def test_what_is_known_is_told_as_done() -> None:
    quote = "Holmes struck the heavy old bell, and saw that the keeper was asleep."
    assert isinstance(passages(quote).checked(Draft("The keeper was asleep.", 1, quote)), Checked)


@pytest.mark.parametrize("language", ["fr", "ru", "xx", "zh"])
def test_a_language_without_lists_is_held_to_the_quotes_own_clauses(language: str) -> None:
    assert not language_of(language).whole
    text, quote = (
        ("月亮升起了。", "月亮升起了，海很冷。")
        if language == "zh"
        else ("Luna surgit.", "Luna surgit, mare frigidum.")
    )
    assert strict(text, quote, language)
    other = "海很冷月亮。" if language == "zh" else "Luna mare surgit frigidum."
    assert isinstance(passages(quote, language=language).checked(Draft(other, 1, quote)), Cut)


def test_only_what_has_every_list_is_whole() -> None:
    assert {code for code, language in LANGUAGES.items() if language.whole} == {"en", "de"}
    for code in ("en", "de"):
        known = language_of(code)
        assert all((known.grammar, known.discourse, known.light, known.common, known.hedges, known.regular))
        assert all((known.articles, known.being, known.subjects, known.conditions, known.joining, known.narrator))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("“I went,” he said. I stayed.", "en", [True, False]),
        ("»Ich ging«, sagte er. Ich blieb.", "de", [True, False]),
        ("„Ich ging“, sagte er. Ich blieb.", "de", [True, False]),
        ('"I went," he said. I stayed.', "en", [True, False]),
        ("I went,” he said. I stayed.", "en", [True, False]),
        ("I’d say that I went.", "en", [False, False]),
    ],
)
def test_what_is_said_aloud_stands_between_marks(text: str, language: str, expected: list[bool]) -> None:
    first = text.index("I")
    assert [in_speech(text, at, language) for at in (first, text.index("I", first + 1))] == expected
