"""The next book: `/nominate`, `/vote`, and closing a round. Who votes presses every book they would gladly read."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.adapters.chat import render
from bot.adapters.chat.marked import shortened
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, tell_room, told_finished
from bot.adapters.wording import line, lives
from bot.core.ballots import Ballot, BallotId, Nomination
from bot.core.club import BookId
from bot.core.club_rooms import book_read
from bot.core.club_settings import settings_of
from bot.core.known_books import books_to_nominate
from bot.core.life import Step, club_finished, next_book_started, welcome
from bot.core.next_book import Standing, close_vote, decide_tie, nominate, standing, vote, vote_until
from bot.core.rights import require_admin

CHOSEN: Final = "✓ "
_TITLE: Final = 48
"""Of a title in a ballot: with all that may be nominated it is one message."""
_VOTE: Final = 300


async def nominated(scene: Scene, title: str) -> Said:
    """Nominate a title, or a book of the shelf by its number; the room is told once."""
    made = await nominate(scene.house, scene.member, title)
    seen = await standing(scene.house, scene.member)
    assert seen is not None
    key = "nominated" if made.new else "nominated_already"
    told = line(key, scene.language, name=scene.member.name, title=made.nomination.title, n=made.nomination.n)
    if made.new:
        buttons = render.steps((Step.VOTE,), scene.house.club, scene.language)
        await tell_room(scene, told, key=f"n{seen.ballot.id}.{made.nomination.n}", buttons=buttons)
    return await _shown(scene, seen, told)


async def titles_to_nominate(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """What stands on the shelf, as a member begins to name a book; (label, what is said)."""
    if not scene.member.joined:
        return []
    wanted = typed.strip().casefold()
    books = await books_to_nominate(scene.house)
    return [(b.title, str(b.id)) for b in books if wanted in f"{b.id} {b.title}".casefold()]


async def ballot(scene: Scene) -> Said:
    """The round as the member sees it, with a button for each book."""
    return await _shown(scene, await standing(scene.house, scene.member))


async def voted_for(scene: Scene, press: Press) -> Said:
    """Approve of one more book, or of one less: the value is its number, the subject its round."""
    seen = await standing(scene.house, scene.member)
    if seen is None or not seen.ballot.open:
        return await _shown(scene, seen)
    approved = set(seen.own or ()) ^ {int(press.value or 0)}
    return await _shown(scene, await vote(scene.house, scene.member, approved, BallotId(press.subject)))


async def _shown(scene: Scene, seen: Standing | None, *before: str) -> Said:
    language = scene.language
    if seen is None:
        return said(line("no_ballot", language), buttons=render.steps((Step.NOMINATE,), scene.house.club, language))
    if not seen.ballot.open:
        if seen.closed_now:
            await _tell_closed(scene, seen.ballot)
        return closed(scene, seen.ballot)
    person = number_of(scene.member.person)
    rows = [
        line(
            "ballot_row" if one.book is None else "ballot_row_shelf",
            language,
            n=one.n,
            title=shortened(one.title, _TITLE),
        )
        for one in seen.ballot.nominations
    ]
    buttons = []
    for one in seen.ballot.nominations:
        press = Press(Action.VOTE_FOR, scene.house.club, seen.ballot.id, person, str(one.n))
        chosen = seen.own is not None and one.n in seen.own
        label = f"{CHOSEN if chosen else ''}{one.n}: {one.title}"
        buttons.append(Button(press, label, Weight.GOOD if chosen else Weight.PLAIN))
    lines = [*before, line("ballot_head", language), *rows, line("voters", language, count=seen.ballot.voters)]
    if seen.ballot.closes_at is not None:
        lines.append(await _until(scene, seen.ballot.closes_at))
    return said(*lines, line("vote_how", language), _own(seen, language), buttons=buttons)


def _own(seen: Standing, language: str) -> str:
    if seen.own is None:
        return line("not_voted", language)
    chosen = [one for one in seen.ballot.nominations if one.n in seen.own]
    if not chosen:
        return line("voted_none", language)
    return line("voted", language, titles=shortened(lives.titles(chosen), _VOTE))


async def _until(scene: Scene, closes_at: datetime) -> str:
    zone = settings_of(await scene.house.rooms.settings()).time_zone
    last = (closes_at - timedelta(microseconds=1)).astimezone(zone)
    return line("ballot_until", scene.language, day=last.date().isoformat())


async def _tell_closed(scene: Scene, ended: Ballot) -> None:
    key = f"v{ended.id}{'' if ended.winner is None else f'.{ended.winner}'}"
    await tell_room(scene, *lives.news(ended, scene.language), key=key)


def closed(scene: Scene, ended: Ballot) -> Said:
    """What came of a round; an admin is offered the next step."""
    buttons = []
    if scene.member.admin and ended.chosen is not None:
        buttons = [_next(scene, ended.chosen)]
    return said(*lives.news(ended, scene.language), buttons=buttons)


def _next(scene: Scene, chosen: Nomination) -> Button:
    club, person = scene.house.club, number_of(scene.member.person)
    if chosen.book is None:
        return Button(Press(Action.ADD_BOOK, club), line("next_to_add", scene.language), Weight.MAIN)
    press = Press(Action.READ_NOW, club, chosen.book, person)
    return Button(press, line("next_on_shelf", scene.language), Weight.MAIN)


async def vote_closed(scene: Scene) -> Said:
    """An admin closes the round now; the room is told what came of it."""
    ended = await close_vote(scene.house, scene.member)
    await _tell_closed(scene, ended)
    return closed(scene, ended)


async def tie_decided(scene: Scene, number: int) -> Said:
    """An admin chooses among those that are tied."""
    ended = await decide_tie(scene.house, scene.member, number)
    await _tell_closed(scene, ended)
    return closed(scene, ended)


async def vote_closes(scene: Scene, day: str) -> Said:
    """An admin says on which day the round closes by itself."""
    zone = settings_of(await scene.house.rooms.settings()).time_zone
    return said(await _until(scene, await vote_until(scene.house, scene.member, day, zone)))


async def read_now(scene: Scene, press: Press) -> Said:
    """Make a book the club's current one, which announces it: the room is told."""
    return await started(scene, BookId(press.subject))


async def started(scene: Scene, book: BookId) -> Said:
    """Make a book the club's current one, which announces it: the room is told."""
    now = await next_book_started(scene.house, scene.member, book)
    told = line("book_now", scene.language, title=now.title)
    await tell_room(scene, told, key=f"r{book}")
    return said(told)


async def finished(scene: Scene) -> Said:
    """An admin says that the club is done with what is read there; the room is congratulated."""
    book = await book_read(scene.house, scene.room)
    if book is None:
        return said(line("no_book", scene.language))
    told = await club_finished(scene.house, scene.member, book)
    if told is None:
        return said(line("club_done_already", scene.language, title=book.title))
    if not await scene.quiet():
        await told_finished(scene, told)
    return said(*lives.news(told, scene.language))


async def welcomed(scene: Scene) -> Said:
    """An admin has the room greeted once more."""
    require_admin(scene.member)
    made = await welcome(scene.house, scene.member)
    room = scene.in_room()
    if await scene.quiet():
        return said(line("room_quiet", scene.language))
    moment = int(scene.house.clock().timestamp())
    await scene.client.announce(room, render.greeting(made, scene.house.club, scene.language), f"g{moment}")
    return said(line("chat_welcomed", scene.language))
