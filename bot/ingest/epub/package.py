"""Container and package document: which files make the book, in which order, and whether they are protected."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from lxml import etree

from bot.core.errors import FileRefused
from bot.ingest.canonical import collapse
from bot.ingest.epub.archive import Archive
from bot.ingest.epub.xhtml import parse_xml

_CONTAINER = "META-INF/container.xml"
_LICENCES: Final = ("META-INF/license.lcpl", "META-INF/sinf.xml")
_FONT_OBFUSCATION: Final = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_NO_TEXT_MEDIA = re.compile(r"\.(?:otf|ttf|ttc|woff2?|jpe?g|png|gif|webp|mp[34]|m4[av]|css|js)$", re.I)
_DOCUMENT_TYPES: Final = frozenset(
    ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml")
)
_DOCUMENT_NAME = re.compile(r"\.(?:x?html?|xml|svg)$", re.I)
_REMOTE = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:|^//")
_ISO_639_1: Final = {
    "eng": "en", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de", "spa": "es", "ita": "it", "por": "pt",
    "dut": "nl", "nld": "nl", "rus": "ru", "pol": "pl", "swe": "sv", "dan": "da", "nor": "no", "nob": "nb",
    "fin": "fi", "cze": "cs", "ces": "cs", "hun": "hu", "gre": "el", "ell": "el", "tur": "tr", "ara": "ar",
    "heb": "he", "jpn": "ja", "zho": "zh", "chi": "zh", "kor": "ko", "hin": "hi", "lat": "la", "cat": "ca",
    "ukr": "uk", "ron": "ro", "rum": "ro", "vie": "vi", "per": "fa", "fas": "fa", "cmn": "zh",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the archive that a link names: a path from its root, and an id in that file or ``""``."""

    path: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class SpineItem:
    """One document of the reading order; ``linear`` is false for what stands outside it."""

    path: str
    linear: bool


@dataclass(frozen=True, slots=True)
class Package:
    """What the package document says. Paths run from the archive's root; ``guide`` maps EPUB 2 types to places."""

    title: str
    author: str
    language: str | None
    spine: tuple[SpineItem, ...]
    nav: str | None
    ncx: str | None
    page_map: str | None
    guide: tuple[tuple[str, Target], ...]


def local(element: etree._Element) -> str:
    """The tag's name without its namespace, in lower case."""
    return str(element.tag).rpartition("}")[2].lower()


def named(root: etree._Element, name: str) -> Iterator[etree._Element]:
    """All elements below ``root`` of that local name, in document order."""
    return (element for element in root.iter(etree.Element) if local(element) == name)


def inner_text(element: etree._Element) -> str:
    """All text inside an element."""
    return "".join(str(part) for part in element.itertext())


def resolve(base: str, href: str) -> Target | None:
    """The place that ``href`` in the file ``base`` names (percent-decoded), or None where it is outside the archive."""
    href = href.strip()
    if not href or _REMOTE.match(href):
        return None
    path, _, fragment = href.partition("#")
    path = unquote(path.partition("?")[0])
    if not path:
        return Target(base, unquote(fragment))
    joined = posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path))
    return Target(joined.lstrip("/"), unquote(fragment))


def refuse_protected(archive: Archive) -> None:
    """Raise ``FileRefused`` (``drm``) where texts are encrypted; obfuscated fonts are no protection."""
    protected = any(archive.find(name) for name in _LICENCES)
    data = archive.read("META-INF/encryption.xml")
    root = parse_xml(data) if data else None
    if root is not None:
        protected = protected or any(map(_locks_text, named(root, "encrypteddata")))
    if protected:
        raise FileRefused("drm", "This EPUB is copy-protected (DRM); upload a copy without protection.")


def _locks_text(encrypted: etree._Element) -> bool:
    methods = {m.get("Algorithm") for m in named(encrypted, "encryptionmethod") if m.getparent() is encrypted}
    if methods and methods <= _FONT_OBFUSCATION:
        return False
    uris = [unquote(r.get("URI") or "") for r in named(encrypted, "cipherreference")]
    return not uris or any(not _NO_TEXT_MEDIA.search(uri) for uri in uris)


def read_package(archive: Archive, warnings: list[str]) -> Package:
    """The first rendition's package document.

    Raises ``FileRefused``: ``not_an_epub`` (none is named and none is there), ``opf_unreadable``.
    """
    path = _package_path(archive)
    data = archive.read(path)
    root = parse_xml(data) if data else None
    if root is None:
        raise FileRefused(
            "opf_unreadable", "This EPUB's table of files cannot be read; convert it (with Calibre) and retry."
        )
    items = {item.get("id", ""): item for item in reversed(list(named(root, "item"))) if item.get("href")}
    spine = next(named(root, "spine"), None)
    places = list(_spine(archive, path, root, items))
    missing = sum(1 for item in places if archive.find(item.path) is None)
    present = [item for item in places if archive.find(item.path) is not None]
    if not present:
        raise FileRefused(
            "opf_unreadable", "This EPUB lists no texts that it holds; convert it (with Calibre) and retry."
        )
    if missing:
        warnings.append(f"{missing} of the {len(places)} texts that this EPUB lists are missing from it.")
    ncx = items.get((spine.get("toc") if spine is not None else None) or "")
    if ncx is None:
        ncx = next((i for i in items.values() if i.get("media-type") == "application/x-dtbncx+xml"), None)
    nav = next((i for i in items.values() if "nav" in (i.get("properties") or "").split()), None)
    page_map = items.get((spine.get("page-map") if spine is not None else None) or "")
    guide = [
        (reference.get("type", "").lower(), target)
        for reference in named(root, "reference")
        if (target := resolve(path, reference.get("href", ""))) is not None
    ]
    return Package(
        title=_metadata(root, "title"),
        author=_authors(root),
        language=_language(_metadata(root, "language")),
        spine=tuple(present),
        nav=_item_path(path, nav),
        ncx=_item_path(path, ncx),
        page_map=_item_path(path, page_map),
        guide=tuple(guide),
    )


def _package_path(archive: Archive) -> str:
    data = archive.read(_CONTAINER)
    root = parse_xml(data) if data else None
    if root is not None:
        for rootfile in named(root, "rootfile"):
            path = unquote(rootfile.get("full-path") or "").lstrip("/")
            if path and archive.find(path):
                return path
    found = sorted((n for n in archive.names if n.lower().endswith(".opf")), key=lambda n: (n.count("/"), n))
    if found:
        return found[0]
    if root is not None:
        raise FileRefused("opf_unreadable", "This EPUB lacks its table of files; upload another copy of it.")
    raise FileRefused("not_an_epub", "This zip archive is not an EPUB; upload the book as EPUB, PDF or TXT.")


def _spine(archive: Archive, base: str, root: etree._Element, items: dict[str, etree._Element]) -> Iterator[SpineItem]:
    """The documents of the spine, each once: in order, the linear ones first."""
    linear: dict[str, SpineItem] = {}
    aside: dict[str, SpineItem] = {}
    for reference in named(root, "itemref"):
        path = _document_path(base, items, reference.get("idref") or "")
        if path is None or path in linear:
            continue
        stored = archive.find(path) or path
        if (reference.get("linear") or "yes").strip().lower() == "no":
            aside.setdefault(stored, SpineItem(stored, linear=False))
        else:
            linear.setdefault(stored, SpineItem(stored, linear=True))
    yield from linear.values()
    yield from (item for path, item in aside.items() if path not in linear)


def _document_path(base: str, items: dict[str, etree._Element], idref: str) -> str | None:
    """The path of a text document, following the fallbacks of other media; None where there is none."""
    for _ in range(len(items)):
        item = items.get(idref)
        if item is None:
            return None
        media, href = (item.get("media-type") or "").lower(), item.get("href") or ""
        if media in _DOCUMENT_TYPES or (media.startswith(("text/", "application/")) and _DOCUMENT_NAME.search(href)):
            return _item_path(base, item)
        idref = item.get("fallback") or ""
    return None


def _item_path(base: str, item: etree._Element | None) -> str | None:
    target = resolve(base, item.get("href", "")) if item is not None else None
    return target.path if target else None


def _metadata(root: etree._Element, name: str) -> str:
    scope = next(named(root, "metadata"), root)
    return next((text for e in named(scope, name) if (text := collapse(inner_text(e)))), "")


def _authors(root: etree._Element) -> str:
    scope = next(named(root, "metadata"), root)
    refined = {
        (meta.get("refines") or "").lstrip("#"): collapse(meta.text or "")
        for meta in named(scope, "meta")
        if meta.get("property") == "role"
    }
    names: dict[str, None] = {}
    for creator in named(scope, "creator"):
        role = refined.get(creator.get("id") or "") or next(
            (value for key, value in creator.attrib.items() if str(key).endswith("role")), "aut"
        )
        name = collapse(inner_text(creator))
        if name and str(role).lower() in ("aut", ""):
            names.setdefault(name)
    return ", ".join(names) or _metadata(root, "creator")


def _language(tag: str) -> str | None:
    """ISO 639-1 of a language tag (``en-GB``, ``eng``), or None."""
    primary = re.split(r"[-_]", tag.strip().lower())[0]
    if re.fullmatch(r"[a-z]{2}", primary):
        return primary
    return _ISO_639_1.get(primary)
