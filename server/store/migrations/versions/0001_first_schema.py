"""First schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "matches",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("policy", sa.String(length=32), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("formed_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("n_waiting", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_matches")),
    )
    op.create_table(
        "participants",
        sa.Column("participant_id", sa.String(length=32), nullable=False),
        sa.Column("cookie_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("participant_id", name=op.f("pk_participants")),
        sa.UniqueConstraint("cookie_hash", name=op.f("uq_participants_cookie_hash")),
    )
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("simulator", sa.String(length=32), nullable=False),
        sa.Column("profile", sa.String(length=32), nullable=False),
        sa.Column("semantics", sa.String(length=32), nullable=False),
        sa.Column("dataset", sa.String(length=255), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("opened_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("closed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("close_reason", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_sessions_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("match_id", name=op.f("uq_sessions_match_id")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_state"), ["state"], unique=False)

    op.create_table(
        "tickets",
        sa.Column("ticket_id", sa.String(length=32), nullable=False),
        sa.Column("participant_id", sa.String(length=32), nullable=False),
        sa.Column("wish", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("joined_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("left_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("n_waiting_at_join", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.match_id"], name=op.f("fk_tickets_match_id_matches")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.participant_id"],
            name=op.f("fk_tickets_participant_id_participants"),
        ),
        sa.PrimaryKeyConstraint("ticket_id", name=op.f("pk_tickets")),
    )
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tickets_code"), ["code"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_tickets_participant_id"), ["participant_id"], unique=False
        )

    op.create_table(
        "episodes",
        sa.Column("episode_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("order_index", sa.Integer(), nullable=False),
        sa.Column("dataset", sa.String(length=255), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("try_index", sa.Integer(), nullable=False),
        sa.Column("task_text", sa.Text(), nullable=False),
        sa.Column("scene_id", sa.String(length=255), nullable=True),
        sa.Column("opened_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("ended_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.String(length=32), nullable=True),
        sa.Column("ticks", sa.Integer(), nullable=True),
        sa.Column("percent_complete", sa.Double(), nullable=True),
        sa.Column("success", sa.Boolean(), nullable=True),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("verdict", sa.JSON(), nullable=True),
        sa.Column("state_digest", sa.String(length=64), nullable=True),
        sa.Column("simulator", sa.String(length=32), nullable=False),
        sa.Column("profile", sa.String(length=32), nullable=False),
        sa.Column("semantics", sa.String(length=32), nullable=False),
        sa.Column("simulator_version", sa.String(length=32), nullable=True),
        sa.Column("profile_digest", sa.String(length=64), nullable=True),
        sa.Column("scene_digest", sa.String(length=64), nullable=True),
        sa.Column("evaluator_version", sa.String(length=32), nullable=True),
        sa.Column("server_version", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.session_id"], name=op.f("fk_episodes_session_id_sessions")
        ),
        sa.PrimaryKeyConstraint("episode_id", name=op.f("pk_episodes")),
        sa.UniqueConstraint("session_id", "order_index", name=op.f("uq_episodes_session_id")),
    )
    with op.batch_alter_table("episodes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_episodes_task_id"), ["task_id"], unique=False)

    op.create_table(
        "occupancies",
        sa.Column("occupancy_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("seat_id", sa.String(length=32), nullable=False),
        sa.Column("participant_id", sa.String(length=32), nullable=True),
        sa.Column("policy", sa.String(length=32), nullable=True),
        sa.Column("ticket_id", sa.String(length=32), nullable=True),
        sa.Column("since", UtcDateTime(timezone=True), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.participant_id"],
            name=op.f("fk_occupancies_participant_id_participants"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.session_id"], name=op.f("fk_occupancies_session_id_sessions")
        ),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets.ticket_id"], name=op.f("fk_occupancies_ticket_id_tickets")
        ),
        sa.PrimaryKeyConstraint("occupancy_id", name=op.f("pk_occupancies")),
    )
    with op.batch_alter_table("occupancies", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_occupancies_participant_id"), ["participant_id"], unique=False
        )
        batch_op.create_index(
            "ix_occupancies_session_id_seat_id", ["session_id", "seat_id"], unique=False
        )

    op.create_table(
        "propositions",
        sa.Column("episode_id", sa.String(length=32), nullable=False),
        sa.Column("proposition_index", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("satisfied", sa.Boolean(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("satisfied_tick", sa.Integer(), nullable=True),
        sa.Column("by_seat", sa.String(length=32), nullable=True),
        sa.Column("broken_tick", sa.Integer(), nullable=True),
        sa.Column("broken_by_seat", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["episode_id"],
            ["episodes.episode_id"],
            name=op.f("fk_propositions_episode_id_episodes"),
        ),
        sa.PrimaryKeyConstraint("episode_id", "proposition_index", name=op.f("pk_propositions")),
    )


def downgrade() -> None:

    op.drop_table("propositions")
    with op.batch_alter_table("occupancies", schema=None) as batch_op:
        batch_op.drop_index("ix_occupancies_session_id_seat_id")
        batch_op.drop_index(batch_op.f("ix_occupancies_participant_id"))

    op.drop_table("occupancies")
    with op.batch_alter_table("episodes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_episodes_task_id"))

    op.drop_table("episodes")
    with op.batch_alter_table("tickets", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tickets_participant_id"))
        batch_op.drop_index(batch_op.f("ix_tickets_code"))

    op.drop_table("tickets")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_state"))

    op.drop_table("sessions")
    op.drop_table("participants")
    op.drop_table("matches")
