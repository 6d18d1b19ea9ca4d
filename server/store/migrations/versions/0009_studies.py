"""Studies as they were opened, so that what is owed can be reckoned when no server runs them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("study", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("study", "version", "digest", name=op.f("pk_studies")),
    )


def downgrade() -> None:
    op.drop_table("studies")
