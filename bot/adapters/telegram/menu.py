"""The commands as Telegram lists them: for private chats, for groups, and for a group's administrators."""

from __future__ import annotations

from typing import Final

from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.adapters.wording import line

EVERYWHERE: Final = (
    "ask", "recap", "who", "progress", "where", "join", "leave", "stop", "shelf", "chapters", "members", "schedule",
    "vote", "nominate", "remind", "pages", "book", "club", "privacy", "export", "forget", "help",
)  # fmt: skip
IN_GROUPS: Final = tuple(name for name in EVERYWHERE if name not in ("pages", "export", "forget"))
"""What is more for the private chat works in a group too, but is not listed there."""


def _listed(names: tuple[str, ...], *, admins: bool = False) -> list[BotCommand]:
    told = {name: line(f"telegram_about_{name}") for name in names}
    if admins:
        told |= {name: line(f"telegram_about_{name}_admins") for name in ("book", "club")}
    return [BotCommand(name, description) for name, description in told.items()]


async def listed(bot: Bot) -> None:
    """Tell Telegram the commands."""
    await bot.set_my_commands(_listed(EVERYWHERE), BotCommandScopeAllPrivateChats())
    await bot.set_my_commands(_listed(IN_GROUPS), BotCommandScopeAllGroupChats())
    await bot.set_my_commands(_listed(EVERYWHERE, admins=True), BotCommandScopeAllChatAdministrators())


def help_lines() -> list[str]:
    """Every command, and how else the bot is used."""
    return [*(f"/{name} - {line(f'telegram_about_{name}')}" for name in EVERYWHERE), line("telegram_help")]
