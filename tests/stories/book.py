"""The book that the clubs over the wire read: five chapters of our own, each about somebody new."""

from __future__ import annotations

CHAPTERS = 5
TITLES = ("The Lantern", "A Borrowed Oar", "Salt on the Stair", "The Drowned Bell", "Who Rang It")
NAMES = ("Aldous Wren", "Bettina Marsh", "Corvin Hale", "Delphine Oake", "Everard Pell")
_DEEDS = (
    "{name} carried the lantern along the harbour wall before anybody else was awake.",
    "Nobody had asked {name} to mend the rope that held the ferry to its post.",
    "In the evening {name} counted the boats twice and came to a different number.",
    "The keeper would not tell {name} what lay under the boards of the boathouse.",
)


def chapter_text(number: int) -> str:
    """A chapter, from 1; its person is named in it, and nowhere before."""
    return " ".join(deed.format(name=NAMES[number - 1]) for deed in _DEEDS * 2)


BOOK = "\n\n".join(f"Chapter {n}: {TITLES[n - 1]}\n\n{chapter_text(n)}" for n in range(1, CHAPTERS + 1))
