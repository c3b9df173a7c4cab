"""The embedded server: shared, stopped, killed, recovered; by an ordinary user, and by root where this is root."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import asyncpg
import psutil
import pytest

from bot.adapters.postgres.binaries import ServerUser
from bot.adapters.postgres.embedded import EmbeddedPostgres, ServerAddress
from bot.adapters.postgres.pidfile import read_pidfile
from bot.core.errors import Unavailable
from tests.conftest import STRESS
from tests.postgres_servers import Person, ordinary_person, temporary_folder

CLIENT = """
import sys
from pathlib import Path
from bot.adapters.postgres.embedded import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as address:
    print(address.host, flush=True)
    sys.stdin.read()
print("done", flush=True)
"""

PEOPLE = ["root", "ordinary"] if os.geteuid() == 0 else ["ordinary"]


class Client:
    """A process that uses the server until told to end."""

    def __init__(self, person: Person, home: Path, **more: Any) -> None:
        self._folder: Path | None = None
        self.process = person.start(CLIENT, str(home), **more)

    def ready(self) -> Path:
        """Wait for the server; the folder of its socket."""
        assert self.process.stdout
        if self._folder is None:
            said = self.process.stdout.readline().strip()
            assert said, "the client could not start the server"
            self._folder = Path(said)
        return self._folder

    def end(self) -> None:
        self.ready()
        said, _ = self.process.communicate("", timeout=60)
        assert said == "done\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def ask(socket_folder: Path, statement: str, role: str = "postgres") -> Any:
    """The one value that a statement gives in the database dogear."""

    async def asked() -> Any:
        connection = await asyncpg.connect(host=str(socket_folder), user=role, database="dogear")
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    return asyncio.run(asked())


def eventually(happens: Callable[[], object], seconds: float = 15) -> bool:
    end = monotonic() + seconds
    while not happens():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True


def processes_of(home: Path) -> list[psutil.Process]:
    """Whatever lives that has to do with a home: servers, and watchdogs."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and any(str(home) in part for part in process.info["cmdline"] or ())
    ]


def kill_processes_of(home: Path) -> None:
    for process in processes_of(home):
        process.kill()
    assert eventually(lambda: not processes_of(home))


def servers_of(home: Path) -> list[psutil.Process]:
    return [process for process in processes_of(home) if Path(process.info["cmdline"][0]).name == "postgres"]


def watchdogs_of(home: Path) -> list[psutil.Process]:
    return [process for process in processes_of(home) if any("watchdog" in part for part in process.info["cmdline"])]


@pytest.fixture(scope="module")
def people() -> Iterator[dict[str, Person]]:
    with ordinary_person() as ordinary:
        yield {"ordinary": ordinary, "root": Person("root")}


@pytest.fixture(scope="module", params=PEOPLE)
def person(request: pytest.FixtureRequest, people: dict[str, Person]) -> Person:
    return people[request.param]


@contextmanager
def a_home(person: Person) -> Iterator[Path]:
    with temporary_folder(person.user, "dogear's $TEST & ") as home:  # signs that a shell could trip over
        try:
            yield home
        finally:
            kill_processes_of(home)


@pytest.fixture(scope="module")
def home(person: Person) -> Iterator[Path]:
    """One home for the tests of one person: each finds what the one before has left."""
    with a_home(person) as folder:
        yield folder


@pytest.fixture
def fresh_home(person: Person) -> Iterator[Path]:
    with a_home(person) as folder:
        yield folder


def pid_of(home: Path) -> int:
    claim = read_pidfile(home / "postgres" / "data")
    assert claim
    return claim.pid


def killed(process: psutil.Process) -> None:
    process.kill()
    assert eventually(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)


def test_the_last_of_three_that_start_at_once_on_a_fresh_home_stops_the_server(
    person: Person, fresh_home: Path
) -> None:
    clients = [Client(person, fresh_home) for _ in range(3 * STRESS)]
    sockets = {client.ready() for client in clients}
    assert len(sockets) == 1
    assert len([server for server in servers_of(fresh_home) if server.pid == pid_of(fresh_home)]) == 1
    assert len(watchdogs_of(fresh_home)) == 1
    for client in clients[:-1]:
        client.end()
        assert ask(sockets.copy().pop(), "select 1") == 1
    clients[-1].end()
    assert not servers_of(fresh_home)
    assert eventually(lambda: not processes_of(fresh_home), 5)


def test_the_server_does_not_run_as_root_and_knows_none_of_our_secrets(person: Person, home: Path) -> None:
    client = Client(person, home, environment={"ANTHROPIC_API_KEY": "sk-sentinel", "PGPORT": "1"})
    client.ready()
    server = psutil.Process(pid_of(home))
    assert server.uids().effective != 0
    assert "sk-sentinel" not in server.environ().values()
    client.end()


def test_letters_are_known_whatever_the_environment_says(person: Person, home: Path) -> None:
    client = Client(person, home, environment={"LC_ALL": "C", "TZ": "Asia/Tokyo"})
    folder = client.ready()
    assert ask(folder, "select lower('ÉÇ')") == "éç"
    assert ask(folder, "show timezone") == "UTC"
    ask(folder, "create extension if not exists pg_trgm")
    assert ask(folder, "select cardinality(show_trgm('寶玉黛玉'))") > 0
    client.end()


def test_when_the_only_user_is_killed_the_watchdog_stops_the_server_and_ends(person: Person, home: Path) -> None:
    client = Client(person, home)
    client.ready()
    (watchdog,) = watchdogs_of(home)
    client.kill()
    assert eventually(lambda: not servers_of(home), 10)
    assert eventually(lambda: not watchdog.is_running() or watchdog.status() == psutil.STATUS_ZOMBIE, 10)
    assert read_pidfile(home / "postgres" / "data") is None, "it was shut down, not crashed"


def test_when_one_of_two_users_is_killed_the_other_keeps_the_server(person: Person, home: Path) -> None:
    first, second = Client(person, home), Client(person, home)
    folder = first.ready()
    second.ready()
    first.kill()
    sleep(1.2)  # more than two looks of the watchdog
    assert ask(folder, "select 1") == 1
    second.end()
    assert not servers_of(home)


def test_the_watchdog_holds_no_terminal_and_is_no_child_of_its_starter(person: Person, home: Path) -> None:
    client = Client(person, home)
    client.ready()
    (watchdog,) = watchdogs_of(home)
    assert watchdog.ppid() not in {client.process.pid, os.getpid()}
    assert os.getsid(watchdog.pid) != os.getsid(client.process.pid)
    assert watchdog.terminal() is None
    assert watchdog.cwd() == "/"
    assert not [
        child for child in psutil.Process(client.process.pid).children() if child.status() == psutil.STATUS_ZOMBIE
    ]
    client.end()


def test_a_killed_server_recovers_with_nothing_lost(person: Person, home: Path) -> None:
    client = Client(person, home)
    folder = client.ready()
    ask(folder, "create table kept_1 as select 7 as n")
    killed(psutil.Process(pid_of(home)))
    late = Client(person, home)
    assert ask(late.ready(), "select n from kept_1") == 7
    client.end()
    late.end()
    assert not servers_of(home)


def test_after_everything_was_killed_nothing_is_lost(person: Person, home: Path) -> None:
    for turn in range(STRESS):
        client = Client(person, home)
        ask(client.ready(), f"create table kept_all_{turn} as select {turn} as n")
        client.kill()
        for process in processes_of(home):
            with_children = [process, *process.children(recursive=True)]
            for each in with_children:
                each.kill()
        again = Client(person, home)
        assert ask(again.ready(), f"select n from kept_all_{turn}") == turn
        again.end()
        assert not servers_of(home)


def test_a_server_left_without_user_and_watchdog_is_stopped_by_the_next_command(person: Person, home: Path) -> None:
    client = Client(person, home)
    client.ready()
    for watchdog in watchdogs_of(home):
        killed(watchdog)
    left = pid_of(home)
    client.kill()
    late = Client(person, home)
    late.ready()
    assert pid_of(home) == left
    assert len(watchdogs_of(home)) == 1
    late.end()
    assert not servers_of(home)


def server_identity(person: Person, home: Path) -> dict[str, Any]:
    owner = (home / "postgres" / "data").stat()
    return {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}


@pytest.mark.parametrize("innocent", ["living", "zombie"])
def test_a_stale_process_id_never_harms_whoever_has_it_now(person: Person, home: Path, innocent: str) -> None:
    client = Client(person, home)
    ask(client.ready(), "create table if not exists kept_2 as select 8 as n")
    pidfile = home / "postgres" / "data" / "postmaster.pid"
    server = psutil.Process(pid_of(home))
    before = pidfile.read_text()
    for watchdog in watchdogs_of(home):
        killed(watchdog)
    killed(server)
    client.kill()
    command = ["sleep", "60"] if innocent == "living" else ["true"]
    other = subprocess.Popen(command, cwd="/", **server_identity(person, home))
    if innocent == "zombie":
        assert eventually(lambda: psutil.Process(other.pid).status() == psutil.STATUS_ZOMBIE)
    pidfile.write_text(before.replace(str(server.pid), str(other.pid), 1))
    again = Client(person, home)
    assert ask(again.ready(), "select n from kept_2") == 8
    again.end()
    assert not servers_of(home)
    if innocent == "living":
        assert other.poll() is None
        other.kill()
    other.wait()


def test_control_c_ends_the_command_and_the_server_in_order(person: Person, home: Path) -> None:
    client = Client(person, home)
    client.ready()
    server = psutil.Process(pid_of(home))
    os.killpg(client.process.pid, signal.SIGSTOP)  # the command is slow to go ...
    os.killpg(client.process.pid, signal.SIGINT)
    sleep(0.2)
    assert server.is_running()
    assert server.status() != psutil.STATUS_ZOMBIE
    os.killpg(client.process.pid, signal.SIGCONT)  # ... and then does
    client.process.communicate(timeout=30)
    assert not servers_of(home)
    assert read_pidfile(home / "postgres" / "data") is None


def test_killed_while_it_makes_the_data_folder_it_makes_it_again(person: Person, fresh_home: Path) -> None:
    client = Client(person, fresh_home)
    folder = fresh_home / "postgres"
    assert eventually(lambda: list(folder.glob("initdb-*/base/1")))
    client.kill()
    again = Client(person, fresh_home)
    assert ask(again.ready(), "select 1") == 1
    assert [path.name for path in folder.glob("initdb-*")] == []
    again.end()


def test_a_path_too_long_for_a_socket_is_no_obstacle(person: Person, home: Path) -> None:
    long_home = home / ("a" * 60) / ("b" * 60)
    with ExitStack() as stack:
        stack.callback(kill_processes_of, long_home)
        first = Client(person, long_home)
        folder = first.ready()
        assert len(os.fsencode(folder)) < 90
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        second = Client(person, long_home, environment={"TMPDIR": str(home)})  # finds it all the same
        assert second.ready() == folder
        first.end()
        second.end()
        assert not servers_of(long_home)


def test_errors_and_their_texts_stay_out_of_the_log(person: Person, home: Path) -> None:
    client = Client(person, home)
    folder = client.ready()
    for statement in (
        "select 'Canarysentence'::int",
        "select Canarysentence from",
        "do $$begin raise 'Canarysentence'; end$$",
    ):
        with pytest.raises(asyncpg.PostgresError):
            ask(folder, statement)
    with pytest.raises(asyncpg.PostgresError):
        ask(folder, "select pg_terminate_backend(pg_backend_pid()), 'Canarysentence'")
    client.end()
    log = (home / "postgres" / "postgres.log").read_text()
    assert "database system is ready" in log
    assert "Canary" not in log


def test_the_rest_of_the_home_is_left_alone(person: Person, home: Path) -> None:
    kept = home / "uploads"
    kept.mkdir(0o700)
    (kept / "a book.epub").touch(0o600)
    if person.user:
        person.user.own(kept)
    before = [(path, path.stat().st_mode, path.stat().st_uid) for path in (home.parent, kept, kept / "a book.epub")]
    client = Client(person, home)
    client.ready()
    client.end()
    assert before == [
        (path, path.stat().st_mode, path.stat().st_uid) for path in (home.parent, kept, kept / "a book.epub")
    ]
    assert stat.S_IMODE(home.stat().st_mode) in {0o700, 0o710}
    assert stat.S_IMODE((home / "postgres" / "data").stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "postgres" / "socket").stat().st_mode) == 0o700


def test_any_number_that_come_go_and_are_killed_leave_neither_a_server_nor_a_loss(person: Person, home: Path) -> None:
    chance = random.Random(7)
    client = Client(person, home)
    ask(client.ready(), "create table if not exists visits (n int)")
    ask(client.ready(), "delete from visits")
    client.end()
    expected = 0
    present: list[Client] = []
    for _ in range(8 * STRESS):
        client = Client(person, home)
        present.append(client)
        if chance.random() < 0.5:
            ask(client.ready(), "insert into visits values (1)")
            expected += 1
        if chance.random() < 0.2:
            client.ready()
            killed(psutil.Process(pid_of(home)))
            for left in present:
                left.kill()
            present.clear()
        while len(present) > 2:
            leaving = present.pop(chance.randrange(len(present)))
            if chance.random() < 0.5:
                leaving.kill()
            else:
                leaving.end()
    for left in present:
        left.kill()
    last = Client(person, home)
    assert ask(last.ready(), "select count(*) from visits") == expected
    last.end()
    assert not servers_of(home)


def test_two_uses_in_one_process_are_two_users(home: Path) -> None:
    first, second = EmbeddedPostgres(home), EmbeddedPostgres(home)
    address = first.start()
    assert second.start() == address
    first.stop()
    first.stop()
    assert ask(address.host, "select 1") == 1
    second.stop()
    assert not servers_of(home)


async def test_it_works_in_an_event_loop_and_gives_way_to_a_cancellation(home: Path) -> None:
    async def use(entered: asyncio.Event) -> None:
        async with EmbeddedPostgres(home) as address:
            assert isinstance(address, ServerAddress)
            entered.set()
            await asyncio.sleep(60)

    for wait_for_entry in (True, False):
        entered = asyncio.Event()
        using = asyncio.create_task(use(entered))
        if wait_for_entry:
            await entered.wait()
        else:
            await asyncio.sleep(0.02)
        using.cancel()
        with pytest.raises(asyncio.CancelledError):
            await using
        assert not servers_of(home)


def test_an_address_is_one_for_asyncpg_by_role_and_database() -> None:
    url = ServerAddress(Path("/run/socket folder")).url("dogear_app")
    assert url.drivername == "postgresql+asyncpg"
    assert (url.username, url.database, url.password) == ("dogear_app", "dogear", None)
    assert url.query == {"host": "/run/socket folder", "port": "5432"}


if os.geteuid() == 0:

    def test_root_is_told_which_folder_the_server_may_not_enter_and_none_is_opened(tmp_path: Path) -> None:
        closed = tmp_path / "closed"
        closed.mkdir(0o700)
        before = [(folder, folder.stat().st_mode) for folder in closed.parents]
        with pytest.raises(Unavailable, match=r"cannot enter .*: set DOGEAR_HOME to a folder"):
            EmbeddedPostgres(closed / "home").start()
        assert not list(closed.iterdir()), "nothing is made where it cannot be used"
        assert before == [(folder, folder.stat().st_mode) for folder in closed.parents]
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700

    def test_root_uses_the_data_of_an_ordinary_user_as_that_user(people: dict[str, Person]) -> None:
        ordinary = people["ordinary"]
        with a_home(ordinary) as home:
            first = Client(ordinary, home)
            ask(first.ready(), "create table kept as select 1 as n")
            first.end()
            with EmbeddedPostgres(home) as address:
                assert ask(address.host, "select n from kept") == 1
                assert ordinary.user
                assert psutil.Process(pid_of(home)).uids().effective == ordinary.user.uid
            again = Client(ordinary, home)
            again.ready()
            again.end()

    def test_an_ordinary_user_is_told_that_a_folder_is_not_theirs(people: dict[str, Person]) -> None:
        with temporary_folder() as closed:
            refused = people["ordinary"].start(CLIENT, str(closed / "home"), stderr=subprocess.PIPE)
            _, said = refused.communicate()
            assert "or set DOGEAR_HOME to a folder of your own." in said.splitlines()[-1]

    def test_a_socket_folder_of_somebody_else_is_refused(people: dict[str, Person]) -> None:
        user = people["ordinary"].user
        assert user
        with temporary_folder() as home, pytest.raises(Unavailable, match="remove it"):
            refused_socket_folder(home, user)


def refused_socket_folder(home: Path, user: ServerUser) -> None:
    """Try to start where the folder for the socket stands open to all."""
    (home / "postgres").mkdir(0o711)
    (home / "postgres" / "socket").mkdir()
    user.own(home / "postgres" / "socket")
    (home / "postgres" / "socket").chmod(0o777)
    EmbeddedPostgres(home).start()


def test_a_home_that_is_a_file_is_refused_in_one_sentence() -> None:
    with tempfile.NamedTemporaryFile() as file, pytest.raises(Unavailable, match="set DOGEAR_HOME to a folder"):
        EmbeddedPostgres(Path(file.name)).start()
