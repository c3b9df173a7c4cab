"""The second reading: whether each passage bears out its sentence, judged by a model that is itself put to the test.

Among the sentences of every batch are some that no passage bears out: one that stands somewhere else, and some with a
word changed. A reader that lets one of them pass is not believed: then only what the words of the passages bear out by
themselves survives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from jiter import from_json

from bot.core.chat_model import ChatModel, Failed, ModelFailed, ModelRequest, Spent
from bot.core.evidence import Passage
from bot.core.lists import language_of
from bot.core.prompts import support_request
from bot.core.told import telling
from bot.core.verify import Checked, Verifier
from bot.core.words import Kind, Word, key_of, words

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


async def read_again(model: ChatModel, batch: Sequence[Checked], verifier: Verifier, spent: Spent) -> Verdicts:
    """Read a batch again, of claims that ``verifier`` has checked. Raises `ModelFailed`."""
    tests = list(_tests(batch, verifier))
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


def _tests(batch: Sequence[Checked], verifier: Verifier) -> Iterator[tuple[str, Passage]]:
    """Sentences that their passages do not bear out, drawn by the words of the batch alone.

    Their words are those that the verifier has read: nothing of the book is kept when the question is answered.
    """
    seed, language = [claim.text for claim in batch], verifier.language
    chosen = batch[_drawn("passage", seed, len(batch))].evidence
    passage, held = chosen.passage, verifier.told(verifier.evidence.index(chosen)).keys
    elsewhere = [
        (at, n)
        for at, evidence in enumerate(verifier.evidence)
        if evidence.passage.ordinal != passage.ordinal
        for n in range(len(evidence.passage.sentences))
    ]
    for turn in range(min(_TRIED, len(elsewhere))):
        at, n = elsewhere[_drawn(f"sentence {turn}", seed, len(elsewhere))]
        sentence = verifier.evidence[at].passage.sentences[n].text
        tells = _content(verifier.told(at).sentence(n))
        strange = [word for word in tells if word.key not in held]
        if len(tells) >= _TELLING and 2 * len(strange) > len(tells) and len(sentence) <= 300:
            yield " ".join(sentence.split()), passage
            break
    longest, said = max(
        ((claim, words(claim.text, language)) for claim in batch), key=lambda claim: len(_content(claim[1]))
    )
    some = [elsewhere[_drawn(f"word {turn}", seed, len(elsewhere))] for turn in range(_TRIED) if elsewhere]
    read = (verifier.told(at).sentence(n) for at, n in some)
    others = [word.text for sentence in read for word in sentence if word.kind is Kind.CONTENT]
    names = [word for word in others if word[0].isupper()]
    held = verifier.told(verifier.evidence.index(longest.evidence)).keys
    for turn, put in enumerate((sorted(language_of(language).common) or others, names or others)):
        new = [word for word in put if len(word) > 3 and key_of(word, language) not in held]
        if (changed := _changed(longest.text, said, new, turn)) is not None:
            yield changed, longest.evidence.passage
    if (turned := _turned(longest.text, said)) is not None:
        yield turned, longest.evidence.passage


def _changed(claim: str, said: Sequence[Word], new: Sequence[str], turn: int) -> str | None:
    """A claim with one word put for another, of those ``new`` to its passage: a name for who it is about, where a name
    is put. None where none can be found.
    """
    old = _content(said)
    if not old or not new:
        return None
    put = new[_drawn(f"put {turn}", [claim], len(new))]
    out = said[0] if put[0].isupper() else old[_drawn(f"out {turn}", [claim], len(old))]
    return claim[: out.start] + put + claim[out.start + len(out.text) :]


def _turned(claim: str, sentence: Sequence[Word]) -> str | None:
    """A claim in which the first word that tells something and the last changed places. None where it has too few."""
    said = telling(sentence)
    first, last = (said[0], said[-1]) if len(said) >= _TURNED else (None, None)
    if first is None or last is None or first.key == last.key:
        return None
    between = claim[first.start + len(first.text) : last.start]
    return claim[: first.start] + last.text + between + first.text + claim[last.start + len(last.text) :]


def _content(sentence: Sequence[Word]) -> list[Word]:
    return [word for word in sentence if word.kind in {Kind.CONTENT, Kind.FATE, Kind.WIDE} and not word.capital]


def _drawn(what: str, seed: Sequence[str], below: int) -> int:
    """A number below ``below``, the same for the same words."""
    digest = blake2b("\x1f".join((what, *seed)).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % below
