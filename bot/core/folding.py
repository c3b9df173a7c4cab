"""Comparing words across editions: letters and digits only, in lower case."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """NFKD letters and digits of ``text``, case folded: what is left when typography, spaces and accents are gone."""
    if text.isascii():
        return "".join(c for c in text if c.isalnum()).casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())
