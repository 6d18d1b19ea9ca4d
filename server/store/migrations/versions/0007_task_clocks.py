"""Episodes say by which rule the clock of their task started, and how late."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("episodes", sa.Column("clock", sa.String(32)))
    op.add_column("episodes", sa.Column("clock_ticks", sa.Integer()))


def downgrade() -> None:
    with op.batch_alter_table("episodes") as batch:
        batch.drop_column("clock_ticks")
        batch.drop_column("clock")
