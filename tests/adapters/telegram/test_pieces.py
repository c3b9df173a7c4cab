"""Lines become messages within Telegram's limits, in order, covered whole whatever they hold."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.chat import render
from bot.adapters.chat.marked import plain
from bot.adapters.chat.parts import Content, Look, Part
from bot.adapters.telegram.markup import GUARD
from bot.adapters.telegram.pieces import pieces_of
from tests.adapters.discord.hostile import hostile, long_hostile
from tests.adapters.discord.shown import in_room, privately
from tests.conftest import STRESS
from tests.peers.telegram.entities import MOST, cut, read, uncovered, units

EN = "en@telegram"
ASTRAL = st.text(st.sampled_from("a 😀𝔘👩‍👩‍👧é.<>&@#/_*"), min_size=1, max_size=200)
words = long_hostile | ASTRAL
clear = st.builds(Part, words, look=st.sampled_from((Look.PLAIN, Look.SMALL, Look.HEADING, Look.QUOTED)))
hidden = st.builds(Part, words, st.just(True), apart=st.booleans())
parts = st.lists(clear | hidden, min_size=1, max_size=6).map(tuple)


def letters(text: str) -> str:
    return "".join(text.replace(GUARD, "").split())


@given(parts, st.sampled_from([None, "continued ({number})"]))
@settings(max_examples=8 * STRESS)
def test_messages_fit_hold_every_word_in_order_and_cover_what_is_covered(lines: tuple[Part, ...], again: str) -> None:
    made = [read(piece.html, "HTML") for piece in pieces_of(Content(lines, again=again))]
    covered, seen = [], []
    for number, (text, entities) in enumerate(made, start=1):
        assert 0 < units(text) <= 4096
        assert len(entities) <= MOST
        assert not {e["type"] for e in entities} & {"mention", "hashtag", "url"}
        covered += [cut(text, e["offset"], e["length"]) for e in entities if e["type"] == "spoiler"]
        left = letters(uncovered(text, entities))
        seen.append(left.removeprefix(f"continued({number})") if again and number > 1 else left)
    assert letters("".join(covered)) == "".join(letters(plain(p.text)) for p in lines if p.covered)
    assert "".join(seen) == "".join(letters(plain(p.text)) for p in lines if not p.covered)


@given(words, st.lists(words.filter(lambda text: bool(plain(text))), max_size=4), hostile)
@settings(max_examples=8 * STRESS)
def test_in_a_room_question_and_answer_stand_under_one_cover(question: str, said: list[str], name: str) -> None:
    for piece in pieces_of(render.in_room(in_room(question, said, name=name, pending=1), EN)):
        text, entities = read(piece.html, "HTML")
        assert [e["type"] for e in entities].count("spoiler") <= 1
        seen = letters(uncovered(text, entities))
        assert not any(len(letters(plain(one))) > 12 and letters(plain(one)) in seen for one in (question, *said))


@given(words, words, st.lists(words.filter(lambda text: bool(plain(text))), min_size=1, max_size=3))
@settings(max_examples=8 * STRESS)
def test_what_is_seen_of_an_answer_is_the_same_for_every_answer_under_one_boundary(
    one: str, other: str, said: list[str]
) -> None:
    first, second = [pieces_of(render.in_room(in_room(q, said), EN))[0] for q in (one, other)]
    seen = [uncovered(*read(piece.html, "HTML")).split() for piece in (first, second)]
    assert seen[0] == seen[1]


def test_a_private_answer_covers_nothing_and_sets_its_quotes_off() -> None:
    (piece,) = pieces_of(render.to_asker(privately("Who?", ["a b"]), EN))
    kinds = [e["type"] for e in read(piece.html, "HTML")[1]]
    assert "spoiler" not in kinds
    assert "expandable_blockquote" in kinds


def test_what_would_call_somebody_or_become_a_link_is_broken_up_and_our_own_commands_are_not() -> None:
    (piece,) = pieces_of(Content((Part("Say /progress 3, @ana, #tag, www.example.org"),)))
    assert [e["type"] for e in read(piece.html, "HTML")[1]] == ["bot_command"]
    (piece,) = pieces_of(Content((Part("He wrote /start @ana", covered=True),)))
    assert [e["type"] for e in read(piece.html, "HTML")[1]] == ["spoiler"]
