"""A backup's file: a zip archive with one member for each table and, last, a manifest.

::

    tables/NAME.copy   the rows of a table as PostgreSQL's COPY writes them as text
    manifest.json      what stands in the archive: format, migration, rows and SHA-256 of each table, sequences

The archive is written in one pass and read in two: nothing is restored from one that is damaged.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import zipfile
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bot.core.errors import Refused

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
_CHUNK: Final = 1 << 20
_MOST_MANIFEST: Final = 10_000_000
_NO_ARCHIVE: Final = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""What is raised where an archive is damaged, also where it then seems to be encrypted, or of another version."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table in an archive: its columns in the order of the copy, how many rows, and the copy's SHA-256."""

    columns: tuple[str, ...]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds. ``sequences`` are the last values of each, or None where it gave out none yet."""

    made_at: str
    dogear: str
    migration: str
    postgres: str
    tables: Mapping[str, Table]
    sequences: Mapping[str, int | None]
    format: int = FORMAT


def _damaged(path: Path, what: str) -> Refused:
    return Refused("damaged_backup", f"{path} is no whole backup of Dogear ({what}): take another.")


class ArchiveWriter:
    """Writes tables one after another; see `written`."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.tables: dict[str, Table] = {}

    async def table(
        self,
        name: str,
        columns: tuple[str, ...],
        copied: Callable[[Callable[[bytes], Awaitable[None]]], Awaitable[int]],
    ) -> None:
        """Write one table; ``copied`` is given what takes its bytes, and says how many rows they were."""
        digest = hashlib.sha256()
        with self._archive.open(f"tables/{name}.copy", "w", force_zip64=True) as member:

            async def take(chunk: bytes) -> None:
                digest.update(chunk)
                member.write(chunk)

            rows = await copied(take)
        self.tables[name] = Table(columns, rows, digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, last."""
        self._archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))


@contextmanager
def written(path: Path, *, overwrite: bool) -> Iterator[ArchiveWriter]:
    """Write an archive that only its owner may read: it is in its place whole, or not at all.

    Raises `Refused` where there is a file already, or the folder cannot be written to.
    """
    if path.exists() and not path.is_file():
        raise Refused("unwritable", f"{path} is no file: choose another place.")
    if path.exists() and not overwrite:
        raise Refused("exists", f"{path} is there already: choose another name, or add --overwrite.")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                    yield ArchiveWriter(archive)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise Refused("unwritable", f"{path} cannot be written ({error.strerror}): choose another place.") from None


@dataclass(frozen=True, slots=True)
class ArchiveReader:
    """An archive that was looked through and is whole."""

    path: Path
    archive: zipfile.ZipFile
    manifest: Manifest

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of a table."""
        with self.archive.open(f"tables/{name}.copy") as member:
            while chunk := member.read(_CHUNK):
                yield chunk


@contextmanager
def read(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive, and read all of it once: every byte is as it was written.

    Raises `Refused` where it is none, is damaged, or was made by a newer Dogear.
    """
    reader = _looked_through(path)
    with reader.archive:
        yield reader


def _require_as_written(reader: ArchiveReader, name: str, table: Table) -> None:
    digest = hashlib.sha256()
    for chunk in reader.chunks(name):
        digest.update(chunk)
    if digest.hexdigest() != table.sha256:
        raise _damaged(reader.path, f"{name} is not what was written")


def _looked_through(path: Path) -> ArchiveReader:
    try:
        archive = zipfile.ZipFile(path)
        with ExitStack() as opened:
            opened.enter_context(archive)
            reader = ArchiveReader(path, archive, _manifest(path, archive))
            for name, table in reader.manifest.tables.items():
                _require_as_written(reader, name, table)
            opened.pop_all()
    except _NO_ARCHIVE:
        raise _damaged(path, "it is none, or ends too soon") from None
    except OSError as error:
        raise Refused("unreadable", f"{path} cannot be read ({error.strerror}): correct the name.") from None
    return reader


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        if archive.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
            raise _damaged(path, "its manifest is too large")
        found = json.loads(archive.read(MANIFEST))
        if found["format"] != FORMAT:
            raise Refused("newer_backup", f"{path} was made by a newer Dogear: install that one.")
        tables = {
            str(name): Table(tuple(map(str, t["columns"])), int(t["rows"]), str(t["sha256"]))
            for name, t in found["tables"].items()
        }
        sequences = {str(n): None if v is None else int(v) for n, v in found["sequences"].items()}
        made_at, dogear, migration, postgres = (str(found[k]) for k in ("made_at", "dogear", "migration", "postgres"))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _damaged(path, "it has no manifest that can be read") from None
    if set(archive.namelist()) != {MANIFEST, *(f"tables/{name}.copy" for name in tables)}:
        raise _damaged(path, "what stands in it is not what its manifest says")
    return Manifest(made_at, dogear, migration, postgres, tables, sequences)
