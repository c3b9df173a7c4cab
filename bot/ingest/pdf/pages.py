"""Page labels: the file's own, else the folios printed on the pages, else the count of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pymupdf

from bot.ingest.pdf.running_heads import Folio


def page_labels(document: pymupdf.Document, folios: Mapping[int, Folio]) -> list[str]:
    """A label for every page of the file, empty where a page has none.

    The file's page labels count only where they differ from 1, 2, 3, ...; folios are carried on to pages that do
    not print theirs (the first page of a chapter).
    """
    count = len(document)
    own = _own_labels(document, count)
    if own and own != [str(i + 1) for i in range(count)]:
        return own
    if folios:
        return _from_folios(folios, count)
    return [str(i + 1) for i in range(count)]


def _own_labels(document: pymupdf.Document, count: int) -> list[str]:
    if not document.get_page_labels():  # type: ignore[no-untyped-call]
        return []
    labels = [str(document[i].get_label()) for i in range(count)]  # type: ignore[no-untyped-call]
    return labels if any(labels) else []


def _from_folios(folios: Mapping[int, Folio], count: int) -> list[str]:
    labels = [""] * count
    for page, folio in folios.items():
        labels[page] = folio.label
    known = sorted(folios)
    for page in range(count):
        if labels[page]:
            continue
        before = max((k for k in known if k < page), default=None)
        after = min((k for k in known if k > page), default=None)
        labels[page] = _between(page, before, after, folios)
    return labels


def _between(page: int, before: int | None, after: int | None, folios: Mapping[int, Folio]) -> str:
    """The label that the nearest folios give ``page``; the one after counts where the one before is of another kind."""
    if before is not None:
        value = folios[before].value + page - before
        if after is None or folios[before].roman == folios[after].roman or not _reaches(page, after, folios):
            return _printed(folios[before], value)
    if after is not None and _reaches(page, after, folios):
        return _printed(folios[after], folios[after].value - (after - page))
    return ""


def _reaches(page: int, after: int, folios: Mapping[int, Folio]) -> bool:
    return folios[after].value - (after - page) >= 1


def _printed(like: Folio, value: int) -> str:
    if not like.roman:
        return str(value)
    roman = roman_numeral(value)
    return roman if like.label.islower() else roman.upper()


def roman_numeral(value: int) -> str:
    """``value`` (1..3999) in small Roman letters."""
    steps: Sequence[tuple[int, str]] = (
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
        (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    )  # fmt: skip
    out = ""
    for step, letters in steps:
        times, value = divmod(value, step)
        out += letters * times
    return out
