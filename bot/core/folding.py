"""Comparing words across editions: letters and digits only, in lower case."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BETWEEN: Final = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """NFKD letters and digits of ``text``, case folded: what is left when typography, spaces and accents are gone."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.casefold())
    return _BETWEEN.sub("", text).casefold()
