"""Bytes of a content document to an element tree, without losing or inventing a character.

Strict XML first; where that fails, lxml's HTML parser, checked against the source: its recovery loses text silently.
No DTD is read, no entity is expanded beyond HTML's named characters, nothing is fetched.
"""

from __future__ import annotations

import codecs
import re
from html import unescape
from html.entities import html5
from typing import Final

import chardet
from lxml import etree

from bot.core.errors import FileRefused

MIN_KEPT: Final = 0.70  # visible characters in the tree against the source, below which text was lost

_DECLARED = re.compile(rb"""(?:<\?xml[^>]*?encoding|<meta[^>]*?charset)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.I)
_SUPERSETS: Final = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FEW_BAD = 0.002  # a UTF-8 text with no more bad bytes than this is UTF-8 all the same
_MANY_HIGH = 0.30  # of all bytes: not a Latin text

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.I | re.S)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_ENTITY = re.compile(r"&(?:(#\d{1,7}|#[xX][0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));|&")
_XML_NAMES: Final = frozenset(("amp", "lt", "gt", "quot", "apos"))
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*?)?)/>")
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_UNSEEN = re.compile(r"<!--.*?-->|<(head|script|style|title)\b[^>]*>.*?</\1\s*>", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")
_NOT_TEXT: Final = frozenset(("head", "script", "style", "title"))


def decode(data: bytes) -> str:
    """The text of a document. Order: byte order mark, UTF-16 pattern, strict UTF-8 (it beats what is declared),
    the declared charset, a detected one, Windows-1252.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, "replace")
    head = data[:4]
    if head[:1] == b"<" and head[1:2] == b"\x00":
        return data.decode("utf-16-le", "replace")
    if head[:2] == b"\x00<":
        return data.decode("utf-16-be", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _decode_legacy(data: bytes) -> str:
    declared = _DECLARED.search(data[:2048])
    encoding = _codec(declared.group(1).decode("ascii")) if declared else None
    if encoding not in (None, "utf-8", "utf-16", "utf-32"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    loose = data.decode("utf-8", "replace")
    high = sum(1 for byte in data if byte > 0x7F)
    if loose.count("\ufffd") <= max(_FEW_BAD * len(data), 0) and loose.count("\ufffd") * 10 < high:
        return loose
    if high > _MANY_HIGH * len(data) / 2:
        found = _codec(str(chardet.detect(data[:60_000])["encoding"] or ""))
        if found:
            return data.decode(found, "replace")
    return data.decode("cp1252", "replace")


def _codec(name: str) -> str | None:
    """Python's name of a charset, widened to what books so labelled really hold; None where there is none."""
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return None
    return _SUPERSETS.get(known, known)


def _character(match: re.Match[str]) -> str:
    number, name = match.groups()
    if number:
        char = unescape(match.group())
        return "" if _CONTROLS.match(char) else match.group()
    if name is None:
        return "&amp;"
    if name in _XML_NAMES:
        return match.group()
    known = html5.get(f"{name};")
    return f"&amp;{name};" if known is None else known.replace("&", "&amp;").replace("<", "&lt;")


def _escaped(cdata: re.Match[str]) -> str:
    return str(cdata.group(1)).replace("&", "&amp;").replace("<", "&lt;")


def _prepared(source: str) -> str:
    source = _CDATA.sub(_escaped, _CONTROLS.sub("", source))
    source = _DOCTYPE.sub("", _XML_DECLARATION.sub("", source, count=1), count=1)
    return _ENTITY.sub(_character, source)


def parse_xml(data: bytes) -> etree._Element | None:
    """The root of a packaging document (container, package, NCX, encryption), or None where none can be read."""
    text = _prepared(decode(data)).strip()
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True, remove_comments=True
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        return None


def parse_document(data: bytes) -> etree._Element | None:
    """The root of a content document, or None where it has no text at all.

    Raises ``FileRefused`` (``too_deep``) when no parser keeps its text.
    """
    text = _prepared(decode(data)).strip()
    if not text:
        return None
    strict = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text.encode(), strict)
    except etree.XMLSyntaxError:
        return _parse_html(text)


def _parse_html(text: str) -> etree._Element | None:
    text = _SELF_CLOSED.sub(_opened, text)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        root = None
    expected = _visible(unescape(_TAG.sub("", _UNSEEN.sub("", text))))
    if expected and (0 if root is None else _kept(root)) < MIN_KEPT * expected:
        raise FileRefused(
            "too_deep",
            "A text in this EPUB is nested too deeply to be read whole; convert it (with Calibre) and retry.",
        )
    return root


def _opened(match: re.Match[str]) -> str:
    name, attributes = match.groups()
    return match.group() if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


def _visible(text: str) -> int:
    return sum(map(len, text.split()))


def _kept(root: etree._Element) -> int:
    count = 0
    for element in root.iter(etree.Element):
        if element.tag not in _NOT_TEXT:
            count += _visible(element.text or "")
        count += _visible(element.tail or "")
    return count
