"""What the README and the example of settings say is there, and all that is there is said."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest

from bot.adapters.discord.checkup import NEEDED
from bot.adapters.terminal.club import COMMANDS
from bot.cli import COMMANDS as VERBS
from bot.cli.trying import LIFE, TOUR, samples_folder
from bot.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
NAMES = [str(field.validation_alias) for field in Settings.model_fields.values()]


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_described(name: str) -> None:
    assert re.search(rf"^\| `{name}` \| .+ \| .+ \|$", README, re.MULTILINE)
    assert re.search(rf"^# {name}=", EXAMPLE, re.MULTILINE)


def test_no_setting_is_described_that_does_not_exist() -> None:
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE)) == set(NAMES)
    assert set(re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)) == set(NAMES)


@pytest.mark.parametrize("file", ["README.md", "docs/discord.md", "bot/cli/first_run.py"])
def test_the_invite_link_of_discord_asks_for_what_the_doctor_looks_for_and_no_more(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    asked = discord.Permissions(int(re.findall(r"&permissions=(\d+)", text)[0]))
    assert asked == discord.Permissions(**dict.fromkeys(NEEDED, True))


def test_every_verb_in_the_readme_exists() -> None:
    named = set(re.findall(r"(?:`|bin/)dogear ([a-z]+)", README))
    assert len(named) >= 8
    assert named <= set(VERBS)


def test_every_command_of_the_club_is_described_and_no_other() -> None:
    club = README.split("## The terminal club")[1].split("\n## ")[0]
    assert set(re.findall(r"`(/[a-z]+)", club)) == set(COMMANDS)


def test_the_transcripts_are_of_the_scripts() -> None:
    played = [
        line for script in (TOUR, LIFE) for line in (samples_folder() / script.file).read_text("utf-8").splitlines()
    ]
    typed = re.findall(r"^> (.+)$", README, re.MULTILINE)
    assert len(typed) >= 20
    assert set(typed) <= set(played)


def test_every_target_and_file_in_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
