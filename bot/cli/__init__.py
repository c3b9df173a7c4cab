"""The `dogear` command."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import click

COMMANDS: Final = {
    "run": ("bot.cli.running", "run_command", "Keep working until SIGTERM: make books of uploads, and their vectors."),
    "worker": ("bot.cli.working", "worker_command", "Make books and vectors alone: one more worker, on any machine."),
    "health": ("bot.cli.health", "health_command", "Ask the Dogear that runs on this machine whether it serves."),
    "try": ("bot.cli.trying", "try_club", "Open the terminal club: several members at one keyboard."),
    "doctor": ("bot.cli.doctor", "doctor", "Say what works, and what to do about the rest."),
    "db": ("bot.cli.database", "db", "Migrate the database, or show where it stands."),
    "backup": ("bot.cli.keeping", "backup_command", "Write everything that is in the database to a file."),
    "restore": ("bot.cli.keeping", "restore_command", "Restore such a file into an empty database."),
    "book": ("bot.cli.books", "book", "Add, list, inspect and remove books."),
    "reports": (
        "bot.cli.reports",
        "reports_command",
        "List answers that were reported as spoilers, and what was asked.",
    ),
    "spent": ("bot.cli.spending", "spent_command", "List what was spent on models, by club, and what budgets hold."),
    "position": ("bot.cli.books", "position", "Show what a statement about a place means."),
    "ask": ("bot.cli.asking", "ask", "Answer a question from what every reader has read."),
    "recap": ("bot.cli.telling", "recap", "Tell what every reader has read, in the book's most telling sentences."),
    "who": ("bot.cli.telling", "who", "Show who somebody is, as far as every reader has read."),
    "passages": ("bot.cli.asking", "passages", "Show the passages that would stand behind an answer."),
    "eval": ("bot.cli.measuring", "evaluate_command", "Measure recall, leaks, refusals and speed on questions."),
    "bench": ("bot.cli.measuring", "bench_command", "Measure speed and memory on a generated library."),
}
"""Every verb: the module and the name of its command, and what it is for."""


_AGAIN: Final = (
    "run `make --always-make setup` in Dogear's folder, or install Dogear's wheel again where this is no checkout"
)


class Verbs(click.Group):
    """Loads a verb when it is used: what measures, reads or searches is no part of `dogear --version`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        try:
            command = getattr(import_module(module), name)
        except ModuleNotFoundError as error:
            if (error.name or "bot").split(".")[0] == "bot":
                raise
            click.echo(f"{error.name} is not installed: {_AGAIN}.", err=True)
            raise SystemExit(5) from None
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in COMMANDS.items()])


def _version(ctx: click.Context, option: click.Option, wanted: bool) -> None:
    del option
    if not wanted or ctx.resilient_parsing:
        return
    try:
        click.echo(f"dogear {version('dogear')}")
    except PackageNotFoundError:
        click.echo("dogear, not installed: run from its folder")
    ctx.exit()


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
def main(**_: Any) -> None:
    """A spoiler-safe book club: answers only from what everyone in the room has read, with quotes."""
    _keep_no_core()


def _keep_no_core() -> None:
    """Nothing of this process or its children is written to a file where one crashes: it holds tokens and books."""
    with suppress(ImportError, ValueError, OSError):  # a system without such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
