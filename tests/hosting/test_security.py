"""Every line of the threat model is held by tests that exist, and no secret is in the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.test_leak_channels import EXISTING

ROOT = Path(__file__).parents[2]
THREATS = (ROOT / "docs" / "security.md").read_text("utf-8")
LINES = [line for line in THREATS.splitlines() if line.startswith("| ") and "|---" not in line]
ROWS = [line for line in LINES if not re.match(r"\| (wants|where|tries)\b", line)]

FORMATS = {
    "Discord's token": r"\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}\b",
    "Telegram's token": r"\b\d{8,11}:[A-Za-z\d_-]{35}\b",
    "Anthropic's key": r"\bsk-ant-[A-Za-z\d_-]{20,}",
    "a key of a hub or a forge": r"\b(?:hf|ghp|gho|ghs|glpat|pypi)[_-][A-Za-z\d_-]{20,}",
    "a key of a cloud": r"\b(?:AKIA|ASIA)[A-Z\d]{16}\b",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a Slack hook": r"hooks\.slack\.com/services/T[A-Z\d]+/",
}
"""What a secret looks like where its kind can be told by its form."""


def files() -> list[Path]:
    """What is, or would be, in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=False, capture_output=True,
    )  # fmt: skip
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    folders = ("bot", "docker", "docs", "migrations", "samples", "tests")
    return [p for p in (*ROOT.glob("*.*"), *(p for f in folders for p in (ROOT / f).rglob("*"))) if p.is_file()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:40])
def test_every_line_of_the_threat_model_names_tests_that_exist(row: str) -> None:
    named = re.findall(r"`(test_\w+)`", row.rsplit("|", 2)[1])
    assert named
    assert set(named) <= EXISTING


def test_everybody_who_might_want_something_has_lines() -> None:
    headings = re.findall(r"^## (.+)$", THREATS, re.MULTILINE)
    wanted = {"A member", "An admin", "The host", "A stranger", "An uploaded file", "Another club", "Secrets"}
    assert wanted <= set(headings)
    assert any("text of a book" in heading and "model" in heading for heading in headings)
    assert set(re.findall(r"`(test_\w+)`", THREATS)) <= EXISTING


@pytest.mark.parametrize("kind", FORMATS)
def test_a_secret_is_known_by_its_form(kind: str) -> None:
    made = {
        "Discord's token": "M" + "a" * 23 + "." + "GabcDE" + "." + "x" * 38,
        "Telegram's token": "12345678" + ":" + "A" * 35,
        "Anthropic's key": "sk-" + "ant-" + "a" * 30,
        "a key of a hub or a forge": "ghp" + "_" + "a" * 36,
        "a key of a cloud": "AKIA" + "A" * 16,
        "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
        "a Slack hook": "hooks.slack.com" + "/services/T0123/",
    }
    assert re.search(FORMATS[kind], f"x = '{made[kind]}'")


def test_no_token_key_or_password_is_in_the_repository() -> None:
    found, patterns = [], {kind: re.compile(form.encode()) for kind, form in FORMATS.items()}
    listed = files()
    assert len(listed) > 300
    for path in listed:
        content = path.read_bytes()
        found += [f"{path.relative_to(ROOT)}: {kind}" for kind, pattern in patterns.items() if pattern.search(content)]
    assert not found
    assert not [
        path for path in listed if path.name in {".env", "postgres-roles.json"} or path.parent.name == "secrets"
    ]
