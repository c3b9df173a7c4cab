"""The composition root on a real server: roles, rights, passwords and migrations, as a host meets them."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from bot.adapters.postgres.migrate import SchemaVersion
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.secrets import FILE
from bot.app import App, opened
from bot.core.chat_model import ModelRequest, Purpose
from bot.core.club import ClubId
from bot.core.errors import Unavailable
from bot.database import database_status, upgrade_database
from bot.settings import Settings
from tests.made_books import book_of, chapter, stored
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.replies import Reply, text
from tests.postgres_servers import RealServer, real_server
from tests.real_databases import OWNER_LOGIN, OWNER_PASSWORD, RealDatabase, real_database

EXTENSION = "create extension vector"


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server() as running:
        yield running


@pytest.fixture
async def database(server: RealServer) -> AsyncIterator[RealDatabase]:
    async with real_database(server) as made:
        yield made


def settings_for(url: str, home: Path, **more: str) -> Settings:
    return Settings(_env_file=None, **{"DATABASE_URL": url, "DOGEAR_HOME": str(home), **more})  # type: ignore[arg-type]


def silent(_: str) -> None:
    """Tell nobody."""


async def refusal(settings: Settings) -> Unavailable:
    with pytest.raises(Unavailable) as refused:
        async with opened(settings, silent):
            pass
    return refused.value


async def works(settings: Settings) -> None:
    """A book is written, a member is placed, and the door opens: with the runtime's own logins."""
    async with opened(settings, silent) as app:
        book = await stored(app.ingest_engine, book_of(chapter(1, "A cat sat."), chapter(2, "It fell.")))
        assert await app.shelf.book_text(book, 0, 9) == "Chapter 1"
        club = await app.directory.club_named("club")
        member = await app.roster(club).member_known("ana")
        assert not member.joined
        await app.check_door()
        async with app.doors(club).opened() as door:
            assert len((await door.chapter_map(book)).chapters) == 2


async def test_a_superuser_makes_everything_at_once(database: RealDatabase, tmp_path: Path) -> None:
    settings = settings_for(database.superuser_url, tmp_path / "home")
    version = await upgrade_database(settings, silent)
    assert version.up_to_date
    assert await database_status(settings, silent) == version
    await works(settings)


async def test_the_passwords_are_random_and_only_their_owner_may_read_them(
    database: RealDatabase, tmp_path: Path
) -> None:
    await upgrade_database(settings_for(database.superuser_url, tmp_path / "home"), silent)
    kept = tmp_path / "home" / FILE
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    passwords = json.loads(kept.read_text())
    assert set(passwords) == {APP, INGEST}
    assert len(set(passwords.values())) == 2
    assert min(map(len, passwords.values())) >= 40


async def test_an_owner_that_may_make_roles_needs_no_superuser_once_the_extension_is_there(
    database: RealDatabase, tmp_path: Path
) -> None:
    await database.run(EXTENSION)
    settings = settings_for(database.owner_url, tmp_path)
    assert (await upgrade_database(settings, silent)).up_to_date
    assert (await upgrade_database(settings, silent)).up_to_date
    await works(settings)


@pytest.mark.parametrize("rights", ["nocreaterole", "createrole"])
@pytest.mark.parametrize("extension", [True, False])
@pytest.mark.parametrize("owns", [True, False])
async def test_where_a_right_is_missing_the_sentence_holds_sql_that_an_administrator_can_run(
    server: RealServer, tmp_path: Path, rights: str, extension: bool, owns: bool
) -> None:
    async with real_database(server, rights) as database:
        if extension:
            await database.run(EXTENSION)
        if not owns:
            await database.run(f"alter database {database.name} owner to postgres")
        settings = settings_for(database.owner_url, tmp_path)
        if rights == "createrole" and extension and owns:
            await upgrade_database(settings, silent)
        else:
            with pytest.raises(Unavailable) as refused:
                await upgrade_database(settings, silent)
            assert refused.value.code == "missing_right"
            sql = refused.value.message.partition("in this database: ")[2]
            assert (EXTENSION in sql) is not extension
            assert sql.endswith(";")
            assert not any(password in sql for password in json.loads((tmp_path / FILE).read_text()).values())
            await database.run(*filter(str.strip, sql.split(";")))
            assert (await upgrade_database(settings, silent)).up_to_date
        await works(settings)


async def test_a_host_that_takes_the_right_to_connect_from_everyone_is_served_too(
    database: RealDatabase, tmp_path: Path
) -> None:
    await database.run(EXTENSION, f"revoke connect on database {database.name} from public")
    await database.run(f"grant connect on database {database.name} to {OWNER_LOGIN}")
    settings = settings_for(database.owner_url, tmp_path)
    await upgrade_database(settings, silent)
    await works(settings)


async def test_lost_passwords_are_made_anew_by_an_upgrade(database: RealDatabase, tmp_path: Path) -> None:
    await database.run(EXTENSION)
    await upgrade_database(settings_for(database.owner_url, tmp_path / "one"), silent)
    settings = settings_for(database.owner_url, tmp_path / "two")
    refused = await refusal(settings)
    assert (refused.code, refused.message.endswith("run `dogear db upgrade`.")) == ("passwords", True)
    notes: list[str] = []
    await upgrade_database(settings, notes.append)
    assert [note.split()[0] for note in notes] == [APP, INGEST]
    await works(settings)


async def test_lost_passwords_that_the_owner_may_not_change_are_changed_by_an_administrator(
    server: RealServer, tmp_path: Path
) -> None:
    async with real_database(server, "nocreaterole") as database:
        await upgrade_database(settings_for(database.superuser_url, tmp_path / "one"), silent)
        await database.run(f"grant dogear_owner to {OWNER_LOGIN}")
        settings = settings_for(database.owner_url, tmp_path / "two")
        for _ in (APP, INGEST):
            with pytest.raises(Unavailable) as refused:
                await upgrade_database(settings, silent)
            assert refused.value.code == "passwords"
            await database.run(refused.value.message.partition("administrator run: ")[2].rstrip(";"))
        await upgrade_database(settings, silent)
        await works(settings)


async def test_logins_that_the_host_sets_are_made_with_their_passwords_and_nothing_is_kept(
    database: RealDatabase, tmp_path: Path
) -> None:
    await database.run(EXTENSION)
    settings = settings_for(
        database.owner_url,
        tmp_path / "home",
        DOGEAR_APP_DATABASE_URL=database.url(APP, "app-word"),
        DOGEAR_INGEST_DATABASE_URL=database.url(INGEST, "ingest-word"),
    )
    await upgrade_database(settings, silent)
    assert not (tmp_path / "home").exists()
    await works(settings)


async def test_a_wrong_password_that_the_host_set_is_named_and_changes_nothing(
    database: RealDatabase, tmp_path: Path
) -> None:
    await database.run(EXTENSION)
    kept = settings_for(database.owner_url, tmp_path)
    await upgrade_database(kept, silent)
    wrong = settings_for(database.owner_url, tmp_path, DOGEAR_APP_DATABASE_URL=database.url(APP, "wrong"))
    with pytest.raises(Unavailable, match="DOGEAR_APP_DATABASE_URL"):
        await upgrade_database(wrong, silent)
    await works(kept)


async def test_an_answering_login_that_could_read_past_the_door_is_refused(
    database: RealDatabase, tmp_path: Path
) -> None:
    await upgrade_database(settings_for(database.superuser_url, tmp_path), silent)
    ingest = json.loads((tmp_path / FILE).read_text())[INGEST]
    for loose in (database.superuser_url, database.url(INGEST, ingest)):
        settings = settings_for(database.superuser_url, tmp_path, DOGEAR_APP_DATABASE_URL=loose)
        assert (await refusal(settings)).code == "door_open"


async def test_a_database_that_was_never_upgraded_says_what_to_run(database: RealDatabase, tmp_path: Path) -> None:
    settings = settings_for(database.superuser_url, tmp_path)
    assert (await refusal(settings)).message.endswith("run `dogear db upgrade`.")
    assert (await database_status(settings, silent)).current is None


async def test_a_database_at_an_older_migration_is_not_used(database: RealDatabase, tmp_path: Path) -> None:
    settings = settings_for(database.superuser_url, tmp_path)
    newest = (await upgrade_database(settings, silent)).newest
    await database.run("update dogear.schema_version set version_num = '0001'")
    refused = await refusal(settings)
    assert refused.code == "not_migrated"
    assert refused.message == (
        f"The database is at migration 0001, this Dogear needs {newest}: run `dogear db upgrade`."
    )
    assert await database_status(settings, silent) == SchemaVersion("0001", newest)


async def test_a_database_of_a_newer_dogear_is_left_alone(database: RealDatabase, tmp_path: Path) -> None:
    settings = settings_for(database.superuser_url, tmp_path)
    await upgrade_database(settings, silent)
    await database.run("update dogear.schema_version set version_num = '9999'")
    assert (await refusal(settings)).code == "newer_database"
    with pytest.raises(Unavailable, match="install a newer Dogear"):
        await upgrade_database(settings, silent)


async def test_pgvector_in_another_schema_is_named_with_the_way_out(database: RealDatabase, tmp_path: Path) -> None:
    await database.run("create schema elsewhere", f"{EXTENSION} schema elsewhere")
    settings = settings_for(database.superuser_url, tmp_path)
    with pytest.raises(Unavailable) as refused:
        await upgrade_database(settings, silent)
    assert refused.value.code == "extension_schema"
    await database.run(refused.value.message.partition("in this database: ")[2].rstrip(";"))
    await upgrade_database(settings, silent)
    await works(settings)


async def test_two_upgrades_at_once_of_an_empty_database_both_succeed(database: RealDatabase, tmp_path: Path) -> None:
    await database.run(EXTENSION)
    settings = settings_for(database.owner_url, tmp_path)
    versions = await asyncio.gather(*(upgrade_database(settings, silent) for _ in range(3)))
    assert all(version.up_to_date for version in versions)
    await works(settings)


async def test_the_owners_password_may_be_set_apart_from_its_address(database: RealDatabase, tmp_path: Path) -> None:
    await database.run(EXTENSION)
    with_none = database.owner_url.replace(f":{OWNER_PASSWORD}@", "@")
    assert with_none != database.owner_url
    settings = settings_for(with_none, tmp_path, DATABASE_PASSWORD=OWNER_PASSWORD)
    assert (await upgrade_database(settings, silent)).up_to_date
    await works(settings_for(with_none, tmp_path))


async def test_requests_to_a_model_are_counted_in_all_processes_together(
    database: RealDatabase, tmp_path: Path
) -> None:
    out, most = 0, 0

    async def replied(_: object) -> Reply:
        nonlocal out, most
        out += 1
        most = max(most, out)
        await asyncio.sleep(0.05)
        out -= 1
        return text("{}")

    peer = FakeAnthropic(handler=replied)
    await peer.start()
    settings = settings_for(
        database.superuser_url, tmp_path, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=peer.origin, DOGEAR_MODEL_CALLS="2"
    )
    await upgrade_database(settings, silent)

    async def asked(app: App, club: int) -> None:
        schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
        request = ModelRequest(Purpose.SUPPORT, "Check.", (), "Is it so?", schema, 100)
        assert app.model.claude is not None
        async with aclosing(app.model.claude.of(ClubId(club)).written(request, lambda _: None)) as pieces:
            assert "".join([piece async for piece in pieces]) == "{}"

    async with opened(settings, silent) as one, opened(settings, silent) as two, asyncio.timeout(60):
        await asyncio.gather(*(asked(app, club) for app in (one, two) for club in (1, 2) for _ in range(3)))
    await peer.stop()
    assert len(peer.requests) == 12
    assert most == 2
