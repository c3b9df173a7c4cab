"""The slash commands of members, and the menu under a message: parsed here, done by the core, said to one person."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.adapters.discord import personal, places
from bot.adapters.discord.asking import ask
from bot.adapters.discord.pieces import Button, Weight, choices
from bot.adapters.discord.presses import Action, Press
from bot.adapters.discord.replies import Said, acted, answered, said
from bot.adapters.discord.scene import Scene, scene_of
from bot.adapters.wording import line
from bot.core import membership
from bot.core.asked_in import known_to
from bot.core.conversation import stop as stopped
from bot.core.errors import DogearError
from bot.core.membership import Joining
from bot.core.search import LONGEST_QUESTION

Interacted = discord.Interaction[Any]
LONGEST_PLACE: Final = 300
"""Characters: quoted words of a page are long."""


def about(key: str) -> str:
    """The description of a command or an option."""
    return line(f"discord_about_{key}")


@app_commands.command(name="ask", description=about("ask"))
@app_commands.describe(question=about("ask_question"), book=about("ask_book"), private=about("ask_private"))
async def ask_command(
    interaction: Interacted,
    question: app_commands.Range[str, 1, LONGEST_QUESTION],
    book: str | None = None,
    private: bool = False,
) -> None:
    await ask(interaction, question, book, private=private)


@ask_command.autocomplete("book")
async def _books(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, book_titles)


@app_commands.command(name="progress", description=about("progress"))
@app_commands.describe(place=about("progress_place"))
async def progress_command(
    interaction: Interacted, place: app_commands.Range[str, 1, LONGEST_PLACE] | None = None
) -> None:
    await acted(interaction, partial(places.progress, place=place))


@progress_command.autocomplete("place")
async def _places(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, places.places_typed)


@app_commands.command(name="where", description=about("where"))
async def where_command(interaction: Interacted) -> None:
    await acted(interaction, places.where)


@app_commands.command(name="join", description=about("join"))
async def join_command(interaction: Interacted) -> None:
    await acted(interaction, join)


@app_commands.command(name="leave", description=about("leave"))
async def leave_command(interaction: Interacted) -> None:
    await acted(interaction, leave)


@app_commands.command(name="stop", description=about("stop"))
async def stop_command(interaction: Interacted) -> None:
    await acted(interaction, stop)


@app_commands.command(name="help", description=about("help"))
async def help_command(interaction: Interacted) -> None:
    async def shown() -> Said:
        rows = [f"/{c.qualified_name} - {c.description}" for c in _told(interaction.client.tree.get_commands())]
        return said(*rows, line("discord_help"))

    await answered(interaction, shown)


def _told(commands: Any) -> list[Any]:
    """Slash commands, with those of a group in the group's place."""
    found = []
    for command in commands:
        if isinstance(command, app_commands.Group):
            found += command.commands
        elif isinstance(command, app_commands.Command):
            found.append(command)
    return found


class AskAbout(ui.Modal):
    """Asks for the question: a message of somebody's may be one already."""

    question: ui.TextInput[AskAbout] = ui.TextInput(
        label=line("discord_your_question"), style=discord.TextStyle.paragraph, max_length=LONGEST_QUESTION,
        custom_id="question",
    )  # fmt: skip

    def __init__(self, words: str) -> None:
        super().__init__(title=line("discord_ask_about"), timeout=840)
        self.question.default = words[:LONGEST_QUESTION] or None

    async def on_submit(self, interaction: Interacted) -> None:
        await ask(interaction, self.question.value, None, private=False)


@app_commands.context_menu(name=line("discord_ask_about"))
async def ask_about(interaction: Interacted, message: discord.Message) -> None:
    await interaction.response.send_modal(AskAbout(message.content if not message.author.bot else ""))


class SayPlace(ui.Modal):
    """Asks where somebody is."""

    place: ui.TextInput[SayPlace] = ui.TextInput(
        label=line("discord_your_place"), placeholder=line("discord_place_examples"), max_length=LONGEST_PLACE,
        custom_id="place",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__(title=line("set_my_place"), timeout=840)

    async def on_submit(self, interaction: Interacted) -> None:
        await acted(interaction, partial(places.progress, place=self.place.value))


async def join(scene: Scene) -> Said:
    """Become a member; then comes the place, and whether the club may see it."""
    language, name = scene.language, scene.member.name
    joined = await membership.join(scene.house, scene.member.person, name)
    if joined.outcome is Joining.REMOVED:
        return said(line("was_removed", language, name=name))
    new = joined.outcome is Joining.NEW
    lines = [line("discord_joined" if new else "discord_joined_already", language)]
    buttons = []
    if joined.ask_where:
        lines.append(line("where_are_you", language))
        press = Press(Action.SET_PLACE, scene.house.club)
        buttons.append(Button(press, line("set_my_place", language), Weight.MAIN))
    if joined.ask_shown:
        asked, choose = await personal.place_choices(scene, joined.member)
        lines += asked
        buttons += choose
    return said(*lines, buttons=buttons)


async def leave(scene: Scene) -> Said:
    """Stop being a member."""
    if not scene.member.joined:
        return said(line("not_in_club", scene.language, name=scene.member.name))
    gone = await membership.leave(scene.house, scene.member, scene.owner)
    await scene.client.gone(scene, gone.admin)
    return said(line("discord_left", scene.language))


async def stop(scene: Scene) -> Said:
    """Give up what is being answered for them, and what waits; it says so itself."""
    count = await stopped(scene.house, scene.member.person)
    return said(line("discord_stopping" if count else "not_answered", scene.language))


async def offered(interaction: Interacted, typed: str, find: Any) -> list[app_commands.Choice[str]]:
    """What completes an option; nothing where it cannot be told in time, or somebody is no member."""
    try:
        scene = await scene_of(interaction)
        found = await find(scene, typed)
    except (DogearError, discord.HTTPException):
        return []
    return [app_commands.Choice(name=choice.label, value=choice.value) for choice in choices(found)]


async def book_titles(scene: Scene, typed: str) -> list[tuple[str, str]]:
    """The books that may be spoken of there: who brought one that is not announced sees it privately alone."""
    if not (scene.member.joined or scene.member.admin):
        return []
    books = known_to(scene.member, await scene.house.roster.books())
    wanted = typed.strip().casefold()
    return [(b.title, str(b.id)) for b in books if wanted in f"{b.id} {b.title}".casefold()]


COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.ContextMenu, ...]] = (
    ask_command, progress_command, where_command, join_command, leave_command, stop_command, help_command, ask_about,
)  # fmt: skip
