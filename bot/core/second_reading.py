"""The second reading: whether each passage bears out its sentence, judged by a model that is itself put to the test.

Among the sentences of every batch are some that no passage bears out: one that stands somewhere else, and some with a
word changed. A reader that lets one of them pass is not believed: then only what the words of the passages bear out by
themselves survives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from jiter import from_json

from bot.core.chat_model import ChatModel, Failed, ModelFailed, ModelRequest, Spent
from bot.core.evidence import Evidence, Passage
from bot.core.lists import language_of
from bot.core.prompts import support_request
from bot.core.verify import Checked
from bot.core.words import TELLING, Kind, Word, key_of, words

BATCH: Final = 8
"""At most so many sentences are read at once."""
LONGEST_REPLY: Final = 20_000
"""Code points of a short reply: verdicts, or the parts of a question."""
_TELLING: Final = 4
"""Content words that a sentence must have to be borne out by no passage but its own."""

_TURNED: Final = 3
"""The same of one that is no longer true when two of them change places."""
_TRIED: Final = 24
"""Sentences that are looked at for a test."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Which claims of a batch were borne out, and whether the reader passed its tests."""

    supported: tuple[bool, ...]
    trusted: bool


async def read_again(
    model: ChatModel, batch: Sequence[Checked], evidence: Sequence[Evidence], language: str | None, spent: Spent
) -> Verdicts:
    """Read a batch again. Raises `ModelFailed`."""
    tests = list(_tests(batch, evidence, language))
    pairs = [(claim.text, claim.evidence.passage) for claim in batch]
    at = _drawn("place", [claim.text for claim in batch], len(pairs) + 1)
    ordered = [*pairs[:at], *tests, *pairs[at:]]
    value = await replied(model, support_request(ordered), spent)
    found = _verdicts(value)
    said = [found.get(number, False) for number in range(1, len(ordered) + 1)]
    own = said[:at] + said[at + len(tests) :]
    passed = bool(tests) and not any(said[at : at + len(tests)])
    return Verdicts(tuple(own), passed)


async def replied(model: ChatModel, request: ModelRequest, spent: Spent) -> Any:
    """The JSON value of a short reply. Raises `ModelFailed`."""
    written = ""
    async with aclosing(model.written(request, spent)) as pieces:
        async for piece in pieces:
            written += piece
            if len(written) > LONGEST_REPLY:
                raise ModelFailed(Failed.BAD_REPLY)
    try:
        return from_json(written.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise ModelFailed(Failed.BAD_REPLY) from None


def _verdicts(value: Any) -> dict[int, bool]:
    """The verdicts by number. One that is given twice is no yes. Raises `ModelFailed`."""
    listed = value.get("verdicts") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        raise ModelFailed(Failed.BAD_REPLY)
    found: dict[int, bool] = {}
    for item in listed:
        number, said = (item.get("claim"), item.get("supported")) if isinstance(item, dict) else (None, None)
        if isinstance(number, int) and isinstance(said, bool):
            found[number] = said and found.get(number, True)
    return found


@lru_cache(maxsize=512)
def _keys(text: str, language: str | None) -> frozenset[str]:
    """The words of a passage: many questions at once are answered from the same ones."""
    return frozenset(word.key for word in words(text, language))


@lru_cache(maxsize=4096)
def _contents(text: str, language: str | None) -> tuple[str, ...]:
    """The words of a sentence that tell something and no outcome, as written."""
    return tuple(word.text for word in words(text, language) if word.kind is Kind.CONTENT)


def _tests(
    batch: Sequence[Checked], evidence: Sequence[Evidence], language: str | None
) -> Iterator[tuple[str, Passage]]:
    """Sentences that their passages do not bear out, drawn by the words of the batch alone."""
    seed = [claim.text for claim in batch]
    passage = batch[_drawn("passage", seed, len(batch))].evidence.passage
    held = _keys(passage.text, language)
    elsewhere = [s.text for e in evidence if e.passage.ordinal != passage.ordinal for s in e.passage.sentences]
    for turn in range(min(_TRIED, len(elsewhere))):
        sentence = elsewhere[_drawn(f"sentence {turn}", seed, len(elsewhere))]
        telling = _content(words(sentence, language))
        strange = [word for word in telling if word.key not in held]
        if len(telling) >= _TELLING and 2 * len(strange) > len(telling) and len(sentence) <= 300:
            yield " ".join(sentence.split()), passage
            break
    longest = max(batch, key=lambda claim: len(_content(words(claim.text, language))))
    some = [elsewhere[_drawn(f"word {turn}", seed, len(elsewhere))] for turn in range(_TRIED) if elsewhere]
    others = [word for text in some for word in _contents(text, language)]
    names = [word for word in others if word[0].isupper()]
    for turn, put in enumerate((sorted(language_of(language).common) or others, names or others)):
        if (changed := _changed(longest, put, language, turn)) is not None:
            yield changed, longest.evidence.passage
    if (turned := _turned(longest, language)) is not None:
        yield turned, longest.evidence.passage


def _changed(claim: Checked, others: Sequence[str], language: str | None, turn: int) -> str | None:
    """A claim with one word put for another that its passage does not have: a name for who it is about, where a name is
    put. None where none can be found.
    """
    held = _keys(claim.evidence.passage.text, language)
    new = [word for word in others if key_of(word, language) not in held and len(word) > 3]
    said = words(claim.text, language)
    old = _content(said)
    if not old or not new:
        return None
    put = new[_drawn(f"put {turn}", [claim.text], len(new))]
    out = said[0] if put[0].isupper() else old[_drawn(f"out {turn}", [claim.text], len(old))]
    return claim.text[: out.start] + put + claim.text[out.start + len(out.text) :]


def _turned(claim: Checked, language: str | None) -> str | None:
    """A claim in which the first word that tells something and the last changed places. None where it has too few."""
    said = [word for word in words(claim.text, language) if word.kind in TELLING]
    first, last = (said[0], said[-1]) if len(said) >= _TURNED else (None, None)
    if first is None or last is None or first.key == last.key:
        return None
    between = claim.text[first.start + len(first.text) : last.start]
    return claim.text[: first.start] + last.text + between + first.text + claim.text[last.start + len(last.text) :]


def _content(sentence: Sequence[Word]) -> list[Word]:
    return [word for word in sentence if word.kind in {Kind.CONTENT, Kind.FATE, Kind.WIDE} and not word.capital]


def _drawn(what: str, seed: Sequence[str], below: int) -> int:
    """A number below ``below``, the same for the same words."""
    digest = blake2b("\x1f".join((what, *seed)).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % below
