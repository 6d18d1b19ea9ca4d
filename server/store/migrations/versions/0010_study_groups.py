"""Matches say which condition of which study they are, and how they were decided."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_OF_MATCHES = ("decision", "is_substituted", "cell", "study_mode", "study_version", "study")


def upgrade() -> None:
    op.add_column("matches", sa.Column("study", sa.String(64)))
    op.add_column("matches", sa.Column("study_version", sa.Integer()))
    op.add_column("matches", sa.Column("study_mode", sa.String(32)))
    op.add_column("matches", sa.Column("cell", sa.String(64)))
    op.add_column(
        "matches",
        sa.Column("is_substituted", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("matches", sa.Column("decision", sa.JSON(none_as_null=True)))
    op.create_index("ix_matches_study", "matches", ["study"])
    op.add_column("tickets", sa.Column("robot", sa.Text(), nullable=False, server_default=""))
    op.add_column("tickets", sa.Column("rtt_ms", sa.Double()))


def downgrade() -> None:
    op.drop_index("ix_matches_study", "matches")
    # In place: what other tables refer to cannot be made anew.
    for column in ("rtt_ms", "robot"):
        op.drop_column("tickets", column)
    for column in _OF_MATCHES:
        op.drop_column("matches", column)
