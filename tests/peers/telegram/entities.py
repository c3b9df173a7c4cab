"""Text as Telegram reads it: HTML and what it finds by itself become entities, in UTF-16 code units."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import Any, Final

Json = dict[str, Any]

MOST: Final = 100
"""Entities of a message; further ones are dropped, and what they covered is seen."""
_TAGS: Final = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler", "code": "code",
    "pre": "pre", "a": "text_link", "blockquote": "blockquote", "span": "spoiler", "tg-emoji": "custom_emoji",
}  # fmt: skip
_FOUND: Final = {
    "mention": re.compile(r"(?<!\w)@\w{3,32}"),
    "hashtag": re.compile(r"(?<!\w)#\w+"),
    "cashtag": re.compile(r"(?<!\w)\$[A-Z]{1,8}\b"),
    "bot_command": re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,32}(?:@\w+)?"),
    "url": re.compile(r"https?://\S+|www\.[\w-]\S*|(?<![\w@.])[\w-]+\.(?:com|org|net|me|io|de)\b\S*"),
}


class Refused(Exception):
    """What the Bot API says instead of doing it."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


def bad(description: str) -> Refused:
    return Refused(400, f"Bad Request: {description}")


def units(text: str) -> int:
    """UTF-16 code units of ``text``."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """What stands at ``offset`` (UTF-16 code units). Raises where that parts a character."""
    raw = text.encode("utf-16-le")[2 * offset : 2 * (offset + length)]
    return raw.decode("utf-16-le")


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.text = ""
        self.found: list[Json] = []
        self.open: list[tuple[str, Json]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in _TAGS or (tag == "span" and given.get("class") != "tg-spoiler"):
            raise bad(f'can\'t parse entities: Unsupported start tag "{tag}" at byte offset {len(self.text.encode())}')
        entity: Json = {"type": _TAGS[tag], "offset": units(self.text)}
        if tag == "a":
            entity["url"] = given.get("href") or ""
        if tag == "blockquote" and "expandable" in given:
            entity["type"] = "expandable_blockquote"
        self.open.append((tag, entity))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            raise bad(f"can't parse entities: Unmatched end tag at byte offset {len(self.text.encode())}")
        _, entity = self.open.pop()
        entity["length"] = units(self.text) - entity["offset"]
        if entity["length"]:
            self.found.append(entity)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_entityref(self, name: str) -> None:
        if name not in ("lt", "gt", "amp", "quot"):
            raise bad(f"can't parse entities: unknown entity {name}")
        self.text += html.unescape(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.text += html.unescape(f"&#{name};")


def read(text: str, mode: str | None) -> tuple[str, list[Json]]:
    """The text that is seen, with its entities in order, those too that Telegram finds by itself. Raises `Refused`."""
    marked: list[Json] = []
    if mode is not None:
        if mode.lower() != "html":
            raise bad(f"unsupported parse_mode {mode}")
        if re.search(r"<(?![a-zA-Z/])", text) or re.search(r"&(?!(lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+);)", text):
            raise bad("can't parse entities: a bare < or &")
        parser = _Html()
        parser.feed(text)
        parser.close()
        if parser.open:
            raise bad(f"can't parse entities: Can't find end tag corresponding to start tag {parser.open[-1][0]}")
        text, marked = parser.text, parser.found
    quotes = [e for e in marked if e["type"].endswith("blockquote")]
    if any(a is not b and a["offset"] <= b["offset"] < a["offset"] + a["length"] for a in quotes for b in quotes):
        raise bad("can't parse entities: blockquote can't be nested")
    in_code = [e for e in marked if e["type"] in ("code", "pre")]
    for kind, pattern in _FOUND.items():
        for found in pattern.finditer(text):
            at = units(text[: found.start()])
            if not any(e["offset"] <= at < e["offset"] + e["length"] for e in in_code):
                marked.append({"type": kind, "offset": at, "length": units(found[0])})
    return text, sorted(marked, key=lambda e: (e["offset"], -e["length"]))


def uncovered(text: str, entities: list[Json]) -> str:
    """What of a message is seen without uncovering. A spoiler within code covers nothing."""
    raw = bytearray(text.encode("utf-16-le"))
    code = [e for e in entities if e["type"] in ("code", "pre")]
    for entity in entities[:MOST]:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        in_code = any(c["offset"] < end and start < c["offset"] + c["length"] for c in code)
        if entity["type"] == "spoiler" and not in_code:
            cut(text, start, entity["length"])  # raises where it parts a character
            raw[2 * start : 2 * end] = " ".encode("utf-16-le") * entity["length"]
    return raw.decode("utf-16-le")
