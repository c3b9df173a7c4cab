"""Headings in Chinese, Japanese and Korean: 第N章, 卷N, 제N장, and the measure words that only look like them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.ingest.heading_words import story_words
from bot.ingest.number_words import fold
from bot.ingest.numerals import CJK_NUMERAL, cjk_value, korean_value, parse_numeral


@dataclass(frozen=True, slots=True)
class CjkHeading:
    """``strength`` as in `bot.ingest.headings.Strength`; ``above`` is (unit, number, text) of a volume named before."""

    keyword: str
    unit: str
    number: int | None
    strength: int
    named: bool
    above: tuple[str, int, str] | None = None


_NUMBER = rf"(?:\d{{1,5}}|{CJK_NUMERAL})"
_STRONG_UNITS = "章回節节話话講讲幕折齣出則则夜"
_WEAK_CHAPTERS = "篇課课場场"
_PARTS = "卷部册冊集編编巻輯辑季"
_ORDINAL = re.compile(rf"第\s*(?P<number>{_NUMBER})\s*(?P<unit>[{_STRONG_UNITS}{_WEAK_CHAPTERS}{_PARTS}])(?P<rest>.*)")
_VOLUME = re.compile(rf"(?P<unit>[卷巻])\s*(?P<number>{_NUMBER})(?P<rest>.*)")
_HALVES = re.compile(r"(?P<number>[上中下])(?P<unit>[卷巻部篇編编册冊集])(?P<rest>.*)")
_KOREAN = re.compile(
    r"제?\s*(?P<number>\d{1,4}|[일이삼사오육칠팔구십백]{1,6}|[一二三四五六七八九十百]{1,6})\s*(?P<unit>[장화부권편막회])(?P<rest>.*)"
)
_SEPARATED = re.compile(r"\s*[\s.:：．·、,，—–\-《「『【(（]\s*(?P<title>.*)")
_SENTENCE = re.compile(r"[。！？!?；;，]")
_SENTENCE_END = re.compile(r"[。！？!?；;，,、…]['\"”’」』]*$")
_SCRIPT = re.compile("[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_KOREAN_PARTS = "부권편"


def _numbered(number: str, unit: str, rest: str, weak: bool) -> tuple[int, bool] | None:
    """(strength, named) of a heading whose number and unit are followed by ``rest``; None where it is prose."""
    if not rest.strip(" .:：．。"):
        return (2 if rest.strip() == "。" else 3), False
    separated = _SEPARATED.fullmatch(rest)
    if separated:
        title = separated["title"]
        if _SENTENCE_END.search(title) and not title.endswith(("！", "？", "!", "?", "…")):
            return (None if weak else (1, True)) if len(title) > 12 or "。" in title else (2, True)
        if len(title) > 80:
            return None
        return (2 if weak else 3), True
    if weak or len(rest) > 30 or _SENTENCE.search(rest):
        return None
    return (2 if unit == "章" else 1), True


def _value(number: str) -> int | None:
    if number in "上中下":
        return "上中下".index(number) + 1
    if (numeral := parse_numeral(number)) is not None:
        return numeral.value
    return int(number) if number.isdecimal() else cjk_value(number) or korean_value(number)


def _ordinal(text: str) -> CjkHeading | None:
    found = _ORDINAL.fullmatch(text) or _VOLUME.fullmatch(text) or _HALVES.fullmatch(text)
    if found is None:
        return None
    unit, rest = found["unit"], found["rest"]
    value = _value(found["number"])
    if value is None:
        return None
    if unit in _PARTS or found.re is _HALVES:
        below = re.search(rf"(?:^|\s)第\s*{_NUMBER}\s*[{_STRONG_UNITS}].*$", rest)
        inner = _ordinal(below[0].strip()) if below else None
        if inner is not None and below is not None and inner.strength > 1:
            volume = text[: len(text) - len(below[0])].strip()
            return CjkHeading("chapter", inner.unit, inner.number, 3, inner.named, (unit, value, volume))
    judged = _numbered(found["number"], unit, rest, unit not in _STRONG_UNITS)
    if judged is None:
        return None
    keyword = "part" if unit in _PARTS or found.re is _HALVES else "chapter"
    return CjkHeading(keyword, unit, value, *judged)


def _korean(text: str) -> CjkHeading | None:
    found = _KOREAN.fullmatch(text)
    if found is None:
        return None
    value, rest = _value(found["number"]), found["rest"]
    marked = text.startswith("제")
    if value is None or (not marked and rest.strip() and not _SEPARATED.fullmatch(rest)):
        return None
    judged = _numbered(found["number"], found["unit"], rest, weak=True)
    if judged is None:
        return None
    keyword = "part" if found["unit"] in _KOREAN_PARTS else "chapter"
    return CjkHeading(keyword, found["unit"], value, judged[0] if marked else 2, judged[1])


def _story(text: str) -> CjkHeading | None:
    """番外 第一章 渔火, 終章, 序章　灯台, 尾声：归来, 番外篇一."""
    found = re.match(r"[^\s\d:：.．、()（）《》—–\-一二三四五六七八九十]+", text)
    if found is None:
        return None
    word = found[0]
    kind = story_words().get(fold(word))
    if kind is None:
        return None
    rest = text[found.end() :].strip(" :：.．、-—–")
    if not rest:
        return CjkHeading(kind, word, None, 3, False)
    if len(rest) > 60 or _SENTENCE_END.search(rest):
        return None
    inner = _ordinal(rest)
    number = inner.number if inner else _value(rest.strip("()（）"))
    return CjkHeading(kind, word, number, 3 if inner else 2, inner is not None or number is None)


def parse_cjk(text: str) -> CjkHeading | None:
    """``text`` (compatibility forms resolved) as a Chinese, Japanese or Korean heading, or None."""
    if not _SCRIPT.search(text[:24]):
        return None
    prefixed = re.match(r"正文\s+(.*)", text)
    text = prefixed[1] if prefixed else text
    return _ordinal(text) or _korean(text) or _story(text)
