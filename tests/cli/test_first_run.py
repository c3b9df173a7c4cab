"""The first `dogear run` at a terminal: a token is asked for, tried, and kept where only its owner may read it."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pexpect
import pytest

from bot.cli.first_run import Host as Person
from bot.cli.first_run import with_a_chat
from bot.settings import Settings
from tests.cli.conftest import Host
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram


@dataclass
class Typing:
    """Somebody who types these answers, and what they were told."""

    number: str
    tokens: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    asked: int = 0

    @property
    def person(self) -> Person:
        return Person(lambda _: self.number, self._token, self.told.append)

    def _token(self, question: str) -> str:
        assert "_TOKEN" in question
        self.asked += 1
        return self.tokens.pop(0) if self.tokens else ""


@pytest.fixture
async def discord() -> AsyncIterator[FakeDiscord]:
    peer = FakeDiscord()
    await peer.start()
    yield peer
    await peer.stop()


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    peer = FakeTelegram()
    await peer.start()
    yield peer
    await peer.stop()


def settings(**given: str) -> Settings:
    return Settings(_env_file=None, **given)  # type: ignore[arg-type]


def kept(file: Path) -> tuple[str, int]:
    return file.read_text(), stat.S_IMODE(file.stat().st_mode)


async def test_a_token_of_discords_is_tried_kept_and_used_and_the_bot_can_be_invited(
    discord: FakeDiscord, tmp_path: Path
) -> None:
    typing, file = Typing("1", ["wrong.token", "two words", discord.token]), tmp_path / ".env"
    before = settings(DISCORD_API_BASE=discord.origin)
    after = await with_a_chat(before, typing.person, file)
    assert after.discord_token is not None
    assert after.discord_token.get_secret_value() == discord.token
    assert kept(file) == (f"DISCORD_TOKEN={discord.token}\n", 0o600)
    assert typing.asked == 3
    assert any("does not take DISCORD_TOKEN" in line for line in typing.told)
    assert typing.told[-2].endswith(f"?client_id={discord.world.app_id}&scope=bot+applications.commands"
                                    "&permissions=274878008320")  # fmt: skip
    assert not any(discord.token in line or "wrong.token" in line for line in typing.told)


async def test_an_intent_that_is_missing_and_what_comes_next_are_said_once_the_token_works(tmp_path: Path) -> None:
    peer = FakeDiscord(granted=False)
    await peer.start()
    typing = Typing("1", [peer.token])
    await with_a_chat(settings(DISCORD_API_BASE=peer.origin), typing.person, tmp_path / ".env")
    await peer.stop()
    assert typing.told[-3].endswith("under Bot, switch Server Members Intent on.")
    assert typing.told[-1].startswith("Then say /club setup")


async def test_a_token_of_telegrams_is_added_to_a_file_that_is_there(telegram: FakeTelegram, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# mine\nDOGEAR_LOG=INFO\nTELEGRAM_TOKEN=old\n")
    file.chmod(0o644)
    typing = Typing("2", [telegram.token])
    after = await with_a_chat(settings(TELEGRAM_API_BASE=telegram.origin), typing.person, file)
    assert after.telegram_token is not None
    assert kept(file) == (f"# mine\nDOGEAR_LOG=INFO\nTELEGRAM_TOKEN={telegram.token}\n", 0o600)
    assert typing.told[-2].endswith("https://t.me/DogearTestBot?startgroup=true")


@pytest.mark.parametrize(("number", "tokens"), [("3", []), ("1", [""]), ("1", ["a b", "c d", "e f", "never asked"])])
async def test_who_has_no_token_goes_on_without(number: str, tokens: list[str], tmp_path: Path) -> None:
    typing, before = Typing(number, list(tokens)), settings()
    assert await with_a_chat(before, typing.person, tmp_path / ".env") == before
    assert not (tmp_path / ".env").exists()
    assert typing.tokens == (["never asked"] if len(tokens) == 4 else [])


async def test_where_the_file_cannot_be_written_the_token_holds_for_this_time(
    discord: FakeDiscord, tmp_path: Path
) -> None:
    typing = Typing("1", [discord.token])
    after = await with_a_chat(settings(DISCORD_API_BASE=discord.origin), typing.person, tmp_path / "no" / ".env")
    assert after.discord_token is not None
    assert any("cannot be written" in line for line in typing.told)


def test_at_a_terminal_it_is_asked_and_ctrl_c_keeps_nothing_and_with_nowhere_it_runs_on(
    empty_host: Host, tmp_path: Path
) -> None:
    environment = {"PATH": os.environ["PATH"], "DOGEAR_HOME": str(empty_host.home), "DOGEAR_EMBEDDER": "none",
                   "PYTHONPATH": str(Path(__file__).parents[2]), "LANG": "C.UTF-8"}  # fmt: skip

    def run() -> pexpect.spawn:
        command = ["-m", "bot", "run", "--no-worker"]
        return pexpect.spawn(sys.executable, command, env=environment, cwd=tmp_path, encoding="utf-8", timeout=60)

    child = run()
    try:
        child.expect("Number")
        child.sendline("1")
        child.expect("DISCORD_TOKEN .Enter alone")
        child.sendintr()
        child.expect("Nothing was kept.")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert child.exitstatus == 130
    child = run()
    try:
        child.expect("Where does your club talk")
        child.expect("Number")
        child.sendline("3")
        child.expect("are not set")
        child.terminate()
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert not list(tmp_path.iterdir())
