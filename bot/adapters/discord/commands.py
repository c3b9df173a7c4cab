"""The slash commands of members, and the menu under a message: parsed here, done by the core, said to one person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.adapters.chat import members, places, shelf, telling
from bot.adapters.chat.said import Said, said, welcomed_back
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.asking import ask
from bot.adapters.discord.faults import unsent
from bot.adapters.discord.pieces import choices
from bot.adapters.discord.replies import acted, answered
from bot.adapters.discord.scene import rights_of, scene_of
from bot.adapters.wording import line
from bot.core.errors import DogearError, Refused
from bot.core.names import LONGEST as LONGEST_NAME
from bot.core.search import LONGEST_QUESTION
from bot.core.wanted import Recap, Scope, Who

Interacted = discord.Interaction[Any]
LONGEST_PLACE: Final = 300
"""Characters: quoted words of a page are long."""
_SCOPES: Final = [app_commands.Choice(name=line(f"discord_recap_{s.name.lower()}"), value=s.value) for s in Scope]


def about(key: str) -> str:
    """The description of a command or an option."""
    return line(f"discord_about_{key}")


def alone(
    name: str, description: str, run: Callable[[Scene], Awaitable[Said]], into: Any = app_commands
) -> app_commands.Command[Any, ..., None]:
    """A command without options ``into`` a group, or by itself: what comes of ``run`` is told to who gave it, alone."""

    @into.command(name=name, description=description)  # type: ignore[untyped-decorator]
    async def command(interaction: Interacted) -> None:
        await acted(interaction, run)

    made: app_commands.Command[Any, ..., None] = command
    return made


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
    return await offered(interaction, typed, shelf.titles_asked)


@app_commands.command(name="recap", description=about("recap"))
@app_commands.describe(of=about("recap_of"), private=about("ask_private"))
@app_commands.choices(of=_SCOPES)
async def recap_command(interaction: Interacted, of: str = Scope.READ.value, private: bool = False) -> None:
    await ask(interaction, Recap(Scope(of)).said, None, private=private)


@app_commands.command(name="who", description=about("who"))
@app_commands.describe(name=about("who_name"), private=about("ask_private"))
async def who_command(
    interaction: Interacted, name: app_commands.Range[str, 1, LONGEST_NAME], private: bool = False
) -> None:
    await ask(interaction, Who(name).said, None, private=private)


@who_command.autocomplete("name")
async def _names(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    private = bool(getattr(interaction.namespace, "private", False))
    return await offered(interaction, typed, partial(telling.names_typed, private=private))


@app_commands.command(name="progress", description=about("progress"))
@app_commands.describe(place=about("progress_place"))
async def progress_command(
    interaction: Interacted, place: app_commands.Range[str, 1, LONGEST_PLACE] | None = None
) -> None:
    await acted(interaction, partial(places.progress, place=place))


@progress_command.autocomplete("place")
async def _places(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, places.places_typed)


where_command = alone("where", about("where"), places.where)
join_command = alone("join", about("join"), members.join)
leave_command = alone("leave", about("leave"), members.leave)
stop_command = alone("stop", about("stop"), members.stop)


@app_commands.command(name="help", description=about("help"))
async def help_command(interaction: Interacted) -> None:
    async def shown() -> Said:
        scene = None
        try:
            scene = await scene_of(interaction)
            admin = scene.member.admin
        except Refused:
            admin = rights_of(interaction).manages
        rows = [f"/{c.qualified_name} - {c.description}" for c in _told(interaction.client.tree.get_commands(), admin)]
        told = said(*rows, line("discord_help"))
        return told if scene is None else welcomed_back(scene, told)

    await answered(interaction, shown)


def _told(commands: Any, admin: bool) -> list[Any]:
    """Slash commands, with those of a group in the group's place; those for admins to an ``admin`` alone."""
    found = []
    for command in commands:
        if isinstance(command, app_commands.Group):
            if admin or command.root_parent is not None or command.default_permissions is None:
                found += _told(command.commands, admin)
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


async def offered(interaction: Interacted, typed: str, find: Any) -> list[app_commands.Choice[str]]:
    """What completes an option; nothing where it cannot be told in time, or somebody is no member. Typing is no sign of
    life: nothing could be said of it.
    """
    try:
        scene = await scene_of(interaction, sign=False)
        found = await find(scene, typed)
    except (DogearError, discord.HTTPException) as error:
        unsent("choices", error)
        return []
    return [app_commands.Choice(name=choice.label, value=choice.value) for choice in choices(found)]


COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.ContextMenu, ...]] = (
    ask_command, recap_command, who_command, progress_command, where_command, join_command, leave_command, stop_command,
    help_command, ask_about,
)  # fmt: skip
