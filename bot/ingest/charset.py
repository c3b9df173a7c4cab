"""Which encoding a plain text file is in, and its text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

import chardet

from bot.core.errors import FileRefused

BAD_BYTES_AS_UTF8: Final = 0.002
"""Up to this share of broken bytes a file stays UTF-8."""

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
# What detectors say -> (the name given to people, the superset that is decoded with).
_SUPERSETS: Final = {
    "gb2312": ("gb18030", "gb18030"),
    "gbk": ("gb18030", "gb18030"),
    "cp936": ("gb18030", "gb18030"),
    "gb18030": ("gb18030", "gb18030"),
    "big5": ("big5", "big5hkscs"),
    "big5hkscs": ("big5", "big5hkscs"),
    "cp950": ("big5", "big5hkscs"),
    "shift_jis": ("cp932", "cp932"),
    "shift_jis_2004": ("cp932", "cp932"),
    "cp932": ("cp932", "cp932"),
    "euc_kr": ("cp949", "cp949"),
    "johab": ("johab", "johab"),
    "iso8859-1": ("cp1252", "cp1252"),
    "iso8859-15": ("iso8859-15", "iso8859-15"),
    "ascii": ("utf-8", "utf-8"),
    "hz": ("hz", "hz"),
}
_MULTIBYTE: Final = frozenset({"gb18030", "big5", "cp932", "cp949", "euc_jp", "johab"})
_BINARY_MAGIC: Final = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"{\\rtf",
    b"\xd0\xcf\x11\xe0",
)
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1c-\x1f\x7f]")
_SAMPLE: Final = 200_000
_ASCII: Final = bytes(range(0x80))


@dataclass(frozen=True, slots=True)
class DecodedText:
    """``encoding`` is the name given to people; ``bad`` counts the places that could not be read."""

    text: str
    encoding: str
    bad: int = 0


def decode(data: bytes) -> DecodedText:
    """The text of a plain text file.

    Order: byte order mark, NUL pattern (UTF-16 without a mark), strict UTF-8, UTF-8 with at most 0.2 % broken bytes,
    detection. Raises `FileRefused` with "binary_file" where it is no text, "empty" where nothing visible is in it.
    """
    decoded = _decode(data)
    if not any(not c.isspace() for c in decoded.text):
        raise FileRefused("empty", "The file is empty; choose the file that holds the book's text.")
    return decoded


def _decode(data: bytes) -> DecodedText:
    for mark, name, codec in _BOMS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], name, codec)
    if data.startswith(_BINARY_MAGIC):
        raise _binary()
    sample = data[:_SAMPLE]
    if b"\x00" in sample:
        if (wide := _utf16_without_mark(data)) is None:
            raise _binary()
        return wide
    if len(_CONTROLS.findall(sample)) > max(2, len(sample) // 200):
        raise _binary()
    if b"\x1b$" in sample or b"\x1b(" in sample:
        decoded = _lenient(data, "iso-2022-jp", "iso2022_jp_ext")
        if decoded.bad == 0:
            return decoded
    try:
        return DecodedText(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if (nearly := _nearly_utf8(data)) is not None:
        return nearly
    decoded = _lenient(data, *_detected(data))
    return _mac_roman(data) or decoded if decoded.bad and decoded.encoding == "cp1252" else decoded


def _binary() -> FileRefused:
    return FileRefused("binary_file", "The file is not plain text; choose a .txt, .epub or .pdf file of the book.")


def _lenient(data: bytes, name: str, codec: str) -> DecodedText:
    text = data.decode(codec, "replace")
    return DecodedText(text, name, text.count("\ufffd"))


def _utf16_without_mark(data: bytes) -> DecodedText | None:
    """UTF-16 told by where its NULs stand, believed only when it decodes to plausible text."""
    even, odd = data[:_SAMPLE:2].count(0), data[1:_SAMPLE:2].count(0)
    for codec in ("utf-16-le", "utf-16-be") if odd >= even else ("utf-16-be", "utf-16-le"):
        try:
            text = data[: len(data) // 2 * 2].decode(codec)
        except UnicodeDecodeError:
            continue
        head = text[:20_000]
        odd_ones = sum(unicodedata.category(c) in {"Cc", "Cn", "Co", "Cs"} and c not in "\t\n\r\f" for c in head)
        if odd_ones <= len(head) // 200 and ("\n" in head or " " in head or "\u3000" in head):
            return DecodedText(text, "utf-16")
    return None


def _nearly_utf8(data: bytes) -> DecodedText | None:
    """UTF-8 with a few broken bytes. Broken bytes alone are no UTF-8: whole sequences must far outnumber them."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if bad > max(1, len(data) * BAD_BYTES_AS_UTF8):
        return None
    whole = sum(1 for _ in re.finditer(r"[^\x00-\x7f\ufffd]+", text))
    if whole >= 2 * bad:
        return DecodedText(text, "utf-8", bad)
    return None


def _detected(data: bytes) -> tuple[str, str]:
    """(name, codec) by detection; a multi-byte file with broken bytes is told by a vote of its pieces."""
    found = chardet.detect(data[: _SAMPLE * 2], max_bytes=_SAMPLE)
    name, codec = _normalised(found["encoding"])
    high = len(data[:_SAMPLE].translate(None, _ASCII))
    if high * 5 > min(len(data), _SAMPLE) and (found["confidence"] or 0) < 0.3 and (voted := _vote(data)):
        return voted
    if name not in _MULTIBYTE and not codec.startswith("mac") and _foreign(data, codec):
        return "cp1252", "cp1252"
    return name, codec


def _mac_roman(data: bytes) -> DecodedText | None:
    """Mac Roman for a file with bytes that cp1252 does not know, where it makes letters and quotes of all of them."""
    text = data.decode("mac-roman")
    high = set(re.findall(r"[^\x00-\x7f]", text))
    return DecodedText(text, "mac-roman") if all(c.isalpha() or c in "“”‘’«»—–…•°\xa0" for c in high) else None


def _normalised(encoding: str | None) -> tuple[str, str]:
    try:
        codec = codecs.lookup(encoding or "cp1252").name
    except LookupError:
        codec = "cp1252"
    return _SUPERSETS.get(codec, (codec, codec))


def _vote(data: bytes) -> tuple[str, str] | None:
    votes: Counter[tuple[str, str]] = Counter()
    lines = data[:_SAMPLE].splitlines(keepends=True)
    step = max(1, len(lines) // 40)
    for start in range(0, len(lines), step):
        piece = b"".join(lines[start : start + step])
        found = chardet.detect(piece)
        votes[_normalised(found["encoding"])] += int(len(piece) * 100 * (found["confidence"] or 0))
    (winner, _), *_ = votes.most_common(1) or [(("", ""), 0)]
    return winner if winner[0] in _MULTIBYTE else None


def _foreign(data: bytes, codec: str) -> bool:
    """Whether ``codec`` makes foreign letters of the few accents of a Latin text ("PREMIИRE PARTIE")."""
    try:
        text = data[:_SAMPLE].decode(codec, "replace")
    except LookupError:
        return True
    foreign = sum(c.isalpha() and c > "\u024f" for c in text)
    letters = sum(c.isalpha() for c in text)
    return 0 < foreign * 5 < letters
