"""The database: one writing and one reading engine on a SQLite file, its lock, and its migrations.

Who writes goes through the recorder, whose task alone uses `writing()`; everybody reads through `reading()`. Another
kind of database is refused by the settings until it is supported.
"""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

import alembic.command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

Tx = AsyncConnection
"""A connection inside a transaction, as the functions of the store take it."""

_log = logging.getLogger(__name__)


class DatabaseFault(Exception):
    """The database cannot be used; the message says why and what to do."""


class Database:
    """An open database. Make it with `open_database`."""

    def __init__(self, path: Path, lock: IO[bytes]) -> None:
        self.path = path
        self._lock = lock
        self._writer = _engine(path, writes=True)
        self._reader = _engine(path, writes=False)

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[Tx]:
        """Open the one writing transaction; only the recorder's task does."""
        async with self._writer.begin() as tx:
            yield tx

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Tx]:
        """Open a reading transaction: a view of what is committed."""
        async with self._reader.begin() as tx:
            yield tx

    async def close(self) -> None:
        """Close both engines and release the file."""
        await self._writer.dispose()
        await self._reader.dispose()
        self._lock.close()


async def open_database(url: str) -> Database:
    """Lock, migrate and open the SQLite file of a URL; its folder is made where it is missing.

    Raises:
        DatabaseFault: another process has it, it is newer than this program, or it is no database.
    """
    return await asyncio.to_thread(_open, Path(make_url(url).database or ""))


def _open(path: Path) -> Database:
    try:
        path = path.absolute()
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(path.with_name(path.name + ".lock"))
    except OSError as fault:
        raise DatabaseFault(
            f"cannot use {path}: {fault.strerror or fault}; choose another DATABASE_URL"
        ) from fault
    try:
        _migrate(path)
    except OperationalError as fault:  # the system refuses; the file itself may be sound
        lock.close()
        raise DatabaseFault(
            f"cannot use {path}: {fault.orig}; mend that, or choose another DATABASE_URL"
        ) from fault
    except DatabaseError as fault:
        lock.close()
        raise DatabaseFault(
            f"{path} cannot be read as a database ({fault.orig}); "
            "move it away and put a backup in its place: nothing in it was changed"
        ) from fault
    except BaseException:
        lock.close()
        raise
    return Database(path, lock)


def _lock(path: Path) -> IO[bytes]:
    """Lock a sibling of the database for as long as the process lives, also against `kill -9`."""
    # SQLite's own locks are released between transactions, so a second process would not notice the first.
    handle = path.open("ab")
    try:
        if os.name == "nt":
            import msvcrt

            getattr(msvcrt, "locking")(handle.fileno(), getattr(msvcrt, "LK_NBLCK"), 1)  # noqa: B009
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        handle.close()
        raise DatabaseFault(
            f"{path.with_suffix('')} is in use by another running Etüt; "
            "stop that one first, or give this one another DATABASE_URL"
        ) from fault
    return handle


def alembic_config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, which has no ini file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def _migrate(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _begin_immediate)
    try:
        with engine.connect() as connection:
            script = ScriptDirectory.from_config(alembic_config())
            current = MigrationContext.configure(connection).get_current_revision()
            if current is not None and current not in {one.revision for one in script.walk_revisions()}:
                raise DatabaseFault(
                    f"{path} was written by a newer Etüt (schema {current}); update this one, or use a backup"
                )
            if current is None and inspect(connection).get_table_names():
                raise DatabaseFault(f"{path} is another program's database; choose another DATABASE_URL")
            connection.rollback()
            if current == script.get_current_head():
                return
            # Rebuilding a table drops it, and with foreign keys on, SQLite would delete what refers to it.
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            connection.rollback()
            with connection.begin():
                alembic.command.upgrade(alembic_config(connection), "head")
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise DatabaseFault(f"{path}: {len(broken)} rows refer to nothing; nothing was changed")
            _log.info("database migrated from %s to %s", current or "nothing", script.get_current_head())
    finally:
        engine.dispose()


def _engine(path: Path, *, writes: bool) -> AsyncEngine:
    engine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_size=1 if writes else 4, max_overflow=0)
    event.listen(engine.sync_engine, "connect", _on_connect)
    event.listen(engine.sync_engine, "connect", _log_ahead)
    if writes:
        event.listen(engine.sync_engine, "begin", _begin_immediate)
    else:
        event.listen(engine.sync_engine, "connect", _query_only)
        event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _on_connect(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by us, not guessed by the driver
    cursor = connection.cursor()
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _log_ahead(connection: Any, record: object) -> None:
    # Changes the file, so it is asked for only once the file is known to be ours.
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.close()


def _query_only(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only=ON")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
