"""Studies keep readings of the models that their robots ask."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_readings",
        sa.Column("reading_id", sa.Integer(), nullable=False),
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("occasion", sa.String(32), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("reading", sa.JSON(none_as_null=True)),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("reading_id", name="pk_model_readings"),
    )
    op.create_index("ix_model_readings_study", "model_readings", ["study"])


def downgrade() -> None:
    op.drop_index("ix_model_readings_study", table_name="model_readings")
    op.drop_table("model_readings")
