"""What members do besides reading and asking: `/shelf`, `/chapters`, `/members`, `/schedule`, `/vote`, `/nominate`,
`/remind` and `/pages`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from discord import app_commands, ui

from bot.adapters.chat import members, people, places, schedule, shelf, voting
from bot.adapters.discord.commands import LONGEST_PLACE, Interacted, about, alone, offered
from bot.adapters.discord.replies import acted
from bot.adapters.wording import line
from bot.core.ballots import LONGEST_TITLE

LAST_PAGE: Final = 99_999


shelf_command = alone("shelf", about("shelf"), shelf.listed)
chapters_command = alone("chapters", about("chapters"), shelf.chapters)
members_command = alone("members", about("members"), people.people)
schedule_command = alone("schedule", about("schedule"), partial(schedule.schedule, what=None))
vote_command = alone("vote", about("vote"), voting.ballot)


@app_commands.command(name="nominate", description=about("nominate"))
@app_commands.describe(title=about("nominate_title"))
async def nominate_command(interaction: Interacted, title: app_commands.Range[str, 1, LONGEST_TITLE]) -> None:
    await acted(interaction, partial(voting.nominated, title=title))


@nominate_command.autocomplete("title")
async def _titles(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, voting.titles_to_nominate)


@app_commands.command(name="remind", description=about("remind"))
@app_commands.describe(on=about("remind_on"))
async def remind_command(interaction: Interacted, on: bool) -> None:
    await acted(interaction, partial(members.reminded, on=on))


@app_commands.command(name="pages", description=about("pages"))
@app_commands.describe(page=about("pages_page"), begins=about("pages_begins"))
async def pages_command(
    interaction: Interacted,
    page: app_commands.Range[int, 1, LAST_PAGE],
    begins: app_commands.Range[str, 1, LONGEST_PLACE],
) -> None:
    await acted(interaction, partial(places.paged, page=page, begins=begins))


class Nominate(ui.Modal):
    """Asks which book."""

    book: ui.TextInput[Nominate] = ui.TextInput(
        label=line("discord_which_title"), max_length=LONGEST_TITLE, custom_id="book"
    )

    def __init__(self) -> None:
        super().__init__(title=line("step_nominate"), timeout=840)

    async def on_submit(self, interaction: Interacted) -> None:
        await acted(interaction, partial(voting.nominated, title=self.book.value))


COMMANDS: Final[tuple[app_commands.Command[Any, ..., None], ...]] = (
    shelf_command, chapters_command, members_command, schedule_command, vote_command, nominate_command, remind_command,
    pages_command,
)  # fmt: skip
