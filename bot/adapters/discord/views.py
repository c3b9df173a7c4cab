"""Buttons and menus of pieces as Discord's components: each carries its whole meaning, so it works after a restart.

A client may name any custom id as pressed. What is done is what stands in the message that Discord itself sends along,
which is one of the bot's: discord.py drops what no component of it bears, `Pressed` what no option of it does. Whose it
is, and which club they may reach, is asked again of each press.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.adapters.chat.presses import Press, parsed

if TYPE_CHECKING:
    from bot.adapters.discord.pieces import Piece

_STYLES: Final = {style.name: style for style in discord.ButtonStyle}


class Pressed(ui.DynamicItem[ui.Button[Any]], template=re.compile(r"1\.[a-z-]+\.\d+\.\d+\.\d+\.[a-z0-9-]*", re.ASCII)):
    """A pressed button, or what was chosen from a menu, whoever sent it and whenever."""

    def __init__(self, press: Press, label: str = "…", style: discord.ButtonStyle = discord.ButtonStyle.secondary):
        super().__init__(ui.Button(label=label, style=style, custom_id=press.custom_id))
        self.press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> Pressed:
        press = parsed(match[0])
        if press is None:
            raise ValueError("no button of this version")
        data: Any = interaction.data or {}
        chosen = "".join(data.get("values") or ())
        if chosen not in ({option.value for option in item.options} if isinstance(item, ui.Select) else {""}):
            raise ValueError("no option of this menu")
        return cls(press.chosen(chosen))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.pressed(interaction, self.press)


class Row(ui.View):
    """Components that nothing in memory waits for: what is pressed comes back by its custom id."""

    def __init__(self) -> None:
        super().__init__(timeout=None)


def view_of(piece: Piece) -> Any:
    """The components of a piece, or None."""
    if not piece.buttons and piece.menu is None:
        return None
    view = Row()
    if piece.menu is not None:
        options = [discord.SelectOption(label=one.label, value=one.value) for one in piece.menu.choices]
        custom_id = piece.menu.press.custom_id
        view.add_item(ui.Select[Any](custom_id=custom_id, placeholder=piece.menu.placeholder or None, options=options))
    for button in piece.buttons:
        style = _STYLES[button.weight.value]
        view.add_item(ui.Button[Any](label=button.label, style=style, custom_id=button.press.custom_id))
    view.stop()
    return view
