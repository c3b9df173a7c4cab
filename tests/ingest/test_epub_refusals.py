"""EPUB files that are refused, each with its code, and hostile ones that are survived."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from bot.core.errors import FileRefused
from bot.ingest.epub import archive, blocks, read_epub, reader
from tests.ingest.epub_files import CONTAINER, chapter, page, prose, read, titles, write_epub

ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
    '<enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
    '<enc:CipherReference URI="{uri}"/></enc:CipherData></enc:EncryptedData></encryption>'
)
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
FONT = "http://www.idpf.org/2008/embedding"


def chapters(*numbers: int) -> dict[str, str]:
    return {f"c{n}.xhtml": chapter(n, f"Chapter {n}") for n in numbers}


def code_of(path: Path) -> str:
    with pytest.raises(FileRefused) as refused:
        read_epub(path)
    assert refused.value.message.endswith(".")
    assert "heron" not in refused.value.message
    return refused.value.code


def plain_zip(path: Path, members: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.epub"
    text.write_text("Chapter One. " * 100)
    empty = tmp_path / "b.epub"
    empty.write_bytes(b"")
    whole = write_epub(tmp_path / "c.epub", chapters(1)).read_bytes()
    cut = tmp_path / "d.epub"
    cut.write_bytes(whole[: len(whole) // 2])
    assert [code_of(path) for path in (text, empty, cut)] == ["not_a_zip"] * 3


def test_a_zip_without_a_package_is_no_epub(tmp_path: Path) -> None:
    assert code_of(plain_zip(tmp_path / "a.epub", {"readme.txt": "hello"})) == "not_an_epub"
    lost: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER.format(opf="gone.opf"),
        "a.xhtml": chapter(1, "Chapter 1"),
    }
    assert code_of(plain_zip(tmp_path / "b.epub", lost)) == "opf_unreadable"


def test_an_unreadable_or_empty_package_is_refused(tmp_path: Path) -> None:
    for package in ("", "no xml at all", "<package><spine/></package>"):
        path = write_epub(tmp_path / "a.epub", chapters(1), raw={"OEBPS/content.opf": package})
        assert code_of(path) == "opf_unreadable"


def test_a_book_without_container_or_mimetype_still_loads(tmp_path: Path) -> None:
    whole = write_epub(tmp_path / "a.epub", chapters(1, 2), folder="deep/down/")
    with zipfile.ZipFile(whole) as made:
        members: dict[str, str | bytes] = {n: made.read(n) for n in made.namelist() if n.startswith("deep/")}
    assert titles(read(plain_zip(tmp_path / "b.epub", members))) == ["Chapter 1", "Chapter 2"]
    wrong = write_epub(tmp_path / "c.epub", chapters(1), folder="", raw={"mimetype": "application/zip"})
    assert titles(read(wrong)) == ["Chapter 1"]


def test_the_first_of_two_renditions_is_read(tmp_path: Path) -> None:
    rootfile = '<rootfile full-path="{}" media-type="application/oebps-package+xml"/>'
    named = rootfile.format("OEBPS/content.opf") + rootfile.format("x.opf")
    both = f"<container><rootfiles>{named}</rootfiles></container>"
    path = write_epub(tmp_path / "a.epub", chapters(1), raw={"META-INF/container.xml": both, "x.opf": "<package/>"})
    assert titles(read(path)) == ["Chapter 1"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("META-INF/encryption.xml", ENCRYPTION.format(algorithm=AES, uri="OEBPS/c1.xhtml")),
        ("META-INF/encryption.xml", ENCRYPTION.format(algorithm=AES, uri="OEBPS/content.opf")),
        ("META-INF/encryption.xml", "<encryption><EncryptedData/></encryption>"),
        ("META-INF/license.lcpl", "{}"),
        ("META-INF/sinf.xml", "<sinf/>"),
    ],
)
def test_a_protected_book_is_refused(tmp_path: Path, name: str, data: str) -> None:
    assert code_of(write_epub(tmp_path / "a.epub", chapters(1), raw={name: data})) == "drm"


@pytest.mark.parametrize(("algorithm", "uri"), [(FONT, "OEBPS/font.otf"), (AES, "OEBPS/font.woff2")])
def test_hidden_fonts_are_no_protection(tmp_path: Path, algorithm: str, uri: str) -> None:
    data = ENCRYPTION.format(algorithm=algorithm, uri=uri)
    raw = {"META-INF/encryption.xml": data, "META-INF/rights.xml": "<rights/>"}
    assert titles(read(write_epub(tmp_path / "a.epub", chapters(1), raw=raw))) == ["Chapter 1"]


def test_a_zip_password_is_named(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "a.epub", chapters(1))
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.rfind(signature)
        data[start + at] |= 1
    path.write_bytes(bytes(data))
    assert code_of(path) == "zip_encrypted"


def test_too_many_entries_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(path, "w") as made:
        for n in range(archive.MAX_ENTRIES + 1):
            made.writestr(f"f{n}", b"")
    assert code_of(path) == "too_many_entries"


def test_a_member_that_unpacks_enormously_is_a_bomb(tmp_path: Path) -> None:
    raw = {"OEBPS/big.xhtml": b" " * (archive.RATIO_FLOOR_BYTES * 3)}
    assert code_of(write_epub(tmp_path / "a.epub", chapters(1), raw=raw)) == "zip_bomb"


def test_a_blank_picture_may_be_packed_as_tightly_as_it_likes(tmp_path: Path) -> None:
    raw = {"OEBPS/blank.jpg": b"\x00" * 900_000}
    assert titles(read(write_epub(tmp_path / "a.epub", chapters(1), raw=raw))) == ["Chapter 1"]


def test_a_member_and_a_total_beyond_the_limits_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_epub(tmp_path / "a.epub", chapters(1, 2))
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 500)
    assert code_of(path) == "zip_too_large"
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 10_000)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1_000)
    assert code_of(path) == "zip_too_large"
    monkeypatch.setattr(archive, "MAX_FILE_BYTES", 100)
    assert code_of(path) == "zip_too_large"


def test_a_header_that_lies_about_its_size_unpacks_no_more_than_it_says(tmp_path: Path) -> None:
    big = page("<h2>Chapter 2</h2>" + prose(2, 4000))
    path = write_epub(tmp_path / "a.epub", {**chapters(1), "c2.xhtml": big})
    data = bytearray(path.read_bytes())
    size = struct.pack("<I", len(big.encode()))
    at = data.find(size)
    while at >= 0:
        data[at : at + 4] = struct.pack("<I", 700)
        at = data.find(size, at + 4)
    path.write_bytes(bytes(data))
    book = read(path)
    assert titles(book) == ["Chapter 1"]
    assert len(book.warnings) == 1


def test_a_document_beyond_its_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_DOCUMENT_BYTES", 1_000)
    assert code_of(write_epub(tmp_path / "a.epub", {"c1.xhtml": page(prose(1, 8))})) == "doc_too_large"


def test_a_book_beyond_its_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_CHARACTERS", 1_000)
    assert code_of(write_epub(tmp_path / "a.epub", chapters(1, 2))) == "book_too_long"


def test_names_that_leave_the_archive_are_never_read(tmp_path: Path) -> None:
    raw = {"../evil.xhtml": "x", "/etc/evil": "x", "C:\\evil": "x", "a/../../evil": "x"}
    files = {**chapters(1), "../../etc/passwd": "<p>root</p>"}
    book = read(write_epub(tmp_path / "a.epub", files, raw=raw))
    assert titles(book) == ["Chapter 1"]
    assert "root" not in book.text


def test_the_first_of_two_members_of_one_name_wins(tmp_path: Path) -> None:
    path = write_epub(tmp_path / "a.epub", chapters(1))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as made:
        made.writestr("OEBPS/c1.xhtml", chapter(9, "Chapter 9"))
    assert titles(read(path)) == ["Chapter 1"]


def test_missing_and_remote_files_cost_nothing_else(tmp_path: Path) -> None:
    items = (
        '<item id="f" href="gone.otf" media-type="font/otf"/>'
        '<item id="r" href="https://example.org/a.mp3" media-type="audio/mpeg"/>'
    )
    files = {**chapters(1, 2), "c3.xhtml": chapter(3, "Chapter 3")}
    path = write_epub(tmp_path / "a.epub", files, [*files, "gone.xhtml"], manifest=items)
    book = read(path)
    assert titles(book) == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert "1 of the 4 texts" in book.warnings[0]


def test_a_spine_entry_that_the_manifest_lacks_is_passed_over(tmp_path: Path) -> None:
    package = (
        '<package><manifest><item id="a" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="nobody"/><itemref idref="a"/><itemref idref="a"/></spine></package>'
    )
    path = write_epub(tmp_path / "a.epub", chapters(1), raw={"OEBPS/content.opf": package})
    assert titles(read(path)) == ["Chapter 1"]


def test_pictures_alone_are_no_text(tmp_path: Path) -> None:
    files = {f"p{n}.xhtml": page('<img src="p.png" alt=""/>') for n in range(3)}
    assert code_of(write_epub(tmp_path / "a.epub", files)) == "no_text"


def test_nesting_too_deep_to_be_read_whole_is_refused_or_read_whole(tmp_path: Path) -> None:
    deep = page("<h2>Chapter 1</h2>" + "<div>" * 5000 + prose(1) + "</div>" * 5000)
    assert code_of(write_epub(tmp_path / "a.epub", {"c1.xhtml": deep})) == "too_deep"
    shallow = page("<h2>Chapter 1</h2>" + "<div>" * 200 + prose(1) + "</div>" * 200)
    assert "On walk 1.3" in read(write_epub(tmp_path / "b.epub", {"c1.xhtml": shallow})).text


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the miller did it")
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "heron "}">' for n in range(10))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE html [{entities}<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h2>Chapter 1</h2><p>&e9; &x;</p>{prose(1)}</body></html>'
    )
    book = read(write_epub(tmp_path / "a.epub", {"c1.xhtml": bomb}))
    assert titles(book) == ["Chapter 1"]
    assert len(book.text) < 2000
    assert "did it" not in book.text
