"""Confirming and changing the chapter map, replacing a book, and pages of one's own edition."""

from __future__ import annotations

LINES: dict[str, str] = {
    "map_row": "{number}  {kind}  {name}  {count:,} characters  {title}",
    "map_kind_body": "story",
    "map_kind_front": "front matter",
    "map_kind_essay": "introduction or the like",
    "map_kind_contents": "list of contents",
    "map_kind_footnotes": "footnotes",
    "map_kind_notes": "notes",
    "map_kind_back": "back matter",
    "map_kind_preview": "of another book",
    "map_kind_unknown": "not known",
    "map_confirmed": "The map is confirmed.",
    "map_unseen": "Look at the map first: /book chapters shows it.",
    "map_unconfirmed": "Is that right? /book chapters ok confirms it, /book chapters show N shows how a section "
    "begins.",
    "map_how": "Say /book chapters, /book chapters ok, show N, story N..M, not-story N..M, starts N or ends N.",
    "map_not_number": "Say a section by its number, or a range such as 2..4: /book chapters lists them.",
    "map_changed": "The chapter map was changed. Whoever had read past what it adds, or past its new end, is further "
    "back now: /progress shows where you are.",
    "section_sure": "Section {number} lies past where you are. Show its title and first words, to you alone?",
    "section_accept": "Show, I accept spoilers",
    "section_decline": "Do not show it",
    "section_kept_shut": "Nothing was shown.",
    "section_title": "Section {number}: {title}",
    "section_words": "It begins: {words} ...",
    "replace_sure": "The file is “{new}”, {count} chapter. Let it take the place of “{old}”? | The file is “{new}”, "
    "{count} chapters. Let it take the place of “{old}”?",
    "replace_what": "Everybody keeps their place, or an earlier one; what was asked about the old file is gone.",
    "replace_yes": "Replace it",
    "replace_no": "Leave it as it is",
    "replaced": "“{new}” has taken the place of “{old}”: /progress shows where you are.",
    "not_replaced": "Nothing was replaced.",
    "page_counts": "Pages count as in your own edition now: say /progress p. N.",
}
