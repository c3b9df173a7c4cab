"""The terminal club on a terminal: completion, history, covers that a key lifts, answers that can be stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.application import get_app, get_app_session, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from bot.adapters import wording
from bot.adapters.terminal.club import COMMANDS, TerminalClub
from bot.adapters.terminal.completions import completions
from bot.adapters.terminal.covers import Covers, printed, wrapped
from bot.adapters.terminal.pipe import answered
from bot.adapters.terminal.replies import Reply, one_line
from bot.core.errors import DogearError

_ADD: Final = "/book add "
_ALONGSIDE: Final = ("/stop", _ADD, "/book retry ")
_MENU: Final = 6
_BESIDE: Final = _MENU + 3
"""Rows kept for the menu of completions under the prompt, and for all that stands beside a page of covered lines."""
_KEY_SECONDS: Final = 0.25
"""How long Escape waits for a key that would make it another key."""
_STAGES: Final = {"read": "reading_file", "index": "indexing_file", "embed": "vectors", "remember": "notes"}
_BAR: Final = 10
_TITLE: Final = 30
"""Columns of the progress bar, and characters of the title, in the toolbar."""


class _Commands(Completer):
    """Completion of what is being typed, from the same source that the chats use; of files for `/book add`."""

    def __init__(self, club: TerminalClub) -> None:
        self._club = club
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The commands, and files."""
        text = document.text_before_cursor
        if text.startswith(_ADD):
            yield from self._paths.get_completions(Document(text[len(_ADD) :]), complete_event)
        elif text and " " not in text:
            for name, command in COMMANDS.items():
                if name.startswith(text):
                    yield Completion(name, start_position=-len(text), display_meta=command.about)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Commands, and what may follow them."""
        for completion in self.get_completions(document, complete_event):
            yield completion
        text = document.text_before_cursor
        try:
            choices = await completions(self._club, text)
        except DogearError:
            return  # the command itself will say what is wrong
        for choice in choices:
            typed = text.rpartition(" ")[2] if not choice.whole else text.partition(" ")[2]
            yield Completion(choice.text, start_position=-len(typed))


@dataclass
class Screen:
    """What the screen shows besides the conversation: covered lines, and how far a file or its vectors are."""

    club: TerminalClub
    title: str
    covers: Covers = field(default_factory=Covers)
    stage: str = ""
    done: float = 0.0

    def show_progress(self, stage: str, done: float) -> None:
        """Remember how far a stage is; the toolbar shows it until it is done."""
        self.stage, self.done = (stage, done) if done < 1 else ("", 0.0)

    def prompt(self) -> StyleAndTextTuples:
        """The speaker, under what is shown of the covered lines. A line that was entered keeps the speaker alone."""
        speaker = ("bold", f"{self.club.speaker}> ")
        if get_app().is_done:
            return [speaker]
        shown = self.covers.shown(*self._room())
        return [("ansicyan", shown + "\n"), speaker] if shown else [speaker]

    def toolbar(self) -> str:
        """Who speaks, what is read, what goes on behind, and the keys."""
        title = self.title if len(self.title) <= _TITLE else self.title[: _TITLE - 1] + "…"
        text = " " + wording.line("toolbar", name=self.club.speaker, title=one_line(title))
        if self.stage in _STAGES:
            label = wording.line(_STAGES[self.stage])
            filled = round(_BAR * self.done)
            far = f"{self.done:.0%} {'█' * filled}{'░' * (_BAR - filled)}" if self.done else "…"
            return f" {label} {far} {text}"
        return f"{text}   {self.club.trouble}" if self.club.trouble else text

    async def turn(self) -> None:
        """Show the next page of what is covered, or cover it again."""
        await self.covers.turn(*self._room())

    def _room(self) -> tuple[int, int]:
        size = get_app().output.get_size()
        return size.columns, size.rows - _BESIDE


def _keys(screen: Screen) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("f2")
    async def _turn(event: KeyPressEvent) -> None:
        del event
        await screen.turn()

    @keys.add("escape", eager=False)
    def _cover(event: KeyPressEvent) -> None:
        del event
        screen.covers.cover()

    @keys.add("c-c")
    @keys.add("<sigint>")
    def _give_up(event: KeyPressEvent) -> None:
        """The line that is typed; where none is, the answer that is being made."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            screen.club.stop()

    return keys


async def converse(club: TerminalClub, history: Path) -> None:
    """Talk until the end of input (Ctrl-D). The prompt stays while an answer is made, so that it can be stopped."""
    await club.ready()
    book = await club.book()
    screen = Screen(club, book.title if book else "")
    club.show_progress = screen.show_progress
    await club.fill_all()
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        completer=_Commands(club),
        key_bindings=_keys(screen),
        complete_while_typing=True,
        bottom_toolbar=screen.toolbar,
        refresh_interval=0.5,
        reserve_space_for_menu=_MENU,
    )
    session.app.timeoutlen = session.app.ttimeoutlen = _KEY_SECONDS
    _tell(wording.line("welcome", title=one_line(screen.title)))
    _tell(wording.line("welcome_how"))
    _tell(wording.line("welcome_covered"))
    running: set[asyncio.Task[None]] = set()
    turn = asyncio.Lock()
    with patch_stdout():
        while True:
            try:
                line = await session.prompt_async(screen.prompt)
            except EOFError:
                break
            screen.covers.cover()
            task = asyncio.ensure_future(_typed(screen, line, turn))
            running.add(task)
            task.add_done_callback(running.discard)
    if running or club.filling:
        _tell(wording.line("ending"))
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def _typed(screen: Screen, line: str, turn: asyncio.Lock) -> None:
    """Handle one line, in its turn. `/stop` does not wait for what it stops, nor anything for a file to be read."""
    async with nullcontext() if line.startswith(_ALONGSIDE) else turn:
        replies = await answered(screen.club, line)
        book = await screen.club.book()
        screen.title = book.title if book else ""
        screen.covers.keep(replies)
        await screen.covers.check()
        await _show(screen, replies)


def _columns() -> int:
    return get_app_session().output.get_size().columns


def _tell(line: str) -> None:
    print_formatted_text("\n".join(wrapped(line, _columns())))


async def _show(screen: Screen, replies: list[Reply]) -> None:
    text = FormattedText(printed(replies, _columns()))
    if not text:
        return
    if get_app().is_running:
        await run_in_terminal(lambda: print_formatted_text(text, end=""))
    else:
        print_formatted_text(text, end="")
