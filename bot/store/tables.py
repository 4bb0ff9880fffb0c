"""The tables, whose constraints carry the promises: one response a member and turn, one open live round a channel.

Portable between SQLite and PostgreSQL: named constraints, partial indexes with both dialects' `where`, and every
instant through one type, as integer microseconds since 1970.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Instant(TypeDecorator[datetime]):
    """An aware instant, stored as integer microseconds since 1970 UTC; a naive one is refused."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an aware instant into microseconds."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored instant must be aware")
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an aware UTC instant."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


# A primary key that SQLite numbers by itself must be its own INTEGER type there.
_Id = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", _Id, primary_key=True)


def _refers(name: str, target: str) -> Column[int]:
    return Column(name, ForeignKey(target), nullable=False)


def _partial(name: str, *columns: Any, where: ColumnElement[bool], unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


quizzes = Table(
    "quizzes",
    metadata,
    _id(),
    Column("guild", BigInteger),  # NULL: shipped or an operator's, seen in every server
    Column("ref", String(64), nullable=False),
    Column("title", JSON, nullable=False),
    Column("description", JSON, nullable=False),
    Column("language", String(16), nullable=False),
    Column("tags", JSON, nullable=False),
    Column("digest", String(64), nullable=False),  # of the whole quiz as read: unchanged files cost nothing
    Column("practice_open", Boolean, nullable=False),  # "open for practice"
    Column("created_at", Instant, nullable=False),
    Column("archived_at", Instant),
    UniqueConstraint("guild", "ref"),
)
_partial("uq_quizzes_shipped_ref", quizzes.c.ref, where=quizzes.c.guild.is_(None), unique=True)

questions = Table(
    "questions",
    metadata,
    _id(),
    _refers("quiz_id", "quizzes.id"),
    Column("ref", String(64), nullable=False),
    Column("position", Integer, nullable=False),
    Column("version_id", BigInteger),  # the newest version; no foreign key, since versions refer back here
    Column("created_at", Instant, nullable=False),
    Column("archived_at", Instant),  # left the quiz; its versions and responses stay
    UniqueConstraint("quiz_id", "ref"),
)

question_versions = Table(
    "question_versions",
    metadata,
    _id(),
    _refers("question_id", "questions.id"),
    Column("number", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("content", JSON, nullable=False),
    Column("key", JSON),  # places of the right options, ascending; NULL: missing
    Column("options", Integer, nullable=False),
    Column("fingerprint", String(32), nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("question_id", "number"),
)

corrections = Table(
    "corrections",
    metadata,
    _id(),
    Column("guild", BigInteger, nullable=False),
    _refers("version_id", "question_versions.id"),
    Column("kind", String(16), nullable=False),
    Column("options", JSON, nullable=False),
    Column("member", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("undone_at", Instant),
    Index("ix_corrections_version_id_guild", "version_id", "guild"),
)

rounds = Table(
    "rounds",
    metadata,
    _id(),
    Column("token", String(10), nullable=False),  # in every custom_id: unique even after a restored backup
    Column("mode", String(8), nullable=False),  # live · daily · exam · alone
    Column("guild", BigInteger),
    Column("channel_id", BigInteger, nullable=False),  # where the questions are posted
    Column("host", BigInteger, nullable=False),
    Column("titles", JSON, nullable=False),  # of the quizzes it was made from, as they were
    Column("language", String(16), nullable=False),  # of the public messages and their letters
    Column("state", String(8), nullable=False),
    Column("feedback", String(8), nullable=False),  # turn · end · once
    Column("locks", Boolean, nullable=False),  # a choice is locked in and cannot be changed
    Column("scoring", JSON, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("end_reason", String(16)),  # played · stopped · channel
    Column("paused_at", Instant),
    Column("pause_reason", String(64)),
    Column("next_at", Instant),  # until when the reveal stands; NULL until the channel shows it
    Column("due_at", Instant),  # when its task must act again; NULL: nothing to do
    UniqueConstraint("token"),
    CheckConstraint("(state = 'ended') = (ended_at IS NOT NULL)", name="ended"),
)
_partial(
    "uq_rounds_live_channel",
    rounds.c.channel_id,
    where=(rounds.c.mode == "live") & rounds.c.ended_at.is_(None),
    unique=True,
)
Index("ix_rounds_due_at", rounds.c.due_at)
_partial("ix_rounds_open_guild", rounds.c.guild, where=rounds.c.ended_at.is_(None))
Index("ix_rounds_guild_created_at", rounds.c.guild, rounds.c.created_at)

turns = Table(
    "turns",
    metadata,
    _id(),
    _refers("round_id", "rounds.id"),
    Column("number", Integer, nullable=False),
    _refers("question_id", "questions.id"),
    _refers("version_id", "question_versions.id"),
    Column("option_order", JSON, nullable=False),  # [i]: the place as written of the option shown at place i
    Column("state", String(8), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("seconds", Integer),  # NULL: the host goes on
    Column("opened_at", Instant),
    Column("closes_at", Instant),  # a whole second; NULL where the host goes on, or the clock is stopped
    Column("remaining_s", Integer),  # of a stopped clock
    Column("closed_at", Instant),
    Column("revealed_at", Instant),
    Column("extended", Boolean, nullable=False),  # by an outage, once
    UniqueConstraint("round_id", "number"),
)
Index("ix_turns_question_id", turns.c.question_id)

responses = Table(
    "responses",
    metadata,
    _refers("turn_id", "turns.id"),
    Column("member", BigInteger, nullable=False),
    Column("guild", BigInteger),
    Column(
        "answer", Text, nullable=False
    ),  # canonical: places as written, ascending, "0,2"; or what was typed
    Column("confidence", String(8)),
    Column("interaction_id", BigInteger, nullable=False),
    Column("answered_at", Instant, nullable=False),
    Column("state", String(12), nullable=False),  # provisional · locked
    Column("settled_at", Instant),  # NULL until the member may know the result
    Column("points", Integer),  # thousandths; NULL where the question is not scored
    PrimaryKeyConstraint("turn_id", "member"),
)
# Boards by period read this index alone.
_partial(
    "ix_responses_board",
    responses.c.guild,
    responses.c.answered_at,
    responses.c.member,
    responses.c.points,
    where=responses.c.settled_at.is_not(None),
)
Index("ix_responses_member_answered_at", responses.c.member, responses.c.answered_at)

participants = Table(
    "participants",
    metadata,
    _refers("round_id", "rounds.id"),
    Column("member", BigInteger, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("asked_more_time_at", Instant),
    PrimaryKeyConstraint("round_id", "member"),
)

clocks = Table(
    "clocks",
    metadata,
    _refers("turn_id", "turns.id"),
    Column("member", BigInteger, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("closes_at", Instant),
    PrimaryKeyConstraint("turn_id", "member"),
)

messages = Table(
    "messages",
    metadata,
    _id(),
    Column("kind", String(16), nullable=False),
    Column("subject", BigInteger, nullable=False),  # the turn's or round's id
    Column("generation", Integer, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("language", String(16), nullable=False),
    Column("nonce", String(25), nullable=False),
    Column("claimed_at", Instant, nullable=False),
    Column("tried_at", Instant, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("message_id", BigInteger),  # NULL until Discord is known to have it
    Column("drawn", Integer, nullable=False),  # the turn's epoch that the channel is known to show
    Column("deleted_at", Instant),
    UniqueConstraint("kind", "subject", "generation"),
)
Index("ix_messages_message_id", messages.c.message_id)

guilds = Table(
    "guilds",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("settings", JSON, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("removed_at", Instant),
)

people = Table(
    "people",
    metadata,
    Column("member", _Id, primary_key=True, autoincrement=False),
    Column("language", String(16)),
    Column("hidden", Boolean, nullable=False),
    Column("time_factor", Integer, nullable=False),  # per cent
    Column("told", JSON, nullable=False),  # what they were told once
)

members = Table(
    "members",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("member", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("seen_at", Instant, nullable=False),
    PrimaryKeyConstraint("guild", "member"),
)

outages = Table(
    "outages",
    metadata,
    _id(),
    Column("from_at", Instant, nullable=False),
    Column("to_at", Instant, nullable=False),
    Column("shard", Integer),  # NULL: the whole process
)

meta = Table(
    "meta",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

log = Table(
    "log",
    metadata,
    _id(),
    Column("at", Instant, nullable=False),
    Column("guild", BigInteger),
    Column("member", BigInteger),  # who; NULL: the bot itself
    Column("action", String(32), nullable=False),
    Column("facts", JSON, nullable=False),
)
Index("ix_log_guild_at", log.c.guild, log.c.at)
