"""The chapter map, looked over and changed by an admin: a page of sections, one of them or a range, and its words.

Sections go by kind, number and length; their titles and words are shown as far as the admin has read, or once they
say that they accept spoilers. All of it is for them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.adapters.chat.marked import shortened
from bot.adapters.chat.parts import Button, Menu, Weight
from bot.adapters.chat.places import book_here
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import line
from bot.core.chapter_map_review import (
    MapReview,
    MustConsent,
    first_words,
    first_words_consented,
    map_confirmed,
    map_marked,
    map_review,
)
from bot.core.chapter_maps import FirstWords, SectionOnMap
from bot.core.chapters import chapter_name
from bot.core.known_books import book_wanted
from bot.core.ports import BookRecord
from bot.core.remarking import Mark, NotStory, Story, StoryEnds, StoryStarts
from bot.core.rights import require_admin

PAGE: Final = 12
"""Sections of one page."""
_MOST: Final = 25
"""Choices of one menu."""
_TITLE: Final = 60
_NUMBERS: Final = 10**6


async def review(scene: Scene) -> Said:
    """The first page of the map of what is read there, for an admin."""
    require_admin(scene.member)
    book = await book_here(scene)
    return said(line("no_book", scene.language)) if book is None else await _page(scene, book, 0)


async def paged(scene: Scene, press: Press) -> Said:
    """Another page: its number, from 0, is the value."""
    return await _page(scene, await _book(scene, press), int(press.value or 0))


async def _book(scene: Scene, press: Press) -> BookRecord:
    return await book_wanted(scene.house, scene.member, str(press.subject))


async def _page(scene: Scene, book: BookRecord, number: int) -> Said:
    seen = await map_review(scene.house, scene.member, book)
    pages = max(1, -(-len(seen.sections) // PAGE))
    page = min(max(number, 0), pages - 1)
    shown = seen.sections[page * PAGE : (page + 1) * PAGE]
    language = scene.language
    title = shortened(book.title, _TITLE)
    head = line("chat_map_head", language, title=title, page=page + 1, pages=pages, count=len(seen.sections))
    buttons = [
        *([_button(scene, book, Action.MAP, str(page - 1), "chat_map_before")] if page else []),
        *([_button(scene, book, Action.MAP, str(page + 1), "chat_map_after")] if page + 1 < pages else []),
    ]
    if not seen.confirmed:
        version = str(seen.book.map_version)
        buttons.append(_button(scene, book, Action.MAP_OK, version, "chat_map_right", Weight.MAIN))
    below = line("map_confirmed" if seen.confirmed else "map_unconfirmed", language)
    press = _press(scene, book, Action.MAP_SECTION, "")
    menu = Menu(press, line("chat_map_choose", language), tuple(_choice(one, seen, language) for one in shown))
    return said(head, *(_row(one, seen, language) for one in shown), below, buttons=buttons, menu=menu)


def _press(scene: Scene, book: BookRecord, action: Action, value: str) -> Press:
    return Press(action, scene.house.club, book.id, number_of(scene.member.person), value)


def _button(
    scene: Scene, book: BookRecord, action: Action, value: str, key: str, weight: Weight = Weight.PLAIN
) -> Button:
    return Button(_press(scene, book, action, value), line(key, scene.language), weight)


def _what(section: SectionOnMap, seen: MapReview, language: str) -> str:
    """A section without any words of the book: its kind, and its chapter by numbers."""
    kind = line(f"map_kind_{section.kind.value}", language)
    chapter = None if section.chapter is None else seen.chapter_map.chapter(section.chapter)
    return kind if chapter is None else f"{kind}, {chapter_name(chapter, seen.chapter_map)}"


def _row(section: SectionOnMap, seen: MapReview, language: str) -> str:
    title = shortened(" ".join(seen.titles.get(section.number, "").split()), _TITLE)
    what = _what(section, seen, language)
    return line(
        "chat_map_row", language, number=section.number, what=what, characters=len(section.span), title=title
    ).rstrip(" :")


def _choice(section: SectionOnMap, seen: MapReview, language: str) -> tuple[str, str]:
    return f"{section.number}: {_what(section, seen, language)}", str(section.number)


def _range(value: str) -> tuple[int, int]:
    """The sections that a value names: "4", "4-9", or "4-" with nothing chosen after it."""
    first, _, last = value.partition("-")
    numbers = int(first or 0), int(last or first or 0)
    return min(numbers) % _NUMBERS, max(numbers) % _NUMBERS


async def section(scene: Scene, press: Press) -> Said:
    """One section, or a range of them, and what may be done with it."""
    book, (first, last) = await _book(scene, press), _range(press.value)
    seen = await map_review(scene.house, scene.member, book)
    shown = seen.sections[first - 1 : last] if first else ()
    if not shown:
        return await _page(scene, book, 0)
    language, value = scene.language, f"{first}-{last}"
    rows = [_row(one, seen, language) for one in _some(shown)]
    more = [line("chat_map_between", language)] if len(shown) > len(rows) else []
    buttons = [
        _button(scene, book, Action.STORY, value, "chat_map_story"),
        _button(scene, book, Action.NOT_STORY, value, "chat_map_not_story"),
    ]
    if first == last:
        buttons += [
            _button(scene, book, Action.STARTS, str(first), "chat_map_starts"),
            _button(scene, book, Action.ENDS, str(first), "chat_map_ends"),
            _button(scene, book, Action.SHOW_SECTION, str(first), "chat_map_words"),
        ]
    buttons.append(_button(scene, book, Action.MAP, str((first - 1) // PAGE), "chat_map_back"))
    after = seen.sections[first : first + _MOST] if first == last else ()
    menu = None
    if after:
        menu = Menu(
            _press(scene, book, Action.MAP_SECTION, f"{first}-"),
            line("chat_map_up_to", language),
            tuple(_choice(one, seen, language) for one in after),
        )
    return said(rows[0], *more, *rows[1:], buttons=buttons, menu=menu)


def _some(shown: Sequence[SectionOnMap]) -> Sequence[SectionOnMap]:
    """The first and the last of a range."""
    return shown if len(shown) < 3 else (shown[0], shown[-1])


MARKS: Final[dict[Action, Callable[[int, int], Mark]]] = {
    Action.STORY: Story,
    Action.NOT_STORY: NotStory,
    Action.STARTS: lambda first, _: StoryStarts(first),
    Action.ENDS: lambda first, _: StoryEnds(first),
}


async def marked(scene: Scene, press: Press) -> Said:
    """Mark a section or a range of them; then the map as it is now."""
    book, (first, last) = await _book(scene, press), _range(press.value)
    await map_marked(scene.house, scene.member, book, MARKS[press.action](first, last))
    now = await _page(scene, await _book(scene, press), (first - 1) // PAGE)
    return replace(now, lines=(line("map_changed", scene.language), *now.lines))


async def confirmed(scene: Scene, press: Press) -> Said:
    """Say that the map is right which was shown: the value is its version."""
    book = replace(await _book(scene, press), map_version=int(press.value or 0))
    await map_confirmed(scene.house, scene.member, book)
    return said(line("map_confirmed", scene.language))


async def words(scene: Scene, press: Press) -> Said:
    """How a section begins: at once where the admin has read it, else once they accept spoilers."""
    book, (number, _) = await _book(scene, press), _range(press.value)
    found = await first_words(scene.house, scene.member, book, number)
    if not isinstance(found, MustConsent):
        return _begins(scene, found)
    buttons = [
        _button(scene, book, Action.ACCEPT_SPOILERS, str(number), "section_accept", Weight.GRAVE),
        _button(scene, book, Action.KEEP_SHUT, str(number), "section_decline"),
    ]
    return said(line("section_sure", scene.language, number=number), buttons=buttons)


async def words_accepted(scene: Scene, press: Press) -> Said:
    """How a section begins, whatever the admin has read: they have just accepted that."""
    book, (number, _) = await _book(scene, press), _range(press.value)
    return _begins(scene, await first_words_consented(scene.house, scene.member, book, number))


async def kept_shut(scene: Scene, press: Press) -> Said:
    """Nothing is shown."""
    del press
    return said(line("section_kept_shut", scene.language))


def _begins(scene: Scene, found: FirstWords) -> Said:
    title = " ".join(found.title.split()) or "-"
    head = line("section_title", scene.language, number=found.number, title=title)
    return said(head, line("section_words", scene.language, words=found.words))
