"""The first `dogear run` at a terminal, with no chat's token set: asks for one, tries it, and keeps it in `.env`."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from pydantic import SecretStr

from bot.cli.chats import discord_address, telegram_address
from bot.core.errors import Unavailable
from bot.settings import Settings

DOTENV: Final = Path(".env")
TRIES: Final = 3

DISCORD_INVITE: Final = (
    "https://discord.com/oauth2/authorize?client_id={id}&scope=bot+applications.commands&permissions=274878008320"
)
INTENT: Final = (
    "It does not see who is on a server, so everybody in a club counts in each of its rooms: in the developer portal, "
    "under Bot, switch Server Members Intent on."
)
NEXT: Final = (
    "Then say /club setup in the club's room, and /book add with the file. `dogear doctor` says what is missing."
)
TELEGRAM_INVITE: Final = "https://t.me/{name}?startgroup=true"


@dataclass(frozen=True, slots=True)
class Found:
    """The bot of a token: what it is called, the link that brings it into a server or group, and what it lacks."""

    name: str
    invite: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Platform:
    """A chat that a host may choose: the setting of its token, where to get one, and what tries it."""

    name: str
    setting: str
    field: str
    where: str
    found: Callable[[Settings], Awaitable[Found]]


async def _on_discord(settings: Settings) -> Found:
    from bot.adapters.discord.serving import application_of

    address = discord_address(settings)
    assert address is not None
    application = await application_of(address)
    return Found(application.name, DISCORD_INVITE.format(id=application.id), "" if application.members else INTENT)


async def _on_telegram(settings: Settings) -> Found:
    from bot.adapters.telegram.checkup import looked_at

    address = telegram_address(settings)
    assert address is not None
    name = (await looked_at(address)).name
    return Found(f"@{name}", TELEGRAM_INVITE.format(name=name))


PLATFORMS: Final = {
    "1": Platform(
        "Discord",
        "DISCORD_TOKEN",
        "discord_token",
        "https://discord.com/developers/applications, a new application, Bot, Reset Token",
        _on_discord,
    ),
    "2": Platform("Telegram", "TELEGRAM_TOKEN", "telegram_token", "@BotFather on Telegram, /newbot", _on_telegram),
}
NOTHING: Final = "3"


@dataclass(frozen=True, slots=True)
class Host:
    """Who sits at the terminal: ``choice`` and ``secret`` ask them, ``note`` tells them."""

    choice: Callable[[str], str]
    secret: Callable[[str], str]
    note: Callable[[str], None]


def at_terminal(note: Callable[[str], None]) -> Host:
    """Ask on the terminal; a token is not shown while it is typed."""

    def choice(question: str) -> str:
        with _interrupted_at_once():
            return str(click.prompt(question, type=click.Choice([*PLATFORMS, NOTHING]), show_choices=False, err=True))

    def secret(question: str) -> str:
        with _interrupted_at_once():
            return str(click.prompt(question, hide_input=True, default="", show_default=False, err=True))

    return Host(choice, secret, note)


@contextmanager
def _interrupted_at_once() -> Iterator[None]:
    """Ctrl-C ends what is asked: in a running loop it would only be noted."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except click.Abort:
        click.echo("\nNothing was kept.", err=True)
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)


async def with_a_chat(settings: Settings, host: Host, dotenv: Path = DOTENV) -> Settings:
    """The settings with the token that the host gave, which works and is kept in ``dotenv``; or as they were, where
    the host wants none now.
    """
    host.note("No chat is set up yet. Where does your club talk?\n  1  Discord\n  2  Telegram\n  3  nowhere for now")
    platform = PLATFORMS.get(host.choice("Number"))
    if platform is None:
        return settings
    host.note(f"The bot's token is from {platform.where}. It is kept in {dotenv}, which only you may read.")
    for _ in range(TRIES):
        token = host.secret(f"{platform.setting} (Enter alone: no chat for now)").strip()
        if not token:
            return settings
        if not token.isascii() or not token.isprintable() or " " in token:
            host.note("That is no token: it has signs that none has. Copy it again.")
            continue
        tried = settings.model_copy(update={platform.field: SecretStr(token)})
        try:
            found = await platform.found(tried)
        except Unavailable as error:
            host.note(error.message)
            continue
        host.note(f"{platform.name} knows the bot as {found.name}.")
        _keep(platform.setting, token, host, dotenv)
        if found.more:
            host.note(found.more)
        host.note(f"Bring it into your server or group: {found.invite}")
        host.note(NEXT)
        return tried
    return settings


def _keep(name: str, token: str, host: Host, dotenv: Path) -> None:
    from dotenv import set_key

    try:
        dotenv.touch(0o600)
        dotenv.chmod(0o600)
        set_key(dotenv, name, token, quote_mode="never")
    except OSError as error:
        host.note(f"{dotenv} cannot be written ({error.strerror}), so {name} holds for this time alone.")
    else:
        host.note(f"{name} is in {dotenv.resolve()} now.")
