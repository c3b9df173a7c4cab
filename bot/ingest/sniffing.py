"""What kind of file this is, by its content; what cannot become a book is refused with what to upload instead."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final, Literal

from bot.core.errors import FileRefused

Kind = Literal["epub", "pdf", "text"]

_HEAD: Final = 4096  # bytes
_PDF_HEADER_WITHIN: Final = 1024  # bytes; readers accept a PDF header after some rubbish
_INSTEAD: Final = "Please upload the book as EPUB, PDF or plain text"
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

_FORMATS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"{\\rtf", f"This is an RTF document. {_INSTEAD} (a word processor can save it as one of these)."),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        f"This is an old Word or Office document. {_INSTEAD} (Word can save it as PDF).",
    ),
    (b"\xeaDRMION\xee", f"This is a protected Kindle file, which cannot be read here. {_INSTEAD}."),
    (b"CONT\x02\x00", f"This is a Kindle file (KFX). {_INSTEAD}."),
    (b"AT&TFORM", f"This is a DjVu file of scanned pages. {_INSTEAD}."),
    (b"ITSF", f"This is a Windows help file. {_INSTEAD}."),
    (b"\x89PNG", f"This is a picture. {_INSTEAD}."),
    (b"\xff\xd8\xff", f"This is a picture. {_INSTEAD}."),
    (b"GIF8", f"This is a picture. {_INSTEAD}."),
    (b"\x1f\x8b", f"This is a compressed archive. Unpack it first. {_INSTEAD}."),
    (b"Rar!\x1a\x07", f"This is a compressed archive. Unpack it first. {_INSTEAD}."),
    (b"7z\xbc\xaf\x27\x1c", f"This is a compressed archive. Unpack it first. {_INSTEAD}."),
    (b"ID3", f"This is a sound file. {_INSTEAD}."),
    (b"OggS", f"This is a sound file. {_INSTEAD}."),
)
_KINDLE: Final = (b"BOOKMOBI", b"TEXtREAd")
_MARKUP: Final[tuple[tuple[bytes, str], ...]] = (
    (b"<!doctype html", f"This is a web page (HTML). {_INSTEAD} (calibre can turn a web page into an EPUB)."),
    (b"<html", f"This is a web page (HTML). {_INSTEAD} (calibre can turn a web page into an EPUB)."),
    (b"<fictionbook", f"This is a FictionBook (FB2) file. {_INSTEAD} (calibre can turn it into an EPUB)."),
)


def sniff(path: Path, name: str | None = None) -> Kind:
    """The kind of the file at ``path``, from its content.

    ``name`` is what the file was called when it was given (default: the name of ``path``); it only chooses the
    sentence where the content is not what the name promises. Raises `FileRefused`: ``empty``, ``not_a_zip``,
    ``not_an_epub``, ``pdf_unreadable``, ``unsupported_format``.
    """
    suffix = Path(name or path.name).suffix.casefold()
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not _without_bom(head).strip() and len(head) < _HEAD:
        raise FileRefused("empty", "This file is empty. Please upload the book again.")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip_kind(path)
    if b"%PDF-" in head[:_PDF_HEADER_WITHIN]:
        return "pdf"
    _refuse_other_formats(head)
    if suffix == ".epub":
        raise FileRefused(
            "not_a_zip", "This file is called .epub but is not an EPUB. Please export or download the book again."
        )
    if suffix == ".pdf":
        raise FileRefused(
            "pdf_unreadable", "This file is called .pdf but is not a PDF. Please export or download the book again."
        )
    return "text"


def _without_bom(head: bytes) -> bytes:
    for bom in _BOMS:
        if head.startswith(bom):
            return head[len(bom) :].replace(b"\0", b"") if bom != _BOMS[0] else head[len(bom) :]
    return head


def _refuse_other_formats(head: bytes) -> None:
    for magic, sentence in _FORMATS:
        if head.startswith(magic):
            raise FileRefused("unsupported_format", sentence)
    if head[60:68] in _KINDLE:
        raise FileRefused(
            "unsupported_format", f"This is a Kindle (MOBI) file. {_INSTEAD} (calibre can turn it into an EPUB)."
        )
    start = _without_bom(head).lstrip()[:1024].lower()
    if start.startswith(b"<?xml"):
        start = start.partition(b"?>")[2].lstrip()
    while start.startswith(b"<!--"):
        start = start.partition(b"-->")[2].lstrip()
    for tag, sentence in _MARKUP:
        if start.startswith(tag):
            raise FileRefused("unsupported_format", sentence)


def _zip_kind(path: Path) -> Kind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            declared = archive.read("mimetype")[:64] if _is_small(archive, "mimetype") else b""
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        return "epub"  # damaged or encrypted: the EPUB reader says so
    if b"application/epub+zip" in declared or "META-INF/container.xml" in names:
        return "epub"
    if any(name.startswith("word/") for name in names):
        raise FileRefused("not_an_epub", f"This is a Word document. {_INSTEAD} (Word can save it as PDF).")
    if b"opendocument" in declared:
        raise FileRefused(
            "not_an_epub", f"This is an OpenDocument file. {_INSTEAD} (LibreOffice can export an EPUB or a PDF)."
        )
    if any(name.casefold().endswith((".epub", ".pdf", ".txt")) for name in names):
        raise FileRefused("not_an_epub", "This is a ZIP archive. Unpack it and upload the book that is in it.")
    raise FileRefused("not_an_epub", f"This ZIP archive is not an EPUB. {_INSTEAD}.")


def _is_small(archive: zipfile.ZipFile, name: str) -> bool:
    try:
        return archive.getinfo(name).file_size <= 1024
    except KeyError:
        return False
