"""What a host gets in docker/: files that the specification takes, settings that exist, locked versions."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from bot.cli import COMMANDS
from bot.settings import Settings, secret_fields

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text("utf-8"))
LOCAL_MODEL = yaml.safe_load((DOCKER / "compose.local-model.yaml").read_text("utf-8"))
NAMES = {str(field.validation_alias) for field in Settings.model_fields.values()}
SECRETS = {str(Settings.model_fields[name].validation_alias) for name in secret_fields(Settings)}
OURS = ("migrate", "bot", "worker")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def locked(file: str) -> dict[str, list[str]]:
    """The versions that a file of locked ones has of each distribution."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", (DOCKER / file).read_text("utf-8"), re.MULTILINE):
        found.setdefault(canonical(name), []).append(version)
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def services() -> list[tuple[str, dict[str, Any]]]:
    return [*COMPOSE["services"].items(), *((n, s) for n, s in LOCAL_MODEL["services"].items() if n != "bot")]


@pytest.mark.parametrize("file", ["compose.yaml", "compose.local-model.yaml"])
def test_the_compose_specification_takes_the_file(file: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(DOCKER / file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("name", "service"), services())
def test_every_service_is_bounded_restarted_and_its_log_rotated(name: str, service: dict[str, Any]) -> None:
    assert service["restart"] == ("no" if name in {"migrate", "model"} else "unless-stopped")
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    assert "ports" not in service
    assert not service.get("privileged")


@pytest.mark.parametrize("name", OURS)
def test_our_services_run_without_rights_and_know_no_password_of_another(name: str) -> None:
    service = COMPOSE["services"][name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert ("postgres_password" in service.get("secrets", [])) is (name == "migrate")
    assert "@" in service["environment"]["DATABASE_URL"]
    assert ":" not in service["environment"]["DATABASE_URL"].split("//")[1].split("@")[0]


def test_what_our_services_are_told_are_settings_and_secrets_come_from_files() -> None:
    for service in [*(COMPOSE["services"][name] for name in OURS), LOCAL_MODEL["services"]["bot"]]:
        for name, value in service["environment"].items():
            if name.endswith("_FILE"):
                assert name.removesuffix("_FILE") in SECRETS
                assert value.removeprefix("/run/secrets/") in service["secrets"]
            else:
                assert name in NAMES
                assert name not in SECRETS - {"DATABASE_URL"}


def test_the_database_is_migrated_before_anything_uses_it() -> None:
    wanted = {name: COMPOSE["services"][name]["depends_on"] for name in OURS}
    assert wanted["migrate"] == {"db": {"condition": "service_healthy"}}
    for name in ("bot", "worker"):
        assert wanted[name] == {"migrate": {"condition": "service_completed_successfully"}}


def test_a_unit_is_started_again_however_long_something_is_away_but_not_where_a_setting_is_wrong() -> None:
    for unit in (DOCKER / "systemd").iterdir():
        said = unit.read_text("utf-8").splitlines()
        assert {"Restart=always", "StartLimitIntervalSec=0", "RestartPreventExitStatus=3"} <= set(said)


def test_every_command_in_the_files_is_a_verb() -> None:
    dockerfile = (DOCKER / "Dockerfile").read_text("utf-8")
    units = "".join(unit.read_text("utf-8") for unit in (DOCKER / "systemd").iterdir())
    named = {COMPOSE["services"][name]["command"][0] for name in OURS}
    named |= set(re.findall(r'CMD \["(?:dogear", ")?(\w+)"', dockerfile))
    named |= set(re.findall(r"bin/dogear (\w+)", units))
    assert named == {"db", "run", "worker", "health", "doctor"}
    assert named <= set(COMMANDS)


def test_the_image_is_made_in_stages_and_runs_as_nobody_in_particular() -> None:
    stages = re.split(r"^FROM ", (DOCKER / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    last = stages[-1]
    assert "USER 10001:10001" in last
    assert "HEALTHCHECK" in last
    assert "pip uninstall" in last
    assert not re.search(r"apt-get|build\.sh|requirements", last)


@pytest.mark.parametrize("file", ["requirements.lock", "constraints.txt"])
def test_every_library_is_locked_to_a_version_that_it_may_have(file: str) -> None:
    wanted = [*PROJECT["dependencies"]]
    if file == "constraints.txt":
        wanted += [w for group in PROJECT["optional-dependencies"].values() for w in group]
    versions = locked(file)
    for requirement in map(Requirement, wanted):
        if requirement.name == "dogear":
            continue
        found = versions.get(canonical(requirement.name))
        assert found, f"{requirement.name} is not locked: run make lock"
        assert all(requirement.specifier.contains(version) for version in found), f"{requirement}: run make lock"


def test_whatever_the_image_installs_is_locked_by_hash() -> None:
    for file in ("requirements.lock", "build.lock"):
        entries = re.split(r"^(?=[\w.-]+==)", (DOCKER / file).read_text("utf-8"), flags=re.MULTILINE)[1:]
        assert len(entries) >= 5
        assert all("--hash=sha256:" in entry for entry in entries)


def test_the_files_of_secrets_are_made_once_and_kept_from_others(tmp_path: Path) -> None:
    script = shutil.copy(DOCKER / "prepare.sh", tmp_path)
    for _ in range(2):
        subprocess.run(["sh", script], check=True, capture_output=True, env={"PATH": os.defpath})
        passwords = (tmp_path / "secrets" / "postgres_password").read_text()
    assert len(passwords) == 48
    assert {f"./secrets/{file.name}" for file in (tmp_path / "secrets").iterdir()} == {
        secret["file"] for secret in COMPOSE["secrets"].values()
    }
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    (tmp_path / "secrets" / "discord_token").write_text("a-token")
    subprocess.run(["sh", script], check=True, capture_output=True, env={"PATH": os.defpath})
    assert (tmp_path / "secrets" / "postgres_password").read_text() == passwords
    assert (tmp_path / "secrets" / "discord_token").read_text() == "a-token"


def test_nothing_that_a_host_keeps_gets_into_the_image_or_the_repository() -> None:
    assert "docker/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert not any("secrets" in line or ".env" in line for line in ignored if line.startswith("!"))
