"""The zip container: limits, names, protection. Nothing is ever extracted to disk."""

from __future__ import annotations

import unicodedata
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.core.errors import FileRefused

MAX_FILE_BYTES: Final = 50_000_000
MAX_ENTRIES: Final = 10_000
MAX_TOTAL_BYTES: Final = 300_000_000
MAX_MEMBER_BYTES: Final = 40_000_000
MAX_RATIO: Final = 200
RATIO_FLOOR_BYTES: Final = 1 << 20  # blank pictures compress better than any text: a ratio counts above this alone

_ENCRYPTED_FLAG = 0x1
_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError)


def _is_safe(name: str) -> bool:
    return not (name.startswith("/") or "\\" in name or "\x00" in name or name[1:2] == ":" or ".." in name.split("/"))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


class Archive:
    """A zip file opened under the limits above; the first of two members of one name wins.

    Raises ``FileRefused``: ``not_a_zip``, ``zip_too_large``, ``zip_bomb``, ``too_many_entries``, ``zip_encrypted``.
    """

    def __init__(self, path: Path) -> None:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise FileRefused("zip_too_large", "This EPUB is larger than 50 MB; upload a version without large media.")
        try:
            self._zip = zipfile.ZipFile(path)
        except (*_UNREADABLE, UnicodeDecodeError):
            raise FileRefused(
                "not_a_zip", "This file is not an EPUB (it is no zip archive, or a damaged one); upload it again."
            ) from None
        try:
            self._members = self._checked(self._zip.infolist())
        except FileRefused:
            self._zip.close()
            raise
        self._folded = {}
        for name in reversed(self._members):
            self._folded[_folded(name)] = name

    @staticmethod
    def _checked(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        if len(infos) > MAX_ENTRIES:
            raise FileRefused("too_many_entries", "This EPUB holds more than 10,000 files; upload a simpler version.")
        members: dict[str, zipfile.ZipInfo] = {}
        total = 0
        for info in infos:
            size, packed = info.file_size, info.compress_size
            total += size
            if size > RATIO_FLOOR_BYTES and size > MAX_RATIO * packed:
                raise FileRefused(
                    "zip_bomb", "This EPUB unpacks to far more than a book holds; upload another copy of it."
                )
            if size > MAX_MEMBER_BYTES or total > MAX_TOTAL_BYTES:
                raise FileRefused(
                    "zip_too_large", "This EPUB is too large when unpacked; upload a version without large media."
                )
            if info.flag_bits & _ENCRYPTED_FLAG:
                raise FileRefused(
                    "zip_encrypted", "This EPUB is locked with a zip password; upload a copy without a password."
                )
            if not info.is_dir() and _is_safe(info.filename):
                members.setdefault(info.filename, info)
        return members

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all members that may be read."""
        return tuple(self._members)

    def find(self, name: str) -> str | None:
        """The stored name of ``name``: exact, else equal after NFC and case folding, else None."""
        return name if name in self._members else self._folded.get(_folded(name))

    def read(self, name: str, limit: int = MAX_MEMBER_BYTES) -> bytes | None:
        """The bytes of a member, or None where it is absent or damaged; never more than ``limit`` bytes are unpacked.

        Raises ``FileRefused`` (``doc_too_large``) when there is more.
        """
        stored = self.find(name)
        if stored is None:
            return None
        try:
            with self._zip.open(self._members[stored]) as member:
                data = member.read(limit + 1)
        except _UNREADABLE:
            return None
        if len(data) > limit:
            raise FileRefused(
                "doc_too_large",
                f"A text in this EPUB is larger than {limit // 1_000_000} MB; split it and upload again.",
            )
        return data
