"""The record: every table of the design, also those whose features come later."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guilds",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("member", sa.BigInteger(), nullable=True),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log")),
    )
    with op.batch_alter_table("log", schema=None) as batch_op:
        batch_op.create_index("ix_log_guild_at", ["guild", "at"], unique=False)

    op.create_table(
        "members",
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "member", name=op.f("pk_members")),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("nonce", sa.String(length=25), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.Column("tried_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sa.UniqueConstraint(
            "kind", "subject", "generation", name=op.f("uq_messages_kind_subject_generation")
        ),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_message_id", ["message_id"], unique=False)

    op.create_table(
        "meta",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("from_at", sa.BigInteger(), nullable=False),
        sa.Column("to_at", sa.BigInteger(), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
    )
    op.create_table(
        "people",
        sa.Column(
            "member",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("time_factor", sa.Integer(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("member", name=op.f("pk_people")),
    )
    op.create_table(
        "quizzes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("ref", sa.String(length=64), nullable=False),
        sa.Column("title", sa.JSON(), nullable=False),
        sa.Column("description", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("practice_open", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quizzes")),
        sa.UniqueConstraint("guild", "ref", name=op.f("uq_quizzes_guild_ref")),
    )
    with op.batch_alter_table("quizzes", schema=None) as batch_op:
        batch_op.create_index(
            "uq_quizzes_shipped_ref",
            ["ref"],
            unique=True,
            sqlite_where=sa.text("guild IS NULL"),
            postgresql_where=sa.text("guild IS NULL"),
        )

    op.create_table(
        "rounds",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("token", sa.String(length=10), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("titles", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("feedback", sa.String(length=8), nullable=False),
        sa.Column("locks", sa.Boolean(), nullable=False),
        sa.Column("scoring", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("end_reason", sa.String(length=16), nullable=True),
        sa.Column("paused_at", sa.BigInteger(), nullable=True),
        sa.Column("pause_reason", sa.String(length=64), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(state = 'ended') = (ended_at IS NOT NULL)", name=op.f("ck_rounds_ended")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
        sa.UniqueConstraint("token", name=op.f("uq_rounds_token")),
    )
    with op.batch_alter_table("rounds", schema=None) as batch_op:
        batch_op.create_index("ix_rounds_due_at", ["due_at"], unique=False)
        batch_op.create_index("ix_rounds_guild_created_at", ["guild", "created_at"], unique=False)
        batch_op.create_index(
            "ix_rounds_open_guild",
            ["guild"],
            unique=False,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
        batch_op.create_index(
            "uq_rounds_live_channel",
            ["channel_id"],
            unique=True,
            sqlite_where=sa.text("mode = 'live' AND ended_at IS NULL"),
            postgresql_where=sa.text("mode = 'live' AND ended_at IS NULL"),
        )

    op.create_table(
        "participants",
        sa.Column("round_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("asked_more_time_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_participants_round_id")),
        sa.PrimaryKeyConstraint("round_id", "member", name=op.f("pk_participants")),
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("quiz_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ref", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["quiz_id"], ["quizzes.id"], name=op.f("fk_questions_quiz_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("quiz_id", "ref", name=op.f("uq_questions_quiz_id_ref")),
    )
    op.create_table(
        "question_versions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("key", sa.JSON(), nullable=True),
        sa.Column("options", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_question_versions_question_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_versions")),
        sa.UniqueConstraint("question_id", "number", name=op.f("uq_question_versions_question_id_number")),
    )
    op.create_table(
        "corrections",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("version_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["version_id"], ["question_versions.id"], name=op.f("fk_corrections_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corrections")),
    )
    with op.batch_alter_table("corrections", schema=None) as batch_op:
        batch_op.create_index("ix_corrections_version_id_guild", ["version_id", "guild"], unique=False)

    op.create_table(
        "turns",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("round_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("option_order", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("opened_at", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("remaining_s", sa.Integer(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("revealed_at", sa.BigInteger(), nullable=True),
        sa.Column("extended", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_turns_question_id")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_turns_round_id")),
        sa.ForeignKeyConstraint(["version_id"], ["question_versions.id"], name=op.f("fk_turns_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("round_id", "number", name=op.f("uq_turns_round_id_number")),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index("ix_turns_question_id", ["question_id"], unique=False)

    op.create_table(
        "clocks",
        sa.Column("turn_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_clocks_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "member", name=op.f("pk_clocks")),
    )
    op.create_table(
        "responses",
        sa.Column("turn_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("member", sa.BigInteger(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("confidence", sa.String(length=8), nullable=True),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_responses_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "member", name=op.f("pk_responses")),
    )
    with op.batch_alter_table("responses", schema=None) as batch_op:
        batch_op.create_index(
            "ix_responses_board",
            ["guild", "answered_at", "member", "points"],
            unique=False,
            sqlite_where=sa.text("settled_at IS NOT NULL"),
            postgresql_where=sa.text("settled_at IS NOT NULL"),
        )
        batch_op.create_index("ix_responses_member_answered_at", ["member", "answered_at"], unique=False)
