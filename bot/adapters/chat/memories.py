"""Whether a model keeps notes of a book: what it costs is said before, and an admin decides."""

from __future__ import annotations

from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import line
from bot.adapters.wording import memories as words
from bot.core.known_books import book_wanted
from bot.core.memories import MemoryOffer, memory_begun, memory_given_up, memory_offer, no_model
from bot.core.ports import BookRecord


async def standing(scene: Scene, named: str) -> Said:
    """How it stands with the notes of a book, and what may be done about it."""
    return await _standing(scene, await book_wanted(scene.house, scene.member, named))


async def begun(scene: Scene, press: Press) -> Said:
    """Let a model keep notes of a book."""
    book = await book_wanted(scene.house, scene.member, str(press.subject))
    await memory_begun(scene.house, scene.member, book)
    return await _standing(scene, book)


async def given_up(scene: Scene, press: Press) -> Said:
    """Let it be, and delete what notes there are."""
    book = await book_wanted(scene.house, scene.member, str(press.subject))
    await memory_given_up(scene.house, scene.member, book)
    return said(line("memory_dropped", scene.language))


async def _standing(scene: Scene, book: BookRecord) -> Said:
    offer = await memory_offer(scene.house, scene.member, book)
    if offer is None:
        raise no_model()
    return said(words.standing(offer, scene.language), buttons=[button(scene, offer)])


async def offered(scene: Scene, book: BookRecord) -> tuple[list[str], list[Button]]:
    """What is said of it to who has just brought a book, and what they may press: nothing where no model is set."""
    offer = await memory_offer(scene.house, scene.member, book)
    told = "" if offer is None else words.offered(offer, scene.language)
    return ([told], [button(scene, offer)]) if offer is not None and told else ([], [])


def button(scene: Scene, offer: MemoryOffer) -> Button:
    """With the model, or without it: what it is not now."""
    action = Action.NO_NOTES if offer.wanted else Action.NOTES
    press = Press(action, scene.house.club, offer.book.id, number_of(scene.member.person))
    if offer.wanted:
        return Button(press, line("memory_no", scene.language))
    return Button(press, line("memory_yes", scene.language, cost=words.about(offer, scene.language)), Weight.PLAIN)
