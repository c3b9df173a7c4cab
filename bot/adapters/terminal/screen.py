"""The terminal club on a terminal: completion, history, and covered lines that a key reveals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from bot.adapters.terminal.club import COMMANDS, TerminalClub
from bot.adapters.terminal.completions import completions
from bot.adapters.terminal.replies import Reply

COVER: Final = "▒"
WELCOME: Final = (
    "The terminal club: you and your friends at one keyboard.",
    "/join, then /progress 3, then /ask a question. /as NAME speaks as someone else, /help lists everything.",
    "What a chat would cover is covered here: F2 reveals the last answer. Ctrl-D ends.",
)


class _Commands(Completer):
    """Completion of what is being typed, from the same source that the chats use."""

    def __init__(self, club: TerminalClub) -> None:
        self._club = club

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Synchronous completion: the commands alone."""
        del complete_event
        text = document.text_before_cursor
        if " " not in text:
            for name in COMMANDS:
                if name.startswith(text) and text:
                    yield Completion(name, start_position=-len(text), display_meta=COMMANDS[name].about)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncIterator[Completion]:
        """Commands, and what may follow them."""
        for completion in self.get_completions(document, complete_event):
            yield completion
        text = document.text_before_cursor
        for choice in await completions(self._club, text):
            typed = text.rpartition(" ")[2] if not choice.whole else text.partition(" ")[2]
            yield Completion(choice.text, start_position=-len(typed))


def _formatted(replies: Iterable[Reply], *, revealed: bool) -> FormattedText:
    parts: list[tuple[str, str]] = []
    for reply in replies:
        for shown in reply.plain:
            if shown.covered and not revealed:
                hidden = "".join(COVER if not c.isspace() else c for c in shown.text)
                parts.append(("ansibrightblack", hidden + "\n"))
            else:
                parts.append(("" if shown.covered or reply.only is None else "italic", shown.text + "\n"))
    return FormattedText(parts)


async def converse(club: TerminalClub, history: Path) -> None:
    """Talk until the end of input (Ctrl-D). Ctrl-C gives up the line, or stops the answer that is being made."""
    last: list[Reply] = []
    keys = KeyBindings()

    @keys.add("f2")
    async def _reveal(event: KeyPressEvent) -> None:
        del event
        await run_in_terminal(lambda: print_formatted_text(_formatted(last, revealed=True)))

    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        completer=_Commands(club),
        key_bindings=keys,
        complete_while_typing=True,
        bottom_toolbar=lambda: f" speaking as {club.speaker}   F2 reveals what is covered   Ctrl-D ends ",
    )
    for line in WELCOME:
        print_formatted_text(line)
    with patch_stdout():
        while True:
            try:
                line = await session.prompt_async(lambda: f"{club.speaker}> ")
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            replies = await _stoppable(club, line)
            if any(shown.covered for reply in replies for shown in reply.lines):
                last[:] = replies
            print_formatted_text(_formatted(replies, revealed=False))


async def _stoppable(club: TerminalClub, line: str) -> list[Reply]:
    """Handle a line; Ctrl-C stops it."""
    task = asyncio.ensure_future(club.handle(line))
    try:
        return await asyncio.shield(task)
    except (asyncio.CancelledError, KeyboardInterrupt):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        from bot.adapters.terminal.replies import clear

        return [clear("Stopped.")]
