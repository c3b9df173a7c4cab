"""The books that a member may speak of, finished ones too, and which one their direct messages are about."""

from __future__ import annotations

from typing import Final

from bot.adapters.chat.marked import shortened
from bot.adapters.chat.parts import Menu
from bot.adapters.chat.places import book_here, titled
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Chat, Scene
from bot.adapters.wording import conversations, line
from bot.core.asked_in import ALL
from bot.core.chapter_list import chapters_listed
from bot.core.club import BookId, Person
from bot.core.known_books import books_listed
from bot.core.outcomes import NotAnswered
from bot.core.privately import PrivateBook, chosen_privately, private_books
from bot.core.rights import require_insider, require_member

MOST: Final = 25
_LABEL: Final = 70


async def listed(scene: Scene) -> Said:
    """The club's books by title; a member may choose which one their direct messages are about."""
    require_insider(scene.member)
    rows = []
    for one in await books_listed(scene.house, scene.member):
        key = "chat_book_now" if one.current else "chat_book_finished" if one.book.finished else "chat_book"
        rows.append(line(key, scene.language, book=one.book.id, title=one.book.title))
    if not rows:
        return said(line("no_book", scene.language))
    if not scene.member.joined:
        return said(*rows)
    person = scene.member.person
    houses = [scene.house] if scene.room is not None else await scene.client.houses_of(person)
    offered = await private_books(houses, person)
    chosen = [one.book.title for one in offered if one.chosen]
    about = [line("dm_book_now", scene.language, title=chosen[0])] if len(chosen) == 1 else []
    menu = await _menu(scene.client, offered, Press(Action.DM_BOOK, 0, 0, number_of(person)), scene.language)
    return said(*rows, *about, menu=menu if len(offered) > 1 else None)


async def _menu(client: Chat, offered: tuple[PrivateBook, ...], press: Press, language: str) -> Menu:
    """The books to choose from, what clubs read now first; of several clubs each with where that is."""
    ranked = sorted(offered, key=lambda one: not one.current)[:MOST]
    clubs = {one.club for one in ranked}
    places = {club: f" ({await client.called(club)})" if len(clubs) > 1 else "" for club in clubs}
    choices = [(shortened(one.book.title, _LABEL) + places[one.club], f"{one.club}-{one.book.id}") for one in ranked]
    return Menu(press, line("chat_dm_choose", language), tuple(choices))


async def which_club(client: Chat, person: Person, message: int = 0) -> Said:
    """Ask who is in several clubs which book they mean; ``message`` is the number of what they wrote, to be answered
    then.
    """
    language = client.spoken("en")
    offered = await private_books(await client.houses_of(person), person)
    if not offered:
        return said(line("chat_several_without_books", language))
    press = Press(Action.DM_BOOK, 0, message, number_of(person))
    return said(line("chat_which_club", language), menu=await _menu(client, offered, press, language))


def club_and_book(press: Press) -> tuple[int, int]:
    """What was chosen: the numbers of a club and of one of its books, 0 where that is not said."""
    club, _, book = press.value.partition("-")
    return int(club or 0), int(book or 0)


async def dm_book(scene: Scene, press: Press) -> Said:
    """Let direct messages be about a book from now on, and about no book of another club."""
    person, (_, book) = scene.member.person, club_and_book(press)
    houses = await scene.client.houses_of(person)
    chosen = await chosen_privately(houses, scene.house, person, str(BookId(book)))
    if isinstance(chosen, NotAnswered):
        return said(conversations.not_answered(chosen, scene.house.clock(), scene.language))
    return said(line("dm_book_now", scene.language, title=chosen.title), line("chat_dm_again", scene.language))


async def titles_asked(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """The books that may be asked about there; and all that the club has finished, with the one that is read now."""
    found = await titles_typed(scene, typed)
    every = line("chat_all_books", scene.language)
    return [*found, (every, ALL)] if len(found) > 1 and typed.strip().casefold() in every.casefold() else found


async def titles_typed(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """The books that may be spoken of there: who brought one that is not announced sees it privately alone."""
    if not (scene.member.joined or scene.member.admin) or scene.member.removed:
        return []
    wanted, books = typed.strip().casefold(), [one.book for one in await books_listed(scene.house, scene.member)]
    return [(b.title, str(b.id)) for b in books if wanted in f"{b.id} {b.title}".casefold()]


async def chapters(scene: Scene) -> Said:
    """The chapters by number, with the titles that the member has met."""
    require_member(scene.member)
    book = await book_here(scene)
    if book is None:
        return said(line("no_book", scene.language))
    listed = await chapters_listed(scene.house, scene.member, book.id)
    return said(*(titled(chapter.name, chapter.title) for chapter in listed.chapters))
