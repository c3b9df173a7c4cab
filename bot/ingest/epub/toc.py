"""The book's own tables: EPUB 3 navigation, EPUB 2 NCX, guide, page lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lxml import etree

from bot.core.errors import FileRefused
from bot.ingest.canonical import collapse
from bot.ingest.epub.archive import Archive
from bot.ingest.epub.marks import clean_label, types_of
from bot.ingest.epub.package import Package, Target, local, named, resolve
from bot.ingest.epub.xhtml import parse_document, parse_xml

MAX_ENTRIES: Final = 20_000

_NOT_IN_LABELS: Final = frozenset(("rt", "rp", "script", "style", "navpoint", "ol", "ul"))


@dataclass(frozen=True, slots=True)
class TocEntry:
    """One entry of a table of contents. ``depth`` counts from 0; ``target`` is None for a label without a link."""

    title: str
    depth: int
    target: Target | None


@dataclass(frozen=True, slots=True)
class Navigation:
    """What the tables say. ``starts`` are the places where the story is said to begin (landmarks, then guide)."""

    nav: tuple[TocEntry, ...] = ()
    ncx: tuple[TocEntry, ...] = ()
    landmarks: tuple[Target, ...] = ()
    guide: tuple[Target, ...] = ()
    pages: tuple[tuple[str, Target], ...] = ()


def read_navigation(archive: Archive, package: Package) -> Navigation:
    """Read all tables; a missing or unreadable one is empty."""
    found = Navigation(guide=tuple(target for kind, target in package.guide if kind in ("text", "start", "bodymatter")))
    if package.nav is not None:
        found = _read_nav(archive, package.nav, found)
    if package.ncx is not None:
        found = _read_ncx(archive, package.ncx, found)
    if not found.pages and package.page_map is not None:
        root = _xml(archive, package.page_map)
        if root is not None:
            found = replace(found, pages=_pages(package.page_map, [(p.get("name"), p) for p in named(root, "page")]))
    return found


def _xml(archive: Archive, path: str) -> etree._Element | None:
    data = archive.read(path)
    return parse_xml(data) if data else None


def _read_nav(archive: Archive, path: str, found: Navigation) -> Navigation:
    data = archive.read(path)
    try:
        root = parse_document(data) if data else None
    except FileRefused:
        root = None
    if root is None:
        return found
    navs = list(named(root, "nav"))
    toc = next((n for n in navs if "toc" in types_of(n)), None)
    if toc is None:
        toc = next((n for n in navs if not types_of(n)), None)
    landmarks = [a for n in navs if "landmarks" in types_of(n) for a in named(n, "a") if "bodymatter" in types_of(a)]
    pages = [(_label(a), a) for n in navs if types_of(n) & {"page-list", "pagelist"} for a in named(n, "a")]
    starts = [target for a in landmarks if (target := resolve(path, a.get("href") or ""))]
    return replace(
        found,
        nav=tuple(_nav_entries(path, toc)) if toc is not None else (),
        landmarks=tuple(starts),
        pages=_pages(path, pages),
    )


def _nav_entries(path: str, nav: etree._Element) -> list[TocEntry]:
    """The list items of a ``nav``, each with its link or plain label; iterative, whatever the nesting."""
    entries: list[TocEntry] = []
    depth = -1
    for event, element in etree.iterwalk(nav, events=("start", "end"), tag="*"):
        tag = local(element)
        if tag in ("ol", "ul"):
            depth += 1 if event == "start" else -1
        elif tag == "li" and event == "start" and len(entries) < MAX_ENTRIES:
            own = [child for child in element if isinstance(child.tag, str) and local(child) not in ("ol", "ul")]
            link = next(
                (a for child in own for a in child.iter(etree.Element) if local(a) == "a" and a.get("href")), None
            )
            title = _label(element)
            target = resolve(path, link.get("href") or "") if link is not None else None
            if title or target:
                entries.append(TocEntry(title, max(depth, 0), target))
    return entries


def _label(element: etree._Element) -> str:
    """The text of a label without nested lists and ruby readings; a picture's description where there is no text."""
    parts: list[str] = []
    alts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"), tag="*")
    for event, inner in walker:
        if event == "end":
            if inner is not element:
                parts.append(inner.tail or "")
        elif local(inner) in _NOT_IN_LABELS:
            walker.skip_subtree()
        else:
            parts.append(inner.text or "")
            alts.append(inner.get("alt") or "")
            if local(inner) == "br":
                parts.append(" ")
    return collapse("".join(parts)) or collapse(" ".join(alts))


def _read_ncx(archive: Archive, path: str, found: Navigation) -> Navigation:
    root = _xml(archive, path)
    if root is None:
        return found
    entries: list[TocEntry] = []
    depth = -1
    navmap = next(named(root, "navmap"), None)
    if navmap is not None:
        for event, point in etree.iterwalk(navmap, events=("start", "end"), tag="*"):
            if local(point) != "navpoint":
                continue
            depth += 1 if event == "start" else -1
            if event == "start" and len(entries) < MAX_ENTRIES:
                entries.append(TocEntry(_ncx_label(point), depth, _ncx_target(path, point)))
    pages = found.pages or _pages(path, [(_ncx_label(p) or p.get("value"), p) for p in named(root, "pagetarget")])
    return replace(found, ncx=tuple(entries), pages=pages)


def _ncx_label(point: etree._Element) -> str:
    label = next((child for child in point if isinstance(child.tag, str) and local(child) == "navlabel"), None)
    return _label(label) if label is not None else ""


def _ncx_target(path: str, point: etree._Element) -> Target | None:
    content = next((child for child in point if isinstance(child.tag, str) and local(child) == "content"), None)
    return resolve(path, content.get("src") or "") if content is not None else None


def _pages(path: str, found: Sequence[tuple[str | None, etree._Element]]) -> tuple[tuple[str, Target], ...]:
    pages = []
    for raw, element in found:
        target = resolve(path, element.get("href") or "") or _ncx_target(path, element)
        label = clean_label(collapse(raw or ""))
        if target is not None and label is not None:
            pages.append((label, target))
    return tuple(pages)
