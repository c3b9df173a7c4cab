"""Passwords of the roles that log in to a real server, and the addresses made with them.

Kept in ``DOGEAR_HOME/postgres-roles.json``, readable by its owner alone, and made at random by `dogear db upgrade`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from bot.core.errors import Unavailable

FILE: Final = "postgres-roles.json"
SCRAM_ITERATIONS: Final = 4096
"""PostgreSQL's own default (``scram_iterations``)."""


def role_passwords(home: Path, roles: Iterable[str]) -> Mapping[str, str]:
    """The password of each role, made and kept where it has none yet. Raises `Unavailable` if the file is unusable."""
    path = home / FILE
    with _translated(path):
        kept = _read(path)
        missing = [role for role in roles if role not in kept]
        if missing:
            home.mkdir(0o700, parents=True, exist_ok=True)
            kept = _add(path, kept, {role: _made() for role in missing})
    return {role: kept[role] for role in roles}


def password_tried(home: Path, role: str) -> str:
    """The password that is kept of a role; where none is, one that no server takes, and nothing is kept.

    Raises `Unavailable` if the file is unusable.
    """
    with _translated(home / FILE):
        return _read(home / FILE).get(role) or _made()


def _made() -> str:
    return secrets.token_urlsafe(32)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"The passwords of Dogear's database roles cannot be kept in {path} ({error.strerror}): make that folder "
            "writable, or set DOGEAR_APP_DATABASE_URL and DOGEAR_INGEST_DATABASE_URL.",
            code="passwords",
        ) from error


def _read(path: Path) -> dict[str, str]:
    try:
        content = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)
    try:
        kept = json.loads(content)
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or not all(isinstance(value, str) for value in kept.values()):
        raise Unavailable(
            f"{path} is not what Dogear wrote: restore it, or remove it and run dogear db upgrade for new passwords.",
            code="passwords",
        )
    return kept


def _add(path: Path, kept: Mapping[str, str], made: Mapping[str, str]) -> dict[str, str]:
    """Write old and new passwords to a new file and put it in place whole; of two at once, the first one counts."""
    wanted = {**made, **kept}
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(wanted, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        if kept:
            part.replace(path)
            return wanted
        with suppress(FileExistsError):
            path.hardlink_to(part)
            return wanted
    finally:
        part.unlink(missing_ok=True)
    kept = _read(path)
    missing = {role: password for role, password in made.items() if role not in kept}
    return _add(path, kept, missing) if missing else dict(kept)


def login_url(server: URL, role: str, password: str) -> URL:
    """The address of the same database, for another login."""
    return server.set(username=role, password=password)


def scram_verifier(password: str, salt: bytes | None = None) -> str:
    """What PostgreSQL stores for an ASCII password (RFC 5803), so that the password stands in no statement."""
    if not password.isascii():
        raise ValueError("only an ASCII password needs no SASLprep")
    salt = secrets.token_bytes(16) if salt is None else salt
    salted = hashlib.pbkdf2_hmac("sha256", password.encode("ascii"), salt, SCRAM_ITERATIONS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    shown = [base64.b64encode(part).decode("ascii") for part in (salt, stored, server)]
    return f"SCRAM-SHA-256${SCRAM_ITERATIONS}:{shown[0]}${shown[1]}:{shown[2]}"
