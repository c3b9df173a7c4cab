"""Which candidates are headings, and of what: parts, chapters, front and back matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from bot.core.book import SectionKind
from bot.ingest.labels import label_kind
from bot.ingest.pdf.headings import Candidate
from bot.ingest.pdf.lines import Line
from bot.ingest.pdf.outline import Verified

Role = Literal["part", "chapter", "matter"]

_SEALED: Final = frozenset(set(SectionKind) - {SectionKind.BODY, SectionKind.UNKNOWN})
_MOTTO: Final = 400  # code points that may stand between a part's heading and its first chapter's
_STORY: Final = 200  # code points that make what follows a heading more than a title page


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that begins a section: a part, a chapter (numbered or not), or front and back matter of ``kind``."""

    candidate: Candidate
    role: Role
    kind: SectionKind = SectionKind.BODY
    level: int = 0  # of the outline, 0 where it is not in it

    @property
    def numbered(self) -> bool:
        parsed = self.candidate.parsed
        return parsed is not None and (parsed.number is not None or parsed.keyword is not None)


class Structure:
    """Decides on the candidates of one book. ``lines`` are its lines; ``in_contents`` the pages of contents lists."""

    def __init__(
        self, lines: Sequence[Line], found: Sequence[Candidate], verified: Sequence[Verified], in_contents: set[int]
    ) -> None:
        self._lines = lines
        self._verified = {v.candidate.first: v for v in verified if v.candidate is not None}
        promoted = [v.candidate for v in verified if v.candidate is not None]
        taken = {c.first for c in found}
        everything = sorted([*found, *(c for c in promoted if c.first not in taken)], key=lambda c: c.first)
        self._candidates = [c for c in _disjoint(everything) if c.page not in in_contents or _is_contents_label(c)]
        self._roles_of_entries = self._entry_roles(verified)

    def headings(self) -> list[Heading]:
        """The headings that begin sections, in text order."""
        firm = [heading for c in self._candidates if (heading := self._firm(c)) is not None]
        firm = self._without_lists(firm)
        numbered = [h for h in firm if h.role == "chapter" and (p := h.candidate.parsed) and p.keyword == "chapter"]
        bare = self._bare_chapters(firm, numbered)
        found = sorted([*firm, *bare], key=lambda h: h.candidate.first)
        found = self._with_titles(found)
        return _after_the_story(_before_the_story(found))

    def _firm(self, c: Candidate) -> Heading | None:
        """What ``c`` is by its own words or by the outline; None where neither says."""
        entry_role = self._roles_of_entries.get(c.first)
        level = self._verified[c.first].entry.level if c.first in self._verified else 0
        parsed = c.parsed
        if parsed is not None and not parsed.bare:
            return Heading(c, "part" if parsed.is_part and parsed.above is None else "chapter", level=level)
        kind = label_kind(c.text) if parsed is None else None
        if kind in _SEALED:
            assert kind is not None
            return Heading(c, "matter", kind, level)
        if entry_role is not None and entry_role != "subsection":
            return Heading(c, "part" if entry_role == "part" else "chapter", level=level)
        return None

    def _entry_roles(self, verified: Sequence[Verified]) -> dict[int, str]:
        """What the outline makes of verified candidates that say nothing themselves: part, chapter or subsection."""
        chapter_levels = Counter(
            v.entry.level for v in verified if (v.candidate and (p := v.candidate.parsed) and p.keyword == "chapter")
        )
        level = chapter_levels.most_common(1)[0][0] if chapter_levels else None
        roles: dict[int, str] = {}
        by_entry: dict[int, str] = {}
        for i, item in enumerate(verified):
            c, entry = item.candidate, item.entry
            if level is not None and entry.level > level:
                role = "subsection"
            elif entry.has_children:
                child = next((v.candidate for v in verified[i + 1 :] if v.candidate is not None), None)
                above = level is not None and entry.level < level
                touching = c is not None and child is not None and self._letters_between(c, child) <= _MOTTO
                role = "part" if above or touching else "chapter"
            elif entry.parent is not None and by_entry.get(entry.parent) in {"chapter", "subsection"}:
                role = "subsection"
            else:
                role = "chapter"
            if c is not None and c.parsed is not None and not c.parsed.bare:
                role = "part" if c.parsed.is_part else "chapter"
            by_entry[i] = role
            if c is not None:
                roles[c.first] = role
        return roles

    def _letters_between(self, a: Candidate, b: Candidate) -> int:
        return sum(len(line.text) for line in self._lines[a.last : b.first])

    def _without_lists(self, headings: Sequence[Heading]) -> list[Heading]:
        """Without headings that only stand in a list: nothing between them, and said again further on."""
        later: Counter[str] = Counter(_said(h) for h in headings)
        kept: list[Heading] = []
        for i, heading in enumerate(headings):
            later[_said(heading)] -= 1
            following = headings[i + 1] if i + 1 < len(headings) else None
            listed = (
                heading.role != "matter"
                and following is not None
                and following.role == heading.role
                and self._letters_between(heading.candidate, following.candidate) <= _STORY
                and later[_said(heading)] > 0
                and heading.candidate.first not in self._verified
            )
            if not listed:
                kept.append(heading)
        return kept

    def _bare_chapters(self, firm: Sequence[Heading], numbered: Sequence[Heading]) -> list[Heading]:
        """Bare numbers that count up, where the book has no better chapter headings."""
        taken = {h.candidate.first for h in firm}
        outlined = sum(h.role == "chapter" and h.level > 0 for h in firm)
        bare = [c for c in self._candidates if _bare(c) and c.first not in taken]
        if len(numbered) >= 2 or (outlined >= 3 and not any(_bare(h.candidate) for h in firm)):
            return []
        if self._are_sections_of_titles(bare):
            return []
        marks: list[tuple[int, Heading | Candidate]] = [(h.candidate.first, h) for h in firm]
        marks += [(c.first, c) for c in bare]
        found: list[Heading] = []
        last = 0
        for _, mark in sorted(marks, key=lambda item: item[0]):
            if isinstance(mark, Heading):
                if mark.role == "part":
                    last = 0
                elif _bare(mark.candidate) and mark.candidate.parsed:
                    last = mark.candidate.parsed.number or last
                continue
            number = mark.parsed.number if mark.parsed else None
            if number is None or not (last < number <= last + 3 or (number == 1 and last >= 2)):
                continue
            if number > 1 or mark.large or mark.bold or last == 0:
                found.append(Heading(mark, "chapter"))
                last = number
        return found if len(found) >= 2 or outlined else []

    def _are_sections_of_titles(self, bare: Sequence[Candidate]) -> bool:
        """Whether the numbers restart under larger titles: sections inside stories, not chapters."""
        restarts = [c for c in bare if c.parsed is not None and c.parsed.number == 1]
        if len(restarts) < 2:
            return False
        before = {b.first: a for a, b in pairwise(self._candidates)}
        titled = [c for c in restarts if (a := before.get(c.first)) and a.parsed is None and a.size > c.size]
        return 2 * len(titled) > len(restarts)

    def _with_titles(self, found: Sequence[Heading]) -> list[Heading]:
        """Unnumbered headings set like the chapters', or, where nothing is numbered, the titles themselves."""
        chapters = [h for h in found if h.role == "chapter"]
        taken = {h.candidate.first for h in found}
        titles = [
            c
            for c in self._candidates
            if (c.parsed is None or (c.parsed.bare and c.parsed.named)) and c.first not in taken
        ]
        if not chapters:
            style = self._title_style(titles)
            extra = [Heading(c, "chapter") for c in titles if c.style == style]
        else:
            first = chapters[0].candidate.first
            styles = {(round(2 * h.candidate.size), h.candidate.bold) for h in chapters} | {
                (round(2 * h.candidate.title_size), h.candidate.bold) for h in chapters
            }
            outlined = sum(h.level > 0 for h in chapters) >= 3
            alike = [c for c in titles if c.large and c.first > first and c.style in styles and not outlined]
            extra = [self._title(c, found) for c in alike if c.page != chapters[0].candidate.page]
        return sorted([*found, *extra], key=lambda h: h.candidate.first)

    def _title(self, c: Candidate, found: Sequence[Heading]) -> Heading:
        after = next((h.candidate for h in found if h.candidate.first > c.first), None)
        touching = after is not None and after.parsed is not None and self._letters_between(c, after) <= _MOTTO
        return Heading(c, "part" if touching else "chapter")

    def _title_style(self, titles: Sequence[Candidate]) -> tuple[int, bool] | None:
        """The style of most titles that are followed by prose; at least two must share it."""
        following = [*titles, None][1:]
        told: Counter[tuple[int, bool]] = Counter()
        for c, after in zip(titles, following, strict=True):
            end = after.first if after is not None else len(self._lines)
            if sum(len(line.text) for line in self._lines[c.last : end]) >= _STORY:
                told[c.style] += 1
        best = max(told.items(), key=lambda item: (item[1], item[0][0]), default=None)
        return best[0] if best is not None and best[1] >= 2 else None


def _bare(c: Candidate) -> bool:
    return c.parsed is not None and c.parsed.bare


def _said(heading: Heading) -> str:
    parsed = heading.candidate.parsed
    if parsed is not None and parsed.number is not None:
        return f"{parsed.keyword} {parsed.number}"
    return "".join(c for c in heading.candidate.text.casefold() if c.isalnum())


def _is_contents_label(c: Candidate) -> bool:
    return label_kind(c.text) is SectionKind.CONTENTS


def _disjoint(found: Sequence[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    for c in found:
        if not kept or (c.first >= kept[-1].last and c.first > kept[-1].first):
            kept.append(c)
    return kept


def _before_the_story(found: Sequence[Heading]) -> list[Heading]:
    """Unnumbered headings before the first numbered chapter are sealed, if the book numbers its chapters."""
    first = next((i for i, h in enumerate(found) if h.role == "chapter" and h.numbered), None)
    if first is None:
        return list(found)
    return [
        replace(h, role="matter", kind=SectionKind.UNKNOWN) if i < first and h.role == "chapter" else h
        for i, h in enumerate(found)
    ]


def _after_the_story(found: Sequence[Heading]) -> list[Heading]:
    """Chapters that count from one again behind back matter belong to a preview of another book."""
    result: list[Heading] = []
    number, behind, preview = 0, False, False
    for h in found:
        parsed = h.candidate.parsed
        value = parsed.number if parsed is not None and h.role == "chapter" else None
        if h.role == "matter":
            behind = behind or (number > 0 and h.kind is not SectionKind.CONTENTS)
            preview = preview or (number > 0 and h.kind is SectionKind.PREVIEW)
        elif h.role == "part":
            behind = preview
        elif value is not None and not preview:
            if value == number + 1:
                behind = False
            preview = preview or (behind and value <= number)
            number = value
        if (preview or behind) and h.role == "chapter":
            result.append(replace(h, role="matter", kind=SectionKind.PREVIEW if preview else SectionKind.UNKNOWN))
        else:
            result.append(h)
    return result
