"""What rooms and askers are shown, as Discord's messages."""

from __future__ import annotations

from typing import Final

from bot.adapters.bulletins import Bulletin
from bot.adapters.chat import render
from bot.adapters.chat.presses import Press
from bot.adapters.discord.pieces import Piece, pieces_of
from bot.core.library import RoomProgress
from bot.core.life import Welcome
from bot.core.outcomes import Showing

PLATFORM: Final = "discord"


def spoken(language: str) -> str:
    """A club's language as it is spoken on Discord: "en" and "en@discord" are both "en@discord" here."""
    return f"{language.partition('@')[0]}@{PLATFORM}"


def answer(showing: Showing, language: str = "en") -> tuple[Piece, ...]:
    """An answer as far as it is there, for the audience it was made for."""
    return pieces_of(render.answer(showing, spoken(language)))


def in_room(showing: Showing, language: str = "en") -> tuple[Piece, ...]:
    """An answer for a room. Raises `SpoilerLeak` where it was made for one member alone."""
    return pieces_of(render.in_room(showing, spoken(language)))


def to_asker(showing: Showing, language: str = "en") -> tuple[Piece, ...]:
    """An answer for who asked, alone. Raises `SpoilerLeak` where it was made for anybody else."""
    return pieces_of(render.to_asker(showing, spoken(language)))


def bulletin(sent: Bulletin, language: str = "en") -> tuple[Piece, ...]:
    """What a room is sent of its own accord."""
    return pieces_of(render.bulletin(sent, spoken(language)))


def greeting(made: Welcome, club: int, language: str = "en") -> tuple[Piece, ...]:
    """How a room is greeted, with a button a step."""
    return pieces_of(render.greeting(made, club, spoken(language)))


def upload_in_room(progress: RoomProgress, cancel: Press, language: str = "en") -> tuple[Piece, ...]:
    """How far a file is."""
    return pieces_of(render.upload_in_room(progress, cancel, spoken(language)))
