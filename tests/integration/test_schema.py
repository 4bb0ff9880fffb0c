"""The schema: what the migrations make is what the tables say, and the constraints hold what is promised."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Index, create_engine, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.store.database import Database, open_database
from bot.store.tables import Instant, metadata, outages, quizzes, responses, rounds, turns

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
ROUND: dict[str, Any] = {
    "token": "t1",
    "mode": "live",
    "guild": 7,
    "channel_id": 70,
    "host": 1,
    "titles": [],
    "language": "en",
    "state": "playing",
    "feedback": "turn",
    "locks": False,
    "scoring": {},
    "settings": {},
    "seed": 1,
    "created_at": NOW,
}
QUIZ: dict[str, Any] = {
    "ref": "light",
    "title": {},
    "description": {},
    "language": "en",
    "tags": [],
    "digest": "",
    "practice_open": True,
    "created_at": NOW,
}
PARTIAL = {
    "uq_quizzes_shipped_ref": "guild IS NULL",
    "uq_rounds_live_channel": "mode = 'live' AND ended_at IS NULL",
    "ix_rounds_open_guild": "ended_at IS NULL",
    "ix_responses_board": "settled_at IS NOT NULL",
}


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await open_database(f"sqlite:///{tmp_path / 'etut.db'}")
    yield database
    await database.close()


async def add(database: Database, table: Any, *rows: dict[str, Any]) -> None:
    async with database.writing() as tx:
        for row in rows:
            await tx.execute(insert(table).values(row))


# --- migrations and tables


def _described(connection: Connection) -> dict[str, str]:
    """Return what SQLite was told of every index that has words of its own."""
    found = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
    )
    return {row.name: " ".join(row.sql.replace('"', "").split()) for row in found}


async def test_the_migrations_make_what_the_tables_say(database: Database) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    async with database.reading() as tx:
        assert await tx.run_sync(differences) == []


async def test_every_index_is_made_with_its_condition(database: Database) -> None:
    bare = create_engine("sqlite://")
    with bare.connect() as connection:
        metadata.create_all(connection)
        wanted = _described(connection)
    bare.dispose()
    async with database.reading() as tx:
        made = await tx.run_sync(_described)
    assert made == wanted
    assert {name: sql.partition(" WHERE ")[2] for name, sql in made.items() if " WHERE " in sql} == PARTIAL


def test_everything_is_named_and_can_be_made_in_both_dialects() -> None:
    for table in metadata.tables.values():
        assert all(constraint.name for constraint in table.constraints)
        for dialect in (sqlite.dialect(), postgresql.dialect()):
            assert str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert _condition(index, sqlite.dialect()) == _condition(index, postgresql.dialect())


def _condition(index: Index, dialect: Any) -> bool:
    return " WHERE " in str(CreateIndex(index).compile(dialect=dialect))


# --- instants


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)), st.integers(-12, 14))  # noqa: DTZ001 - made aware
def test_an_instant_comes_back_exactly_as_aware_utc(wall: datetime, hours: int) -> None:
    instant = wall.replace(tzinfo=timezone(timedelta(hours=hours)))
    kind = Instant()
    stored = kind.process_bind_param(instant, sqlite.dialect())
    back = kind.process_result_value(stored, sqlite.dialect())
    assert isinstance(stored, int)
    assert back == instant
    assert back is not None
    assert back.tzinfo is UTC


async def test_a_naive_instant_is_refused(database: Database) -> None:
    naive = NOW.replace(tzinfo=None)
    with pytest.raises(StatementError, match="aware"):
        await add(database, outages, {"from_at": naive, "to_at": NOW})
    async with database.reading() as tx:
        assert (await tx.execute(select(outages))).all() == []


# --- promises


async def test_a_channel_has_one_open_live_round(database: Database) -> None:
    await add(database, rounds, ROUND)
    with pytest.raises(IntegrityError):
        await add(database, rounds, {**ROUND, "token": "t2"})
    ended = {"state": "ended", "ended_at": NOW}
    await add(
        database,
        rounds,
        {**ROUND, "token": "t3", "channel_id": 71},
        {**ROUND, "token": "t4", **ended},
        {**ROUND, "token": "t5", **ended},
        {**ROUND, "token": "t6", "mode": "alone"},
        {**ROUND, "token": "t7", "mode": "alone"},
        {**ROUND, "token": "t8", "mode": "daily"},
    )


async def test_a_round_has_ended_exactly_when_its_end_is_known(database: Database) -> None:
    for wrong in ({"state": "ended"}, {"ended_at": NOW}, {"state": "paused", "ended_at": NOW}):
        with pytest.raises(IntegrityError, match="ck_rounds_ended"):
            await add(database, rounds, {**ROUND, **wrong})


async def test_a_token_is_never_used_twice(database: Database) -> None:
    await add(database, rounds, ROUND)
    with pytest.raises(IntegrityError, match=r"rounds\.token"):
        await add(database, rounds, {**ROUND, "channel_id": 71})


async def test_a_member_has_one_response_in_a_turn(database: Database) -> None:
    turn_id = await _turn(database)
    one = {
        "turn_id": turn_id,
        "member": 5,
        "answer": "0",
        "interaction_id": 1,
        "answered_at": NOW,
        "state": "locked",
    }
    await add(database, responses, one, {**one, "member": 6})
    with pytest.raises(IntegrityError, match=r"responses\.turn_id, responses\.member"):
        await add(database, responses, {**one, "answer": "1", "interaction_id": 2})
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        await add(database, responses, {**one, "turn_id": turn_id + 1})


async def _turn(database: Database) -> int:
    question = {"id": 1, "quiz_id": 1, "ref": "q", "position": 0, "created_at": NOW}
    version = {
        "id": 1,
        "question_id": 1,
        "number": 1,
        "kind": "single",
        "content": {},
        "options": 2,
        "fingerprint": "",
        "created_at": NOW,
    }
    await add(database, quizzes, {"id": 1, **QUIZ})
    await add(database, metadata.tables["questions"], question)
    await add(database, metadata.tables["question_versions"], version)
    await add(database, rounds, {"id": 1, **ROUND})
    turn = {
        "round_id": 1,
        "number": 1,
        "question_id": 1,
        "version_id": 1,
        "option_order": [0, 1],
        "state": "open",
        "epoch": 1,
        "extended": False,
    }
    await add(database, turns, turn)
    async with database.reading() as tx:
        return (await tx.execute(select(turns.c.id))).scalar_one()


async def test_a_quiz_id_is_unique_among_everybodys_and_in_each_server(database: Database) -> None:
    await add(database, quizzes, QUIZ, {**QUIZ, "guild": 7}, {**QUIZ, "guild": 8})
    for again in (QUIZ, {**QUIZ, "guild": 7}):
        with pytest.raises(IntegrityError):
            await add(database, quizzes, again)


async def test_a_messages_generations_are_counted_once(database: Database) -> None:
    messages = metadata.tables["messages"]
    row = {
        "kind": "question",
        "subject": 1,
        "generation": 1,
        "channel_id": 70,
        "language": "en",
        "nonce": "n",
        "claimed_at": NOW,
        "tried_at": NOW,
        "tries": 1,
        "drawn": 0,
    }
    await add(database, messages, row, {**row, "generation": 2}, {**row, "kind": "reveal"})
    with pytest.raises(IntegrityError):
        await add(database, messages, {**row, "nonce": "other"})


async def test_ids_of_discord_fit_to_the_last_bit(database: Database) -> None:
    largest = 2**63 - 1
    await add(database, rounds, {**ROUND, "guild": largest, "channel_id": largest, "host": largest})
    async with database.reading() as tx:
        row = (await tx.execute(select(rounds))).one()
    assert (row.guild, row.channel_id, row.host) == (largest, largest, largest)
