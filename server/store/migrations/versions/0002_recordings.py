"""The index of archived logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recordings",
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("file", sa.String(length=255), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("episodes", sa.Integer(), nullable=False),
        sa.Column("ticks", sa.Integer(), nullable=False),
        sa.Column("log_bytes", sa.Integer(), nullable=False),
        sa.Column("packed_bytes", sa.Integer(), nullable=False),
        sa.Column("lost_bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("archived_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.session_id"],
            name=op.f("fk_recordings_session_id_sessions"),
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_recordings")),
    )


def downgrade() -> None:
    op.drop_table("recordings")
