"""What a loopback model can see in a request of Dogear's, and an honest second reading."""

from __future__ import annotations

import html
import re
from typing import Final

from tests.peers.anthropic.replies import Json, Reply, verdicts

_PASSAGE: Final = re.compile(r'<passage number="(\d+)"[^>]*>\n(.*?)\n</passage>', re.S)
_CLAIM: Final = re.compile(
    r'<claim number="\d+">\n<sentence>(.*?)</sentence>\n<passage>\n(.*?)\n</passage>\n</claim>', re.S
)
_QUESTION: Final = re.compile(r"<question>(.*?)</question>", re.S)


def prompt(body: Json) -> str:
    """All that the user's message says."""
    return "\n".join(block["text"] for block in body["messages"][0]["content"])


def passages(body: Json) -> dict[int, str]:
    """The passages of a request, by number."""
    return {int(number): html.unescape(text) for number, text in _PASSAGE.findall(prompt(body))}


def passage_with(body: Json, words: str) -> int:
    """The number of the first passage that has these words; 0 where none has."""
    return next((number for number, text in passages(body).items() if words in " ".join(text.split())), 0)


def question(body: Json) -> str:
    """What is asked."""
    return html.unescape(_QUESTION.findall(prompt(body))[-1])


def checks(body: Json) -> bool:
    """Whether this is a second reading."""
    return _CLAIM.search(prompt(body)) is not None


def honest(body: Json) -> Reply:
    """A second reading that supports a sentence where its longer words stand in its passage, in the same order."""
    pairs = [(html.unescape(said), html.unescape(text)) for said, text in _CLAIM.findall(prompt(body))]
    return verdicts(*(_in_order(*(re.findall(r"\w{4,}", one.lower()) for one in pair)) for pair in pairs))


def _in_order(said: list[str], passage: list[str]) -> bool:
    following = iter(passage)
    return all(word in following for word in said)
