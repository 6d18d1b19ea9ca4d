"""Studies keep their draws, their openings, and who looked at outcomes; matches have plans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "draws",
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("study", "version", "mode", "number", name="pk_draws"),
    )
    op.create_table(
        "study_runs",
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("manifest", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("closed_at", UtcDateTime(timezone=True)),
        sa.PrimaryKeyConstraint("study", "version", "mode", name="pk_study_runs"),
    )
    op.create_table(
        "unblindings",
        sa.Column("unblinding_id", sa.Integer(), nullable=False),
        sa.Column("study", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("unblinding_id", name="pk_unblindings"),
    )
    op.create_index("ix_unblindings_study", "unblindings", ["study"])
    op.add_column("matches", sa.Column("place", sa.Integer()))
    op.add_column("matches", sa.Column("plan", sa.JSON(none_as_null=True)))
    op.add_column("episodes", sa.Column("spec", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("episodes", "spec")
    op.drop_column("matches", "plan")
    op.drop_column("matches", "place")
    op.drop_table("unblindings")
    op.drop_table("study_runs")
    op.drop_table("draws")
