"""Studies pause their own recruiting, and what people report says whether the operator knows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("troubles", sa.Column("told_at", UtcDateTime(timezone=True)))
    op.create_table(
        "study_pauses",
        sa.Column("pause_id", sa.Integer(), nullable=False),
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("cause", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("paused_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("told_at", UtcDateTime(timezone=True)),
        sa.Column("resumed_at", UtcDateTime(timezone=True)),
        sa.PrimaryKeyConstraint("pause_id", name="pk_study_pauses"),
    )
    op.create_index("ix_study_pauses_study", "study_pauses", ["study"])


def downgrade() -> None:
    op.drop_table("study_pauses")
    op.drop_column("troubles", "told_at")
