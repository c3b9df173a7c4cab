"""Two books that are equal up to an offset and different after it: same length, same map, other words and titles."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from bot.core.book import BookText, SectionKind
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.sections import assemble

EARLY = (
    "the ferry", "an old lamp", "rain", "her letter", "a key", "Ana Wren", "Mr. Oswin Fogg", "Dr. Ferrier",
    "the harbour", "bell", "salt", "a kite", "waited", "opened", "lost", "said", "took", "went", "was",
    "of", "and", "in", "at No. 3",
)  # fmt: skip
LATE = (
    "Tamsin Quillet", "Captain Marrable", "poison", "the murderer", "drowned", "the stranger", "a will", "gold",
    "confessed", "was dead", "married", "the brother", "burned", "never", "Mrs. Lindqvist", "twins", "of", "and", "in",
)  # fmt: skip
OTHER = (
    "Corwin Ash", "Lady Harrow", "an alibi", "the heiress", "escaped", "the gardener", "a ship", "silver", "forgave",
    "was alive", "parted", "the sister", "flooded", "always", "Isolde Wren", "orphans", "with", "but", "on", "e.g.",
)  # fmt: skip
ENDS = (". ", ". ", "! ", "? ", ".” ", "?” ", "… ", ".\n\n", "!\n\n", ".\n\n“", ", ", "; ", " - ")


def prose(rng: random.Random, words: tuple[str, ...], length: int) -> str:
    """Exactly ``length`` code points of prose-like text that begins and ends with something visible."""
    made = ""
    while len(made) < length:
        clause = " ".join(rng.choice(words) for _ in range(rng.randint(2, 9)))
        made += clause[0].upper() + clause[1:] + rng.choice(ENDS)
    made = made[:length]
    return made if not made or not made[-1].isspace() else made[:-1] + "."


@dataclass(frozen=True)
class Twins:
    """Two books that a reader at ``boundary`` must not be able to tell apart."""

    first: BookText
    second: BookText
    boundary: int


def _drafts(rng: random.Random, chapters: int, parts: bool, size: int) -> tuple[str, list[SectionDraft]]:
    text = ""
    drafts: list[SectionDraft] = []

    def add(kind: SectionKind, heading: str, body: str, **more: object) -> None:
        nonlocal text
        text += "\n\n" if text else ""
        start = len(text)
        text += f"{heading}\n\n{body}"
        drafts.append(SectionDraft(kind, start, heading, start + len(heading), **more))  # type: ignore[arg-type]

    add(SectionKind.ESSAY, "Introduction", prose(rng, LATE, 120))
    for n in range(1, chapters + 1):
        number = n if not parts or n <= chapters // 2 else n - chapters // 2
        above = ((f"Part {1 + (n > chapters // 2)} {rng.choice(LATE)}", 1 + (n > chapters // 2)),) if parts else ()
        heading = f"Chapter {number}: {rng.choice(EARLY if n == 1 else LATE).title()}"
        body = prose(rng, EARLY if n < chapters else LATE, rng.randint(size // 2, size))
        numbered = {"printed": str(number), "printed_number": number, "parts": above}
        add(SectionKind.BODY, heading, body, starts_chapter=True, **numbered)
        if n % 2:
            marker = drafts[-1].start + len(heading) + 5
            add(SectionKind.FOOTNOTES, "Footnotes", prose(rng, EARLY + LATE, rng.randint(20, 90)), marker=marker)
    add(SectionKind.NOTES, "Notes", prose(rng, LATE, 80))
    add(SectionKind.PREVIEW, "Next", prose(rng, LATE, 80))
    return text, drafts


def _otherwise(
    rng: random.Random, text: str, drafts: list[SectionDraft], boundary: int
) -> tuple[str, list[SectionDraft]]:
    """The same up to ``boundary``; after it other words and titles, with every section where it was.

    Footnotes belong to the chapter of their markers: they open at its end, and so stay as they are from there on.
    """
    ends = [d.start for d in drafts[1:]] + [len(text) + 2]
    other, made = "", []
    for draft, end in zip(drafts, ends, strict=True):
        kept = text[draft.start : max(draft.start, min(boundary, end - 2))]
        length = end - 2 - draft.start
        changed = draft
        if draft.kind is SectionKind.FOOTNOTES and draft.start <= boundary:
            whole = text[draft.start : end - 2]
        elif draft.start >= boundary or (draft.heading_end or 0) > boundary:
            fresh = prose(rng, OTHER, length - len(kept))
            heading = (kept + fresh)[: rng.randint(len(kept) + 1, len(kept) + 12)].split("\n")[0].strip() or "X"
            whole = kept + fresh
            changed = replace(
                draft,
                title=heading,
                heading_end=draft.start + len(heading),
                parts=tuple((f"Division {rng.choice(OTHER)}", number) for _, number in draft.parts)
                if draft.start >= boundary
                else draft.parts,
            )
        else:
            whole = kept + prose(rng, OTHER, length - len(kept))
        if end < len(text) + 2:
            between = text[max(end - 2, 0) : end] if end - 2 < boundary else "\n\n"
            whole += between
        other += whole
        made.append(changed)
    return other, made


def make_twins(seed: int, chapters: int, parts: bool, size: int, share: float, snap: int) -> Twins:
    """Twins whose boundary lies at ``share`` of the body; ``snap`` moves it to a chapter's or sentence's end (1, 2)."""
    rng = random.Random(seed)
    text, drafts = _drafts(rng, chapters, parts, size)
    first = assemble(BookDraft(text, tuple(drafts), title="Twin", language="en"))
    body = [s.span for s in first.chapters]
    boundary = body[0].start + int(share * (first.body_end - body[0].start))
    if snap == 1:
        boundary = max((s.end for s in body if s.end <= boundary), default=body[0].start)
    elif snap == 2:
        boundary = max(text.rfind(mark, 0, boundary) + 1 for mark in ".!?")
    other, changed = _otherwise(rng, text, drafts, boundary)
    second = assemble(BookDraft(other, tuple(changed), title="Twin", language="en"))
    return Twins(first, second, boundary)


def twins(max_size: int = 3400) -> st.SearchStrategy[Twins]:
    """Twins of all shapes; the boundary falls anywhere, in mid-sentence too.

    Chapters of ``max_size`` code points have two passages, and passages two pieces with vectors of their own.
    """
    return st.builds(
        make_twins,
        seed=st.integers(0, 10**6),
        chapters=st.integers(2, 5),
        parts=st.booleans(),
        size=st.integers(60, max_size),
        share=st.floats(0, 1),
        snap=st.integers(0, 2),
    )
