"""The database file: who may open it, what is refused and in which words, and what its two engines can do."""

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from bot.store.database import Database, DatabaseFault, open_database

ROOT = Path(__file__).parents[2]
HOLDER = """
import asyncio, sys
from bot.store.database import open_database

async def main():
    database = await open_database(sys.argv[1])
    async with database.writing() as tx:
        await tx.exec_driver_sql("INSERT INTO meta (name, value) VALUES ('kept', 'yes')")
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Database]:
    database = await open_database(f"sqlite:///{path}")
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "etut.db"


async def refusal(path: Path) -> str:
    with pytest.raises(DatabaseFault) as caught:
        await open_database(f"sqlite:///{path}")
    return str(caught.value)


# --- opening


async def test_a_missing_file_and_its_folder_are_made(path: Path) -> None:
    async with opened(path) as database, database.reading() as tx:
        assert (await tx.exec_driver_sql("SELECT count(*) FROM rounds")).scalar_one() == 0
    assert path.exists()


async def test_what_was_written_is_there_when_it_is_opened_again(path: Path) -> None:
    async with opened(path) as database, database.writing() as tx:
        await tx.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")
    async with opened(path) as database, database.reading() as tx:
        assert (await tx.exec_driver_sql("SELECT value FROM meta")).scalar_one() == "b"


async def test_a_folder_that_cannot_be_made_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    said = await refusal(tmp_path / "taken" / "etut.db")
    assert "cannot use" in said
    assert "DATABASE_URL" in said


async def test_a_path_that_is_a_folder_is_refused_without_talk_of_backups(path: Path) -> None:
    path.mkdir(parents=True)
    said = await refusal(path)
    assert "cannot use" in said
    assert "DATABASE_URL" in said
    assert "backup" not in said
    path.rmdir()
    async with opened(path):
        pass  # nor is it held


# --- one process at a time


async def test_a_file_opened_twice_is_refused_in_words(path: Path) -> None:
    async with opened(path):
        said = await refusal(path)
    assert str(path) in said
    assert "in use by another running Etüt" in said
    async with opened(path):
        pass  # closed, so free again


def holder(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, f"sqlite:///{path}"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"open\n"
    return process


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")
async def test_another_process_holds_the_file_until_it_is_killed(path: Path) -> None:
    with await asyncio.to_thread(holder, path) as process:
        try:
            assert "in use by another running Etüt" in await refusal(path)
            os.kill(process.pid, signal.SIGKILL)
            await asyncio.to_thread(process.wait)
        finally:
            process.kill()
    async with opened(path) as database, database.reading() as tx:
        assert (await tx.exec_driver_sql("SELECT value FROM meta")).scalar_one() == "yes"


async def test_a_refused_file_is_not_held(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database")
    await refusal(path)
    path.unlink()
    async with opened(path):
        pass


# --- files that are no database of ours


async def test_a_newer_schema_is_refused_in_words(path: Path) -> None:
    async with opened(path) as database, database.writing() as tx:
        await tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()
    said = await refusal(path)
    assert "written by a newer Etüt (schema 9999)" in said
    assert "backup" in said
    assert path.read_bytes() == before


async def closed_file(path: Path) -> bytes:
    async with opened(path):
        pass
    return path.read_bytes()


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    for content in (b"a letter to my aunt\n" * 300, random.Random(1).randbytes(50_000), b"xy"):
        path.write_bytes(content)
        said = await refusal(path)
        assert "cannot be read as a database" in said
        assert "nothing in it was changed" in said
        assert path.read_bytes() == content


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("damage", ["overwritten", "cut short", "schema overwritten"])
async def test_a_damaged_database_is_refused_and_left_as_it_is(path: Path, damage: str, journal: str) -> None:
    whole = await closed_file(path)
    if journal == "delete":
        with sqlite3.connect(path) as raw:
            raw.execute("PRAGMA journal_mode=DELETE")
        raw.close()
        whole = path.read_bytes()
    noise = random.Random(2).randbytes
    damaged = {
        "overwritten": whole[:100] + noise(len(whole) - 100),
        "cut short": whole[: 4096 + 100],
        "schema overwritten": whole[:100] + noise(3_996) + whole[4096:],
    }[damage]
    path.write_bytes(damaged)
    said = await refusal(path)
    assert "cannot be read as a database" in said
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("table", ["rounds", "recipes"])
async def test_another_programs_database_is_refused_and_left_as_it_is(path: Path, table: str) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as raw:
        raw.execute(f"CREATE TABLE {table} (of_golf INTEGER)")
    raw.close()
    before = path.read_bytes()
    assert "another program's database" in await refusal(path)
    assert path.read_bytes() == before


# --- the engines


async def test_every_connection_is_as_durable_and_strict_as_promised(path: Path) -> None:
    # Held at the same time, so that each reader has a connection of its own.
    async with (
        opened(path) as database,
        database.writing() as writer,
        database.reading() as one,
        database.reading() as another,
    ):
        for tx in (writer, one, another):
            told = {
                pragma: (await tx.exec_driver_sql(f"PRAGMA {pragma}")).scalar_one()
                for pragma in ("journal_mode", "synchronous", "foreign_keys")
            }
            assert told == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_the_reading_engine_cannot_write(path: Path) -> None:
    async with opened(path) as database:
        for statement in ("INSERT INTO meta VALUES ('a', 'b')", "DELETE FROM meta", "DROP TABLE meta"):
            with pytest.raises(OperationalError, match="readonly"):
                async with database.reading() as tx:
                    await tx.exec_driver_sql(statement)


async def test_readers_see_what_is_committed_and_nothing_else(path: Path) -> None:
    async with opened(path) as database:
        counted = "SELECT count(*) FROM meta"
        async with database.writing() as tx:
            await tx.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")
            async with database.reading() as reader:
                assert (await reader.exec_driver_sql(counted)).scalar_one() == 0
        async with database.reading() as reader:
            assert (await reader.exec_driver_sql(counted)).scalar_one() == 1


async def test_a_reading_transaction_is_one_view(path: Path) -> None:
    async with opened(path) as database, database.reading() as reader:
        counted = "SELECT count(*) FROM meta"
        assert (await reader.exec_driver_sql(counted)).scalar_one() == 0
        async with database.writing() as tx:
            await tx.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")
        assert (await reader.exec_driver_sql(counted)).scalar_one() == 0


async def test_a_fault_in_a_writing_transaction_undoes_it(path: Path) -> None:
    async def fail(database: Database) -> None:
        async with database.writing() as tx:
            await tx.exec_driver_sql("INSERT INTO meta VALUES ('a', 'b')")
            raise ZeroDivisionError

    async with opened(path) as database:
        with pytest.raises(ZeroDivisionError):
            await fail(database)
        async with database.reading() as tx:
            assert (await tx.exec_driver_sql("SELECT count(*) FROM meta")).scalar_one() == 0
