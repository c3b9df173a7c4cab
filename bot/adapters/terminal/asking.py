"""`/ask`, `/dm`, `/stop`, `/share`, `/private`, `/retry`, `/useful` and `/spoiled` at the keyboard."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal.postings import TerminalPosts
from bot.adapters.terminal.replies import Reply, clear, numbered
from bot.adapters.wording import conversations
from bot.core.asked_in import PRIVATELY, Asking, Place
from bot.core.club import Member, QuestionId
from bot.core.conversation import (
    Outcome,
    answer_me_privately,
    ask_in_room,
    ask_privately,
    read_privately,
    share_with_room,
)
from bot.core.outcomes import Delivered, NotAnswered, Showing, Why
from bot.core.retrying import retry, to_retry
from bot.core.roster import Posted
from bot.core.spoiled import reports, spoiled_me
from bot.core.verdicts import judge
from bot.core.wanted import RECAP, WHO, Who

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_OPTION: Final = re.compile(r"--(?:(?P<follow>follow)|book\s+(?P<book>\"[^\"]+\"|“[^”]+”|[^\s-]\S*))(?=\s|$)\s*")
_TOLD_OPENLY: Final = frozenset((Why.MEMBERS_ONLY, Why.NO_BOOK))


async def ask_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/ask [--book N|all] [--follow] QUESTION`, in the room or (within `/dm`) privately."""
    if not rest:
        return [clear(wording.line("ask_how"))]
    return await ask(club, rest, private=private)


async def recap_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/recap`, `/recap last chapter`, `/recap since my last visit`, in the room or privately."""
    return await _asked(club, Asking(club.speaker, f"{RECAP} {rest}"), private=private)


async def who_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/who NAME`, in the room or privately."""
    return await _asked(club, Asking(club.speaker, f"{WHO} {rest}"), private=private)


async def dm_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/dm QUESTION`, or `/dm /COMMAND`: what is said to the bot alone is answered alone."""
    if private or not rest:
        return [clear(wording.line("dm_how"))]
    speaker = club.speaker
    return [reply if reply.posted else replace(reply, only=speaker) for reply in await club.private(rest)]


async def stop_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/stop`: the speaker's running answer, and what they have waiting, is given up; it says so itself."""
    del rest, private
    if club.stop(club.speaker):
        return []
    return [clear(wording.line("not_answered"), only=club.speaker)]


async def ask(club: TerminalClub, typed: str, *, private: bool) -> list[Reply]:
    """Answer under the boundary of everyone who will see the reply, unless it is stopped meanwhile."""
    asking = parsed(club.speaker, typed)
    if asking is None:
        return [clear(wording.line("asked_option"), only=club.speaker)]
    return await _asked(club, asking, private=private)


async def _asked(club: TerminalClub, asking: Asking, *, private: bool) -> list[Reply]:
    member, posts = await _asker(club), TerminalPosts(club, named=asking.book is not None)
    if private:
        outcomes = await ask_privately(club.desk.house, asking, posts)
    else:
        outcomes = await ask_in_room(club.desk.house, club.room, asking, posts)
    replies = _replies(club, member, posts, outcomes)
    names = [name for outcome in outcomes if isinstance(outcome, NotAnswered) for name in outcome.names]
    if names:
        club.offer(*(partial(_asked, club, replace(asking, said=Who(name).said), private=private) for name in names))
        replies.append(clear(*numbered(names), only=club.speaker))
    return replies


def parsed(speaker: str, typed: str) -> Asking | None:
    """What was asked, with its options, which stand first; None where one is not known or nothing follows them."""
    book, follows, rest = None, False, typed
    while (option := _OPTION.match(rest)) is not None:
        book, follows = option["book"] or book, follows or option["follow"] is not None
        rest = rest[option.end() :]
    if not rest or rest.startswith("--"):
        return None
    return Asking(speaker, rest, None if book is None else book.strip('"“”'), follows)


async def share_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/share`: the speaker's last private question, asked again for the room."""
    del rest, private
    member = await _asker(club)
    last = await club.desk.house.ledger.last_answered(member.id, None)
    if last is None and member.joined:
        return [clear(wording.line("nothing_to_share"), only=club.speaker)]
    return await _shared(club, QuestionId(0) if last is None else last.id)


async def _shared(club: TerminalClub, question: QuestionId) -> list[Reply]:
    member, posts = await _asker(club), TerminalPosts(club, named=True)
    outcomes = await share_with_room(club.desk.house, question, club.speaker, Place(club.room), posts)
    return [replace(reply, posted=reply.only is None) for reply in _replies(club, member, posts, outcomes)]


async def private_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/private`: the room's last question, asked again for the speaker alone."""
    del rest, private
    member = await _asker(club)
    last = await club.desk.house.ledger.last_answered(None, club.room)
    if last is None and member.joined:
        return [clear(wording.line("nothing_to_answer"), only=club.speaker)]
    return await _alone(club, QuestionId(0) if last is None else last.id)


async def _alone(club: TerminalClub, question: QuestionId) -> list[Reply]:
    member, posts = await _asker(club), TerminalPosts(club, named=True)
    outcomes = await answer_me_privately(club.desk.house, question, club.speaker, posts)
    return _replies(club, member, posts, outcomes)


async def retry_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/retry`: the speaker's last question here, or privately, that was stopped, failed, or was refused before they
    read on, asked again where it was asked.
    """
    del rest
    member, house = await _asker(club), club.desk.house
    found = [
        (question, place)
        for place in ((PRIVATELY,) if private else (PRIVATELY, Place(club.room)))
        if (question := await to_retry(house, club.speaker, place.room)) is not None
    ]
    if not found and member.joined:
        return [clear(wording.line("nothing_to_retry"), only=club.speaker)]
    question, place = max(found, key=lambda one: one[0], default=(QuestionId(0), PRIVATELY))
    posts = TerminalPosts(club, named=True)
    return _replies(club, member, posts, await retry(house, question, club.speaker, place, posts))


async def useful_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/useful` and `/useful no`: what the speaker says of the last answer that they can see."""
    del private
    if rest.lower() not in {"", "no"}:
        return [clear(wording.line("useful_how"), only=club.speaker)]
    house, member = club.desk.house, await club.member()
    last = await _last_seen(club, member)
    if last is None and member.joined:
        return [clear(wording.line("nothing_spoiled"), only=club.speaker)]
    said = await judge(house, last or QuestionId(0), club.speaker, not rest)
    if isinstance(said, NotAnswered):
        return [clear(conversations.not_answered(said, house.clock()), only=club.speaker)]
    return [clear(conversations.verdict(said), only=club.speaker)]


async def _last_seen(club: TerminalClub, member: Member) -> QuestionId | None:
    """The last question whose answer, or refusal, a member can see, in the room or privately."""
    ledger = club.desk.house.ledger
    seen = [await ledger.last_answered(None, club.room), await ledger.last_answered(member.id, None)]
    return max((kept.id for kept in seen if kept is not None), default=None)


async def spoiled_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/spoiled`: the last answer that the speaker can see, in the room or privately, is hidden and reported."""
    del rest, private
    house, member = club.desk.house, await club.member()
    last = await _last_seen(club, member)
    if last is None and member.joined:
        return [clear(wording.line("nothing_spoiled"), only=club.speaker)]

    async def hide(posted: Posted) -> bool:
        club.hidden.add(posted.message)
        return True

    said = await spoiled_me(house, QuestionId(last or 0), club.speaker, hide)
    if isinstance(said, NotAnswered):
        return [clear(conversations.not_answered(said, house.clock()), only=club.speaker)]
    told = clear(wording.line("spoiled" if said.new else "spoiled_before"), only=club.speaker)
    if not said.new:
        return [told]
    line = wording.line("spoiled_told", question=last)
    return [told, *(clear(line, only=admin.name) for admin in said.admins)]


async def reports_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club reports`: every answer that was reported as a spoiler, by numbers alone, for the admin alone."""
    del rest, private
    found = await reports(club.desk.house, await club.member())
    lines = [conversations.report(reported) for reported in found] or [wording.line("no_reports")]
    return [clear(*lines, only=club.speaker)]


async def dm_book(club: TerminalClub, named: str) -> list[Reply]:
    """`/dm /book N`: the book that the speaker's private questions are about."""
    book = await read_privately(club.desk.house, club.speaker, named)
    if isinstance(book, NotAnswered):
        return [clear(conversations.not_answered(book, club.desk.house.clock()), only=club.speaker)]
    return [clear(wording.line("dm_book_now", title=book.title), only=club.speaker)]


async def _asker(club: TerminalClub) -> Member:
    """Who is speaking; from now on they can be stopped."""
    member = await club.member()
    club.asking[club.speaker] = member.id
    return member


def _replies(club: TerminalClub, asker: Member, posts: TerminalPosts, outcomes: tuple[Outcome, ...]) -> list[Reply]:
    """What was shown and what is said of the rest, in order; what may be done next is offered by number too."""
    said = [clear(wording.line("queued", place=posts.places[0]), only=asker.name)] if posts.places else []
    for outcome in outcomes:
        if isinstance(outcome, Delivered):
            said += posts.rendered(outcome.showing)
            _offered(club, outcome.showing)
        else:
            openly = None if outcome.why in _TOLD_OPENLY else asker.name
            said.append(clear(conversations.not_answered(outcome, club.desk.house.clock()), only=openly))
    return said


def _offered(club: TerminalClub, showing: Showing) -> None:
    """Offer what stands under an answer in place of what stood under the one before; any other choice stays."""
    name = showing.asker.person
    if name != club.speaker or (name in club.choices and club.choices[name] is not club.under_answer.get(name)):
        return
    club.choices.pop(name, None)
    if showing.ahead:
        club.offer(partial(_alone, club, showing.question))
    elif showing.outcome.boundary.audience.private and showing.why is None:
        club.offer(partial(_shared, club, showing.question))
    club.under_answer[name] = club.choices.get(name, ())
